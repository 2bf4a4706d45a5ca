import Fixtures
import Foundation
import Testing

@testable import FrameReport
@testable import FrameTrace
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

  /// The commands that are printed keep the options that the answer rests on, and replace a region.
  @Test func commandsKeepTheirOptions() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("w.jsonl")
    _ = Run(["generate", "gpu-overrun", "-o", path])
    let answer = try Self.check(["analyze", path, "--from", "0.1", "--refresh", "60", "--to=3"])
    #expect(answer.contains("[frametool analyze \(path) --refresh 60 --from 0.1"))
    #expect(answer.contains("more: frametool analyze \(path) --from 0.1 --refresh 60 --to=3\n"))
    let chosen = try Self.check(["analyze", path, "--metrics", "startInterval,queueWait"])
    #expect(chosen.contains("\nstartInterval p50 ") && !chosen.contains("frameTime"))
  }

  /// A command of 300 bytes is printed, a longer one is described: cut, it would be another one.
  @Test(arguments: [(300, true), (301, false)])
  func longCommandsAreDescribed(_ length: Int, _ isWhole: Bool) {
    let start = "frametool analyze "
    let name = String(repeating: "n", count: length - start.count)
    let command = BriefCommand(["analyze", name, "--brief", "--format", "json"])
    #expect(command.whole == (isWhole ? start + name : "the same command without --brief"))
    let part = command.part(from: .zero, to: .milliseconds(400))
    #expect(part == "the same command without --brief with --from 0.000 --to 0.400 --all")
  }

  /// Runs that are past a limit by no more than their noise are undecided, as in the whole answer.
  @Test func theSentenceIsThatOfTheWholeAnswer() throws {
    let folder = try TemporaryFolder()
    let files = (1...3).map { folder.path("\($0).jsonl") }
    for (seed, file) in files.enumerated() {
      _ = Run(["generate", "uncapped-game", "--frames", "300", "--seed", "\(seed)", "-o", file])
    }
    for limit in ["p50(frameTime)<=4.03ms", "p50(frameTime)<=1ms", "p50(frameTime)<=9ms"] {
      let arguments = ["gate"] + files + ["--limit", limit]
      let whole = Run(arguments).output
      let sentence = whole.prefix { $0 != ";" && $0 != "\n" }
      #expect(try Self.check(arguments).hasPrefix(sentence), "\(whole)")
    }
  }

  /// A trace without frames leads with what it has.
  @Test(arguments: [
    ("metrickit/diagnostics", "hang"),
    ("macrobenchmark/results", "from the tap to the first frame: n 4"),
    ("metrickit/payload", "figures from devices in the field"),
  ])
  func withoutFramesTheFindingLeads(_ sample: String, _ words: String) throws {
    let folder = Run.root.appending(path: "\(GoldenTests.folder)/\(sample)")
    let answer = try Self.check(["analyze", "input.json"], in: folder)
    let first = answer.prefix { $0 != "\n" }
    #expect(first.contains(words) && !first.contains("0 surfaces"), "\(answer)")
  }

  @Test func theOtherCommands() throws {
    let folder = try TemporaryFolder()
    for (name, scenario) in [("a", "steady-60"), ("b", "gpu-overrun"), ("l", "launches")] {
      _ = Run(["generate", scenario, "-o", folder.path("\(name).jsonl")])
    }
    let (one, other) = (folder.path("a.jsonl"), folder.path("b.jsonl"))
    #expect(try Self.check(["compare", one, other]).contains("warning: one run per side"))
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
    let trace = "Samples/game.csv"
    let refused = [
      ["analyze", trace, "--all"], ["analyze", trace, "--format", "csv"],
      ["analyze", trace, "--worst", "3"], ["analyze", trace, "--budget", "8"],
      ["gate", trace, trace, trace, "--suggest"], ["compare", "--plan", "3"],
      ["replay", trace, "--frames"], ["replay", trace, "--sweep", "app=0.5..1"],
    ]
    for words in refused {
      let run = Run(words + ["--brief"])
      #expect(run.status == .usage && run.errors.contains("--brief"), "\(words) \(run.errors)")
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
