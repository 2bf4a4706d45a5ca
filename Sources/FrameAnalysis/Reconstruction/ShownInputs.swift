import FrameTrace

/// The inputs of a surface and the frames that first show them.
///
/// If a frame consumed an input but was never displayed, the first frame displayed after it shows the input.
struct ShownInputs {
  /// An input and the frames that consume and show it.
  struct Input {
    /// When the input was made.
    let made: Timestamp
    /// The device that made the input; `nil` if the source does not say.
    let device: TouchColumn.Device?
    /// The row of the frame that consumed the input.
    let consumedBy: Int
    /// The row of the frame that shows the input; `nil` if no later frame was displayed.
    let shownBy: Int?
  }

  let inputs: [Input]

  /// Collects the main samples that frames of the surface consumed.
  init(of trace: Trace, surface: Int, _ rows: ArraySlice<Int32>) {
    let touches = trace.touches
    let frames = trace.surfaces[surface].frames
    guard !rows.isEmpty else {
      inputs = []
      return
    }
    let shownBy = Self.shownBy(frames)
    inputs = rows.map(Int.init).compactMap { row in
      // An input that names no surface cannot name a frame either.
      guard touches[row, .surface] != nil, let made = touches.time(row, .scanStart),
        let frame = touches[row, .frame].map(Int.init),
        touches[row, .kind] ?? TouchColumn.Kind.main.rawValue == TouchColumn.Kind.main.rawValue
      else { return nil }
      return Input(
        made: made, device: touches[row, .device].flatMap(TouchColumn.Device.init),
        consumedBy: frame, shownBy: shownBy[frame])
    }
  }

  /// For each frame, the row of the first frame displayed at or after it; `nil` if none was.
  private static func shownBy(_ frames: Table<FrameColumn>) -> NearbyRows {
    var shownBy = NearbyRows(missing: frames.count)
    var next: Int?
    for row in shownBy.indices.reversed() {
      if frames[row, .displayed] != nil { next = row }
      shownBy[row] = next
    }
    return shownBy
  }
}
