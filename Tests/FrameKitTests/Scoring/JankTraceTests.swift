import Foundation
import Testing

@testable import Fixtures
@testable import FrameAnalysis
@testable import FrameStatistics
@testable import FrameTrace
@testable import FrameVerdicts

/// Random traces whose dropped refreshes are known from playing the same work without its faults.
struct JankTraceTests {
  private static let numbers = 0..<JankFamily.allCases.count * 12

  /// What is stated of a trace agrees with its frames.
  @Test(arguments: numbers) func aDroppedRefreshShowsNoNewFrame(_ number: Int) throws {
    let truth = JankTrace(number: number, of: 5).truth
    for drop in truth.drops {
      let frames = truth.surfaces[drop.surface].frames
      #expect(!frames.contains { $0.refresh == drop.refresh }, "\(truth.name): \(drop)")
      let victim = try #require(frames[drop.victim].refresh)
      #expect(victim > drop.refresh, "\(truth.name): \(drop)")
      #expect(frames.contains { ($0.refresh ?? .max) < drop.refresh }, "\(truth.name)")
    }
    let positions = truth.drops.map { [Int64($0.surface), $0.refresh] }
    #expect(Set(positions).count == positions.count)
    if truth.faults.isEmpty { #expect(truth.isClean) }
  }

  /// The counterfactual: without a fault, nothing is dropped from its start to that of the next one, or without the
  /// last one, to the end. A queue that it filled may have helped later frames, so that those may be late instead.
  @Test(arguments: numbers) func aFaultThatIsTakenAwayDropsNothing(_ number: Int) {
    var random = SplitMix64(seed: UInt64(number) &+ 77)
    let families = JankFamily.allCases
    let plan = families[number % families.count].plan(isClean: false, &random)
    let clean = plan.play([])
    #expect(
      clean.surfaces.indices.allSatisfy { clean.dropped(surface: $0, without: clean).isEmpty })
    guard plan.faults.allSatisfy({ !$0.isSustained }) else { return }
    for position in plan.faults.indices {
      var others = plan.faults
      let fault = others.remove(at: position)
      let played = plan.play(others)
      let start = { (fault: PlannedFault) in
        played.surfaces[fault.surface].rows[fault.unit].flatMap { row in
          played.trace.surfaces[fault.surface].frames[row, .appStart]
        }
      }
      guard let first = start(fault) else { continue }
      let end = plan.faults.dropFirst(position + 1).first.flatMap(start) ?? .max
      for surface in played.surfaces.indices {
        let dropped = played.dropped(surface: surface, without: clean).filter {
          (first..<end).contains(played.time(ofRefresh: $0.refresh))
        }
        #expect(dropped.isEmpty, "\(number), fault \(position)")
      }
    }
  }

  @Test func theSameNumberGivesTheSameTrace() {
    let make = { JankTrace(number: 17, of: 3) }
    #expect(make().truth.json == make().truth.json)
    #expect(NativeEncoder().encode(make().trace) == NativeEncoder().encode(make().trace))
    #expect(JankTrace(number: 18, of: 3).truth.json != make().truth.json)
    #expect(JankTrace(number: 17, of: 4).truth.json != make().truth.json)
  }

  /// A set is fixed by the generator's version: whoever changes what a seed gives has to raise it.
  @Test func theSetOfAVersionNeverChanges() {
    var sum: UInt32 = 0
    for number in 0..<JankFamily.allCases.count * 2 {
      let made = JankTrace(number: number, of: 1)
      sum =
        sum &* 31 &+ Checksum.of(NativeEncoder().encode(made.trace)) &+ Checksum.of(made.truth.json)
    }
    #expect(JankTruth.version == 1)
    #expect(sum == 3_048_757_897, "version 1 has this checksum")
  }

  @Test(arguments: JankFamily.allCases) func aTruthIsReadAsItWasWritten(
    _ family: JankFamily
  ) throws {
    for number in 0..<6 {
      let made = JankTrace(family, number: number, of: 9)
      let written = try EncodedJankTrace(made, as: NativeEncoder()).truth
      let read = try JankTruth(written.json, path: "a")
      #expect(read.json == written.json)
      #expect(written.surfaces.flatMap(\.frames).allSatisfy { $0.row != nil })
      #expect(written.file?.missing.isEmpty == true, "\(written.file?.missing ?? [])")
    }
  }

  /// What a format cannot carry is found by reading the file again.
  @Test func aTruthSaysWhatItsFileLacks() throws {
    let made = JankTrace(.limiter, number: 1, of: 1)
    let truth = try EncodedJankTrace(made, as: PresentMonEncoder(.both)).truth
    #expect(truth.file?.missing == ["frames.queued", "frames.replaced", "refreshes"])
    #expect(truth.file?.precision == Nanoseconds(1))
    let lone = JankTrace(.twoSurfaces, number: 1, of: 1)
    #expect(throws: EncodedJankTrace.Refusal.self) {
      try EncodedJankTrace(lone, as: PerfettoEncoder())
    }
  }

  @Test func everyFamilyHasBothKindsOfTraces() {
    for family in JankFamily.allCases {
      let truths = (0..<40).map { JankTrace(family, number: $0, of: 2).truth }
      #expect(truths.contains { $0.isClean }, "\(family)")
      #expect(truths.count { !$0.isClean } > 8, "\(family)")
      #expect(!family.summary.isEmpty)
    }
  }

  /// The pipeline model and the generator know nothing of each other, and agree.
  @Test func frametoolFindsWhatWasDropped() {
    var tallies: [JankFamily: ScoreTally] = [:]
    for number in 0..<JankFamily.allCases.count * 20 {
      let made = JankTrace(number: number, of: 11)
      let output = DetectorOutput(analyzing: Study(of: made.trace), trace: made.truth.name)
      let score = TraceScore(made.truth, output, namesFrames: true)
      tallies[made.family, default: ScoreTally()] =
        tallies[made.family, default: ScoreTally()] + score.tally
    }
    for (family, tally) in tallies where family != .overload {
      #expect(tally.detected * 100 >= tally.drops * 97, "\(family): \(tally)")
      #expect(tally.rightStage * 100 >= tally.detected * 95, "\(family): \(tally)")
      #expect(tally.falseAlarms * 20 <= tally.drops, "\(family): \(tally)")
      #expect(tally.alarmed == 0, "\(family): \(tally)")
    }
  }
}
