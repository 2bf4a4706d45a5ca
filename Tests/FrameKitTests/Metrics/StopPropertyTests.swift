import Fixtures
import Testing

@testable import FrameAnalysis
@testable import FrameReport
@testable import FrameStatistics
@testable import FrameTrace

/// No figure and no first sentence improves as a stall grows, in any format of frame times.
@Suite struct StopPropertyTests {
  /// A game at about 100 frames per second, one frame of which takes longer.
  /// - Parameters:
  ///   - stall: How long that frame takes, in ms.
  ///   - seed: What the other lengths are drawn from.
  private static func game(stall: Double, seed: UInt64, stalls: Set<Int> = [200]) throws -> Trace {
    var random = SplitMix64(seed: seed)
    var lines = [
      #"{"schema": "frametool.trace/1", "unit": "ms"}"#,
      #"{"type": "surface", "id": "0x1", "process": "game.exe", "pid": 7, "derivesStarts": true}"#,
    ]
    var time = 1000.0
    for row in 0..<400 {
      let length = stalls.contains(row) ? stall : 9.5 + random.nextUnit()
      lines.append(
        #"{"type": "frame", "id": \#(row), "appStart": \#(time), "appEnd": \#(time + length), "commit": \#(time + length), "gpuStart": \#(time + length - 1), "gpuEnd": \#(time + length + 4), "displayed": \#(time + length + 6)}"#
      )
      time += length
    }
    return try TestData.read(text: lines.joined(separator: "\n") + "\n", path: "game.jsonl")
  }

  /// The formats that are a table of frames.
  private static let formats = Encoders.all.filter {
    [
      "presentmon", "presentmon-v2", "presentmon-v1", "mangohud", "capframex", "fraps",
      "frame-times",
    ]
    .contains($0.name) || $0 is FrameTableEncoder
  }

  /// From one refresh to a minute, on both sides of 500 ms and of 10 s.
  private static let lengths: [Double] = [
    10, 17, 19, 20, 34, 60, 120, 300, 499, 501, 520, 1000, 4000, 9990, 10_010, 30_000, 60_000,
  ]

  /// Figures of dropped refreshes: in a stop of unknown cause, nothing is known to be due. The integral low is the length
  /// at which the longest frames fill a share of the time, and shrinks if another one gets longer.
  private static let exempt: Set<String> = [
    "droppedShare", "hitchRatio", "hitchTime", "onePercentLowIntegral",
    "pointOnePercentLowIntegral",
    "gpuTimePerPass", "generatedShare",
  ]

