import FrameImporters
import Testing

@testable import Fixtures
@testable import FrameAnalysis
@testable import FrameReport
@testable import FrameTrace

/// What limits the frames of a game, of which a simulated swap chain decides what it was.
@Suite struct FrameLimitTests {
  /// A frame of a recording that states busy times, in milliseconds.
  private struct Row {
    var cpu: Double
    var wait = 0.1
    var gpu: Double
    /// Refreshes of 16.667 ms from the previous frame's display to this one's; `nil` for a frame that
    /// was not shown.
    var refreshes: Int?
    /// 0 where the app does not wait for refreshes.
    var sync = 1
  }

  private static let header =
    "Application,ProcessID,SwapChainAddress,PresentRuntime,SyncInterval,PresentFlags,AllowsTearing,PresentMode,CPUStartTime,FrameTime,CPUBusy,CPUWait,GPULatency,GPUTime,GPUBusy,GPUWait,DisplayLatency,DisplayedTime,ClickToPhotonLatency"

  /// The limits of frames in PresentMon's columns.
  /// - Parameter hasGPU: Whether the recording has GPU times.
  private static func limits(_ rows: [Row], hasGPU: Bool = true) throws -> Finding<FrameLimits> {
    var lines = [header]
    var (start, shown) = (0.0, 40.0)
    for row in rows {
      let gpu = hasGPU ? "\(row.cpu),\(row.gpu),\(row.gpu),0" : "NA,NA,NA,NA"
      var display = "NA,NA"
      if let refreshes = row.refreshes {
        shown += Double(refreshes) * 16.667
        display = "\(shown - start),16.667"
      }
      lines.append(
        "a.exe,1,0x1,DXGI,\(row.sync),0,0,Hardware: Independent Flip,\(start),\(row.cpu + row.wait),\(row.cpu),\(row.wait),\(gpu),\(display),NA"
      )
      start += row.cpu + row.wait
    }
    let trace = try TestData.read(text: lines.joined(separator: "\n") + "\n", path: "a.csv")
    return TraceAnalysis(of: trace).surfaces[0].limits
  }

  private static func counts(_ rows: [Row]) throws -> LimitCounts {
    try #require(try limits(rows).value).counts
  }

  /// Frames of changing length, so that no pace is kept.
  private static func varied(_ count: Int = 240, _ row: (Double) -> Row) -> [Row] {
    var variation = Variation(seed: 7)
    return (0..<count).map { _ in row(Double(variation.length(1_000_000, 200_000)) / 1e6) }
  }

  /// A played game, written as PresentMon does and read again.
  private static func play(
    _ presentation: GameChain.Presentation, _ interval: Int64, call: Int64, app: Int64, gpu: Int64
  ) throws -> FrameLimits {
    var variation = Variation(seed: 5)
    let chain = GameChain(interval: interval, presentation: presentation, callTime: call)
    let work = (0..<300).map { _ in
      GameChain.Work(app: variation.length(app, app / 5), gpu: variation.length(gpu, gpu / 10))
    }
    let trace = chain.trace(of: chain.play(work), named: "game", process: "game.exe")
    let bytes = PresentMonEncoder(.both).encode(trace)
    let read = try Importers.read(InputFile(bytes: bytes, path: "game.csv"))
    return try #require(TraceAnalysis(of: read).surfaces[0].limits.value)
  }

  @Test func aSimulatedGameIsBoundByWhatHoldsItBack() throws {
    let cpu = try Self.play(.latest, 16_666_600, call: 100_000, app: 5_000_000, gpu: 2_000_000)
    #expect(cpu.counts.share(.cpu) > 0.95 && cpu.isInferred)
    let gpu = try Self.play(
      .firstInFirstOut(buffers: 3), 4_166_700, call: 100_000, app: 6_000_000, gpu: 19_000_000)
    #expect(gpu.counts.main == .gpu)
    let display = try Self.play(
      .firstInFirstOut(buffers: 3), 16_666_600, call: 100_000, app: 4_000_000, gpu: 6_000_000)
    #expect(display.counts.share(.display) > 0.95)
    let capped = try Self.play(.latest, 16_666_600, call: 6_000_000, app: 2_000_000, gpu: 1_000_000)
    #expect(capped.counts.share(.limited) > 0.95)
  }

  /// Both sides of each threshold.
  @Test func nineTenthsOfAFrameTimeAreBusy() throws {
    let gpu = { (share: Double) in
      try Self.counts(Self.varied { Row(cpu: 6 * $0, wait: 4 * $0, gpu: 10 * share * $0) })
    }
    #expect(try gpu(0.91)[.gpu] == 240)
    #expect(try gpu(0.89)[.gpu] == 0)
    #expect(try gpu(0.89)[.limited] == 240)
    let cpu = { (share: Double) in
      try Self.counts(
        Self.varied { Row(cpu: 10 * share * $0, wait: 10 * (1 - share) * $0, gpu: 3 * $0) })
    }
    #expect(try cpu(0.91)[.cpu] == 240)
    #expect(try cpu(0.89)[.limited] == 240)
  }

