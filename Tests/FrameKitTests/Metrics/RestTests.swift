import Fixtures
import Testing

@testable import FrameAnalysis
@testable import FrameReport
@testable import FrameStatistics
@testable import FrameTrace

/// A rest is not work: the time between two stretches of work is not the length of a frame.
@Suite struct RestTests {
  /// Frames at 60 Hz whose app rests once, for `rest` intervals after the display of the frame before.
  private static func trace(
    rest: Double, frames: Int = 120, at position: Int, knowsStarts: Bool = true
  ) throws -> Trace {
    let interval = 16.666_667
    var shift = 0.0
    let lines = (0..<frames).map { row in
      if row == position { shift = interval * (rest + 2).rounded() }
      let start = Double(row) * interval + shift
      let stages = knowsStarts ? "\"appStart\": \(start), " : ""
      return "{\"type\": \"frame\", \(stages)\"commit\": \(start + 5), "
        + "\"displayed\": \(start + 2 * interval)}\n"
    }
    return try TestData.read(
      text: "{\"schema\": \"frametool.trace/1\", \"unit\": \"ms\"}\n" + lines.joined())
  }

  /// A frame without a display time is left out once, for that, and not once more for the stop that it is in.
  @Test func aHiddenFrameIsLeftOutOnce() throws {
    var lines = [
      #"{"schema": "frametool.trace/1", "unit": "ms"}"#,
      #"{"type": "display", "id": "d", "interval": 10, "variable": false}"#,
      #"{"type": "surface", "id": "s", "display": "d", "bufferOwner": "compositor"}"#,
    ]
    let shown = { (start: Int) in
      #"{"type": "frame", "appStart": \#(start), "commit": \#(start + 3), "displayed": \#(start + 20)}"#
    }
    lines += (0..<20).map { shown($0 * 10) }
    lines += (1...3).map {
      #"{"type": "frame", "appStart": \#(200 + $0 * 740), "commit": \#(203 + $0 * 740)}"#
    }
    lines += (0..<20).map { shown(3190 + $0 * 10) }
    let trace = try TestData.read(text: lines.joined(separator: "\n") + "\n")
    let surface = try #require(TraceAnalysis(of: trace).surfaces.first)
    let metric = try #require(surface["displayedTime"])
    guard case .summary(let summary) = metric.figures else {
      Issue.record("not measured")
      return
    }
    #expect(summary.n == 39 && summary.maximum > 500)
    #expect(metric.exclusions.contains { $0.count == 3 }, "\(metric.exclusions)")
    #expect(metric.missing + summary.n + metric.exclusions.reduce(0) { $0 + $1.count } == 43)
    #expect(metric.missing == 1)
  }

  private static let lengths = ["frameTime", "startInterval", "displayChange", "displayedTime"]

  @Test(arguments: [5.0, 9, 60, 600], [1, 60, 118])
  func aRestIsLeftOutAndCounted(_ rest: Double, _ position: Int) throws {
    let trace = try Self.trace(rest: rest, at: position)
    let surface = try #require(TraceAnalysis(of: trace).surfaces.first)
    for name in Self.lengths {
      let metric = try #require(surface[name])
      guard case .summary(let summary) = metric.figures else {
        Issue.record("\(name) was not measured")
        continue
      }
      #expect(summary.n == 118, "\(name)")
      #expect(abs(summary.maximum - 16.666_667) < 0.01, "\(name)")
      #expect(metric.exclusions.contains(.init(reason: "after a rest", count: 1)), "\(name)")
      #expect(metric.missing == 1, "\(name)")
    }
    let rate = try #require(MetricTests.figure(surface, "averageFrameRate"))
    #expect(abs(rate - 60) < 0.01)
    let low = try #require(MetricTests.figure(surface, "onePercentLowAverage"))
    #expect(abs(low - 60) < 0.1)
  }

  /// If nothing shows that the app rested, a long time counts as it is, and from half a second on it is listed as a stop.
  /// Of more than 10 s, 10 s count.
  @Test(arguments: [(25.0, 0), (26, 0), (28, 1), (29, 1), (60, 1), (597, 1), (216_000, 1)])
  func aGapOfUnknownCauseCounts(_ rest: Double, _ stops: Int) throws {
    let trace = try Self.trace(rest: rest, at: 60, knowsStarts: false)
    let surface = try #require(TraceAnalysis(of: trace).surfaces.first)
    if stops == 0 {
      #expect(surface.unjudgedDrops?.words.contains("a rest or a freeze") == true)
    } else {
      #expect(surface.drops.value?.refreshes == 0)
    }
    #expect(surface.stops.stops.count == stops)
    #expect(surface.stops.stops.allSatisfy { $0.cause == .unknown })
    guard case .summary(let summary) = surface["frameTime"]?.figures else {
      Issue.record("frameTime was not measured")
      return
    }
    #expect(summary.n == 119)
    let gap = min(10_000, 16.666_667 * (rest + 3))
    #expect(abs(summary.maximum - gap) < 1)
    #expect(surface["frameTime"]?.shortened == (rest > 596 ? 1 : 0))
  }

