import Foundation
import FrameKit
import Testing

@testable import frametool

@Suite struct CommandTests {
  @Test func theVersionIsOneLine() {
    let run = Run(["--version"])
    #expect(run.output == "frametool \(Frametool.version)\n")
    #expect(run.status == .success)
  }

  @Test func aReportOfABugHasTheMachine() {
    let run = Run(["--version", "--verbose"])
    let lines = run.output.split(separator: "\n")
    #expect(lines.first.map(String.init) == "frametool \(Frametool.version)")
    let names = lines.dropFirst().map { String($0.prefix { $0 != ":" }) }
    #expect(names == ["system", "libraries", "gnuplot", "Vulkan layer"])
    #expect(run.output.contains("SQLite 3.") && run.output.contains("zlib 1."))
  }

  /// The program has its arguments from the system, not from a file system that may be missing.
  @Test func argumentsAreThoseOfMain() throws {
    let run = try Checker.run(ShellSession.tool.path, ["schema", "no such"])
    #expect(run.status == 64 && run.output.contains("there is no document no such"))
  }

  @Test func withoutACommandTheOverviewIsPrintedAndTheStatusSaysUsage() {
    let run = Run([])
    #expect(run.output.hasPrefix("usage: frametool COMMAND"))
    #expect(run.status == .usage)
  }

  @Test func everyCommandIsInTheOverviewAndHasHelp() {
    let overview = Run(["help"]).output
    for command in Frametool.commands {
      #expect(overview.contains("  \(command.name) "), "\(command.name)")
      let help = Run(["help", command.name]).output
      #expect(help.hasPrefix("usage: frametool \(command.name)"), "\(command.name)")
      #expect(Run([command.name, "--help"]).output == help)
    }
  }

  /// An app that is busy for nearly two refreshes of each frame drops every second one, unless its
  /// target is 30 frames a second. A target that the user states is accepted, and printed.
  @Test func aTargetRateIsTheUsersWord() {
    let lines = (0..<120).map { frame in
      let start = frame * 33_333_334
      return
        "{\"type\": \"frame\", \"appStart\": \(start), \"commit\": \(start + 32_000_000), \"displayed\": \(start + 50_000_000)}"
    }
    let text =
      "{\"schema\": \"frametool.trace/1\"}\n{\"type\": \"display\", \"id\": \"d\", \"interval\": 16666667}\n"
      + lines.joined(separator: "\n") + "\n"
    let run = { (arguments: [String]) in
      Run(["analyze", "-", "--quiet"] + arguments, input: Array(text.utf8)).output
    }
    #expect(run([]).contains("119 of "))
    #expect(run(["--target-fps", "30"]).contains("refreshes was dropped"))
    #expect(run(["--target-fps", "30"]).contains("keep 30.0 fps (stated)"))
    #expect(run(["--target-fps", "60"]).contains("119 of "))
    let refused = Run(["analyze", "-", "--target-fps", "0"], input: Array(text.utf8))
    #expect(refused.errors.contains("a number of frames per second between 0.1 and 10000"))
    #expect(refused.status == .usage)
    let touches = "{\"schema\": \"frametool.trace/1\"}\n{\"type\": \"touch\", \"scanStart\": 1}\n"
    let empty = Run(["analyze", "-", "--target-fps", "30"], input: Array(touches.utf8))
    #expect(empty.errors.contains("expected frames for a target rate, found none"))
  }

