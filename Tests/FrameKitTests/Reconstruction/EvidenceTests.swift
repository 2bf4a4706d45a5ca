import Foundation
import Testing

@testable import FrameAnalysis
@testable import FrameReport
@testable import FrameStatistics
@testable import FrameTrace

/// Drops are judged only where the source shows that frames were due.
@Suite struct EvidenceTests {
  private static func surface(_ name: String) throws -> SurfaceAnalysis {
    let trace = try TestData.read(TestData.cases.appending(path: name).path)
    return try #require(TraceAnalysis(of: trace).surfaces.first)
  }

  @Test(
    .enabled(if: TestData.hasCases, Comment(rawValue: TestData.absenceOfCases)),
    arguments: [
      ("desktop/cap30-on-60.presentmon1.csv", "30.0 fps may be a limit or an overload"),
      ("desktop/cap30-on-60-norender.presentmon1.csv", "30.0 fps may be a limit or an overload"),
      ("first-use/idle-compositor.csv", "irregular frames, drawn on demand or late"),
      ("clock/typing_presentmon.csv", "irregular frames, drawn on demand or late"),
    ])
  func whatIsNotMeasuredIsNotJudged(_ name: String, _ words: String) throws {
    let surface = try Self.surface(name)
    #expect(surface.drops.value == nil)
    let why = try #require(surface.unjudgedDrops?.words)
    #expect(why.hasPrefix("drops cannot be judged: \(words)"), "\(why)")
    #expect(why.contains("at most"), "\(why)")
  }

  @Test(
    .enabled(if: TestData.hasCases, Comment(rawValue: TestData.absenceOfCases)),
    arguments: [
      ("cap141_on144.csv", 0), ("cap57_on60.csv", 0), ("cap56_on60.csv", 0),
      ("late8_display.jsonl", 8), ("late10_display.jsonl", 10), ("late10_app.jsonl", 10),
      ("wayland_20_slow_frames.txt", 20),
      ("late80_app.jsonl", 80), ("x11_12_slow_frames.txt", 12), ("x11_true_msc_rate_change.txt", 0),
      ("video24_on60_presentmon.csv", 0), ("cap60_on144_vsync_presentmon.csv", 0),
      ("content50_on60_one_late.jsonl", 2), ("stamps_1ms_144hz.jsonl", 6),
    ])
  func droppedRefreshes(_ name: String, _ count: Int) throws {
    #expect(try Self.surface("clock/\(name)").drops.value?.refreshes == count)
  }

  /// A source that takes the end of a frame for the start of the next one counts sleep as work of the CPU.
  @Test(
    .enabled(if: TestData.hasCases, Comment(rawValue: TestData.absenceOfCases)),
    arguments: [
      ("clock/typing_presentmon.csv", nil), ("clock/video24_on60_presentmon.csv", .limited),
      ("clock/cap60_on144_vsync_presentmon.csv", .limited), ("law/overload_half_rate.csv", .cpu),
    ] as [(String, FrameLimits.Limit?)])
  func sleepIsNoLimit(_ name: String, _ limit: FrameLimits.Limit?) throws {
    #expect(try Self.surface(name).limits.value?.counts.main == limit)
  }

  @Test(.enabled(if: TestData.hasCases, Comment(rawValue: TestData.absenceOfCases)))
  func utilizationIsALoad() throws {
    let capped = try Self.surface("desktop/cap60-on-120hz.frameview.csv")
    #expect(capped.drops.value?.refreshes == 0 && capped.limits.value?.counts.main == .limited)
    let bound = try Self.surface("desktop/gpu99-on-120hz.frameview.csv")
    let drops = try #require(bound.drops.value)
    #expect(drops.byStage[.app, default: 0] == 0 && drops.byStage[.gpu, default: 0] > 1600)
    #expect(bound.limits.value?.counts.main == .gpu && bound.limits.value?.isEstimated == true)
  }

  @Test(
    .enabled(if: TestData.hasCases, Comment(rawValue: TestData.absenceOfCases)),
    arguments: [
      ("build-over-budget", FrameLimits.Limit.cpu), ("raster-over-budget", .gpu),
      ("capped-at-30", .limited),
    ])
  func workBeyondAStatedRefreshIsALimit(_ name: String, _ limit: FrameLimits.Limit) throws {
    let limits = try #require(try Self.surface("mobile/flutter-\(name).json").limits.value)
    #expect(limits.counts.main == limit)
  }

