package import FrameAnalysis
package import FrameTrace

/// The stages of any frame of a trace, for a page that requests them while it is read.
///
/// The pipeline is rebuilt when a surface is first requested, and the latest surface is kept. This object stays in the
/// task that created it, as studies do.
package struct ServedStages {
  private let study: Study
  private let origin: Timestamp
  /// The maximum number of frames in one answer.
  private static let most = 5_000

  /// - Parameter origin: The start of the trace according to its analysis.
  package init(_ study: Study, from origin: Timestamp) {
    (self.study, self.origin) = (study, origin)
  }

  /// The stages of the frames in a range of rows, as JSON; `nil` if there are none.
  /// - Parameter surface: The surface's index in the trace's list.
  package func json(_ rows: Range<Int>, of surface: Int) -> [UInt8]? {
    guard study.trace.surfaces.indices.contains(surface) else { return nil }
    let measured = study.surface(surface)
    let known = rows.clamped(to: measured.rows).prefix(Self.most)
    guard !known.isEmpty, let listing = measured.listing else { return nil }
    var columns = PackedColumns()
    ExploredStages(listing, from: origin).add(Array(known), to: &columns)
    return PageContents.json(columns)
  }
}