  @Test(arguments: [
    (["analys"], "error: unknown command analys\nhelp: did you mean 'analyze'?\n"),
    (
      ["--nonsense"],
      "error: unknown option --nonsense\nhelp: 'frametool help' lists the commands\n"
    ),
    (
      ["analyze", "--formt", "json", "x"],
      "error: unknown option --formt of 'analyze'\nhelp: did you mean '--format'?\n"
    ),
    (
      ["analyze", "--format", "xml", "x"],
      "error: --format: expected one of text, json, csv, markdown, github-action-benchmark, bencher, openmetrics, otlp, found xml\n"
        + "help: 'frametool help analyze' describes it\n"
    ),
    (
      ["analyze", "x", "--format"],
      "error: --format: expected text|json|csv|markdown|github-action-benchmark|bencher|openmetrics|otlp after it\n"
        + "help: 'frametool help analyze' describes it\n"
    ),
    (
      ["analyze"],
      "error: analyze: expected TRACE…\nhelp: usage: frametool analyze TRACE… [OPTION…]\n"
    ),
    (
      ["convert", "a", "b", "c"],
      "error: convert: native holds one trace, found 2\n"
        + "help: --as frames-csv makes one table of several, --one-recording joins the files of one recording\n"
    ),
    (["analyze", "--quiet=1", "x"], "error: --quiet takes no value, found --quiet=1\n"),
    (
      ["generate", "steady60"],
      "error: unknown scenario steady60\nhelp: did you mean 'steady-60'?\n"
    ),
    (
      ["generate", "steady-60", "--frames", "0"],
      "error: --frames: expected a whole number from 1 to 100000000, found 0\n"
        + "help: 'frametool help generate' describes it\n"
    ),
    (
      ["generate", "steady-60", "--encode", "x"],
      "error: --encode: expected one of native, packed, frame-recorder, presentmon, presentmon-v2, presentmon-v1, xctrace, perfetto, systrace, gfxinfo, wayland-debug, x11-present, chrome, mangohud, unreal, evemu, fraps, unity, kwin, steamvr, xrframetools, pyrofling, found x\n"
    ),
    (
      ["analyze", "x", "--metrics", "displayLatency,frametme"],
      "error: --metrics: expected a name such as frameTime, found displayLatency,frametme\n"
        + "help: 'frametool help analyze' describes it\n"
    ),
    (["completions", "tcsh"], "error: expected bash, zsh or fish, found tcsh\n"),
    (
      ["analyze", "x", "--budget", "16.6m"],
      "error: --budget: expected a number from 0.001 to 1000000.0, found 16.6m\n"
        + "help: 'frametool help analyze' describes it\n"
    ),
    (
      ["analyze", "x", "--all", "--format", "csv"],
      "error: --all has no effect with --format csv\n"
        + "help: give one of the two\n"
    ),
    (
      ["convert", "x", "frames.parquet"],
      "error: frames.parquet: cannot write .parquet files\n"
        + "help: use a name that ends in .jsonl (native), .ftz (packed), .json (chrome), .pftrace (perfetto), .perfetto-trace (perfetto), .csv (frames-csv), .sqlite (sqlite), .sqlite3 (sqlite), .db (sqlite), or choose a format with --as\n"
    ),
  ])
  func mistakesGetOneLineAndHelp(_ arguments: [String], _ errors: String) {
    let run = Run(arguments)
    #expect(run.errors == errors)
    #expect(run.output == "")
    #expect(run.status == .usage)
  }

  /// Quantities and metrics as people write them.
  @Test(arguments: [
    (["--budget", "16.6ms"], ["--budget", "16.6"]),
    (["--budget", "0.0166s"], ["--budget", "16.6"]),
    (["--fps", "60fps"], ["--fps", "60"]), (["--skip-first", "500ms"], ["--skip-first", "0.5"]),
    (["--from", "1 s"], ["--from", "1"]), (["--to", "1500ms"], ["--to", "1.5"]),
    (["--metrics", "fps,1%low"], ["--metrics", "averageFrameRate,onePercentLowAverage"]),
    (["--metrics", "FrameTime,0.1% LOW"], ["--metrics", "frameTime,pointOnePercentLowAverage"]),
  ])
  func unitsAndOtherNamesAreUnderstood(_ written: [String], _ meant: [String]) {
    let trace = Array(Run(["generate", "uncapped-game", "--frames", "900"]).output.utf8)
    let run = Run(["analyze", "-", "--format", "csv"] + written, input: trace)
    #expect(run.status == .success)
    #expect(run.output == Run(["analyze", "-", "--format", "csv"] + meant, input: trace).output)
  }

