import FrameAnalysis
import FrameTrace

/// A page's data on individual frames: when each was in which stage, its buffer, and how late it was.
struct ExploredStages {
  private let listing: FrameListing
  private let origin: Timestamp

  init(_ listing: FrameListing, from origin: Timestamp) {
    (self.listing, self.origin) = (listing, origin)
  }

  /// Adds the columns of some frames.
  func add(_ rows: [Int], to columns: inout PackedColumns) {
    let frames = rows.map { listing[$0] }
    columns.add("detailRow", rows.map { Int64($0) })
    let times: [(String, KeyPath<ListedFrame, Timestamp?>)] = [
      ("appStart", \.appStart), ("appEnd", \.appEnd), ("commit", \.commit),
      ("compositorStart", \.compositorStart), ("compositorEnd", \.compositorEnd),
      ("gpuStart", \.gpuStart), ("gpuEnd", \.gpuEnd), ("queued", \.queued),
      ("displayed", \.displayed), ("swappedOut", \.swappedOut), ("due", \.due),
      ("bufferStart", \.bufferStart), ("bufferEnd", \.bufferEnd),
    ]
    for (name, time) in times {
      columns.add(name, frames.map { $0[keyPath: time].map { position($0 - origin) } })
    }
    columns.add("hitch", frames.map { $0.hitch.map(position) })
    columns.add("buffer", frames.map { $0.buffer.map(Int64.init) })
    columns.add("depth", frames.map { $0.depth.map(Int64.init) })
    columns.add("refresh", frames.map { $0.refresh?.number })
    columns.add("identifier", frames.map(\.identifier))
    columns.add("lowLatency", frames.map { $0.isLowLatency ? 1 : 0 })
    let more = frames.flatMap { frame in frame.moreAppIntervals.map { (frame.row, $0) } }
    columns.add("moreAppRow", more.map { Int64($0.0) })
    columns.add("moreAppStart", more.map { position($0.1.lowerBound - origin) })
    columns.add("moreAppEnd", more.map { position($0.1.upperBound - origin) })
  }

  /// A duration rounded to a microsecond; nothing finer is drawn.
  private func position(_ length: Nanoseconds) -> Int64 {
    let half: Int64 = length.count < 0 ? -500 : 500
    return (length.count + half) / 1000 * 1000
  }
}
