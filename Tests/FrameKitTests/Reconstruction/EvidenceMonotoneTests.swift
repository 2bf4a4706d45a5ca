import Testing

@testable import FrameAnalysis
@testable import FrameStatistics
@testable import FrameTrace

/// A column less makes a judgment the same, or none; a column more makes none a judgment only if it is a reason.
@Suite struct EvidenceMonotoneTests {
  /// A game of a random pace, wait and GPU load.
  private static func log(_ seed: UInt64) -> PresentLog {
    var random = SplitMix64(seed: seed)
    let pace = [1, 1.005, 1.03, 1.05, 1.3, 1.5, 2, 2.5, 3][Int(random.nextUnit() * 9)]
    let jitter = [0, 0.01, 0.05, 0.3][Int(random.nextUnit() * 4)]
    let isMixed = random.nextUnit() < 0.3
    let gaps = [0, 0, 0.01, 0.1][Int(random.nextUnit() * 4)]
    let starts = (0..<240).map { _ in
      let step = isMixed && random.nextUnit() < 0.5 ? pace + 1 : pace
      return random.nextUnit() < gaps ? step + 8 : step + (random.nextUnit() - 0.5) * jitter
    }
    let load = [0.2, 0.6, 0.9, 0.97, 1.2][Int(random.nextUnit() * 5)]
    let wait = [0.01, 0.3, 0.7][Int(random.nextUnit() * 3)]
    return PresentLog(
      starts: starts, wait: min(wait, pace * 0.6), gpu: Array(repeating: load, count: 240))
  }

  /// How many refreshes the frames of a log start later than its usual distance.
  private static func missed(_ log: PresentLog) -> Int {
    let usual = log.starts.sorted()[log.starts.count / 2]
    let late = log.starts.reduce(0) { $0 + Int(max(0, $1 - usual).rounded()) }
    // One frame in fifty may miss a refresh by its jitter.
    return late + log.starts.count / 50
  }

  private static func words(_ surface: SurfaceAnalysis) -> String {
    surface.drops.value?.sentence ?? surface.unjudgedDrops?.words ?? "not judged"
  }

  @Test(arguments: PresentLog.Part.allCases) func aColumnLess(_ part: PresentLog.Part)
    throws
  {
    var (judged, unjudged) = (0, 0)
    for seed in 1...120 as ClosedRange<UInt64> {
      let log = Self.log(seed)
      let (whole, less) = (try log.analysis(), try log.without(part).analysis())
      let words = "seed \(seed): \(Self.words(whole)) | without \(part): \(Self.words(less))"
      guard let found = less.drops.value else {
        unjudged += 1
        // The column makes these drops only if it shows a load, or a limiter whose clock the frames missed.
        let drops = whole.drops.value?.refreshes ?? 0
        let app = log.starts.sorted()[log.starts.count / 2] - log.wait
        if part == .gpu, max(app, log.gpu?[0] ?? 0) < 15.0 / 16 {
          #expect(drops <= Self.missed(log) + 1, "\(words)")
        }
        continue
      }
      judged += 1
      let own = try #require(whole.drops.value, "\(words)")
      // Without the end of the GPU's work, a frame may be late by a sixteenth of an interval.
      #expect(
        part == .renderComplete
          ? found.refreshes <= own.refreshes : found.refreshes == own.refreshes, "\(words)")
      for (stage, count) in found.byStage where stage != .unknown {
        #expect(count <= own.byStage[stage] ?? 0, "\(words)")
      }
    }
    #expect((judged > 10 || part == .inPresent) && unjudged > 10, "\(judged), \(unjudged)")
  }

  /// Work that takes less time never drops more, except where its end moves across a refresh: then the display repeats the
  /// frame before that.
  @Test func lessWorkDropsNoMore() throws {
    for seed in 1...60 as ClosedRange<UInt64> {
      let log = Self.log(seed)
      let lighter = PresentLog(
        starts: log.starts, wait: log.wait, gpu: log.gpu?.map { $0 * 0.5 })
      guard let own = try log.analysis().drops.value,
        let found = try lighter.analysis().drops.value
      else { continue }
      #expect(found.refreshes <= own.refreshes + 1, "seed \(seed)")
    }
  }
}
