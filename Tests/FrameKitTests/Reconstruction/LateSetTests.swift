import Fixtures
import Foundation
import Testing

@testable import FrameAnalysis
@testable import FrameImporters
@testable import FrameTrace

/// Chains with known numbers of late frames: how many dropped refreshes are found, how many are
/// false, and which stage is charged.
@Suite("Late frames, however many")
struct LateSetTests {
  struct Tally {
    var traces = 0
    /// Refreshes that are certainly dropped, and how many of them are found.
    var injected = 0
    var found = 0
    var invented = 0
    var charged = 0
    var right = 0
    var flaws: [String] = []

    mutating func add(
      _ truth: [Int64: PipelineStage], doubtful: Set<Int64>, _ trace: Trace, interval: Int64,
      _ words: String
    ) {
      let pipeline = Pipeline(reconstructing: trace)
      let surface = pipeline.surfaces[0]
      var drops: [Int64: DroppedRefreshes] = [:]
      for drop in surface.drops {
        for refresh in drop.refresh..<drop.refresh + drop.count {
          let time = surface.timeline.schedule.grid.time(refresh).nanoseconds
          drops[(time + interval / 2) / interval] = drop
        }
      }
      traces += 1
      let sure = truth.filter { !doubtful.contains($0.key) || drops[$0.key] != nil }
      let both = sure.filter { drops[$0.key] != nil }
      injected += sure.count
      found += both.count
      invented += drops.count - both.count
      if both.count < sure.count || drops.count > both.count {
        flaws.append(
          "\(words): \(both.count) of \(sure.count) found, \(drops.count - both.count) invented")
      }
      for (refresh, stage) in both {
        guard let drop = drops[refresh] else { continue }
        charged += 1
        if drop.stage == stage || drop.stage == .unknown || drop.isInferred {
          right += 1
        } else {
          flaws.append("\(words): \(drop), and not the \(stage.rawValue)'s")
        }
      }
      for violation in pipeline.violations { flaws.append("\(words): \(violation)") }
    }

    var row: String {
      let percent = { (part: Int, whole: Int) in
        whole == 0 ? "-" : FixedNumber.text(Double(part) / Double(whole) * 100, decimals: 2)
      }
      return
        "\(traces) traces, \(injected) injected: \(percent(found, injected)) % found, \(invented) invented, \(percent(right, charged)) % charged rightly or marked"
    }

    /// At least 99.5 % are found, and as many are charged correctly; almost none are false.
    func check(_ name: String) {
      print("\(name): \(row)")
      if RandomTraceTests.isNightly { for flaw in flaws { print("  \(flaw)") } }
      #expect(found * 200 >= injected * 199 - 200, "\(flaws.prefix(4))")
      #expect(right * 200 >= charged * 199 - 200, "\(flaws.prefix(4))")
      #expect(invented * 1000 <= injected + traces, "\(flaws.prefix(4))")
    }
  }

  private static let shares = [0.0, 0.01, 0.03, 0.1, 0.3, 0.45]

  private static func read(_ bytes: [UInt8], _ name: String = "late") throws -> Trace {
    try Importers.read(InputFile(bytes: bytes, path: name))
  }

  @Test("late frames are found, however many there are", arguments: LateSet.Kind.allCases)
  func lateSets(_ kind: LateSet.Kind) throws {
    var tally = Tally()
    for seed in 0..<UInt64(RandomTraceTests.perFamily) {
      let made = LateSet(kind, seed: seed)
      let late = made.lateFrames(Self.shares[Int(seed) % Self.shares.count], seed: seed)
      var writing = LateSet.Writing()
      writing.recordsRefreshes = seed % 3 != 0
      tally.add(
        made.dropped(late), doubtful: made.doubtful(late),
        try Self.read(made.bytes(late, writing)), interval: made.interval,
        "\(made.description), \(late.count) late")
    }
    tally.check(kind.rawValue)
  }

  @Test("limiters are no fault, and overload is", arguments: CappedGame.Kind.allCases)
  func cappedGames(_ kind: CappedGame.Kind) throws {
    var tally = Tally()
    for seed in 0..<UInt64(RandomTraceTests.perFamily) {
      let made = CappedGame(kind, seed: seed)
      let late = made.lateFrames(Self.shares[Int(seed) % Self.shares.count] / 3, seed: seed)
      let stage: PipelineStage = kind == .overloadGPU ? .gpu : .app
      tally.add(
        Dictionary(uniqueKeysWithValues: made.dropped(late).map { ($0, stage) }),
        doubtful: made.doubtful(late), try Self.read(made.bytes(late), "game.csv"),
        interval: made.interval, "\(made.description), \(late.count) late")
    }
    tally.check(kind.rawValue)
  }

  @Test("more late frames never drop fewer refreshes", arguments: LateSet.Kind.allCases)
  func nestedSets(_ kind: LateSet.Kind) throws {
    // A few late frames on a display without any other data make no pattern.
    guard kind != .displayed else { return }
    var (steps, fewer) = (0, [String]())
    for seed in 0..<UInt64(max(4, RandomTraceTests.perFamily / 4)) {
      let made = LateSet(kind, seed: seed)
      var before = 0
      let sets = made.nestedSets(seed: seed, counts: [0, 2, 6, 12, 24, 48, 80])
      for late in sets {
        let surface = Pipeline(reconstructing: try Self.read(made.bytes(late))).surfaces[0]
        let count = surface.drops.reduce(0) { $0 + Int($1.count) }
        steps += 1
        if count < before {
          fewer.append("\(made.description): \(before) drops, with \(late.count) late \(count)")
        }
        before = count
      }
    }
    #expect(fewer.count * 100 <= steps, "\(fewer)")
  }
}