  @Test(arguments: formats.map(\.name), [1, 2]) func nothingImproves(_ format: String, _ seed: Int)
    throws
  {
    let encoder = try #require(Self.formats.first { $0.name == format })
    var before: (length: Double, metrics: [MetricResult])?
    for length in Self.lengths {
      let trace = try Self.game(stall: length, seed: UInt64(seed))
      guard encoder.whyNot(trace) == nil else { continue }
      let read = try TestData.read(bytes: encoder.encode(trace))
      let metrics = try #require(TraceAnalysis(of: read).surfaces.first).metrics
      for (old, new) in zip(before?.metrics ?? [], metrics) where !Self.exempt.contains(old.name) {
        #expect(
          !Self.isBetter(new, than: old),
          "\(format), \(before?.length ?? 0) to \(length) ms: \(old.name) \(old.figures) \(new.figures)"
        )
      }
      before = (length, metrics)
    }
  }

  private static func isBetter(_ new: MetricResult, than old: MetricResult) -> Bool {
    let values = { (result: MetricResult) -> [Double] in
      switch result.figures {
      case .summary(let summary): summary.figures
      case .figure(let value, _): [value]
      case .unavailable: []
      }
    }
    let direction = Metrics.direction(of: old.name)
    return zip(values(new), values(old)).contains { new, old in
      // Formats have at least four digits.
      let change = (new - old) / max(abs(old), 0.01)
      return direction == .lowerIsBetter
        ? change < -0.002 : direction == .higherIsBetter && change > 0.002
    }
  }

  @Test(arguments: formats.map(\.name)) func theLongestFrameIsTheWorst(_ format: String) throws {
    let encoder = try #require(Self.formats.first { $0.name == format })
    var options = AnalysisOptions()
    options.worstCount = 1
    for length in Self.lengths where length > 12 {
      let trace = try Self.game(stall: length, seed: 3)
      guard encoder.whyNot(trace) == nil else { continue }
      let read = try TestData.read(bytes: encoder.encode(trace))
      let surface = try #require(TraceAnalysis(of: read, options: options).surfaces.first)
      let worst = try #require(surface.worst.first)
      let found = worst.displayChange ?? worst.frameTime ?? .zero
      #expect(
        abs(found.milliseconds - length) < max(0.02, length * 0.001), "\(format), \(length) ms")
    }
  }

  @Test(arguments: formats.map(\.name)) func aStopIsInEachAnswer(_ format: String) throws {
    let encoder = try #require(Self.formats.first { $0.name == format })
    for length in [501.0, 4000, 60_000] {
      let trace = try Self.game(stall: length, seed: 4, stalls: [100, 300])
      guard encoder.whyNot(trace) == nil else { continue }
      let read = try TestData.read(bytes: encoder.encode(trace))
      let analysis = TraceAnalysis(of: read)
      let surface = try #require(analysis.surfaces.first)
      #expect(surface.stops.stops.count == 2, "\(format), \(length) ms")
      let headline = SurfaceHeadline(surface, of: analysis).sentence
      #expect(headline.contains("2 stops"), "\(headline)")
      #expect(headline.contains("2 stutters"), "\(headline)")
      let brief = Brief([analysis], BriefCommand(["analyze", "x"])).text(asJSON: true)
      #expect(brief.contains("2 stops") && brief.contains("2 stutters"), "\(brief)")
      // What is left without the stops is a steady rate.
      let rate = try #require(surface.stops.rateWithout)
      #expect(abs(rate - 100) < 2, "\(format): \(rate)")
    }
  }

  /// A stop at one end and the other cannot be told from the recording's ends, but those between can, wherever they are.
  @Test(arguments: [3, 60, 397]) func aStopAnywhereIsFound(_ row: Int) throws {
    let trace = try Self.game(stall: 700, seed: 5, stalls: [row])
    let surface = try #require(TraceAnalysis(of: trace).surfaces.first)
    #expect(surface.stops.stops.map(\.row) == [row])
    #expect(surface.stops.stops.first?.length == .milliseconds(700))
  }

  /// An app that rests draws nothing for a while, and neither stops nor stutters.
  @Test(arguments: [120.0, 480, 520, 3000, 30_000]) func aRestIsNeitherAStopNorAStutter(
    _ rest: Double
  ) throws {
    var lines = [
      #"{"schema": "frametool.trace/1", "unit": "ms"}"#, #"{"type": "surface", "id": "s"}"#,
    ]
    var time = 0.0
    for row in 0..<300 {
      if row % 50 == 49 { time += rest }
      let (start, interval) = (time, 16.666_667)
      lines.append(
        #"{"type": "frame", "appStart": \#(start), "appEnd": \#(start + 6), "commit": \#(start + 6), "displayed": \#(start + 2 * interval)}"#
      )
      time += interval
    }
    let trace = try TestData.read(text: lines.joined(separator: "\n") + "\n", path: "rest.jsonl")
    let surface = try #require(TraceAnalysis(of: trace).surfaces.first)
    #expect(surface.stops.stops.isEmpty && surface.stutters?.stutters.isEmpty == true)
  }

  /// Without the rows of a stop, all figures but those of stops and stutters are those of the frames that are left.
  @Test func withoutAStopTheRestIsTheSame() throws {
    let with = try Self.game(stall: 5000, seed: 6)
    let without = try Self.game(stall: 10, seed: 6)
    let one = try #require(TraceAnalysis(of: with).surfaces.first)
    let other = try #require(TraceAnalysis(of: without).surfaces.first)
    let rate = try #require(MetricTests.figure(other, "averageFrameRate"))
    #expect(abs(try #require(one.stops.rateWithout) - rate) < rate * 0.001)
    for name in ["frameTime", "displayChange"] {
      guard case .summary(let first) = one[name]?.figures,
        case .summary(let second) = other[name]?.figures
      else {
        Issue.record("no \(name)")
        continue
      }
      #expect(
        first.n == second.n && abs(first.p50 - second.p50) < 0.1
          && abs(first.p95 - second.p95) < 0.1)
    }
  }
}
