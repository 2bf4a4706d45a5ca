import Fixtures
import Testing

@testable import FrameAnalysis
@testable import FrameImporters
@testable import FrameStatistics
@testable import FrameTrace
@testable import FrameVerdicts

/// A source that does not record when the app started finds the same drops or fewer, by the same stage or none, or none at all.
@Suite("Sources without starts")
struct MissingStartTests {
  private static let starts: [FrameColumn] = [.appStart, .appEnd]
  private static let subsets: [[FrameColumn]] = [
    starts, starts + [.gpuStart], starts + [.gpuStart, .gpuEnd, .queued],
    starts + [.gpuStart, .gpuEnd, .queued, .commit],
  ]

  private static func drops(_ surface: RebuiltSurface) -> [PipelineStage: Int] {
    surface.drops.reduce(into: [:]) { $0[$1.stage, default: 0] += Int($1.count) }
  }

  private static func without(_ columns: [FrameColumn], _ trace: Trace) -> Trace {
    var trace = trace
    for column in columns where trace.surfaces[0].frames.has(column) {
      let count = trace.surfaces[0].frames.count
      trace.surfaces[0].frames.setStored(column, IntegerColumn(missing: count))
    }
    return trace
  }

  @Test(
    "find no other drops, and charge no other stage",
    arguments: [LateSet.Kind.steady, .uniform, .minimal])
  func lateFrames(_ kind: LateSet.Kind) throws {
    var (judged, found, all, invented) = (0, 0, 0, 0)
    for seed in 0..<40 as Range<UInt64> {
      let made = LateSet(kind, seed: seed)
      let late = made.lateFrames([0.02, 0.1, 0.2, 0.3][Int(seed % 4)], seed: seed)
      let trace = try Importers.read(InputFile(bytes: made.bytes(late), path: "made"))
      let own = Self.drops(Pipeline(reconstructing: trace).surfaces[0])
      let truth = own.values.reduce(0, +)
      for columns in Self.subsets {
        let surface = Pipeline(reconstructing: Self.without(columns, trace)).surfaces[0]
        guard DropsUnknown(surface) == nil else { continue }
        let drops = Self.drops(surface)
        let count = drops.values.reduce(0, +)
        judged += 1
        found += min(count, truth)
        all += truth
        invented += max(0, count - truth)
        for (stage, count) in drops where stage != .unknown {
          // The clock of display times may end a refresh away from a frame's own start.
          #expect(count <= own[stage, default: 0] + 1, "\(made.description), \(late.count) late")
        }
      }
    }
    #expect(judged >= 100 && found * 20 >= all * 13, "\(judged) judged, \(found) of \(all)")
    #expect(invented * 16 <= all, "\(invented) of \(all)")
  }

  /// Frames at every refresh of 60 Hz, with a gap of some length before one of them.
  /// - Parameter fields: What is recorded of a frame besides its display time, in ns before that.
  private static func gap(
    _ length: Int64, _ fields: [(String, Int64)], showsStarts: Bool = false
  ) throws -> SurfaceAnalysis {
    let interval: Int64 = 16_666_667
    let refreshes = (length * 1_000_000 + interval / 2) / interval
    var lines = [
      #"{"schema": "frametool.trace/1", "unit": "ns"}"#,
      #"{"type": "display", "id": "d", "interval": \#(interval)}"#,
      #"{"type": "surface", "id": "s", "display": "d", "bufferOwner": "app"}"#,
    ]
    for frame in 0..<300 as Range<Int64> {
      let time = (10 + frame + (frame < 150 ? 0 : refreshes)) * interval
      let start = frame == 150 ? (refreshes + 1) * interval : interval
      let all = fields + (showsStarts ? [("appStart", start - 1_000_000)] : [])
      let others = all.map { #", "\#($0)": \#(time - $1)"# }.joined()
      lines.append(#"{"type": "frame", "displayed": \#(time)\#(others)}"#)
    }
    let bytes = Array((lines.joined(separator: "\n") + "\n").utf8)
    let trace = try Importers.read(InputFile(bytes: bytes, path: "made"))
    return try #require(TraceAnalysis(of: trace).surfaces.first)
  }

  /// A hand-over ends work, and does not show when it began: a short gap is a freeze by an unknown stage, a longer one cannot
  /// be judged, and a stop has a bound. No limit passes as the gap grows.
  @Test func aHandOverDoesNotShowRest() throws {
    let limit = try GateLimit("droppedShare<=1%")
    let recorded: [[(String, Int64)]] = [
      [], [("commit", 11_666_667)], [("commit", 11_666_667), ("queued", 6_666_667)],
    ]
    for fields in recorded {
      let short = try #require(try Self.gap(100, fields).drops.value)
      #expect(short.refreshes == 6 && short.byStage == [.unknown: 6], "\(fields)")
      for length in [100, 300, 480, 520, 9900, 10_500] as [Int64] {
        #expect(limit.check(try Self.gap(length, fields)).isKept != true, "\(length) ms, \(fields)")
      }
    }
  }

  /// Where the start is recorded, a frame that took 10.5 s is of unknown cause, and one that took 9.9 s is a freeze.
  @Test func noLimitPassesAsAStopGrows() throws {
    for length in [480, 520, 9900, 10_500, 60_000] as [Int64] {
      let surface = try Self.gap(length, [("commit", 11_666_667)], showsStarts: true)
      for text in ["droppedShare<=1%", "hitchRatio<=5", "max(hitchTime)<=100"] {
        let result = try GateLimit(text).check(surface)
        #expect(result.isKept != true, "\(length) ms: \(text)")
      }
    }
  }
}
