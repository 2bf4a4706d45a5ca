import FrameTrace

/// Frames of Flutter's engine, which records its work as track events.
///
/// Flutter, `shell/common/animator.cc` and `rasterizer.cc`: the UI thread builds a frame in `Animator::BeginFrame`, the
/// raster thread draws it in `Rasterizer::DoDraw`, both with the frame's `frame_number`. Before 2022, the raster thread
/// draws the frame in `GPURasterizer::Draw`, without a number.
struct PerfettoFlutter {
  private typealias Slice = PerfettoTracks.Slice

  private static let build = "Animator::BeginFrame"
  private static let draw = "Rasterizer::DoDraw"
  private static let olderDraw = "GPURasterizer::Draw"

  /// The work of an engine, which is identified by its process number if the tracks state it.
  private struct Engine {
    var builds: [(slice: Slice, frame: Int64?)] = []
    var draws: [(slice: Slice, frame: Int64?)] = []
    var olderDraws: [Slice] = []
  }

  /// Adds the frames of each process that has any.
  static func add(to join: inout PerfettoJoin) {
    var engines: [Int64: Engine] = [:]
    for slice in join.tracks.slices where slice.end != nil {
      guard [build, draw, olderDraw].contains(slice.name) else { continue }
      let process = join.tracks.owner(of: slice.track).process ?? -1
      let frame: Int64? = if case .flutter(let number) = slice.chrome { number } else { nil }
      switch slice.name {
      case build: engines[process, default: Engine()].builds.append((slice, frame))
      case draw: engines[process, default: Engine()].draws.append((slice, frame))
      default: engines[process, default: Engine()].olderDraws.append(slice)
      }
    }
    for (process, engine) in engines.sorted(by: { $0.key < $1.key }) where !engine.builds.isEmpty {
      add(engine, of: process < 0 ? nil : process, to: &join)
    }
  }

  private static func add(_ engine: Engine, of process: Int64?, to join: inout PerfettoJoin) {
    let id = "flutter" + (process.map { " of \($0)" } ?? "")
    let name = process.flatMap { join.name(ofProcess: $0) }
    let position = join.builder.surface(id) {
      Surface(
        id: id, process: name, processID: process.flatMap { Int(exactly: $0) }, bufferOwner: .app,
        numbersCountFrames: false)
    }
    let numbered = Dictionary(
      engine.draws.compactMap { draw in draw.frame.map { ($0, draw.slice) } },
      uniquingKeysWith: { first, _ in first })
    let ordered = engine.draws.isEmpty ? engine.olderDraws : engine.draws.map(\.slice)
    var next = 0
    var joinedByOrder = 0
    for (index, build) in engine.builds.enumerated() {
      var drawn = build.frame.flatMap { numbered[$0] }
      if drawn == nil, numbered.isEmpty {
        let until = index + 2 < engine.builds.count ? engine.builds[index + 2].slice.start : .max
        while next < ordered.count, ordered[next].start < build.slice.start { next += 1 }
        if next < ordered.count, ordered[next].start < until {
          drawn = ordered[next]
          next += 1
          joinedByOrder += 1
        }
      }
      join.builder.trace.surfaces[position].frames.append(row(build.slice, build.frame, drawn))
    }
    join.builder.log.note(
      .joinAssumed, .info, "frames whose raster thread work counts as GPU work",
      count: engine.builds.count)
    join.builder.log.note(
      .joinAssumed, .info, "Flutter frames matched to their drawing by order",
      count: joinedByOrder)
  }

  private static func row(
    _ build: Slice, _ frame: Int64?, _ draw: Slice?
  ) -> Table<FrameColumn>.Row {
    var row = Table<FrameColumn>.Row()
    row[.identifier] = frame
    row[.appStart] = build.start
    row[.appEnd] = build.end
    // The slice also contains what the UI thread does after the hand-over.
    row[.commit] = build.end.map { end in min(end, max(build.start, draw?.start ?? end)) }
    row[.gpuStart] = draw?.start
    row[.gpuEnd] = draw?.end
    row[.queued] = draw?.end
    return row
  }
}
