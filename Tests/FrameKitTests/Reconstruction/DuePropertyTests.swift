import Fixtures
import Testing

@testable import FrameAnalysis
@testable import FrameImporters
@testable import FrameReplay
@testable import FrameStatistics
@testable import FrameTrace

/// Properties of due times that hold for any rate, phase and jitter.
@Suite("Properties of due times")
struct DuePropertyTests {
  private static func drops(_ trace: Trace) -> [DroppedRefreshes] {
    Pipeline(reconstructing: trace).surfaces.flatMap(\.drops)
  }

  /// Traces of a family, without recorder flaws.
  private static func whole(_ family: RandomFamily, _ count: Int) -> [RandomTrace] {
    Array((0..<10_000).lazy.map { RandomTrace(family, seed: $0) }.filter(\.isWhole).prefix(count))
  }

  @Test("an app that never rests drops every refresh that repeats one of its frames")
  func backPressure() {
    for seed in 0..<UInt64(60) {
      let made = RandomTrace(.busy, seed: seed)
      guard !made.hasHoles else { continue }
      let surface = Pipeline(reconstructing: made.trace).surfaces[0]
      let schedule = surface.timeline.schedule
      guard schedule.hasInterval else { continue }
      let shown = schedule.order.rows.compactMap { schedule.displayed[Int($0)] }
      let repeats = zip(shown.dropFirst(), shown).reduce(Int64(0)) { $0 + max(0, $1.0 - $1.1 - 1) }
      // Without its stages, a chain that is late for long looks like a rest.
      guard schedule.rests.isEmpty else { continue }
      let dropped = surface.drops.reduce(Int64(0)) { $0 + $1.count }
      #expect(dropped == repeats, "\(made.description)")
    }
  }

  @Test("a nanosecond more or less changes nothing", arguments: [RandomFamily.resting, .busy])
  func nanosecond(_ family: RandomFamily) {
    for made in Self.whole(family, 40) {
      let own = Self.drops(made.trace).map { [$0.refresh.number, $0.count, Int64($0.frame)] }
      for shift in [-1, 1] as [Int64] {
        var moved = made.trace
        moved.shiftWork(by: shift)
        let other = Self.drops(moved).map { [$0.refresh.number, $0.count, Int64($0.frame)] }
        #expect(own == other, "\(made.description)")
      }
    }
  }

  @Test("a frame that is late by n drops n, or one less where it is finished at a refresh")
  func late() {
    var (exact, counted) = (0, 0)
    for seed in 0..<UInt64(600) {
      let made = RandomTrace(.resting, seed: seed)
      guard let repeated = made.repeated else { continue }
      let dropped = Self.drops(made.trace).reduce(0) { $0 + Int($1.count) }
      counted += 1
      if dropped == repeated { exact += 1 }
      #expect((repeated - 1...repeated).contains(dropped), "\(made.description)")
    }
    #expect(counted > 30 && exact * 5 >= counted * 4)
  }

  /// An app, a compositor and a GPU that keep the fastest rate of a display that changes its rate.
  private static func changing(_ seed: UInt64) -> (trace: Trace, display: SimulatedDisplay) {
    var random = SplitMix64(seed: seed)
    let rates: [Int64] = [8_333_333, 11_111_111, 16_666_667]
    var until: Int64 = 0
    let display = SimulatedDisplay(
      changing: (0..<4).map { index in
        until += Int64.random(in: 40...160, using: &random)
        return (until, rates[(Int(seed) + index * Int.random(in: 1...2, using: &random)) % 3])
      })
    let interval = Double(rates[0])
    let units = (0..<Int(until)).map { index in
      AppWork(
        at: Int64(index) + 1, app: Int64(interval * Double.random(in: 0.3...0.5, using: &random)),
        compositor: Int64(interval * 0.2), gpu: Int64(interval * 0.3))
    }
    let work = [SurfaceWork(units)]
    let frames = PipelineSimulation.play(work, on: display)
    return (SimulationTrace.make(work, frames, on: display, named: "changing"), display)
  }

  @Test("a change of rate drops nothing, however refreshes are recorded and written")
  func changes() throws {
    for seed in 0..<UInt64(30) {
      let trace = Self.changing(seed).trace
      var ways: [(String, Trace)] = []
      for refreshes in Recording.Refreshes.allCases {
        var recording = Recording()
        recording.refreshes = refreshes
        recording.statesInterval = false
        let recorded = recording.recorded(trace)
        ways.append(
          ("native, refreshes \(refreshes.rawValue)", try Self.read(NativeEncoder(), recorded)))
        if XctraceEncoder().whyNot(recorded) == nil {
          ways.append(
            ("xctrace, refreshes \(refreshes.rawValue)", try Self.read(XctraceEncoder(), recorded)))
        }
      }
      for (way, trace) in ways {
        #expect(Self.drops(trace) == [], "seed \(seed), \(way)")
      }
    }
  }

  @Test("a change of rate drops nothing by way of PresentMon's columns")
  func presentMon() throws {
    var read = 0
    for seed in 0..<UInt64(60) {
      let made = RandomTrace(.changing, seed: seed)
      guard made.slow == nil, !made.hasHoles, made.description.contains("buffers") else { continue }
      let encoder = try #require(Encoders.all.first { $0.name == "presentmon" })
      guard encoder.whyNot(made.trace) == nil else { continue }
      read += 1
      #expect(Self.drops(try Self.read(encoder, made.trace)) == [], "\(made.description)")
    }
    #expect(read > 5)
  }

  private static func read(_ encoder: any TraceEncoder, _ trace: Trace) throws -> Trace {
    try Importers.read(InputFile(bytes: encoder.encode(trace)))
  }
}

extension Trace {
  /// Shifts all work of frames relative to their display times.
  fileprivate mutating func shiftWork(by length: Int64) {
    let columns: [FrameColumn] = [
      .appStart, .appEnd, .commit, .gpuStart, .gpuEnd, .queued, .bufferWaitStart, .bufferWaitEnd,
    ]
    for index in surfaces.indices {
      for column in columns {
        guard let stored = surfaces[index].frames.stored(column) else { continue }
        surfaces[index].frames.setStored(
          column, stored.mapped { $0 == IntegerColumn.missing ? $0 : $0 + length })
      }
    }
  }
}
