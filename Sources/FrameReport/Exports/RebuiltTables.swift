import FrameAnalysis
import FrameTrace

/// What was worked out, as tables of a database.
struct RebuiltTables {
  let all: [SQLTable]

  init(_ exported: Study) {
    let listings = exported.surfaces.map { ($0, exported.frames(of: $0)) }
    all = [
      Self.frames(listings), Self.drops(exported), Self.touches(exported),
    ]
  }

  private static func frames(_ listings: [(surface: Int, frames: FrameListing)]) -> SQLTable {
    let places = listings.enumerated().flatMap { index, listing in
      (0..<listing.frames.count).map { (index, $0) }
    }
    return SQLTable(name: "rebuilt_frames", columns: frameColumns, count: places.count) { index in
      let (surface, listing) = listings[places[index].0]
      let frame = listing[places[index].1]
      let knowsDrops = listing.whyNoDrops == nil
      return [
        SQLiteValue(surface), SQLiteValue(frame.row), SQLiteValue(frame.outcome.rawValue),
        SQLiteValue(frame.refresh), SQLiteValue(frame.displayed), SQLiteValue(frame.swappedOut),
        SQLiteValue(frame.dueRefresh), SQLiteValue(frame.due),
        knowsDrops ? .integer(frame.droppedCount) : .missing, SQLiteValue(frame.hitch),
        SQLiteValue(frame.buffer), SQLiteValue(frame.bufferStart), SQLiteValue(frame.bufferEnd),
        SQLiteValue(listing.areBuffersInferred), SQLiteValue(frame.depth),
        SQLiteValue(frame.appTime), SQLiteValue(frame.compositorTime), SQLiteValue(frame.gpuTime),
        SQLiteValue(frame.queueWait), SQLiteValue(frame.frameTime),
      ]
    }
  }

  private static let frameColumns: [SQLTable.Column] = [
    .init("surface", "INTEGER", "the surface, by its number"),
    .init("frame", "INTEGER", "its place among the surface's frames, from 0"),
    .init("outcome", "TEXT", "displayed, replaced, discarded or unresolved"),
    .init("refresh", "INTEGER", "the number of the refresh it was swapped in at"),
    .init("displayed_ns", "INTEGER", "when that refresh was"),
    .init("swapped_out_ns", "INTEGER", "when another frame took its place"),
    .init("due_refresh", "INTEGER", "the number of the refresh it was due at"),
    .init("due_ns", "INTEGER", "when that refresh was"),
    .init("dropped", "INTEGER", "refreshes dropped for it"),
    .init("hitch_ns", "INTEGER", "how late it came, beyond what an earlier frame covered"),
    .init("buffer", "INTEGER", "its buffer, from 0"),
    .init("buffer_start_ns", "INTEGER", "from when its buffer was in use"),
    .init("buffer_end_ns", "INTEGER", "until when"),
    .init("buffer_inferred", "INTEGER", "1 where buffers were rebuilt and not named by the source"),
    .init("depth", "INTEGER", "the most buffers in use at once until it was shown"),
    .init("app_ns", "INTEGER", "how long the app worked on it, less its wait for a buffer"),
    .init("compositor_ns", "INTEGER", "how long the compositor worked on it"),
    .init("gpu_ns", "INTEGER", "how long only the GPU worked on it"),
    .init("queue_ns", "INTEGER", "how long the finished buffer waited for its refresh"),
    .init("frame_time_ns", "INTEGER", "from the frame before to this one"),
  ]

  private static func drops(_ exported: Study) -> SQLTable {
    let drops = exported.surfaces.flatMap { surface -> [(Int, DroppedRefreshes)] in
      let rebuilt = exported.pipeline().surfaces[surface]
      guard DropFindings.whyMissing(rebuilt) == nil else { return [] }
      return rebuilt.drops.map { (surface, $0) }
    }
    return SQLTable(
      name: "drops",
      columns: [
        .init("surface", "INTEGER", "the surface, by its number"),
        .init("refresh", "INTEGER", "the number of the first refresh dropped"),
        .init("count", "INTEGER", "how many in a row"),
        .init("time_ns", "INTEGER", "when the first one was"),
        .init("frame", "INTEGER", "the frame that was due"),
        .init("stage", "TEXT", "the stage charged"),
        .init("cause_surface", "INTEGER", "the surface of the frame whose stage it was"),
        .init("cause_frame", "INTEGER", "that frame"),
        .init("inferred", "INTEGER", "1 where the charge was inferred"),
        .init("why_unknown", "TEXT", "why no stage is charged"),
      ], count: drops.count
    ) { index in
      let (surface, drop) = drops[index]
      let grid = exported.pipeline().surfaces[surface].timeline.schedule.grid
      return [
        SQLiteValue(surface), SQLiteValue(drop.refresh), .integer(drop.count),
        SQLiteValue(grid.time(drop.refresh)), SQLiteValue(drop.frame),
        SQLiteValue(drop.stage.rawValue), SQLiteValue(drop.cause.surface),
        SQLiteValue(drop.cause.row), SQLiteValue(drop.isInferred), SQLiteValue(drop.whyUnknown),
      ]
    }
  }

  private static func touches(_ exported: Study) -> SQLTable {
    let touches = exported.surfaces.flatMap { surface in
      exported.touches(of: surface).map { (surface, $0) }
    }
    return SQLTable(
      name: "rebuilt_touches",
      columns: [
        .init("surface", "INTEGER", "the surface, by its number"),
        .init("touch", "INTEGER", "the row of the table touches, from 0"),
        .init("kind", "TEXT", "main, coalesced or predicted"),
        .init("frame", "INTEGER", "the frame that consumed it"),
        .init("frame_inferred", "INTEGER", "1 where that frame was inferred"),
        .init("shown_by", "INTEGER", "the frame that shows it"),
        .init("outcome", "TEXT", "shown, unresolved, undelivered, cancelled or unknown"),
        .init("photon_ns", "INTEGER", "when that frame's light appears"),
        .init("latency_ns", "INTEGER", "from the scan to the light"),
      ], count: touches.count
    ) { index in
      let (surface, touch) = touches[index]
      return [
        SQLiteValue(surface), SQLiteValue(touch.row), SQLiteValue("\(touch.kind)"),
        SQLiteValue(touch.frame), SQLiteValue(touch.isInferred), SQLiteValue(touch.shownBy),
        SQLiteValue(touch.outcome), SQLiteValue(touch.photon), SQLiteValue(touch.latency),
      ]
    }
  }
}
