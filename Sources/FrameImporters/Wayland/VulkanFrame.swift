import FrameTrace

/// A frame that the Vulkan layer saw inside a program whose messages were also recorded:
///
///     [4287341953346,811,"!","vulkan",5,"frame",[17,4287341900000,null,…]]
///
/// is frame 17 that process 811 presented to its `wl_surface` 5.
struct VulkanFrame {
  /// The columns that the layer reports for a frame, in the order of a line's values.
  static let columns: [FrameColumn] = [
    .appStart, .appEnd, .commit, .bufferWaitStart, .bufferWaitEnd, .gpuStart, .gpuEnd, .displayed,
    .fate, .gpuBusy, .gpuWait, .threadRan, .threadStarved,
  ]

  private let row: Table<FrameColumn>.Row
  /// When the program called present.
  let commit: Int64

  /// - Returns: `nil` for a frame that was never handed over.
  init?(_ message: RecordedMessage) {
    var row = Table<FrameColumn>.Row()
    for (position, column) in Self.columns.enumerated() {
      row[column] = message.integer(position + 1).flatMap { 0...Timestamp.bound ~= $0 ? $0 : nil }
    }
    guard let commit = row[.commit] else { return nil }
    self.row = row
    self.commit = commit
  }

  /// Whether the layer knows when the program started the frame.
  var recordsStart: Bool { row[.appStart] != nil }

  /// The present call; `nil` if its end is unknown.
  var call: Range<Int64>? {
    row[.appEnd].flatMap { $0 >= commit ? commit..<$0 : nil }
  }

  /// Adds the layer's data to a frame of the messages. The messages still determine when the frame
  /// reached the compositor.
  /// - Parameter withStart: Whether the program started on the frame at the time that the layer states.
  func fill(_ frame: inout Table<FrameColumn>.Row, withStart: Bool) {
    // If the message passed while the recorder was held up, it was sent by the time the present call returned.
    frame[.queued] = frame[.commit] ?? row[.appEnd]
    for column in Self.columns where column != .displayed && column != .fate {
      if column == .appStart, !withStart { continue }
      if let value = row[column] { frame[column] = value }
    }
    frame[.firstWrite] = row[.bufferWaitEnd] ?? frame[.firstWrite]
    frame[.displayed] = frame[.displayed] ?? row[.displayed]
  }

  /// Adds the data that the recorder cannot have delayed: when the program started on a frame, its preceding wait for a
  /// buffer, and how long the thread and the GPU worked. Later instants would make the rest of the time look like the
  /// compositor's.
  func fillStart(_ frame: inout Table<FrameColumn>.Row, withStart: Bool) {
    if withStart { frame[.appStart] = row[.appStart] ?? frame[.appStart] }
    for column in [
      FrameColumn.bufferWaitStart, .bufferWaitEnd, .gpuBusy, .threadRan, .threadStarved,
    ] {
      frame[column] = row[column] ?? frame[column]
    }
    frame[.displayed] = frame[.displayed] ?? row[.displayed]
  }

  /// Matches the layer's frames to the frames of the messages: by order if both have the same number of frames,
  /// otherwise each frame of the messages to the last layer frame presented before it.
  /// - Parameter commits: When the messages handed frames over; `nil` if unknown.
  static func match(_ commits: [Int64?], _ frames: [VulkanFrame]) -> [VulkanFrame?] {
    if commits.count == frames.count { return frames }
    var position = -1
    return commits.map { commit in
      guard let commit else { return nil }
      let before = position
      while position + 1 < frames.count, frames[position + 1].commit <= commit { position += 1 }
      return position > before ? frames[position] : nil
    }
  }
}
