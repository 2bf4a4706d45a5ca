import FrameStatistics
import FrameTrace

/// Frames missing from a recording, as shown by gaps in frame numbers or in the rotation of
/// buffers.
package struct MissingFrames {
  /// The minimum number of missing frames.
  private(set) var count = 0
  /// The rows of frames that follow missing frames, in order.
  private(set) var rows: [Int32] = []
  /// Whether frame numbers show the gaps; otherwise buffers do.
  private(set) var isByNumber = false

  /// The minimum number of frames that show how numbers or buffers continue.
  private static let fewestFrames = 12
  /// The maximum number of alternating buffers that can be recognized.
  private static let mostBuffers = 8

  init(_ surface: Surface) {
    if surface.numbersCountFrames != false, findByNumber(surface.frames) { return }
    findByBuffer(surface.frames)
  }

  /// Whether frames are missing before a row.
  func isBefore(_ row: Int) -> Bool {
    guard !rows.isEmpty else { return false }
    let position = rows.partitioningIndex { $0 >= Int32(row) }
    return position < rows.count && rows[position] == Int32(row)
  }

  /// Checks for numbers that rise by one from frame to frame.
  /// - Returns: Whether the numbers do so, except for gaps.
  private mutating func findByNumber(_ frames: Table<FrameColumn>) -> Bool {
    guard frames.has(.identifier), frames.count >= Self.fewestFrames else { return false }
    var (ones, gaps, missing) = (0, [Int32](), Int64(0))
    var last: Int64?
    for row in 0..<frames.count
    where frames[row, .kind] != FrameColumn.Kind.generated.rawValue {
      guard let number = frames[row, .identifier] else { return false }
      defer { last = number }
      guard let last else { continue }
      let (step, overflow) = number.subtractingReportingOverflow(last)
      guard !overflow, step > 0 else { return false }
      if step == 1 {
        ones += 1
      } else {
        gaps.append(Int32(row))
        missing += min(step - 1, 1 << 32)
      }
    }
    // Numbers that skip more than they count are not frame counts.
    guard ones >= 2 * gaps.count, missing <= ones, ones > 0 else { return false }
    (rows, count, isByNumber) = (gaps, Int(missing), true)
    return true
  }

  /// Checks for buffers that take turns. If the same buffers take turns before and after an index and one is skipped
  /// there, the frame in that buffer is missing.
  private mutating func findByBuffer(_ frames: Table<FrameColumn>) {
    guard frames.has(.buffer), frames.count >= Self.fewestFrames else { return }
    let buffers = (0..<frames.count).compactMap { frames[$0, .buffer] }
    guard buffers.count == frames.count else { return }
    var gaps: [Int32] = []
    var missing = 0
    for position in buffers.indices {
      let skipped = (2...Self.mostBuffers).lazy.compactMap {
        Self.skipped(before: position, in: buffers, taking: $0)
      }.first
      guard let skipped, skipped > 0 else { continue }
      gaps.append(Int32(position))
      missing += skipped
    }
    // Buffers that do not regularly take turns skip others all the time.
    guard gaps.count * 3 <= buffers.count else { return }
    (rows, count) = (gaps, missing)
  }

  /// How many turns are skipped before an index where `count` buffers take turns; `nil` if they do not take turns both
  /// before and after the index.
  private static func skipped(before position: Int, in buffers: [Int64], taking count: Int) -> Int?
  {
    guard position >= count, position + count <= buffers.count else { return nil }
    let round = buffers[position - count..<position]
    guard let first = round.firstIndex(of: buffers[position]),
      round.indices.allSatisfy({ !round[..<$0].contains(round[$0]) })
    else { return nil }
    let skipped = first - round.startIndex
    let goesOn = (0..<count).allSatisfy { index in
      buffers[position + index] == round[round.startIndex + (skipped + index) % count]
    }
    return goesOn ? skipped : nil
  }
}
