package import FrameTrace

/// The commits of a surface that a trace lists one by one, grouped by the frame they belong to.
///
/// There may be one commit for each frame of a long trace, so the groups are two arrays of numbers, not a dictionary of
/// arrays.
package struct FrameCommits: Sendable {
  /// The rows of the commits with a frame, frame by frame; the rows of each frame are in trace order.
  private var rows: [Int32] = []
  /// For each frame, the position where its rows begin, followed by the position where all rows end; empty without
  /// commits.
  private var starts: [Int32] = []

  /// Groups the rows of a surface's commits.
  /// - Parameter count: The number of the surface's frames.
  package init(
    _ commits: Table<CommitColumn>, _ commitRows: ArraySlice<Int32>, ofFrames count: Int
  ) {
    let frames = commitRows.map { row in
      commits[Int(row), .frame].flatMap { frame in 0..<Int64(count) ~= frame ? Int(frame) : nil }
    }
    guard frames.contains(where: { $0 != nil }) else { return }
    var next = [Int32](repeating: 0, count: count + 1)
    for case let frame? in frames { next[frame + 1] += 1 }
    for frame in 0..<count { next[frame + 1] += next[frame] }
    starts = next
    rows = [Int32](repeating: 0, count: Int(next[count]))
    for (frame, row) in zip(frames, commitRows) {
      guard let frame else { continue }
      rows[Int(next[frame])] = row
      next[frame] += 1
    }
  }

  /// The rows of a frame's commits, in trace order; empty if the frame has none.
  package subscript(frame: Int) -> ArraySlice<Int32> {
    guard frame + 1 < starts.count else { return [] }
    return rows[Int(starts[frame])..<Int(starts[frame + 1])]
  }
}