  @Test(.enabled(if: TestData.hasCases, Comment(rawValue: TestData.absenceOfCases)))
  func aPartialFrameIsNotLate() throws {
    let surface = try Self.surface("mobile/chrome-partial-called-late.json")
    let verdicts = try #require(surface.verdicts)
    #expect(verdicts.late == 0 && verdicts.partial == 20)
  }

  @Test(.enabled(if: TestData.hasCases, Comment(rawValue: TestData.absenceOfCases)))
  func aPageComesBeforeItsBrowser() throws {
    let trace = try TestData.read(
      TestData.cases.appending(path: "mobile/chrome-browser-ui-first.json").path)
    let surfaces = TraceAnalysis(of: trace).ordered
    #expect(surfaces.map(\.process) == ["Renderer", "Browser"])
  }

  @Test(.enabled(if: TestData.hasCases, Comment(rawValue: TestData.absenceOfCases)))
  func aLightLoadIsALimiters() throws {
    let surface = try Self.surface("desktop/cap30-on-60-gpu5ms.presentmon1.csv")
    #expect(surface.drops.value?.refreshes == 0)
  }

  /// A PresentMon log of a game whose frames come after as many refreshes of 60 Hz as given, with this GPU busy time.
  private static func log(_ steps: [Int], gpuBusy: Double?) throws -> SurfaceAnalysis {
    try log(steps, gpuBusy: gpuBusy.map { Array(repeating: $0, count: steps.count) })
  }

  private static func log(_ steps: [Int], gpuBusy: [Double]?) throws -> SurfaceAnalysis {
    try PresentLog(starts: steps.map(Double.init), wait: 0.012, gpu: gpuBusy?.map { $0 / 16.6667 })
      .analysis()
  }

  /// A load of the GPU on both sides of fifteen sixteenths of a refresh, below half the display's rate.
  @Test(arguments: [(15.5, false), (15.7, true), (30, true)])
  func aLoadIsAReason(_ busy: Double, _ isJudged: Bool) throws {
    var random = SplitMix64(seed: 8)
    // Not as regular as a limiter.
    let steps = (0..<300).map { _ in random.nextUnit() < 0.5 ? 3 : 2 }
    let surface = try Self.log(steps, gpuBusy: busy)
    #expect((surface.drops.value != nil) == isJudged)
    if isJudged { #expect(surface.drops.value?.refreshes ?? 0 > 290) }
    #expect(try Self.log(steps, gpuBusy: nil as Double?).drops.value == nil)
  }

  /// A twentieth of the time in gaps is enough, on both sides of it; four refreshes are not a gap.
  @Test(
    arguments: [
      (2, 5, true), (5, 5, true), (6, 5, false), (40, 5, false), (40, 4, true), (100, 5, false),
    ], [nil, 4])
  func gapsAreRestOrFreezes(_ gaps: (count: Int, length: Int, isJudged: Bool), _ busy: Double?)
    throws
  {
    let every = 400 / gaps.count
    let steps = (0..<400).map { $0 % every == every - 1 ? gaps.length : 1 }
    let surface = try Self.log(steps, gpuBusy: busy)
    let words = surface.unjudgedDrops?.words ?? ""
    #expect((surface.drops.value != nil) == gaps.isJudged, "\(words)")
    if gaps.isJudged {
      // A gap drops the refreshes that it is too long by.
      let dropped = surface.drops.value?.refreshes ?? 0
      #expect(abs(dropped - gaps.count * (gaps.length - 1)) <= 4)
    } else {
      #expect(
        words.contains("gaps of 83 ms, rest or freezes") || words.contains("irregular"),
        "\(words)")
    }
  }

  /// A log of displayed frames shows no rest either: gaps are freezes up to a twentieth of the time, on both sides of it.
  @Test(arguments: [(1, 13, 12), (1, 14, nil), (3, 5, 12), (4, 5, nil)])
  func gapsBetweenDisplayedFrames(_ gaps: Int, _ length: Int, _ dropped: Int?) throws {
    let every = 240 / (gaps + 1)
    var refresh = 0
    let lines = (0..<240).map { frame in
      refresh += frame > 0 && frame % every == 0 && frame / every <= gaps ? length : 1
      return #"{"type": "frame", "displayed": \#(Double(refresh) * 16.667)}"#
    }
    let head = [
      #"{"schema": "frametool.trace/1", "unit": "ms"}"#, #"{"type": "surface", "id": "a"}"#,
    ]
    let text = (head + lines).joined(separator: "\n") + "\n"
    let trace = try TestData.read(text: text, path: "a.jsonl")
    let surface = try #require(TraceAnalysis(of: trace).surfaces.first)
    let bound = (length - 1) * gaps
    #expect(surface.drops.value?.refreshes == dropped.map { _ in bound })
    if dropped == nil {
      let words = try #require(surface.unjudgedDrops?.words)
      let share = Double(bound) / Double(240 + bound) * 100
      #expect(words.contains(gaps == 1 ? "1 gap of" : "\(gaps) gaps of"), "\(words)")
      #expect(words.contains("at most \(FixedNumber.text(share, decimals: 1)) %"), "\(words)")
    }
  }