  /// More work of the GPU never makes fewer frames GPU-bound.
  @Test(arguments: 1...12 as ClosedRange<UInt64>) func moreGPUWorkNeverBindsLess(_ seed: UInt64)
    throws
  {
    var variation = Variation(seed: seed)
    let rows = (0..<200).map { _ in
      Row(
        cpu: Double(variation.length(5_000_000, 4_000_000)) / 1e6,
        wait: Double(variation.length(3_000_000, 2_900_000)) / 1e6,
        gpu: Double(variation.length(5_000_000, 4_900_000)) / 1e6,
        refreshes: seed % 2 == 0 ? 1 : nil)
    }
    var before = 0
    for factor in stride(from: 0.25, through: 4, by: 0.25) {
      let limits = try #require(
        try Self.limits(
          rows.map { row in
            var row = row
            row.gpu *= factor
            return row
          }
        ).value)
      #expect(limits.counts[.gpu] >= before)
      #expect(limits.counts.n + limits.missing == 200)
      #expect(FrameLimits.Limit.allCases.reduce(0) { $0 + limits.counts[$1] } == limits.counts.n)
      before = limits.counts[.gpu]
    }
    #expect(before > 0)
  }

  /// A limiter that sleeps outside the present call looks like work, but keeps a pace.
  @Test func aPaceAsRegularAsAClockIsALimiter() throws {
    let paced = { (jitter: Double, gpu: Double) in
      try Self.counts(
        (0..<240).map { Row(cpu: $0 % 2 == 0 ? 10 + jitter : 10 - jitter, gpu: gpu) })
    }
    #expect(try paced(0.3, 5)[.limited] == 240)
    #expect(try paced(0.33, 5)[.cpu] == 240)
    // A GPU without time to spare may be what keeps the pace.
    #expect(try paced(0.3, 7.5)[.limited] == 240)
    #expect(try paced(0.3, 7.8)[.cpu] == 240)
  }

  /// A game at the display's rate waits for it; frames after a missed refresh do not.
  @Test func theDisplayHoldsBackWhatComesAtItsRate() throws {
    let frames = Self.varied { Row(cpu: 5 * $0, wait: 16.667 - 5 * $0, gpu: 4, refreshes: 1) }
    #expect(try Self.counts(frames)[.display] == 239)
    var late = frames
    for position in stride(from: 20, to: 240, by: 20) {
      late[position] = Row(cpu: 33.2, gpu: 4, refreshes: 2)
    }
    let counts = try Self.counts(late)
    #expect(counts[.cpu] == 11)
    #expect(counts[.display] == 228)
  }

  /// A game that does not wait for refreshes is not held back by them, although its rate is theirs.
  @Test func aGameThatDoesNotWaitForRefreshesIsBoundByItsWork() throws {
    let frames = Self.varied {
      Row(cpu: 16.567 * (1 + ($0 - 1) / 20), gpu: 4, refreshes: 1, sync: 0)
    }
    #expect(try Self.counts(frames)[.display] == 0)
  }

  /// Work of one and a half refreshes waits for the second, and the display only rounds it up.
  @Test func whatMissesRefreshesIsBoundByItsWork() throws {
    let frame = { (cpu: Double, gpu: Double) in
      Row(cpu: cpu, wait: 33.334 - cpu, gpu: gpu, refreshes: 2)
    }
    #expect(try Self.counts(Self.varied { frame(25 * $0, 3) })[.cpu] > 230)
    #expect(try Self.counts(Self.varied { frame(5 * $0, 25) })[.gpu] > 230)
    // Less than a refresh of work is a cap.
    #expect(try Self.counts(Self.varied { frame(5 * $0, 3) })[.limited] > 230)
  }

  /// A negative busy time is none.
  @Test func negativeTimesAreMissing() throws {
    #expect(try Self.limits(Self.varied { Row(cpu: 9 * $0, wait: 3, gpu: -3) }).value == nil)
  }

  @Test func whatIsNotRecordedIsUnknown() throws {
    let frames = Self.varied { Row(cpu: 10 * $0, gpu: 2) }
    #expect(
      try Self.limits(frames, hasGPU: false).whyMissing
        == "the source does not record how long the GPU was busy")
    #expect(
      try Self.limits(Array(frames.prefix(9))).whyMissing
        == "fewer than 10 frames have a frame time and known busy times")
    #expect(try Self.counts(Array(frames.prefix(10))).n == 10)
  }

  @Test func theSentenceHasSharesTimesAndUnits() throws {
    let limits = try #require(
      try Self.limits(Self.varied { Row(cpu: 6 * $0, wait: 4 * $0, gpu: 9.5 * $0) }).value)
    let sentence = limits.sentence(
      in: Trace(Provenance(file: "", importer: "csv", format: "", reason: "")))
    #expect(
      sentence.wholeMatch(
        of: #/GPU-bound in 100\.0 % of 240 frames \(median gpuBusy 9\.\d of 1?\d\.\d ms\)/#) != nil,
      "\(sentence)")
  }

  /// A comparison names limits that differ for at least a quarter of the frames.
  @Test func theDistanceOfTwoRunsIsTheShareThatChanged() {
    let before = LimitCounts([.gpu: 95, .cpu: 5])
    #expect(abs(before.distance(to: LimitCounts([.gpu: 20, .cpu: 80])) - 0.75) < 1e-12)
    #expect(abs(before.distance(to: LimitCounts([.gpu: 700, .limited: 300])) - 0.3) < 1e-12)
    #expect(before.distance(to: LimitCounts([.gpu: 9500, .cpu: 500])) < 1e-12)
    #expect(LimitCounts.sum([before, LimitCounts([.cpu: 100])])[.cpu] == 105)
  }

  @Test func theSharesOfThePlotFillEachBox() throws {
    let plot = try DrawnPlot.of("limits", DrawnPlot.trace("uncapped-game"))
    let rows = plot.panels[0].layers.flatMap(\.rows)
    #expect(!rows.isEmpty)
    for (start, boxes) in Dictionary(grouping: rows, by: { $0[0] }) {
      let height = boxes.reduce(0) { $0 + $1[3] - $1[2] }
      #expect(abs(height - 100) < 1e-9, "\(start)")
    }
  }
}
