import Fixtures
import Foundation
import Testing

@testable import FrameAnalysis
@testable import FrameTrace

/// Random traces with a known truth: nothing is dropped if nothing was slow, and drops are charged
/// to the slow stage, or marked as uncertain.
@Suite("Traces made by chance")
struct RandomTraceTests {
  /// The number of traces that the environment asks for.
  private static let asked = ProcessInfo.processInfo.environment["FRAMETOOL_TRACES"].flatMap(
    Int.init)
  /// The number of traces: a few hundred, or as many as requested.
  static let count = asked ?? 600
  /// The number of traces of each kind that has a separate test.
  static let perFamily = asked.map { max(12, $0 / 20) } ?? 12
  /// Whether all flaws are printed.
  static let isNightly = asked != nil

  /// The results for the traces of a family.
  struct Tally {
    var clean = 0
    var falseDrops: [String] = []
    var drops = 0
    var right = 0
    var marked = 0
    var wrong: [String] = []
    var exact = 0
    var counted = 0
    /// Traces with one slow frame, in which a different number of refreshes was found.
    var off: [String] = []
    var violations: [String] = []

    var row: String {
      let share = { (count: Int) in
        drops == 0 ? "-" : FixedNumber.text(Double(count) / Double(drops) * 100, decimals: 1)
      }
      return
        "\(clean) clean, \(falseDrops.count) with drops; \(drops) drops: \(share(right)) % right, \(share(marked)) % marked, \(share(wrong.count)) % wrong; \(exact) of \(counted) counts exact"
    }

    mutating func add(_ made: RandomTrace) {
      let pipeline = Pipeline(reconstructing: made.trace)
      violations += pipeline.violations.map { "\(made.description): \($0)" }
      let found = pipeline.surfaces.flatMap(\.drops)
      guard let slow = made.slow else {
        clean += 1
        if let first = found.first { falseDrops.append("\(made.description): \(first)") }
        return
      }
      for drop in found {
        drops += Int(drop.count)
        if drop.stage == slow {
          right += Int(drop.count)
        } else if drop.stage == .unknown || drop.isInferred {
          marked += Int(drop.count)
        } else {
          wrong += [String](repeating: "\(made.description): \(drop)", count: Int(drop.count))
        }
      }
      if let repeated = made.repeated {
        counted += 1
        let dropped = found.reduce(0) { $0 + Int($1.count) }
        if dropped == repeated {
          exact += 1
        } else {
          off.append("\(made.description): \(dropped) of \(repeated)")
        }
      }
    }
  }

  @Test("nothing is dropped that was not, and nobody is blamed for another")
  func truth() {
    var tallies: [RandomFamily: Tally] = [:]
    for seed in 0..<UInt64(Self.count) {
      let made = RandomTrace(seed: seed)
      tallies[made.family, default: Tally()].add(made)
    }
    var all = Tally()
    for family in RandomFamily.allCases {
      guard let tally = tallies[family] else { continue }
      print("\(family.rawValue): \(tally.row)")
      all.clean += tally.clean
      all.drops += tally.drops
      all.falseDrops += tally.falseDrops
      all.wrong += tally.wrong
      all.violations += tally.violations
      all.off += tally.off
    }
    #expect(all.violations == [])
    // At least 99.5 % are right or marked; a share of so few traces varies by chance.
    let allowed = { (count: Int) in count / 200 + 2 }
    if Self.isNightly {
      for flaw in Set(all.wrong).sorted() + all.falseDrops + all.off { print(flaw) }
    }
    #expect(all.wrong.count <= allowed(all.drops), "\(all.wrong.prefix(5))")
    #expect(all.falseDrops.count <= allowed(all.clean), "\(all.falseDrops.prefix(5))")
  }

  @Test("frames that were not recorded are told, and nothing is dropped where they are")
  func holes() {
    var reported = 0
    var made = 0
    for seed in 0..<UInt64(Self.count) {
      let random = RandomTrace(seed: seed)
      guard random.hasHoles else { continue }
      made += 1
      let surface = Pipeline(reconstructing: random.trace).surfaces[0]
      if surface.timeline.schedule.holes.count > 0 { reported += 1 }
    }
    #expect(reported == made && made > 5)
  }

  @Test("the same seed gives the same trace")
  func determinism() {
    for seed in 0..<UInt64(24) {
      #expect(
        NativeEncoder().encode(RandomTrace(seed: seed).trace)
          == NativeEncoder().encode(RandomTrace(seed: seed).trace))
    }
  }
}
