import Foundation
import FrameKit
import Testing

@testable import frametool

/// Each option in each form of a command changes what is printed or written, or it is refused.
@Suite struct OptionEffectTests {
  /// A command line without the tested option. Words in capitals are files of ``Inputs``.
  struct Form: CustomTestStringConvertible {
    let line: String
    /// Options that cannot change this form, and say nothing false: what is not looked at.
    let idle: Set<String>
    var testDescription: String { line }

    init(_ line: String, idle: Set<String> = []) { (self.line, self.idle) = (line, idle) }
  }

  /// The files of the test: traces with touches, with threads and without both, pairs, and outputs.
  struct Inputs {
    let folder: TemporaryFolder

    init() throws {
      folder = try TemporaryFolder()
      try FileManager.default.createDirectory(
        atPath: folder.path("FOLDER"), withIntermediateDirectories: true)
      let traces = [
        ("TOUCHES", "coalesced-pile-up"), ("THREADS", "scheduling-faults"),
        ("LAUNCHES", "launches"), ("GAME", "uncapped-game"), ("A", "app-overrun"),
        ("B", "app-overrun"), ("C", "app-overrun"),
        ("D", "app-overrun"), ("E", "app-overrun"), ("F", "app-overrun"),
        ("FOLDER/a.jsonl", "app-overrun"),
        ("FOLDER/b.jsonl", "app-overrun"),
      ]
      for (seed, (name, scenario)) in traces.enumerated() {
        // The shortest run that is compared has 241 frames.
        let length = scenario == "launches" ? [] : ["--frames", "260"]
        let run = Run(
          ["generate", scenario, "--seed", "\(seed)", "-o", folder.path(name)] + length)
        #expect(run.status == .success, "\(run.errors)")
      }
      _ = Run(["analyze", folder.path("FOLDER"), "--summary", folder.path("SUM"), "--tag", "a=b"])
      _ = Run([
        "bench", "--a", "true", "--b", "true", "--max-runs", "6", "-o", folder.path("PAIRS"),
      ])
    }

    /// What a command line gives: its status, its output, its errors, and what it writes.
    func result(of line: String) -> String {
      let outputs = folder.files.filter { $0.hasPrefix("OUT") }
      for name in outputs { try? FileManager.default.removeItem(atPath: folder.path(name)) }
      // Names in capitals are files.
      let words = line.split(separator: " ").map { word in
        word.split(separator: "=", omittingEmptySubsequences: false).map { part in
          part.hasPrefix("OUT") || part.allSatisfy(\.isUppercase) && !part.isEmpty
            ? folder.path(String(part)) : String(part)
        }.joined(separator: "=")
      }
      let run = Run(words)
      let written = folder.files.filter { $0.hasPrefix("OUT") }.sorted().map {
        (try? String(contentsOfFile: folder.path($0), encoding: .utf8)) ?? ""
      }
      return ["\(run.status.rawValue)", run.output, run.errors, written.joined()].joined(
        separator: "\n")
    }
  }

  /// A value for each option that takes one, with which something changes.
  private static let values = [
    "--format": "json", "--metrics": "frameTime", "--worst": "2", "--budget": "10", "--fps": "50",
    "--dialect": "capframex", "--summary": "OUTPUT", "--tag": "a=b", "--tag-path": "**/{build}",
    "--process": "nobody", "--surface": "nothing", "--from": "0.5", "--to": "0.8",
    "--skip-first": "0.5", "--scan-out": "0.2", "--device-offset": "5", "--columns": "frameTime=a",
    "--target-fps": "30", "--refresh": "120", "--touches": "TOUCHES", "--offset": "0",
    "--threads": "THREADS", "--threads-offset": "1", "--compositor": "THREADS", "--before": "C",
    "--after": "D", "--side": "third=C", "--metric": "gpuTime", "--history": "A B",
    "--fail-on": "inconclusive", "--threshold": "p95=50", "--sequential": "3,5", "--plan": "3",
    "--self-test": "20", "--limit": "p50(frameTime)<=1ms", "--theme": "dark",
    "--with": "gpu-power", "--frame": "30", "--size": "60x20", "--low-latency": "on",
    "--buffers": "2", "--present-mode": "immediate", "--touch-rate": "240", "--prediction": "8",
    "--scale": "app=1.5", "--defer": "app:3", "--sync-layers": "on", "--render-ahead": "1",
    "--cap": "30", "--sweep": "gpu=1..2", "--output": "OUT.json", "--by": "a",
    "--compare": "a=b..c",
    "--unit": "a", "--mix": "a", "--as": "packed", "--formulas": "quoted",
  ]