  /// A stop is named on the first screen whether or not the display's refreshes are known.
  @Test func aStopIsNamedWithoutARefresh() throws {
    var lines = [
      #"{"schema": "frametool.trace/1", "unit": "ms"}"#, #"{"type": "surface", "id": "a"}"#,
    ]
    var time = 0.0
    for index in 0..<80 {
      time += index == 40 ? 2000 : 10 + Double((index * index * 7919) % 13) * 0.9
      lines.append(#"{"type": "frame", "commit": \#(time), "displayed": \#(time + 5)}"#)
    }
    let trace = try TestData.read(text: lines.joined(separator: "\n") + "\n", path: "a.jsonl")
    let analysis = TraceAnalysis(of: trace)
    let surface = try #require(analysis.surfaces.first)
    try #require(surface.drops.value == nil)
    let headline = SurfaceHeadline(surface, of: analysis).sentence
    #expect(headline.contains("1 stop of 2.00 s at "), "\(headline)")
    let line = try #require(FindingLines(surface, of: analysis)[.stops])
    #expect(line == "1 stop: unknown cause (a pause, a hidden window, or a freeze)")
  }

  @Test func aMetricAloneIsTheSameAsAmongAll() throws {
    let trace = try Self.trace(rest: 30, at: 40)
    let all = try #require(TraceAnalysis(of: trace).surfaces.first)
    for name in Self.lengths + ["averageFrameRate", "onePercentLowAverage", "displayedFrameRate"] {
      let selection = try #require(MetricSelection([name]))
      let alone = try #require(TraceAnalysis(of: trace, metrics: selection).surfaces.first)
      #expect(alone[name]?.figures == all[name]?.figures, "\(name)")
    }
  }

  /// Other tools do not know rests, and their figures are reproduced as they are.
  @Test func otherToolsCountRests() throws {
    var options = AnalysisOptions()
    options.dialects = ["mangohud"]
    let trace = try Self.trace(rest: 600, at: 60)
    let surface = try #require(
      TraceAnalysis(of: trace, metrics: .all, options: options).surfaces.first)
    let dialect = try #require(surface.dialects.first)
    let average = try #require(
      zip(dialect.dialect.figures, dialect.values).first { $0.0.counterpart == "averageFrameRate" }?
        .1)
    #expect(average < 15)
  }

  @Test func jitterBreaksAtARest() throws {
    let trace = try Self.trace(rest: 60, at: 60)
    let measured = Study(of: trace).surface(0)
    let series = try #require(FrameSeries("frameTime", of: measured))
    var (values, gaps) = (0, 0)
    series.visit { _, value in
      values += 1
      #expect(value < 17_000_000)
    } gap: {
      gaps += 1
    }
    #expect(values == 118 && gaps == 1)
  }

  /// What is left out is what the rule says of each frame, however rests, stops and missing values lie.
  @Test(arguments: 1...40) func eachFrameIsJudged(_ seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed))
    let interval = 16.666_667
    var shift = 0.0
    let lines = (0..<200).map { row in
      if Int.random(in: 0...20, using: &random) == 0 {
        shift += interval * Double(Int.random(in: 1...60, using: &random))
      }
      let start = Double(row) * interval + shift
      let stages = seed % 3 == 0 ? "" : "\"appStart\": \(start), "
      let isShown = Int.random(in: 0...9, using: &random) > 0
      let shown = start + interval * Double(Int.random(in: 2...3, using: &random))
      let times = isShown ? ", \"displayed\": \(shown), \"replaced\": \(shown + interval)" : ""
      let long = Int.random(in: 0...30, using: &random) == 0 ? 900.0 : 5
      return "{\"type\": \"frame\", \(stages)\"commit\": \(start + long)\(times), "
        + "\"displayInterval\": \(interval)}\n"
    }
    let trace = try TestData.read(
      text: "{\"schema\": \"frametool.trace/1\", \"unit\": \"ms\"}\n" + lines.joined())
    let study = Study(of: trace)
    let surface = study.surface(0, .whole)
    let rests = surface.rests
    let expressions: [FrameExpression] = [
      .column(.displayInterval), .between(.displayed, .replaced), .between(.appStart, .commit),
      .difference(.displayInterval, .displayInterval),
    ]
    for expression in expressions {
      let found = expression.sample(
        of: surface.frames, where: nil, leavingOut: rests, first: surface.rows.lowerBound, using: []
      )
      var kept: [Int64] = []
      var leftOut: [AppRests.Reason: Int] = [:]
      for row in 0..<surface.frames.count {
        guard let value = expression.value(row, of: surface.frames) else { continue }
        let reason = rests.reason(
          against: value, expression, row, of: surface.frames, first: surface.rows.lowerBound)
        if let reason { leftOut[reason, default: 0] += 1 } else { kept.append(value) }
      }
      #expect(found.sample.values == kept, "\(expression)")
      #expect(found.leftOut == leftOut, "\(expression)")
    }
  }
}