  @Test func optionsStandAnywhereAndInBothForms() {
    let trace = Array(Run(["generate", "steady-60", "--frames=5"]).output.utf8)
    let plain = Run(["analyze", "--format", "json", "-"], input: trace).output
    #expect(Run(["analyze", "-", "--format=json"], input: trace).output == plain)
    #expect(Run(["analyze", "--format=json", "--", "-"], input: trace).output == plain)
  }

  @Test func aFileThatIsNotThereIsAnInputErrorAndOthersAreStillAnalyzed() {
    let trace = Array(Run(["generate", "steady-60", "--frames", "5"]).output.utf8)
    let run = Run(["analyze", "/no/such/file", "-"], input: trace)
    #expect(run.status == .inputOutput)
    #expect(run.errors.hasPrefix("error: /no/such/file: cannot open: No such file or directory\n"))
    #expect(run.output.hasPrefix("standard input: frametool trace, version 1, 5 frames"))
  }

  @Test func severalTracesComeInTheOrderOfTheArguments() throws {
    let run = Run(["analyze", "--format", "json", "Samples/game.csv", "Samples/hand-written.jsonl"])
    let json = try #require(
      JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
    let analyses = try #require(json["analyses"] as? [[String: Any]])
    let files = analyses.map { ($0["trace"] as? [String: Any])?["file"] as? String }
    #expect(files == ["Samples/game.csv", "Samples/hand-written.jsonl"])
  }

