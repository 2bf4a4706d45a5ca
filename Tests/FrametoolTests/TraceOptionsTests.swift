import Foundation
import FrameKit
import Testing

@testable import frametool

/// The options that select traces and parts of them, which all commands share.
@Suite struct TraceOptionsTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try Self.trace.write(to: folder.url.appending(path: "a.jsonl"))
  }

  /// 600 frames of 60 Hz.
  private static let trace: Data = {
    var text = "{\"schema\": \"frametool.trace/1\", \"unit\": \"ms\"}\n"
    for frame in 0..<600 {
      let start = frame * 16
      text +=
        "{\"type\": \"frame\", \"appStart\": \(start), \"commit\": \(start + 6), \"displayed\": \(start + 32)}\n"
    }
    text += "{\"type\": \"marker\", \"name\": \"scroll\", \"start\": 3232, \"end\": 8000}\n"
    return Data(text.utf8)
  }()

  /// Runs a command; words that look like paths are taken as paths in the folder.
  private func run(_ arguments: String...) -> Run {
    Run(
      arguments.map {
        $0.contains("/") || $0.hasSuffix(".jsonl") || $0.hasSuffix(".json") ? folder.path($0) : $0
      })
  }

  private static let shared: Set<String> = [
    "--process", "--surface", "--from", "--to", "--skip-first", "--columns", "--one-recording",
    "--touches", "--offset", "--input-format", "--refresh", "--target-fps", "--scan-out",
    "--device-offset", "--quiet",
  ]

  private static func names<Some: Command>(_ command: Some.Type) -> Set<String> {
    Set(command.options.flatMap(\.names))
  }

  @Test(arguments: [
    "analyze", "compare", "gate", "plot", "report", "history add", "list metrics",
  ])
  func everyCommandThatMeasuresTracesTakesThem(_ name: String) throws {
    let command = try #require(Frametool.commands.first { $0.name == name })
    #expect(Self.names(command).isSuperset(of: Self.shared))
  }

  @Test func aPartOfEachRunIsCompared() throws {
    let whole = run("compare", "a.jsonl", "a.jsonl", "--format", "json")
    let part = run(
      "compare", "a.jsonl", "a.jsonl", "--format", "json", "--from", "scroll", "--to", "scroll")
    #expect(whole.output.contains("\"frames\": 599"), "\(whole.output)")
    #expect(part.output.contains("\"frames\": 297"), "\(part.output)")
  }

  @Test func aSummaryIsOfThePartThatWasChosen() throws {
    let one = run("analyze", "a.jsonl", "--summary", "s.json", "--to", "1.6")
    #expect(one.status == .success, "\(one.errors)")
    let text = try String(contentsOf: folder.url.appending(path: "s.json"), encoding: .utf8)
    #expect(text.contains("\"frames\":{\"n\":98,"), "\(text)")
  }

  @Test func foldersAreRunsOfSeveralFiles() throws {
    for side in ["before", "after"] {
      try FileManager.default.createDirectory(
        at: folder.url.appending(path: side), withIntermediateDirectories: true)
      try Self.trace.write(to: folder.url.appending(path: "\(side)/a.jsonl"))
    }
    let compared = run("compare", "before/", "after/", "--one-recording", "--format", "json")
    #expect(
      compared.output
        == run(
          "compare", "before/a.jsonl", "after/a.jsonl", "--format", "json"
        ).output)
    let limit = "p50(frameTime)<=20ms"
    let gated = run("gate", "before/", "after/", "--one-recording", "--each", "--limit", limit)
    #expect(gated.status == .success)
    #expect(gated.output.components(separatedBy: "a.jsonl").count >= 3, "\(gated.output)")
    let empty = folder.url.appending(path: "none")
    try FileManager.default.createDirectory(at: empty, withIntermediateDirectories: true)
    #expect(run("gate", "none/", "--one-recording", "--limit", limit).status == .inputOutput)
  }

  @Test func severalTracesAreDrawnFromTheSameSecondOn() throws {
    let drawn = run(
      "plot", "frame-times", "a.jsonl", "a.jsonl", "--skip-first", "0.2", "-o", "p.json")
    #expect(drawn.status == .success, "\(drawn.errors)")
  }

  @Test func whatHasItsFramesCountedTakesNoPart() {
    #expect(run("analyze", "a.jsonl", "--format", "json").status == .success)
    try? Data(run("analyze", "a.jsonl", "--format", "json").output.utf8)
      .write(to: folder.url.appending(path: "r.json"))
    let added = run("history", "add", "r.json", "--store", "h/sqlite", "--from", "0.1")
    #expect(added.status == .usage)
    #expect(added.errors.contains("error: --from has no effect on "))
  }

  @Test func launchesOfOneProcessAreShown() throws {
    let records = ["A", "B"].map {
      "{\"type\": \"launch\", \"process\": \"\($0)\", \"kind\": \"cold\", \"tapped\": 0, \"firstFrame\": 300}"
    }
    let text =
      (["{\"schema\": \"frametool.trace/1\", \"unit\": \"ms\"}"] + records)
      .joined(separator: "\n") + "\n"
    try Data(text.utf8).write(to: folder.url.appending(path: "l.jsonl"))
    let one = run("launch", "l.jsonl", "--process", "B", "--format", "json")
    #expect(one.output.components(separatedBy: "\"process\": \"B\"").count > 1, "\(one.output)")
    #expect(!one.output.contains("\"process\": \"A\""))
    let none = run("launch", "l.jsonl", "--process", "C")
    #expect(none.status == .badData)
    #expect(none.errors.contains("/l.jsonl: there are no launches of C\n"))
  }

  /// The parts of a latency add up to it, the constant for the device among them.
  @Test(arguments: ["0", "8", "-3.5"])
  func thePartsOfALatencyAddUp(_ offset: String) throws {
    let folder = try TemporaryFolder()
    for name in ["talk-triple", "talk-low-latency", "talk-double", "predicted-touches"] {
      let trace = folder.generate(name)
      let run = Run(["analyze", trace, "--device-offset", offset, "--format", "json"])
      let whole = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
      let surfaces = try #require(whole?["surfaces"] as? [[String: Any]])
      let latency = try #require(surfaces.lazy.compactMap { $0["latency"] as? [String: Any] }.first)
      let mean = { (field: Any?) in (field as? [String: Any])?["mean"] as? Double }
      let all = try #require(mean(latency["touch_to_photon"]), "\(name)")
      let parts = try #require(latency["breakdown"] as? [String: Any])
      #expect((parts["device_offset"] != nil) == (offset != "0"))
      #expect(abs(parts.values.compactMap(mean).reduce(0, +) - all) < 0.001, "\(name)")
    }
  }
}
