import Fixtures
import Testing

@testable import FrameAnalysis

@Suite("Faults injected at random")
struct FaultTests {
  static let count = 1000
  /// The largest number of traces in which a drop may be charged to a stage other than the slow
  /// one.
  static let most = 5

  /// The traces in which the slow stage cannot be identified, and why.
  static let unexplained: [UInt64: String] = [
    169: """
    The app keeps within an interval but starts late and ends late, so the next one starts a \
    refresh later; the surface has run empty by then and fills its third buffer again, which \
    drops a refresh as every switch to triple buffering does.
    """
  ]

  static let rules: [(name: String, rule: ChargeRules)] = [
    ("hiddenBySharedStep", .hiddenBySharedStep), ("hiddenRenderingFirst", .hiddenRenderingFirst),
    ("waitingHasCulprit", .waitingHasCulprit), ("usualTimes", .usualTimes), ("gpuWait", .gpuWait),
    ("startWait", .startWait), ("bufferWait", .bufferWait), ("appBefore", .appBefore),
    ("appUntilStart", .appUntilStart), ("tieByUse", .tieByUse),
  ]

  @Test("the charge names the slow stage, and no rule can be left out")
  func charge() throws {
    var flaws: [String] = []
    var without = [Int](repeating: 0, count: Self.rules.count)
    for seed in 0..<UInt64(Self.count) {
      let faulty = try FaultyTrace(seed: seed)
      if let flaw = faulty.flaw(), Self.unexplained[seed] == nil { flaws.append(flaw) }
      for (index, rule) in Self.rules.enumerated() where without[index] <= Self.most {
        if faulty.flaw(ChargeRules.all.subtracting(rule.rule)) != nil { without[index] += 1 }
      }
    }
    #expect(flaws == [])
    #expect(Self.unexplained.count <= Self.most)
    for (rule, count) in zip(Self.rules, without) {
      #expect(count > Self.most, "the charge is as good without \(rule.name)")
    }
  }

  @Test("a drop is unknown, not wrong, where the trace lacks the GPU's times")
  func withoutGPU() throws {
    var recorder = SimulationTrace.Recorder()
    recorder.gpu = false
    var unknown = 0
    for seed in 0..<UInt64(300) {
      let faulty = try FaultyTrace(seed: seed, recorder)
      let drops = FaultyTrace.drops(faulty.trace)
      unknown += drops.count { $0.stage == .unknown }
      let wrong = drops.first { $0.stage != faulty.stage && $0.stage != .unknown }
      #expect(wrong == nil, "\(faulty.description)")
      #expect(drops.allSatisfy { ($0.stage == .unknown) == ($0.whyUnknown != nil) })
    }
    #expect(unknown > 0)
  }
}
