import Testing

@testable import FrameAnalysis
@testable import FrameReport
@testable import FrameStatistics
@testable import FrameTrace

@Suite struct MetricTests {
  /// The analysis of a surface whose frames have these frame times in milliseconds.
  static func surface(frameTimes: [Double]) throws -> SurfaceAnalysis {
    let lines = frameTimes.map { "{\"type\": \"frame\", \"presentInterval\": \($0)}\n" }
    let trace = try TestData.read(
      text: "{\"schema\": \"frametool.trace/1\", \"unit\": \"ms\"}\n" + lines.joined())
    return try #require(TraceAnalysis(of: trace).surfaces.first)
  }

  static func figure(_ surface: SurfaceAnalysis, _ name: String) -> Double? {
    guard case .figure(let figure, _) = surface[name]?.figures else { return nil }
    return figure
  }

  @Test func anAverageRateIsFramesOverTime() throws {
    // One frame each at 10 and 2.5 fps gives 4 fps over the time, not 6.25.
    let surface = try Self.surface(frameTimes: [100, 400])
    #expect(Self.figure(surface, "averageFrameRate") == 4)
  }

  /// Values that only a few frames have do not describe all of them: a definition has to apply to
  /// nine in ten.
  @Test(arguments: [
    (2, "display to display"), (85, "display to display"), (90, "commit to commit"),
  ])
  func aDefinitionIsThatOfNearlyAllFrames(_ commits: Int, _ definition: String) throws {
    let lines = (0..<100).map { number in
      let commit = number < commits ? ", \"commit\": \(number * 10)" : ""
      return "{\"type\": \"frame\", \"displayed\": \(number * 10 + 20)\(commit)}\n"
    }
    let trace = try TestData.read(
      text: "{\"schema\": \"frametool.trace/1\", \"unit\": \"ms\"}\n" + lines.joined())
    let surface = try #require(TraceAnalysis(of: trace).surfaces.first)
    #expect(surface["frameTime"]?.definition == definition)
    let reason = commits < 90 ? "\(commits) of 100 frames have commit" : nil
    #expect(surface["frameTime"]?.passedOver == reason)
    let text = Writers.write([TraceAnalysis(of: trace)], as: .text)
    #expect(text.contains("because only \(commits) of 100 frames have commit") == (commits < 90))
  }

  /// A frame whose outcome the source does not state may have been displayed.
  @Test func onlyFramesKnownToBeDroppedWereNeverDisplayed() throws {
    let ends = [
      "\"displayed\": 20", "\"fate\": \"discarded\"", "\"fate\": \"unknown\"",
      "\"fate\": \"displayed\"", "\"displayed\": 60", "",
    ]
    let lines = ends.enumerated().map { number, end in
      "{\"type\": \"frame\", \"appStart\": \(number * 10)\(end.isEmpty ? "" : ", " + end)}\n"
    }
    let trace = try TestData.read(
      text: "{\"schema\": \"frametool.trace/1\", \"unit\": \"ms\"}\n" + lines.joined())
    let latency = try #require(TraceAnalysis(of: trace).surfaces.first?["displayLatency"])
    #expect(
      latency.exclusions == [
        .init(reason: "never displayed", count: 1),
        .init(reason: "with unknown display time", count: 3),
      ])
    #expect(latency.missing == 0)
  }

  @Test func twoFramesWithinAMillisecondAreNoRate() throws {
    let surface = try Self.surface(frameTimes: [0.8])
    guard case .unavailable(let why) = surface["averageFrameRate"]?.figures else {
      Issue.record("a rate of 0.8 ms")
      return
    }
    #expect(why == "0.8 ms is too short for a rate, at least 100 ms is needed")
    #expect(
      !SurfaceHeadline.rates(surface, from: Timestamp(nanoseconds: 0)).contains {
        $0.contains("fps")
      })
  }

  @Test func theLowsAreWhatTheirFormulasSay() throws {
    // 198 frames of 10 ms and two slow ones, 40 and 100 ms: 2120 ms together. The 99th percentile
    // is at index 197.01: 10 + 0.01 · 30 = 10.3 ms. The slow frames are therefore the two, 70 ms on
    // average. 1 % of the time is 21.2 ms, which the slowest frame fills alone.
    let surface = try Self.surface(frameTimes: [Double](repeating: 10, count: 198) + [40, 100])
    let average = try #require(Self.figure(surface, "onePercentLowAverage"))
    let integral = try #require(Self.figure(surface, "onePercentLowIntegral"))
    let percentile = try #require(Self.figure(surface, "onePercentLowPercentile"))
    #expect(abs(average - 1000 / 70) < 1e-9)
    #expect(abs(integral - 10) < 1e-9)
    #expect(abs(percentile - 1000 / 10.3) < 1e-9)
  }

  @Test func theIntegralLowGoesOnUntilTheTimeIsFilled() throws {
    // 1000 frames of 10 ms: 1 % of the time is 100 ms, ten frames of 10 ms.
    let surface = try Self.surface(frameTimes: [Double](repeating: 10, count: 1000))
    #expect(Self.figure(surface, "onePercentLowIntegral") == 100)
    #expect(Self.figure(surface, "pointOnePercentLowIntegral") == 100)
  }

  @Test func aLowOfTooFewFramesIsNotGiven() throws {
    let surface = try Self.surface(frameTimes: [Double](repeating: 10, count: 99))
    guard case .unavailable(let why) = surface["onePercentLowAverage"]?.figures else {
      Issue.record("a figure of 99 frames")
      return
    }
    #expect(why == "99 frame times are too few, at least 100 are needed")
  }

  @Test func aMetricSaysWhichOfItsDefinitionsWasMeasured() throws {
    let surface = try Self.surface(frameTimes: [10, 20])
    #expect(surface["frameTime"]?.definition == "present to present")
    #expect(surface["presentInterval"]?.definition == "as the source states it")
  }

  @Test func framesWithoutAValueAreCountedAsMissing() throws {
    let trace = try TestData.read(
      text: """
        {"schema": "frametool.trace/1", "unit": "ms"}
        {"type": "frame", "appStart": 0, "commit": 5}
        {"type": "frame", "appStart": 10}
        {"type": "frame", "appStart": 20, "commit": 27}
        """)
    let result = try #require(TraceAnalysis(of: trace).surfaces.first?["cpuBusy"])
    #expect(result.missing == 1)
    guard case .summary(let summary) = result.figures else {
      Issue.record("no summary")
      return
    }
    #expect(summary.n == 2)
    #expect(summary.mean == 6)
  }

  @Test func stepsAreTakenInOrderOfTime() throws {
    let trace = try TestData.read(
      text: """
        {"schema": "frametool.trace/1", "unit": "ms"}
        {"type": "frame", "commit": 0, "displayed": 30}
        {"type": "frame", "commit": 5, "displayed": 20}
        {"type": "frame", "commit": 20, "displayed": 60}
        """)
    let surface = MeasuredSurface(Pipeline(reconstructing: trace), index: 0)
    guard case .sample(let sample) = FrameMetric.displayChange.measure(surface).content else {
      Issue.record("no values")
      return
    }
    #expect(sample.values == [10_000_000, 30_000_000])
  }

  @Test func theListIsUniqueAndDescribed() {
    let entries = Metrics.entries
    #expect(Set(entries.map(\.name)).count == entries.count)
    for entry in entries {
      #expect(entry.summary.hasSuffix("."), "\(entry.name)")
      #expect(!entry.formula.isEmpty, "\(entry.name)")
    }
  }
}
