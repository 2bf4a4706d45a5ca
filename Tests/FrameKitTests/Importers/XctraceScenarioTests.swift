import Fixtures
import Testing

@testable import FrameAnalysis
@testable import FrameImporters
@testable import FrameStatistics
@testable import FrameTrace

/// Scenarios through the tables of Instruments and back.
@Suite struct XctraceScenarioTests {
  private static let carried = Scenarios.all.map(\.name).filter { name in
    let scenario = Scenarios.all.first { $0.name == name }
    let trace = scenario?.play(.init(frames: 20)).trace
    return trace.map { XctraceEncoder().whyNot($0) == nil } ?? false
  }

  private static func trace(of name: String) throws -> Trace {
    let scenario = try #require(Scenarios.all.first { $0.name == name })
    return scenario.play(.init(frames: scenario.frames)).trace
  }

  private static func throughTables(_ trace: Trace) throws -> Trace {
    try Importers.read(InputFile(bytes: XctraceEncoder().encode(trace)))
  }

  /// The tables give the rows of the talk's table as declared.
  @Test(arguments: [
    ("talk-triple", 5.0), ("talk-double", 4), ("talk-metal", 4), ("talk-low-latency", 3),
    ("talk-animation", 4), ("talk-coalesced", 2.5), ("talk-predicted", 2.5),
  ])
  func theTalksTableIsTheSame(_ name: String, _ frames: Double) throws {
    let analysis = TraceAnalysis(of: try Self.throughTables(try Self.trace(of: name)))
    let surface = try #require(analysis.surfaces.first)
    guard case .summary(let latency) = surface["touchToPhotonFrames"]?.figures else {
      Issue.record("there is no latency")
      return
    }
    #expect(latency.n == 120)
    #expect([latency.minimum, latency.maximum].allSatisfy { abs($0 - frames) < 1e-9 })
  }

  /// Stages, charges and buffers are the same as without the round trip through the tables.
  @Test(arguments: carried)
  func thePipelineIsTheSame(_ name: String) throws {
    let trace = try Self.trace(of: name)
    let own = try #require(TraceAnalysis(of: trace).surfaces.first)
    let found = try #require(
      TraceAnalysis(of: try Self.throughTables(trace)).surfaces.first)
    #expect(found.drops.value?.byStage == own.drops.value?.byStage)
    #expect(found.hitches.value?.times == own.hitches.value?.times)
    #expect(found.buffers.value?.count == own.buffers.value?.count)
    // The tables do not state who fills the buffers: it is always the compositor.
    if trace.surfaces[0].bufferOwner == .compositor {
      #expect(found.buffers.value?.depthShares == own.buffers.value?.depthShares)
      #expect(
        found.buffers.value?.changes.map { [$0.from, $0.to] }
          == own.buffers.value?.changes.map { [$0.from, $0.to] })
    }
  }

  @Test func enoughScenariosAreCarried() { #expect(Self.carried.count >= 20) }

  /// The recorder's hitches next to the rebuilt ones, and why the two differ.
  @Test func statedHitchesAreComparedWithRebuiltOnes() throws {
    var trace = try Self.trace(of: "app-overrun")
    let rebuilt = try #require(TraceAnalysis(of: trace).surfaces.first?.hitches.value)
    #expect(rebuilt.source == .rebuilt && rebuilt.agreement == nil && rebuilt.byKind == nil)
    let frames = trace.surfaces[0].frames
    let interval: Int64 = 16_666_800
    let late = try #require(
      (1..<frames.count).first { row in
        (frames[row, .displayed] ?? 0) - (frames[row - 1, .displayed] ?? 0) == 2 * interval
      }.flatMap { frames[$0, .displayed] })
    let onTime = try #require(frames[5, .displayed])
    let gone = try #require(frames[frames.count - 1, .displayed]) + 10 * interval
    for (end, length) in [(late, interval), (onTime, 2 * interval), (gone, interval)] {
      var row = Table<HitchColumn>.Row()
      row[.start] = end - length
      row[.duration] = length
      row[.surface] = 0
      trace.statedHitches.append(row)
    }
    trace.displays[0].refreshes.append(
      {
        var row = Table<RefreshColumn>.Row()
        row[.time] = gone
        return row
      }())
    let found = try #require(
      TraceAnalysis(of: try Self.throughTables(trace)).surfaces.first?.hitches.value)
    let agreement = try #require(found.agreement)
    #expect(found.source == .stated && found.times.count == 3)
    #expect(found.byKind == [.unknown: 3])
    #expect(agreement.rebuilt.count == rebuilt.times.count)
    #expect(agreement.bothStated.count == 1 && agreement.bothStated.time.count == interval)
    #expect(agreement.bothRebuilt.time.count == interval)
    #expect(agreement.statedOnly[.onTime]?.time == Nanoseconds(2 * interval))
    #expect(agreement.statedOnly[.noFrame]?.count == 1)
    #expect(agreement.rebuiltOnly.count == rebuilt.times.count - 1)
  }
}
