import Foundation
import FrameKit
import Testing

@testable import frametool

/// Several exports of one recording, as users pass them.
@Suite struct OneRecordingTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    let swaps = (0..<5).map { (number: Int) -> String in
      let time = 100_000_000 + number * 16_666_667
      return
        "<row><a>\(time)</a><b>30000000</b><c>A</c><d>\(number % 3)</d><e>\(number)</e></row>"
    }
    let renders = (0..<5).map { (number: Int) -> String in
      let time = 60_000_000 + number * 16_666_667
      return "<row><a>\(time)</a><b>5000000</b><c>A</c><d>\(number)</d></row>"
    }
    try write(
      "display-surface-swap", ["timestamp", "delay", "display-name", "surface-id", "swap-id"],
      swaps)
    try write("hitches-renders", ["start", "duration", "display", "swap-id"], renders)
  }

  private func write(_ table: String, _ columns: [String], _ rows: [String]) throws {
    let list = columns.map { "<col><mnemonic>\($0)</mnemonic></col>" }.joined()
    let text =
      "<?xml version=\"1.0\"?>\n<trace-query-result><node><schema name=\"\(table)\">\(list)</schema>"
      + "\(rows.joined(separator: "\n"))</node></trace-query-result>\n"
    try Data(text.utf8).write(to: folder.url.appending(path: "\(table).xml"))
  }

  private var files: [String] { folder.files.map(folder.path) }

  @Test func filesAndTheirFolderAreTheSameRecording() throws {
    let together = Run(["analyze", "--one-recording"] + files)
    #expect(together.status == .success && together.errors == "")
    #expect(together.output.contains("2 files of one recording, 5 frames on 1 surface"))
    #expect(together.output.contains("3 buffers in all"))
    #expect(Run(["analyze", "--one-recording", folder.url.path]).output == together.output)
    let apart = Run(["analyze"] + files).output
    #expect(apart.components(separatedBy: "xctrace export, 5 frames on 1 surface").count == 3)
  }

  /// The folder of a recording also has its pictures and notes. Leaving out a picture is no loss;
  /// any other file is reported.
  @Test func whatIsNoTraceIsLeftOut() throws {
    let alone = Run(["analyze", "--one-recording", folder.url.path, "--format", "json"]).output
    try Data("<svg xmlns=\"http://www.w3.org/2000/svg\"/>\n".utf8)
      .write(to: folder.url.appending(path: "zz.svg"))
    let pictured = Run(["analyze", "--one-recording", folder.url.path])
    #expect(pictured.status == .success && !pictured.output.contains("zz.svg"))
    #expect(Run(["info", "--one-recording", folder.url.path]).output.contains("zz.svg"))
    try Data("what was done\n".utf8).write(to: folder.url.appending(path: "zz.log"))
    let noted = Run(["analyze", "--one-recording", folder.url.path])
    #expect(noted.output.contains("lost: 1 × files that are not traces, left out: "))
    #expect(noted.output.contains("zz.log"))
    let surfaces = { (text: String) in text.components(separatedBy: "\"surfaces\"").last }
    let json = Run(["analyze", "--one-recording", folder.url.path, "--format", "json"]).output
    #expect(surfaces(json) == surfaces(alone))
  }

  @Test func onePlotShowsAllOfIt() throws {
    let drawn = try TemporaryFolder()
    let run = Run(
      ["plot", "occupancy", "--one-recording", "-o", drawn.path("o.json")] + files)
    #expect(run.status == .success && run.errors == "")
    #expect(Run(["plot", "occupancy"] + files).errors.contains("shows one trace, found 2"))
  }

  @Test func aPlotOfRunsAndAReportTakeFoldersToo() throws {
    let side = folder.url.path
    for words in [["plot", "compare"], ["report"]] {
      let run = Run(words + ["--one-recording", "--before", side, "--after", side])
      #expect(run.status == .badData)
      #expect(run.errors.contains("1 more: expected at least 240 frame times"), "\(run.errors)")
    }
  }

  @Test func noFileOfAFolderIsReplaced() throws {
    let before = try Data(contentsOf: URL(filePath: files[0]))
    let run = Run(["convert", "--one-recording", folder.url.path, files[0]])
    #expect(run.status == .usage)
    #expect(run.errors.contains("the output would replace the input"))
    #expect(try Data(contentsOf: URL(filePath: files[0])) == before)
  }

  @Test func aFileIsNotGivenTwice() {
    let run = Run(["info", "--one-recording", folder.url.path, files[0]])
    #expect(run.status == .badData)
    #expect(run.errors.contains("expected the files of one recording, found this one twice"))
  }
}
