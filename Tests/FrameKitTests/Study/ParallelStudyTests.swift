import Fixtures
import Synchronization
import Testing

@testable import FrameAnalysis
@testable import FrameImporters
@testable import FrameReport
@testable import FrameStatistics
@testable import FrameTrace

/// Several threads that study a trace find what one finds.
@Suite struct ParallelStudyTests {
  private static func analysis(
    _ trace: Trace, _ options: AnalysisOptions, _ parallelism: Parallelism
  ) -> String {
    JSONText.write(FieldRecord([TraceAnalysis(of: Study(of: trace, options, .all, parallelism))]))
  }

  private static var everything: AnalysisOptions {
    var options = AnalysisOptions()
    options.worstCount = 5
    options.listsCauses = true
    options.predictsPerception = true
    options.countsJank = true
    options.budget = .milliseconds(20)
    return options
  }

  @Test(arguments: Scenarios.all.map(\.name))
  func scenariosAreAnalyzedTheSame(_ name: String) throws {
    let scenario = try ScenarioTests.scenario(name)
    let trace = scenario.play(.init(seed: 3, frames: scenario.frames)).trace
    let one = Self.analysis(trace, Self.everything, .none)
    let offers = Mutex(0)
    for several in [.threads { offers.withLock { $0 += 1 } }, Parallelism.waiting] {
      #expect(Self.analysis(trace, Self.everything, several) == one)
    }
    #expect(trace.frameCount == 0 || offers.withLock { $0 } > 0)
  }

  /// Traces of every kind, with several surfaces, displays, touches and threads.
  @Test(.enabled(if: TestData.isPresent, .init(rawValue: TestData.absence)))
  func realTracesAreAnalyzedTheSame() throws {
    var several = 0
    for folder in ["perfetto", "presentmon", "chrome", "xctrace", "native", "systrace"] {
      for path in TestData.files(in: folder) {
        guard let trace = try? TestData.read(path) else { continue }
        several += trace.surfaces.count > 1 ? 1 : 0
        let options = Self.everything
        #expect(
          Self.analysis(trace, options, .threads) == Self.analysis(trace, options, .none),
          "\(path)")
      }
    }
    #expect(several > 5)
  }

  /// A surface is the same object while it is in use, whichever others are measured meanwhile.
  @Test func aSurfaceInUseIsMeasuredOnce() throws {
    let scenario = try ScenarioTests.scenario("compositor-overrun")
    var trace = scenario.play(.init(seed: 3, frames: 60)).trace
    trace.surfaces += trace.surfaces
    let study = Study(of: trace)
    study.using(0, .whole) { measured in
      #expect(study.surface(0) === measured)
      #expect(study.surface(1) !== measured)
      #expect(study.surface(0) === measured)
    }
    #expect(study.surface(1) === study.surface(1))
  }

  @Test func drawnPagesAreTheSame() throws {
    let scenario = try ScenarioTests.scenario("compositor-overrun")
    var trace = scenario.play(.init(seed: 3, frames: 400)).trace
    trace.surfaces += trace.surfaces
    let page = { (parallelism: Parallelism) in
      let study = Study(of: trace, AnalysisOptions(), .all, parallelism)
      let reported = ReportedTrace(study, isExplored: true)
      #expect(reported.surfaces.count == trace.surfaces.count)
      return "\(reported.explored)" + "\(reported.surfaces.map { $0?.plots.count })"
    }
    #expect(page(.threads) == page(.none))
  }

  /// What a page keeps of long surfaces does not depend on their order.
  @Test func surfacesShareTheRoomOfAPage() throws {
    let most = ExploredSurface.mostKept
    #expect(ExploredSurface.rooms([2: 10, 5: 20]) == [2: 10, 5: 20])
    #expect(ExploredSurface.rooms([0: most]) == [0: most])
    #expect(ExploredSurface.rooms([0: most - 1, 1: 1]) == [0: most - 1, 1: 1])
    #expect(ExploredSurface.rooms([0: most, 1: most]) == [0: most / 2, 1: most / 2])
    #expect(ExploredSurface.rooms([0: most * 3, 1: most]) == [0: most / 4 * 3, 1: most / 4])
    #expect(ExploredSurface.rooms([:]).isEmpty)
  }

  /// The shares fit into the room, none is larger than its surface, and more frames never get less.
  @Test func sharesOfTheRoomAreFair() {
    var random = SplitMix64(seed: 11)
    for _ in 0..<500 {
      let count = Int.random(in: 1...20, using: &random)
      let sizes = (0..<count).map { _ in
        1 << Int.random(in: 0...24, using: &random) + Int.random(in: 0...9, using: &random)
      }
      let rooms = ExploredSurface.rooms(
        Dictionary(uniqueKeysWithValues: sizes.enumerated().map { ($0.offset, $0.element) }))
      #expect(rooms.values.reduce(0, +) <= max(ExploredSurface.mostKept, 0))
      for (first, size) in sizes.enumerated() {
        let room = rooms[first] ?? -1
        #expect(0...size ~= room)
        for (second, other) in sizes.enumerated() where other > size {
          #expect(rooms[second] ?? -1 >= room)
        }
      }
    }
  }

  /// Frames outside the analyzed region take no room.
  @Test func onlyTheRegionTakesRoom() throws {
    let scenario = try ScenarioTests.scenario("compositor-overrun")
    let trace = scenario.play(.init(seed: 3, frames: 400)).trace
    let count = trace.surfaces[0].frames.count
    let range = try #require(trace.timeRange)
    var options = AnalysisOptions()
    let whole = ExploredSurface.rooms([0], of: Study(of: trace, options), most: 100)
    #expect(whole == [0: 100])
    options.region = TraceRegion(start: range.lowerBound, end: range.lowerBound + range.length / 8)
    let part = ExploredSurface.rooms([0], of: Study(of: trace, options), most: 100)
    #expect(1..<100 ~= part[0] ?? 0)
    #expect(count > 100)
  }
}
