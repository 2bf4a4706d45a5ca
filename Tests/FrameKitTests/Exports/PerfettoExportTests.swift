import Fixtures
import Testing

@testable import FrameAnalysis
@testable import FrameImporters
@testable import FrameReport
@testable import FrameTrace
@testable import FrameVerdicts

/// Traces written in Perfetto's format and read again.
struct PerfettoExportTests {
  private static func exported(_ trace: Trace) throws -> Trace {
    var bytes: [UInt8] = []
    let why = try Exports.write(Study(of: trace), as: "perfetto") { bytes += $0 }
    #expect(why == nil)
    return try Importers.read(InputFile(bytes: bytes, path: "a.pftrace"))
  }

  private static func drops(_ trace: Trace) -> [[Int64]] {
    let study = Study(of: trace)
    return study.surfaces.flatMap { index in
      (study.surface(index).drops?.drops ?? []).map {
        [Int64(index), $0.time.nanoseconds, $0.refreshes.count]
      }
    }
  }

  /// The same refreshes are dropped, with the app, the compositor and the display seen as they were.
  @Test(arguments: [
    JankFamily.singleFault, .overload, .bufferStuffing, .cadence, .limiter, .rateChanges, .rests,
    .scheduling,
  ])
  func theSameRefreshesAreDropped(_ family: JankFamily) throws {
    for number in 0..<10 {
      let trace = JankTrace(family, number: number, of: 31).trace
      let own = Self.drops(trace)
      let again = Self.drops(try Self.exported(trace))
      #expect(again == own, "\(family) \(number)")
    }
  }

  /// The jank types are those of SurfaceFlinger's rule.
  @Test func lateFramesHaveJankTypes() throws {
    for number in 0..<12 {
      let made = JankTrace(.scheduling, number: number, of: 8)
      let read = try Self.exported(made.trace)
      let frames = try #require(read.surfaces.first { $0.frames.count > 0 }).frames
      let app = FrameColumn.StatedVerdict.app.rawValue
      let late = (0..<frames.count).filter { frames[$0, .verdict] == app }
      #expect(Set(late).isSuperset(of: made.truth.drops.compactMap { $0.culprit?.frame }))
      #expect(made.truth.isClean == late.isEmpty)
    }
  }

  @Test func timesBeforeTheClocksZeroAreMoved() throws {
    let trace = try Importers.read(
      InputFile(
        bytes: Array(
          """
          {"schema": "frametool.trace/1", "unit": "ns"}
          {"type": "display", "id": "d", "interval": 10000000}
          {"type": "surface", "id": "s", "display": "d"}
          {"type": "frame", "appStart": -40000000, "commit": -35000000, "displayed": -20000000}
          {"type": "frame", "appStart": -30000000, "commit": -25000000, "displayed": -10000000}
          {"type": "frame", "appStart": -20000000, "commit": -15000000, "displayed": 0}

          """.utf8), path: "a.jsonl"))
    let read = try Self.exported(trace)
    let frames = try #require(read.surfaces.first { $0.frames.count > 0 }).frames
    let shown = (0..<frames.count).compactMap { frames[$0, .displayed] }
    #expect(zip(shown.dropFirst(), shown).map { $0 - $1 } == [10_000_000, 10_000_000])
    #expect(shown.allSatisfy { $0 > 0 })
  }
}
