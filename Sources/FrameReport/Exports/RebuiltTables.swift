import FrameAnalysis
import FrameTrace

/// Computed data as tables of a database.
struct RebuiltTables {
  let all: [SQLTable]

  init(_ exported: Study) {
    all = [Self.frames(exported), Self.drops(exported), Self.touches(exported)]
  }

  private static func frames(_ exported: Study) -> SQLTable {
    let listings = exported.surfaces.map { surface in
      let listing = exported.frames(of: surface)
      return (listing, FrameRow.Owner(surface, exported.trace.surfaces[surface], listing))
    }
    let rows = listings.indices.flatMap { index in
      (0..<listings[index].0.count).map { (index, $0) }
    }
    return SQLTable(name: "rebuilt_frames", FrameRow.sql, count: rows.count) { index in
      let (listing, owner) = listings[rows[index].0]
      return FrameRow(listing[rows[index].1], of: owner)
    }
  }

  private static func drops(_ exported: Study) -> SQLTable {
    let drops = exported.surfaces.flatMap { surface -> [DropRow] in
      let rebuilt = exported.pipeline().surfaces[surface]
      guard DropFindings.whyMissing(rebuilt) == nil else { return [] }
      let grid = rebuilt.timeline.schedule.grid
      return rebuilt.drops.map {
        DropRow(surfaceIndex: surface, refreshes: $0, time: grid.time($0.refresh))
      }
    }
    return SQLTable(name: "drops", DropRow.columns, count: drops.count) { drops[$0] }
  }

  private static func touches(_ exported: Study) -> SQLTable {
    let touches = exported.surfaces.flatMap { surface in
      exported.touches(of: surface).map { TouchRow(surfaceIndex: surface, touch: $0) }
    }
    return SQLTable(name: "rebuilt_touches", TouchRow.columns, count: touches.count) { touches[$0] }
  }
}

/// A row of dropped refreshes in a database.
private struct DropRow {
  /// The surface's index in the trace.
  let surfaceIndex: Int
  let refreshes: DroppedRefreshes
  /// The time of the first dropped refresh.
  let time: Timestamp?

  static let columns: [ResultColumn<DropRow>] = [
    .integer("surface", "the number of the surface") { $0.surfaceIndex },
    .integer("refresh", "the number of the first dropped refresh") {
      $0.refreshes.refresh.number
    },
    .integer("count", "how many refreshes in a row") { $0.refreshes.count },
    .instant("time", "the time of the first one") { $0.time },
    .integer("frame", "the frame that was due") { $0.refreshes.frame },
    .text("stage", "the stage charged") { $0.refreshes.stage.rawValue },
    .integer("cause_surface", "the surface of the frame that caused the drop") {
      $0.refreshes.cause.surface
    },
    .integer("cause_frame", "the frame that caused the drop") { $0.refreshes.cause.row },
    .flag("inferred", "1 where the charge was inferred") { $0.refreshes.isInferred },
    .text("why_unknown", "why no stage is charged") { $0.refreshes.whyUnknown },
  ]
}

/// A touch sample in a database.
private struct TouchRow {
  /// The surface's index in the trace.
  let surfaceIndex: Int
  let touch: ListedTouch

  static let columns: [ResultColumn<TouchRow>] = [
    .integer("surface", "the number of the surface") { $0.surfaceIndex },
    .integer("touch", "the row of the table touches, from 0") { $0.touch.row },
    .text("kind", "main, coalesced or predicted") { "\($0.touch.kind)" },
    .integer("frame", "the frame that consumed it") { $0.touch.frame },
    .flag("frame_inferred", "1 where that frame was inferred") { $0.touch.isInferred },
    .integer("shown_by", "the frame that shows it") { $0.touch.shownBy },
    .text("outcome", "shown, unresolved, undelivered, cancelled or unknown") {
      $0.touch.outcome
    },
    .instant("photon", "when that frame's light appears") { $0.touch.photon },
    .length("latency", "the time from the scan to the photon") { $0.touch.latency },
  ]
}
