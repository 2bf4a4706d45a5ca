import FrameAnalysis
import FrameTrace

/// A frame in exports: what the source recorded about the frame, and what was computed.
///
/// A class, because each of thirty columns receives every row: copying a row's parts would take most of the time.
final class FrameRow: Sendable {
  /// What the frames of a surface have in common.
  final class Owner: Sendable {
    /// The surface's index in the trace.
    let index: Int
    let surface: Surface
    let areBuffersInferred: Bool
    let knowsDrops: Bool

    init(_ index: Int, _ surface: Surface, _ listing: FrameListing) {
      (self.index, self.surface) = (index, surface)
      areBuffersInferred = listing.areBuffersInferred
      knowsDrops = listing.whyNoDrops == nil
    }
  }

  let owner: Owner
  let frame: ListedFrame

  init(_ frame: ListedFrame, of owner: Owner) { (self.frame, self.owner) = (frame, owner) }
}

extension FrameRow {
  /// The process and surface that the frame belongs to, as the source names them.
  static let ownerColumns: [ResultColumn<FrameRow>] = [
    .text("process", "the process; empty if unknown") { $0.owner.surface.process },
    .text("surface", "the surface's id") { $0.owner.surface.id },
  ]

  /// The column that identifies the frame.
  static let frameColumn: ResultColumn<FrameRow> =
    .integer("frame", "its index among the surface's frames, from 0") { $0.frame.row }

  static let outcome: ResultColumn<FrameRow> =
    .text("outcome", "displayed, replaced, discarded or unresolved") { $0.frame.outcome.rawValue }

  /// What the source recorded.
  static let recorded: [ResultColumn<FrameRow>] = [
    .flag("generated", "whether a driver generated it") { $0.frame.isGenerated },
    .instant(
      "app_start",
      "A0: the app started to work on it; of several app intervals, the oldest"
    ) { $0.frame.appStart },
    .instant("app_end", "A1: the app was done with it, in the same interval") { $0.frame.appEnd },
    .instant(
      "commit",
      "the last commit of that interval, or the present call; the basis of due times and charges"
    ) { $0.frame.commit },
    .instant("compositor_start", "R0: the compositor started to work on it") {
      $0.frame.compositorStart
    },
    .instant("compositor_end", "R1: the compositor had issued its commands") {
      $0.frame.compositorEnd
    },
    .instant("gpu_start", "G0: the GPU started to work on it") { $0.frame.gpuStart },
    .instant("gpu_end", "G1: the GPU was done with it") { $0.frame.gpuEnd },
    .instant("queued", "Q: the finished buffer was queued") { $0.frame.queued },
  ]

  /// When the frame was shown, and when it was due.
  static let display: [ResultColumn<FrameRow>] = [
    .instant("displayed", "D: the refresh at which it was swapped in") { $0.frame.displayed },
    .instant("swapped_out", "X: another frame took its place") { $0.frame.swappedOut },
    .integer("refresh", "the number of the refresh at which it was swapped in") {
      $0.frame.refresh?.number
    },
    .instant("due", "when it was due") { $0.frame.due },
    .integer("due_refresh", "the number of the refresh it was due at") {
      $0.frame.dueRefresh?.number
    },
    .integer("dropped", "refreshes dropped for it") {
      $0.owner.knowsDrops ? $0.frame.droppedCount : nil
    },
  ]

  /// The stages that are charged with the frame's drops; a database has a separate table of drops.
  static let charges: [ResultColumn<FrameRow>] = [
    .text("charged_to", "the stages charged for its drops, in order") { row in
      row.drops { $0.stage.rawValue }
    },
    .text("cause_frame", "the frames whose stages were charged, in the same order") { row in
      row.drops { "\($0.cause.row)" }
    },
    .flag("charge_inferred", "whether a charge was inferred") {
      $0.frame.drops.isEmpty ? nil : $0.frame.drops.contains(where: \.isInferred)
    },
  ]

  /// How late the frame was, its buffer, and how long each stage took.
  static let rebuilt: [ResultColumn<FrameRow>] = [
    .length(
      "hitch",
      "how late it was, beyond what an earlier frame covered; includes frames it replaced, ignores hitches recorded by the source"
    ) { $0.frame.hitch },
    .integer("buffer", "its buffer, from 0") { $0.frame.buffer },
    .instant("buffer_start", "when its buffer came into use") { $0.frame.bufferStart },
    .instant("buffer_end", "when its buffer was free again") { $0.frame.bufferEnd },
    .flag("buffer_inferred", "whether buffers were inferred, not named by the source") {
      $0.frame.buffer == nil ? nil : $0.owner.areBuffersInferred
    },
    .integer("depth", "the most buffers in use at once until it was shown") { $0.frame.depth },
    .length("app", "how long the app worked on it, less its wait for a buffer") {
      $0.frame.appTime
    },
    .length("compositor", "how long the compositor worked on it") { $0.frame.compositorTime },
    .length("gpu", "how long only the GPU worked on it") { $0.frame.gpuTime },
    .length("queue", "how long the finished buffer waited for its refresh") {
      $0.frame.queueWait
    },
    .length("frame_time", "the time since the previous frame, as the source measures it") {
      $0.frame.frameTime
    },
  ]

  /// One string for each of the frame's drops, in order.
  private func drops(_ text: (DroppedRefreshes) -> String) -> String? {
    frame.drops.isEmpty ? nil : frame.drops.map(text).joined(separator: " ")
  }
}

extension FrameRow {
  /// The columns of the CSV, which has one row per frame.
  static let csv: [ResultColumn<FrameRow>] =
    ownerColumns + [frameColumn, identifier, outcome] + recorded + display + charges + rebuilt

  private static let identifier: ResultColumn<FrameRow> =
    .integer("id", "its number in the source") { $0.frame.identifier }

  /// The columns of the database table of computed frame data; recorded data is in another table.
  static let sql: [ResultColumn<FrameRow>] =
    [surfaceNumber, frameColumn, outcome] + display + rebuilt

  private static let surfaceNumber: ResultColumn<FrameRow> =
    .integer("surface", "the number of the surface") { $0.owner.index }
}
