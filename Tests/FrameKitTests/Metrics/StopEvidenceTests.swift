import Foundation
import Testing

@testable import FrameAnalysis
@testable import FrameReport
@testable import FrameTrace

/// What a source does not record makes a stop's cause unknown, and never another one.
@Suite struct StopEvidenceTests {
  /// The frames of a recording, without one of their facts.
  private static func surface(_ lines: [[String: Any]], without key: String?) throws
    -> SurfaceAnalysis
  {
    let texts: [String] = try lines.map { line in
      // The header comes before everything else, and its schema before its other keys.
      guard line["schema"] == nil else {
        return #"{"schema": "frametool.trace/1", "unit": "ms"}"#
      }
      var line = line
      if let key, line["type"] as? String == "frame" { line[key] = nil }
      return String(
        decoding: try JSONSerialization.data(withJSONObject: line, options: .sortedKeys),
        as: UTF8.self)
    }
    let trace = try TestData.read(text: texts.joined(separator: "\n") + "\n", path: "stops.jsonl")
    return try #require(TraceAnalysis(of: trace).surfaces.first)
  }

  private static func lines(_ name: String) throws -> [[String: Any]] {
    let text = try String(
      contentsOf: TestData.cases.appending(path: "clock/\(name).jsonl"), encoding: .utf8)
    return try text.split(separator: "\n").map { line in
      let value = try JSONSerialization.jsonObject(with: Data(line.utf8))
      return try #require(value as? [String: Any])
    }
  }

  @Test(
    .enabled(if: TestData.hasCases, Comment(rawValue: TestData.absenceOfCases)),
    arguments: [
      "hidden_full_rate_hidden_discarded", "hidden_2_5fps_hidden_discarded",
      "hidden_1fps_work_110ms_hidden", "hidden_compositor_stuck__7s_1frame", "hidden_gpu_hang_3s",
    ])
  func aMissingFactMakesNoOtherCause(_ name: String) throws {
    let lines = try Self.lines(name)
    let whole = try Self.surface(lines, without: nil)
    let causes = Dictionary(
      whole.stops.stops.map { ($0.time, $0.cause) }, uniquingKeysWith: { first, _ in first })
    let keys = Set(lines.filter { $0["type"] as? String == "frame" }.flatMap(\.keys))
    #expect(keys.count > 5)
    for key in keys.subtracting(["type", "displayed", "id"]).sorted() {
      let part = try Self.surface(lines, without: key)
      for stop in part.stops.stops where stop.cause != .unknown {
        #expect(causes[stop.time] == stop.cause, "\(name) without \(key): \(stop)")
      }
    }
  }

  /// A game of 100 frames per second in a list of times, with stalls at some frames.
  private static func game(_ count: Int, stalls: [Int: Double]) throws -> (
    surface: SurfaceAnalysis, origin: Timestamp
  ) {
    var time = 0.0
    var lines = ["Frame, Time (ms)"]
    for row in 0..<count {
      lines.append("\(row + 1), \(time)")
      time += stalls[row] ?? 10
    }
    let trace = try TestData.read(text: lines.joined(separator: "\n") + "\n", path: "game.csv")
    let analysis = TraceAnalysis(of: trace)
    return (try #require(analysis.surfaces.first), analysis.origin)
  }

  /// Both rates are given where a stop changes the rate by more than 1 %, on both sides of that: 510 ms in 50 s, and in
  /// 60 s.
  @Test(arguments: [(4700, true), (6000, false)])
  func bothRatesAreGivenWhereTheyDiffer(_ count: Int, _ areBoth: Bool) throws {
    let (surface, origin) = try Self.game(count, stalls: [count / 2: 510])
    #expect(surface.stops.stops.count == 1)
    let sentence = SurfaceHeadline.rates(surface, from: origin).joined()
    #expect(sentence.contains("without 1 stop") == areBoth, "\(sentence)")
  }

  /// Stutters come in bursts where these are at most half as many, on both sides of that.
  @Test(arguments: [
    ([1000, 1030, 3000, 3030], "the 4 stutters come in 2 bursts"), ([1000, 1030, 3000, 4000], nil),
    ([1000, 1030, 1060, 1090, 1120], "the 5 stutters come in 1 burst"),
    ([1000, 1030, 1060], nil),
  ])
  func burstsAreNamedWhereStuttersComeInThem(_ rows: [Int], _ words: String?) throws {
    let stalls = Dictionary(uniqueKeysWithValues: rows.map { ($0, 90.0) })
    let (surface, origin) = try Self.game(6000, stalls: stalls)
    let stutters = try #require(surface.stutters)
    #expect(stutters.stutters.count == rows.count)
    #expect(StutterWords(stutters, from: origin).distribution == words)
  }
}