  /// Frames at a lower rate for less than two seconds, next to frames at every refresh, are late; alone or for longer, they
  /// keep that rate.
  @Test(arguments: [(60, 12, 12), (60, 59, 59), (60, 61, 0), (0, 40, 0), (8, 40, 0)])
  func aShortSlowStretchIsOverload(_ quick: Int, _ slow: Int, _ dropped: Int) throws {
    let steps =
      Array(repeating: 1, count: quick) + Array(repeating: 2, count: slow)
      + Array(repeating: 1, count: quick)
    var refresh = 0
    let lines = steps.map { step in
      refresh += step
      return #"{"type": "frame", "displayed": \#(Double(refresh) * 16.667)}"#
    }
    let head = [
      #"{"schema": "frametool.trace/1", "unit": "ms"}"#,
      #"{"type": "display", "id": "d", "interval": 16.667}"#,
      #"{"type": "surface", "id": "a", "display": "d"}"#,
    ]
    let text = (head + lines).joined(separator: "\n") + "\n"
    let trace = try TestData.read(text: text, path: "a.jsonl")
    let surface = try #require(TraceAnalysis(of: trace).surfaces.first)
    #expect(surface.drops.value?.refreshes == dropped)
  }

  /// A limiter that waits in the present call, on both sides of 1 % and a sixteenth below the display's rate, and of fifteen
  /// sixteenths of GPU work.
  @Test(arguments: [
    (1.005, 0.3, false), (1.012, 0.3, true), (1.06, 0.3, true), (1.065, 0.3, true),
    (1.06, 0.93, true), (1.06, 0.95, false),
  ])
  func aClockNearTheDisplaysRate(_ step: Double, _ gpu: Double, _ isKept: Bool) throws {
    let count = 600
    let log = PresentLog(
      starts: Array(repeating: step, count: count), wait: 0.6,
      gpu: Array(repeating: gpu, count: count))
    let dropped = try #require(try log.analysis().drops.value?.refreshes)
    // The display repeats a frame each time that the two rates differ by a refresh.
    let repeats = Int(Double(count) * (step - 1))
    #expect(isKept ? dropped <= 1 : dropped >= repeats - 1, "\(dropped)")
    // Without the GPU's work, nobody can tell.
    if isKept {
      #expect(try log.without(.gpu).analysis().drops.value == nil)
    }
  }

  /// Frames of mixed lengths in step with refreshes, on both sides of an eighth of an interval and of four in five frames:
  /// the others come from work that takes as long, which is late.
  @Test(arguments: [(0.11, 0.0, false), (0.14, 0.0, true), (0.05, 0.18, false), (0.05, 0.22, true)])
  func framesInStepMayBeLimited(_ off: Double, _ odd: Double, _ isJudged: Bool) throws {
    var random = SplitMix64(seed: 5)
    let starts = (0..<400).map { frame in
      let whole = random.nextUnit() < 0.45 ? 2 : 2.995
      return whole + (Double(frame % 100) < odd * 100 ? 0.4 : off)
    }
    let log = PresentLog(starts: starts, wait: 0.01, gpu: Array(repeating: 0.3, count: 400))
    #expect((try log.analysis().drops.value != nil) == isJudged)
  }