  @Test func aProcessOrASurfaceCanBeSelected() {
    let all = Run(["analyze", "Samples/game.csv"]).output
    #expect(Run(["analyze", "Samples/game.csv", "--process", "uncapped.exe"]).output == all)
    #expect(Run(["analyze", "Samples/game.csv", "--process", "4242"]).output == all)
    #expect(Run(["analyze", "Samples/game.csv", "--surface", "0xF00D"]).output == all)
    let none = Run(["analyze", "Samples/game.csv", "--process", "other.exe"])
    #expect(none.status == .usage)
    #expect(
      none.errors == "error: Samples/game.csv: no surface matches other.exe\n"
        + "help: available: uncapped.exe (4242:0xF00D)\n")
  }

  @Test func metricsCanBeSelectedAndTheRestStaysUnread() throws {
    let run = Run([
      "analyze", "Samples/game.csv", "--metrics", "frameTime,clickToPhoton", "--metrics=gpuBusy",
      "--format=json",
    ])
    let json = try #require(
      JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
    let trace = try #require(json["trace"] as? [String: Any])
    #expect(trace["capabilities"] is NSNull)
    #expect((trace["why_missing"] as? [String: String])?.keys.sorted().first == "capabilities")
    let surfaces = try #require(json["surfaces"] as? [[String: Any]])
    let metrics = try #require(surfaces[0]["metrics"] as? [String: Any])
    #expect(metrics.keys.sorted() == ["clickToPhoton", "frameTime", "gpuBusy"])
    #expect(run.output.contains("columns left unread"))
  }

  @Test func anImporterCanBeNamed() {
    let named = Run(["info", "--input-format", "presentmon", "Samples/game.csv"])
    #expect(named.output.contains("presentmon, because named with --input-format"))
    let other = Run(["info", "--input-format", "native", "Samples/game.csv"])
    #expect(other.status == .badData)
    #expect(
      other.errors.hasPrefix(
        "error: Samples/game.csv: expected frametool trace, found something else\n"))
    let unknown = Run(["info", "--input-format", "xyz", "Samples/game.csv"])
    #expect(
      unknown.errors.contains(
        "expected an input format from \(Importers.formats.map(\.name).joined(separator: ", ")), found xyz"
      )
    )
  }

  @Test func aFileIsWrittenWholeOrNotAtAll() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "t.jsonl").path
    #expect(Run(["convert", "Samples/game.csv", file]).status == .success)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["t.jsonl"])
    let full = Run(["convert", "Samples/game.csv", "/dev/full"])
    #expect(full.status == .inputOutput)
    #expect(full.errors == "error: /dev/full: cannot write: No space left on device\n")
    let link = folder.appending(path: "link").path
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "t.jsonl")
    try Data().write(to: URL(filePath: file))
    #expect(Run(["convert", "Samples/game.csv", link]).status == .success)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "t.jsonl")
    #expect(try Data(contentsOf: URL(filePath: file)).count > 0)
    let nowhere = Run(["convert", "Samples/game.csv", "\(folder.path)/none/t.jsonl"])
    #expect(nowhere.status == .inputOutput)
  }

  @Test func theTruthIsWrittenAsJSON() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).json")
    defer { try? FileManager.default.removeItem(at: file) }
    let run = Run(["generate", "dropped-frames", "--frames", "40", "--truth", file.path])
    #expect(run.status == .success)
    let json = try #require(
      JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any])
    #expect(json["schema"] as? String == "frametool.truth/1")
    #expect((json["frames"] as? [String: Int])?["replaced"] == 2)
  }

  @Test func bashCompletesCommandsOfTwoWords() throws {
    let folder = try TemporaryFolder()
    let script = folder.path("completions")
    try Data(Run(["completions", "bash"]).output.utf8).write(to: URL(filePath: script))
    for (line, word) in [
      ("hist", "history"), ("history ch", "check"), ("history check --fa", "--fail-on"),
      ("launch run --unt", "--until"), ("launch --inp", "--input-format"),
      ("plot --the", "--theme"), ("plot pip", "pipeline"), ("generate talk-tr", "talk-triple"),
      ("analyze x --format m", "markdown"), ("history check --format ju", "junit"),
      ("analyze x --metrics frameTime,cpuB", "frameTime,cpuBusy"),
      ("compare a b --metric missedRefreshS", "missedRefreshShare missedRefreshShareOfRun"),
      ("analyze x --input-format capf", "capframex"), ("help his", "history"),
      // Options that have no effect with those on the line are not offered.
      ("analyze x --al", "--all"), ("analyze x --brief --al", ""),
      ("analyze x --format csv --wo", ""), ("analyze x --format text --wo", "--worst"),
    ] {
      let process = Process()
      let output = Pipe()
      process.executableURL = URL(filePath: "/bin/bash")
      process.currentDirectoryURL = URL(filePath: folder.path(""))
      process.arguments = [
        "-c",
        "source '\(script)'; COMP_WORDS=(frametool \(line)); COMP_CWORD=$((${#COMP_WORDS[@]}-1)); _frametool; echo \"${COMPREPLY[@]}\"",
      ]
      process.standardOutput = output
      try process.run()
      let words = try output.fileHandleForReading.readToEnd() ?? Data()
      process.waitUntilExit()
      #expect(String(decoding: words, as: UTF8.self) == "\(word)\n", "\(line)")
    }
  }

  /// Shells complete the processes of the files on the line, and other words on the line are not an
  /// error.
  @Test func processesOfTracesAreCompleted() {
    let run = Run([
      "completions", "--processes", "--", "Samples/game.csv", "--worst", "none.csv", "",
    ])
    #expect(run.status == .success && run.output == "uncapped.exe\n" && run.errors.isEmpty)
  }

  @Test func noOptionHasTheNameOfAnother() {
    func names<Subject: Command>(_ command: Subject.Type) -> [String] {
      command.options.flatMap(\.names)
    }
    for command in Frametool.commands {
      let all = names(command)
      #expect(Set(all).count == all.count, "\(command.name)")
    }
  }

  /// The manual page has every command and option, and no line that roff takes for a request.
  @Test func theManualPageHasEveryCommandAndOption() {
    let page = Run(["help", "--man"]).output
    #expect(page.hasPrefix(".TH FRAMETOOL 1 "))
    func names<Subject: Command>(_ command: Subject.Type) -> [String] {
      command.options.flatMap(\.names)
    }
    for command in Frametool.commands {
      #expect(
        page.contains(
          ".SS \"frametool \(command.name.replacing("-", with: "\\-"))"), "\(command.name)")
      for name in names(command) {
        #expect(page.contains("\\fB\(name.replacing("-", with: "\\-"))\\fR"), "\(name)")
      }
    }
    let requests = [".TH", ".SH", ".SS", ".TP", ".PP", ".EX", ".EE", ".RS", ".RE", ".B", ".I"]
    for line in page.split(separator: "\n") where line.hasPrefix(".") {
      #expect(requests.contains(String(line.prefix { $0 != " " })), "\(line)")
    }
    #expect(Run(["help", "--man", "plot"]).status == .usage)
  }

  @Test func aPagerIsTakenFromTheEnvironmentAsGitDoes() {
    #expect(Pager.command { ["PAGER": "more"][$0] } == "more")
    #expect(Pager.command { ["PAGER": "more", "FRAMETOOL_PAGER": "less -S"][$0] } == "less -S")
    #expect(Pager.command { ["PAGER": "cat"][$0] } == nil)
    #expect(Pager.command { ["PAGER": ""][$0] } == nil)
    #expect(Pager.command { _ in nil } == "less")
    let taken = Pager.consume(["analyze", "--pager", "a", "--", "--pager"])
    #expect(taken.isWanted && taken.arguments == ["analyze", "a", "--", "--pager"])
    #expect(!Pager.consume(["analyze", "--", "--pager"]).isWanted)
  }

  @Test func completionsNameEveryCommandAndOption() {
    for shell in ["bash", "zsh", "fish"] {
      let text = Run(["completions", shell]).output
      for word in Frametool.commands.flatMap({ $0.name.split(separator: " ") }) {
        #expect(text.contains(word), "\(shell)")
      }
      #expect(text.contains("input-format"))
    }
  }

  @Test(arguments: ["formats", "metrics", "scenarios"])
  func listsComeAsTextJSONAndMarkdown(_ list: String) throws {
    let json = try #require(
      JSONSerialization.jsonObject(with: Data(Run([list, "--format", "json"]).output.utf8))
        as? [[String: String]])
    let text = Run([list]).output.split(separator: "\n")
    #expect(text.count == json.count + 1)
    let markdown = Run([list, "--markdown"]).output.split(separator: "\n")
    #expect(markdown.count == json.count + 2)
  }

  /// An export without any content is refused, as the importer would refuse to read that file.
  @Test(arguments: ["perfetto", "chrome"])
  func anEmptyExportIsRefused(_ format: String) throws {
    let folder = try TemporaryFolder()
    let kept = Run(["generate", "launches"]).output.split(separator: "\n")
      .filter { $0.contains(#""type":"launch""#) || $0.contains("schema") }
    #expect(kept.count > 1)
    try Data((kept.joined(separator: "\n") + "\n").utf8)
      .write(to: URL(filePath: folder.path("launches.jsonl")))
    try Data("frameTime\n16.7\n16.7\n33.3\n".utf8)
      .write(to: URL(filePath: folder.path("lengths.csv")))
    for (input, options) in [
      ("launches.jsonl", []), ("lengths.csv", ["--columns", "frameTime=frameTime:ms"]),
    ] {
      let run = Run(["convert", folder.path(input), folder.path("out"), "--as", format] + options)
      let reason = "no stage, buffer, touch, marker, or launch phase"
      #expect(run.status == .usage && run.errors.contains(reason), "\(run.errors)")
    }
    #expect(!folder.files.contains("out"))
  }
}
