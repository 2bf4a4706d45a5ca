import FrameStatistics
import FrameTrace

/// How many buffers were in use at once while each frame waited to be shown.
///
/// The numbers are found in one pass over the uses. The pass keeps only the frames that are not yet shown, and the uses
/// at which more buffers were in use than at any later use.
struct BufferDepths {
  /// For each frame, by its row, the greatest number of buffers that were in use at once
  /// from its first write until it was shown; `nil` where that is not known.
  private(set) var depths: CompactOptionals<Int>

  /// A frame that is not yet shown.
  private struct Waiting: Comparable {
    /// When the frame is shown; `latest` if it never is.
    let end: Timestamp
    /// The position of the frame's use in the list.
    let position: Int32
    let row: Int32

    static func < (one: Waiting, other: Waiting) -> Bool { one.end < other.end }
  }

  private var waiting = Heap<Waiting>()
  /// When the buffers in use become free: only few are in use at once, even in a long trace.
  private var ends = Heap<Timestamp>()
  /// The uses at which more buffers were in use than at any later use, in order.
  private var greatest: [(position: Int32, count: Int)] = []

  /// - Parameters:
  ///   - frameCount: The number of frames of the surface.
  ///   - shown: When the frame in a row was shown; `nil` if it never was.
  init(_ uses: BufferUses, frameCount: Int, shown: (_ row: Int) -> Timestamp?) {
    depths = CompactOptionals(missing: frameCount)
    for (position, use) in uses.enumerated() {
      settle(by: use.firstWrite)
      note(Int32(position), count(use))
      if use.isUnderWay { continue }
      waiting.insert(
        Waiting(end: shown(use.row) ?? .latest, position: Int32(position), row: Int32(use.row)))
    }
    while let first = waiting.first { settle(first) }
  }

  /// How many buffers are in use when a use begins, including its own.
  private mutating func count(_ use: BufferUse) -> Int {
    ends.insert(use.free ?? .latest)
    while let first = ends.first, first <= use.firstWrite { ends.removeFirst() }
    return max(1, ends.count)
  }

  private mutating func note(_ position: Int32, _ count: Int) {
    while let last = greatest.last, last.count <= count { greatest.removeLast() }
    greatest.append((position, count))
  }

  /// Records the depths of the frames that are shown by a time.
  private mutating func settle(by time: Timestamp) {
    while let first = waiting.first, first.end <= time { settle(first) }
  }

  /// Records the depth of the first frame that is shown.
  private mutating func settle(_ first: Waiting) {
    let position = greatest.partitioningIndex { $0.position >= first.position }
    depths[Int(first.row)] = greatest[position].count
    waiting.removeFirst()
  }
}