  /// An app that presents at one phase of the refresh follows refreshes: on both sides of an eighth of an interval from that
  /// phase and a sixteenth from the refresh, of nine in ten frames, of a whole number of refreshes, and of a wait.
  @Test(arguments: [
    (2.5, 0.3, 0.1, 0.0, 0.01, true), (2.5, 0.3, 0.2, 0.0, 0.01, false),
    (2.5, 0.07, 0, 0, 0.01, true),
    (2.5, 0.05, 0, 0, 0.01, false), (2.5, 0.3, 0, 0.08, 0.01, true),
    (2.5, 0.3, 0, 0.12, 0.01, false),
    (2, 0.3, 0, 0, 0.01, false), (2.5, 0.3, 0, 0, 0.1, false), (2.4, 0.3, 0, 0, 0.01, true),
    // A frame in four, five or eight that comes a refresh later belongs to the clock; one in twenty is late.
    (2.25, 0.3, 0, 0, 0.01, true), (2.2, 0.3, 0, 0, 0.01, true), (2.125, 0.3, 0, 0, 0.01, true),
    (2.05, 0.3, 0, 0, 0.01, false),
  ])
  func presentsThatFollowRefreshes(
    _ distance: Double, _ phase: Double, _ drift: Double, _ others: Double, _ wait: Double,
    _ isClock: Bool
  ) throws {
    let count = 400
    let presents = (0...count).map { frame in
      let isOther = Double(frame % 100) < others * 100
      let off = isOther ? 0.3 : drift * (Double(frame) / Double(count) * 2 - 1)
      return (0.1 + Double(frame) * distance).rounded(.up) + phase + off
    }
    let log = PresentLog(
      starts: zip(presents.dropFirst(), presents).map { $0 - $1 }, wait: wait,
      gpu: Array(repeating: 0.2, count: count), first: presents[0])
    let drops = try log.analysis().drops.value
    #expect((drops?.cadence?.source == .displayed) == isClock)
    guard isClock else { return }
    #expect(drops?.refreshes == 0)
    #expect(try log.without(.gpu).analysis().drops.value == nil)
  }

  /// Presents are 2.5 refreshes apart, and then 2: on both sides of four in five frames that keep the first distance. The frames are then those of a clock with others among them, or those of a limit of any rate.
  @Test(arguments: [(0.76, false), (0.84, true)])
  func fourInFiveFramesKeepTheClock(_ share: Double, _ isClock: Bool) throws {
    let count = 400
    let presents = (0...count).map { frame in
      let kept = min(Double(frame), share * Double(count))
      return (0.1 + kept * 2.5).rounded(.up) + (Double(frame) - kept) * 2 + 0.3
    }
    let log = PresentLog(
      starts: zip(presents.dropFirst(), presents).map { $0 - $1 }, wait: 0.01,
      gpu: Array(repeating: 0.2, count: count), first: presents[0])
    guard case .missing(let why) = try log.analysis().drops else {
      Issue.record("judged")
      return
    }
    #expect(why.contains("irregular frames") == isClock, "\(why)")
    #expect(why.contains("may be a limit") != isClock, "\(why)")
  }

  /// A log without a column lacks the facts of that column, and has all others.
  @Test func factsComeFromColumns() throws {
    let log = PresentLog(
      starts: Array(repeating: 2, count: 60), wait: 0.1, gpu: Array(repeating: 0.3, count: 60))
    let evidence = { (log: PresentLog) in
      let trace = try TestData.read(text: log.text, path: "log.csv")
      let surface = Study(of: trace).surface(0)
      return { (fact: EvidenceFact) in surface.evidence(fact).source }
    }
    let whole = try evidence(log)
    #expect(whole(.appStart) == .derived && whole(.gpuTime) == .measured)
    #expect(whole(.presentReturn) == .measured && whole(.input) == .missing)
    let parts: [PresentLog.Part: [EvidenceFact]] = [
      .gpu: [.gpuTime], .renderComplete: [.gpuEnd],
      .inPresent: [.appStart, .presentReturn],
    ]
    for (part, facts) in parts {
      let less = try evidence(log.without(part))
      for fact in EvidenceFact.allCases {
        let isMissing = facts.contains(fact)
        #expect(less(fact) == (isMissing ? .missing : whole(fact)), "\(part) \(fact)")
      }
    }
    let estimated = try evidence(log.without(.gpu).with("GPU load %", "99"))
    #expect(estimated(.gpuTime) == .estimated)
  }

  /// Columns of a GPU that do not measure its time are not a load.
  @Test(arguments: [
    ("GPU0Util(%)", true), ("GPU load %", true), ("GPU memory load %", false),
    ("GPU video load %", false), ("CPU load %", false),
  ])
  func onlyUtilizationIsALoad(_ name: String, _ isLoad: Bool) throws {
    let log = PresentLog(starts: Array(repeating: 3, count: 200), wait: 0.01, gpu: nil)
    let surface = try log.with(name, "99").analysis()
    #expect((surface.limits.value?.counts.main == .gpu) == isLoad)
    #expect((surface.drops.value != nil) == isLoad)
  }

  /// A gap in which the GPU worked is a drop.
  @Test func workOfTheGPUIsNoGap() throws {
    let steps = (0..<400).map { $0 % 10 == 9 ? 5 : 1 }
    let busy = (0..<400).map { $0 % 10 == 9 ? 80.0 : 4 }
    #expect(try Self.log(steps, gpuBusy: busy).drops.value?.refreshes ?? 0 > 150)
  }
}
