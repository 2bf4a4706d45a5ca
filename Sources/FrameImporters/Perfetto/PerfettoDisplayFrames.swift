import FrameTrace

/// The display's frames, by token.
struct PerfettoDisplayFrames {
  /// What the trace contains about a frame.
  struct Frame {
    /// The index of the frame's last actual slice.
    fileprivate(set) var actual: Int32?
    /// The index of the frame's first expected slice: a frame that is expected twice was postponed.
    fileprivate(set) var expected: Int32?
    /// Whether it shows a frame of a layer.
    fileprivate(set) var showsFrame = false
  }

  private var positions = PairTable()
  private var frames: [Frame] = []

  /// `nil` for a frame for which the trace has no slice.
  subscript(token: Int64) -> Frame? { positions[0, token].map { frames[Int($0)] } }

  mutating func add(actual slice: Int32, _ token: Int64) {
    frames[position(of: token)].actual = slice
  }

  mutating func add(expected slice: Int32, _ token: Int64) {
    let position = position(of: token)
    frames[position].expected = frames[position].expected ?? slice
  }

  /// Notes that a display frame shows a frame of a layer.
  mutating func show(_ token: Int64) -> Frame? {
    guard let position = positions[0, token] else { return nil }
    frames[Int(position)].showsFrame = true
    return frames[Int(position)]
  }

  private mutating func position(of token: Int64) -> Int {
    if let position = positions[0, token] { return Int(position) }
    positions[0, token] = Int32(frames.count)
    frames.append(Frame())
    return frames.count - 1
  }
}
