import Fixtures
import Foundation
import Testing

@testable import FrameReport
@testable import frametool

/// Answers of at most two kilobytes.
@Suite struct BriefTests {
  private static func check(_ arguments: [String], in folder: URL = Run.root) throws -> String {
    let text = Run(arguments + ["--brief"], in: folder)
    let lines = text.output.split(separator: "\n")
    #expect(text.output.utf8.count <= Brief.mostBytes && lines.count <= 5, "\(arguments)")
    #expect(lines.last?.hasPrefix("more: frametool ") == true, "\(arguments) \(text.errors)")
    let data = Run(arguments + ["--brief", "--format", "json"], in: folder)
    #expect(data.status == text.status)
    #expect(data.output.utf8.count <= Brief.mostBytes && !data.output.dropLast().contains("\n"))
    let object = try #require(
      JSONSerialization.jsonObject(with: Data(data.output.utf8)) as? [String: Any])
    #expect(object["schema"] as? String == "frametool.brief/1")
    let sentence = try #require(object["sentence"] as? String)
    #expect(text.output.hasPrefix(sentence.prefix(30)), "\(arguments)")
    return text.output
  }

  @Test(arguments: GoldenTests.cases)
  func everySample(_ input: String) throws {
    let file = Run.root.appending(path: "\(GoldenTests.folder)/\(input)")
    let folder = file.deletingLastPathComponent()
    let more = try? String(contentsOf: folder.appending(path: "arguments"), encoding: .utf8)
    let words = (more ?? "").split(whereSeparator: \.isWhitespace).map(String.init)
    _ = try Self.check(["analyze", file.lastPathComponent] + words, in: folder)
  }

  @Test func anAnalysisNamesItsWorstDropsAndHowToSeeThem() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("it's w.jsonl")
    _ = Run(["generate", "gpu-overrun", "-o", path])
    let answer = try Self.check(["analyze", path])
    #expect(answer.contains("\ndropped: gpu 6\n"))
    #expect(answer.hasPrefix("Scroll (501) window: 6 of 302 refreshes dropped"))
    #expect(answer.contains("frames cover 5.0 of 5.1 s"))
    // The command that is printed shows the drop; its file is quoted for a shell.
    #expect(answer.contains("it'\\''s w.jsonl' --from 0.100 --to 0.500 --all"))
    let part = Run(["analyze", path, "--from", "0.100", "--to", "0.500", "--all"])
    #expect(part.status == .success && part.output.contains("by the GPU"))
  }

  @Test func theOtherCommands() throws {
    let folder = try TemporaryFolder()
    for (name, scenario) in [("a", "steady-60"), ("b", "gpu-overrun"), ("l", "launches")] {
      _ = Run(["generate", scenario, "-o", folder.path("\(name).jsonl")])
    }
    let (one, other) = (folder.path("a.jsonl"), folder.path("b.jsonl"))
    #expect(try Self.check(["compare", one, other]).contains("warning: one run on a side"))
    let gate = try Self.check([
      "gate", other, "--limit", "dropped<=1%", "--limit", "p50(frameTime)<=20ms",
    ])
    #expect(gate.hasPrefix("failed: 1 of 2 limits failed, 1 kept; "))
    let replay = try Self.check(["replay", other, "--scale", "gpu=0.8"])
    #expect(replay.hasPrefix("with gpu × 0.80: droppedRefreshes 6 → "))
    #expect(try Self.check(["launch", folder.path("l.jsonl")]).contains("launchTime") == false)
    _ = Run(["analyze", one, other, "--summary", folder.path("s.jsonl")])
    let fleet = try Self.check(["fleet", folder.path("s.jsonl")])
    #expect(fleet.hasPrefix("2 runs in 1 group\nframeTime p50 16.6"))
    // People read two decimals, however many there are.
    #expect(Run(["fleet", folder.path("s.jsonl")]).output.contains(#/\s16\.\d\d\s+16\.\d\d\s/#))
  }

  @Test func whatHasNoEffectIsRefused() {
    for words in [["--all"], ["--format", "csv"], ["--worst", "3"]] {
      let run = Run(["analyze", "Samples/game.csv", "--brief"] + words)
      #expect(run.status == .usage && run.errors.contains("--brief"))
    }
  }

  /// However long names are, an answer keeps its limit, and its finding.
  @Test(arguments: [10, 300, 5000])
  func longNamesAreCut(_ length: Int) {
    let name = String(repeating: "n", count: length)
    var brief = Brief(
      "analysis", "\(name): 6 of 302 refreshes dropped", more: "frametool analyze x")
    brief.figures = (0..<20).map {
      Brief.Figure(metric: "\(name)\($0)", unit: "ms", n: 1, values: [("p50", 1)])
    }
    brief.events = (0..<9).map { Brief.Event(id: "\($0)", text: name, command: name) }
    for isJSON in [true, false] {
      let text = brief.text(asJSON: isJSON)
      #expect(text.utf8.count <= Brief.mostBytes && text.contains("nnn"))
    }
  }
}
