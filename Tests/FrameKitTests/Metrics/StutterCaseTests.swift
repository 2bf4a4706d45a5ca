import Foundation
import Testing

@testable import FrameAnalysis
@testable import FrameReport
@testable import FrameStatistics
@testable import FrameTrace

/// Stutters and stops of recordings whose answers are known.
@Suite(.enabled(if: TestData.hasCases, Comment(rawValue: TestData.absenceOfCases)))
struct StutterCaseTests {
  private static func analysis(_ name: String, worst: Int = 0) throws -> TraceAnalysis {
    var options = AnalysisOptions()
    options.worstCount = worst
    let trace = try TestData.read(TestData.cases.appending(path: name).path)
    return TraceAnalysis(of: trace, options: options)
  }

  private static func surface(_ name: String, worst: Int = 0) throws -> SurfaceAnalysis {
    try #require(try analysis(name, worst: worst).surfaces.first)
  }

  @Test func aLongerStallImprovesNothing() throws {
    let shorter = try Self.surface("desktop/stall-490ms.csv")
    let longer = try Self.surface("desktop/stall-510ms.csv")
    for name in ["averageFrameRate", "onePercentLowAverage"] {
      let one = try #require(MetricTests.figure(shorter, name))
      let other = try #require(MetricTests.figure(longer, name))
      #expect(other < one, "\(name)")
    }
    #expect(shorter.stops.stops.isEmpty && longer.stops.stops.count == 3)
    #expect(shorter.stutters?.stutters.count == 3 && longer.stutters?.stutters.count == 3)
  }

  @Test func aRhythmAndWhatDiffersAreFound() throws {
    let surface = try Self.surface("wild/periodic-4s.csv", worst: 14)
    let stutters = try #require(surface.stutters)
    #expect(stutters.stutters.count == 14)
    let rhythm = try #require(stutters.rhythms.first)
    #expect(abs(rhythm.period - 4) < 0.02 && rhythm.onBeat == 14)
    let findings = try #require(surface.stutterDifferences).findings
    #expect(findings.map(\.name) == ["gpu_core_clock"])
    let clock = try #require(findings.first).difference
    #expect(clock.side == .before && clock.near == 600 && clock.usual == 2400)
    #expect(surface.worst.allSatisfy { $0.frameTime ?? .zero > .milliseconds(69) })
  }

  @Test func stuttersAtRandomHaveNoRhythm() throws {
    let surface = try Self.surface("wild/random-stutters.csv", worst: 14)
    #expect(surface.stutters?.rhythms.isEmpty == true)
    #expect(surface.stutterDifferences?.findings.isEmpty == true)
    #expect(surface.worst.count == 14)
    #expect(surface.worst.allSatisfy { $0.frameTime ?? .zero >= .milliseconds(70) })
  }

  @Test func aHeartbeatIsFound() throws {
    let analysis = try Self.analysis("desktop/heartbeat.mangohud.csv", worst: 5)
    let surface = try #require(analysis.surfaces.first)
    #expect(surface.stutters?.stutters.count == 5)
    #expect(surface.worst.allSatisfy { $0.frameTime ?? .zero > .milliseconds(65) })
    #expect(SurfaceHeadline(surface, of: analysis).sentence.contains("5 stutters"))
  }

  @Test func freezesOfAPublicReportAreFound() throws {
    let surface = try Self.surface("desktop/dota-freezes.mangohud.csv", worst: 3)
    #expect(surface.stops.stops.map { Int($0.length.milliseconds.rounded()) } == [637, 1734])
    #expect(
      surface.worst.map { Int(($0.frameTime ?? .zero).milliseconds.rounded()) } == [1734, 637, 378])
  }

  @Test(arguments: [
    ("clock/hidden_full_rate_hidden_discarded.jsonl", 0, 0),
    ("clock/hidden_2_5fps_hidden_discarded.jsonl", 0, 0),
    ("clock/hidden_1fps_work_110ms_hidden.jsonl", 0, 0),
    ("clock/hidden_compositor_stuck__7s_1frame.jsonl", 0, 42),
    ("clock/hidden_gpu_hang_3s.jsonl", 180, 0), ("clock/hidden_stuck__45s_1frame.jsonl", 27, 0),
  ])
  func stopsHaveTheirCauses(_ name: String, _ dropped: Int, _ atMost: Int) throws {
    let surface = try Self.surface(name)
    #expect(surface.drops.value?.refreshes == dropped)
    #expect(surface.stops.atMost == atMost)
  }

  @Test func aHangOfTheGPUIsItsFreeze() throws {
    let surface = try Self.surface("clock/hidden_gpu_hang_3s.jsonl")
    #expect(surface.stops.stops.map(\.cause) == [.freeze(.gpu)])
    #expect(surface.drops.value?.byStage[.gpu, default: 0] ?? 0 > 170)
  }

  @Test func hangsAreTheAppsFreezes() throws {
    let surface = try Self.surface("capture/hang600-at-60.jsonl.gz")
    #expect(surface.stops.stops.map(\.cause) == Array(repeating: .freeze(.app), count: 7))
  }
}