  /// Options that say how the work is done, and not what is said.
  private static let work: Set = [
    "--jobs", "--quiet", "--max-size", "--input-format", "--max-memory", "--max-time",
  ]
  /// Statements about the display and the inputs, which need not matter for a figure.
  private static let statements: Set = [
    "--target-fps", "--refresh", "--one-recording", "--allow-different-refresh",
  ]
  private static let light: Set = ["--scan-out", "--device-offset"]

  private static let forms: [Form] = {
    let limits = "--limit mean(frameTime)<=20ms --limit p50(touchToPhoton)<=90ms"
    var forms = AnalysisFormat.allCases.map { format in
      Form(
        "analyze TOUCHES THREADS --format \(format.rawValue)",
        // Slow and frozen frames are counted against constant budgets.
        idle: format.countsJank ? ["--target-fps"] : [])
    }
    forms += VerdictFormat.allCases.map {
      Form(
        "compare --before A --after B --format \($0.rawValue)",
        // A table has no sentence about the noise of earlier jobs.
        idle: statements.union($0 == .csv ? ["--history"] : []))
    }
    forms += GateFormat.allCases.map {
      Form("gate A B \(limits) --format \($0.rawValue)", idle: statements.union(light))
    }
    forms += Plots.all.map { kind in
      let isLatency = kind.name.contains("latency") || kind.name == "pipeline"
      let inputs = [
        "compare": "A B", "thread-states": "THREADS", "launch": "LAUNCHES", "replay": "A B",
        "limits": "GAME",
      ]
      return Form(
        "plot \(kind.name) \(inputs[kind.name] ?? "TOUCHES") -o OUT.json",
        // The data does not depend on the size of the picture, and launches not on surfaces.
        idle: statements.union(isLatency ? [] : light).union(["--size"])
          .union(kind.name == "launch" ? ["--surface"] : []))
    }
    return forms + [
      Form("analyze TOUCHES THREADS --brief", idle: ["--device-offset", "--scan-out"]),
      Form("analyze A B C --summary-of-runs", idle: statements.union(light)),
      Form("analyze FOLDER --summary OUT", idle: light), Form("analyze TOUCHES --summary OUT"),
      Form("compare --side first=A --side second=B", idle: statements), Form("compare PAIRS"),
      Form("compare --plan 3"),
      Form(
        "compare --before A B C D E F --self-test 20",
        // The change is found with them, too.
        idle: statements.union([
          "--history", "--paired", "--threshold", "--sequential", "--from", "--skip-first",
        ])),
      Form("compare --before A --after B --brief", idle: statements),
      Form("gate A B C --suggest", idle: statements.union(light)),
      Form("gate A \(limits) --self-test 20", idle: statements.union(light)),
      Form("gate A \(limits) --brief", idle: statements.union(light)),
      // Without a condition, advice is the answer.
      Form("replay TOUCHES", idle: statements.union(["--advise"])),
      Form("replay TOUCHES --format json", idle: statements.union(["--advise"])),
      Form("replay TOUCHES --brief", idle: statements.union(["--advise"])), Form("fleet SUM"),
      Form("fleet SUM --format csv"),
      Form(
        "convert TOUCHES OUT.csv --as frames-csv",
        // No name is a formula, and the table has no threads.
        idle: statements.union(["--formulas", "--threads"])),
      Form("convert TOUCHES OUT.jsonl", idle: statements), Form("info TOUCHES", idle: statements),
      Form("launch LAUNCHES", idle: statements),
    ]
  }()

  @Test func everyOptionHasAnEffectOrIsRefused() throws {
    let inputs = try Inputs()
    for form in Self.forms {
      let words = form.line.split(separator: " ").map(String.init)
      let command = try #require(Frametool.commands.first { $0.name == words[0] })
      let without = inputs.result(of: form.line)
      #expect(["0", "1", "3"].contains(without.prefix { $0 != "\n" }), "\(form.line): \(without)")
      var silent: [String] = []
      for (names, takesValue) in Self.options(of: command)
      where !words.contains(where: names.contains) && !Self.work.contains(names[0])
        && !form.idle.contains(names[0])
      {
        let value = takesValue ? " " + (Self.values[names[0]] ?? "?") : ""
        #expect(value != " ?", "\(names[0]): no value in the test")
        if inputs.result(of: "\(form.line) \(names[0])\(value)") == without {
          silent.append(names[0] + value)
        }
      }
      #expect(silent.isEmpty, "\(form.line): \(silent) do nothing\n\(without.prefix(300))")
    }
  }

  private static func options<Subject: Command>(_ command: Subject.Type) -> [([String], Bool)] {
    command.options.map { ($0.names, $0.metavar != nil) }
  }

  private static func options(of command: any Command.Type) -> [([String], Bool)] {
    options(command)
  }
}
