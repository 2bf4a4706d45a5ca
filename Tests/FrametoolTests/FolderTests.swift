import Foundation
import Testing

@testable import frametool

/// Folders in place of traces, and traces in place of a command.
@Suite struct FolderTests {
  /// Two traces of games beside a folder, a picture's name and what frametool wrote.
  private static func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for (name, seed) in [("a", 1), ("b", 2)] {
      _ = Run([
        "generate", "uncapped-game", "--frames", "300", "--seed", "\(seed)", "-o",
        folder.path("\(name).jsonl"),
      ])
    }
    try FileManager.default.createDirectory(
      atPath: folder.path("inner"), withIntermediateDirectories: true)
    try Data("no trace\n".utf8).write(to: URL(filePath: folder.path("notes.txt")))
    _ = Run(["analyze", folder.path("a.jsonl"), "--summary", folder.path("sum.jsonl")])
    return folder
  }

  @Test(arguments: ["analyze", "info"])
  func aFolderStandsForItsTraces(_ command: String) throws {
    let folder = try Self.folder()
    let run = Run([command, folder.path("")])
    let files = ["a.jsonl", "b.jsonl"].map { folder.path($0) }
    #expect(run.status == .success)
    #expect(run.output == Run([command] + files).output)
    #expect(
      run.errors
        == "note: \(folder.path("")): left out 2 other files (notes.txt, sum.jsonl) and 1 folder\n")
  }

  /// As in bug reports of Android, where a trace lies in a folder of the archive.
  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3")))
  func anArchiveStandsForAllTracesInIt() throws {
    let session = try ShellSession()
    let said = try session.run(
      """
      mkdir inner; for n in 1 2; do frametool generate steady-60 --frames 100 --seed $n -o inner/$n.jsonl; done
      echo no trace > notes.txt; cp notes.txt more.txt; /usr/bin/python3 -m zipfile -c all.zip notes.txt inner
      /usr/bin/python3 -m zipfile -c none.zip notes.txt more.txt
      frametool analyze all.zip 2>note | sed 's,all.zip/,,' > one; frametool analyze inner/1.jsonl inner/2.jsonl > two
      cmp one two && cat note
      frametool analyze all.zip/inner/2.jsonl | head -n 1 | cut -c 1-30
      frametool analyze none.zip; echo $?
      frametool analyze all.zip/inner/3.jsonl; echo $?
      """)
    #expect(
      said == """
        note: all.zip: 2 of 3 files are traces; others left out
        all.zip/inner/2.jsonl: frameto
        error: none.zip: expected traces in the archive, found 2 other files
        help: 'frametool list formats' lists the readable formats
        65
        error: all.zip/inner/3.jsonl: expected a file of this name in the zip archive, found none
        help: 'unzip -l' lists the names
        65

        """, "\(said)")
  }

  /// Every command names a damaged file of an archive once and reads the other files. Nested archives and links are left out,
  /// and two files of one name are refused.
  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3")))
  func damageInAnArchiveIsNamedOnce() throws {
    let session = try ShellSession()
    _ = try session.run(
      """
      for n in 1 2; do frametool generate steady-60 --frames 300 --seed $n -o $n.jsonl; done
      cat >make.py <<'END'
      import warnings, zipfile
      warnings.simplefilter("ignore")
      def make(name, files):
          with zipfile.ZipFile(name, "w", zipfile.ZIP_DEFLATED) as archive:
              for member, path in files:
                  if path: archive.write(path, member)
                  else:
                      link = zipfile.ZipInfo(member); link.external_attr = 0o120777 << 16
                      archive.writestr(link, "/etc/passwd")
      both = [("1.jsonl", "1.jsonl"), ("2.jsonl", "2.jsonl")]
      make("good.zip", both); make("only.zip", both[:1]); make("twice.zip", [both[0], ("1.jsonl", "2.jsonl")])
      make("nested.zip", [("good.zip", "good.zip"), ("only.zip", "only.zip")])
      make("links.zip", [("link.jsonl", None), ("a.jsonl", "1.jsonl"), ("notes.txt", "make.py")])
      for name, member in [("good.zip", "1.jsonl"), ("good.zip", "2.jsonl"), ("only.zip", "1.jsonl")]:
          data = bytearray(open(name, "rb").read())
          start = zipfile.ZipFile(name).getinfo(member).header_offset + 30 + len(member)
          for place in range(start + 20, start + 40): data[place] ^= 0x5a
          open(name.replace(".zip", "") + "-" + member[0] + ".zip", "wb").write(data)
      END
      /usr/bin/python3 make.py
      """)
    let commands = [
      "analyze", "analyze --format json", "analyze --brief", "info", "replay",
      "replay --format json",
      "analyze --summary s.jsonl", "compare 1.jsonl", "gate --limit 'p99(frameTime)<=99ms'",
    ]
    for command in commands {
      for (name, member) in [("good-1", "1"), ("good-2", "2"), ("only-1", "1")] {
        let run = try session.run(
          "frametool \(command) \(name).zip >out 2>errors; echo $?; grep -c '^error' errors; cat errors"
        )
        #expect(run.hasPrefix("65\n1\n"), "\(command) \(name): \(run)")
        #expect(
          run.contains("\(member).jsonl in the zip archive has corrupt data"), "\(command): \(run)")
      }
      // Verdicts need all runs, and a brief answer on one trace names no file.
      if !["compare", "gate", "brief", "summary"].contains(where: command.contains) {
        let other = try session.run("frametool \(command) good-1.zip 2>errors | grep -c '2.jsonl'")
        #expect(other != "0\n", "\(command)")
      }
      let twice = try session.run("frametool \(command) twice.zip 2>&1; echo $?")
      #expect(
        twice.hasPrefix("error: twice.zip/1.jsonl: expected one file of this name in the archive"),
        "\(command): \(twice)")
      #expect(twice.hasSuffix("\n65\n"))
      let nested = try session.run("frametool \(command) nested.zip 2>&1; echo $?")
      #expect(nested.hasPrefix("error: nested.zip: expected traces in the archive"), "\(nested)")
    }
    let links = try session.run("frametool info links.zip 2>&1 | head -n 2")
    #expect(
      links
        == "note: links.zip: 1 of 3 files are traces; others left out\nfile         links.zip/a.jsonl\n",
      "\(links)")
  }

  /// However many traces there are, JSON is one document.
  @Test(arguments: [
    ["analyze"], ["analyze", "--brief"], ["analyze", "--worst", "2"], ["analyze", "--perception"],
    ["analyze", "--summary-of-runs"], ["info"], ["replay"], ["replay", "--advise"],
    ["gate", "--limit", "p99(frameTime)<=99ms"],
    ["gate", "--each", "--limit", "p99(frameTime)<=1ms"], ["compare"], ["compare", "--brief"],
  ])
  func jsonIsOneDocument(_ command: [String]) throws {
    let folder = try TemporaryFolder()
    _ = [
      folder.generate("dropped-frames", frames: 300), folder.generate("app-overrun", frames: 310),
    ]
    let traces = command[0] == "compare" ? [folder.path(""), folder.path("")] : [folder.path("")]
    let run = Run(command + traces + ["--format", "json"])
    #expect(throws: Never.self, "\(run.errors)") {
      try JSONSerialization.jsonObject(with: Data(run.output.utf8))
    }
  }

  /// Summaries stand for traces only where there are none.
  @Test func aSideIsAFolderOfTracesOrOfSummaries() throws {
    let folder = try Self.folder()
    let other = try Self.folder()
    _ = Run(["generate", "uncapped-game", "--frames", "300", "-o", other.path("a.jsonl")])
    let sides = [folder.path(""), other.path("b.jsonl")]
    #expect(
      Run(["compare"] + sides).errors.contains("left out 2 other files (notes.txt, sum.jsonl)"))
    for name in ["a.jsonl", "b.jsonl"] {
      try FileManager.default.removeItem(atPath: folder.path(name))
    }
    let run = Run(["compare"] + sides)
    #expect(run.status == .success && run.errors.contains("left out 1 other file (notes.txt)"))
    let analyzed = Run(["analyze", folder.path("")])
    #expect(analyzed.status == .badData)
    #expect(analyzed.errors.contains("expected traces in the folder, found 2 other files"))
  }

  @Test func aFolderOfFoldersSaysSo() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      atPath: folder.path("inner"), withIntermediateDirectories: true)
    let run = Run(["analyze", folder.path("")])
    #expect(run.status == .badData && run.errors.contains("found 1 folder"))
    #expect(run.errors.contains("subfolders are not searched; name them instead"))
    let empty = Run(["info", folder.path("inner")])
    #expect(empty.status == .badData && empty.errors.contains("found nothing"))
  }

  /// Three files that are left out are named, of more the first three.
  @Test(arguments: [(3, "3 other files (0.txt, 1.txt, 2.txt)"), (4, "(0.txt, 1.txt, 2.txt, …)")])
  func theFirstOthersAreNamed(_ count: Int, _ words: String) throws {
    let folder = try TemporaryFolder()
    for number in 0..<count {
      try Data("no trace\n".utf8).write(to: URL(filePath: folder.path("\(number).txt")))
    }
    _ = Run(["generate", "steady-60", "-o", folder.path("t.jsonl")])
    #expect(Run(["info", folder.path("")]).errors.contains(words))
  }

  /// A named pipe in a folder is left out and not opened, which would wait for its other end.
  @Test func aPipeInAFolderIsLeftOut() throws {
    let folder = try Self.folder()
    let made = unsafe mkfifo(folder.path("pipe.csv"), 0o600)
    #expect(made == 0)
    let run = Run(["info", folder.path("")])
    #expect(run.status == .success && run.errors.contains("3 other files (notes.txt, pipe.csv, "))
  }

  @Test func aTraceIsACommandOfItsOwn() throws {
    let trace = "Samples/game.csv"
    #expect(Run([trace]).output == Run(["analyze", trace]).output)
    #expect(
      Run([trace, "--format", "json"]).output == Run(["analyze", trace, "--format", "json"]).output)
    let bytes = Array(try Data(contentsOf: Run.root.appending(path: trace)))
    #expect(Run(["-"], input: bytes).output == Run(["analyze", "-"], input: bytes).output)
    let typo = Run(["analzye", trace])
    #expect(typo.status == .usage && typo.errors.contains("did you mean 'analyze'?"))
    // What is spelled like a path is one, and is missing as one.
    let missing = Run(["no-such-file.csv"])
    #expect(missing.status == Run(["analyze", "no-such-file.csv"]).status)
    #expect(missing.errors.hasPrefix("error: no-such-file.csv: cannot open: "))
    #expect(Run(["nosuchword"]).errors.contains("unknown command nosuchword"))
  }

  @Test(arguments: [["capture"], ["capture", "--help"], ["help", "capture"]])
  func aGroupListsItsCommands(_ words: [String]) {
    let run = Run(words)
    #expect(run.status == .success && run.errors.isEmpty)
    #expect(run.output.contains("capture vulkan") && run.output.contains("capture ios"))
    #expect(!run.output.contains("analyze"))
  }

  /// A command that is a group too lists both alone, and describes itself where help is asked for.
  @Test func launchIsACommandAndAGroup() {
    let alone = Run(["launch"])
    #expect(alone.status == .success && alone.output.contains("launch run"))
    #expect(Run(["launch", "--help"]).output.hasPrefix("usage: frametool launch TRACE…"))
    #expect(Run(["capture", "vulcan"]).errors.contains("did you mean 'capture vulkan'?"))
  }
}
