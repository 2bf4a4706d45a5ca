package import FrameTrace

/// How far each displayed frame moves the animation, beside how far the display moved on: PresentMon's animation error
/// with its definition of 2026 for generated frames.
///
/// The app's frames with a known start are anchors. What was simulated from one to the next is spread evenly over the
/// frames that were displayed after the first and up to the second, so that a driver's generated frames are judged, too.
/// Source: GameTechDev/PresentMon pull request 669, AnimationErrorTracker.
package struct AnimationSteps {
  /// For each frame its step of the simulation less its step on the display; `nil` for frames that were not
  /// displayed, for the first one, where the display did not move on, and where the simulation did not.
  package let errors: CompactOptionals<Nanoseconds>
  /// For each frame the time of the animation that it shows, from the first one on; `nil` for frames that were not
  /// displayed, where the simulation did not move on, and for generated ones around a frame without a known start.
  package let times: CompactOptionals<Nanoseconds>
  /// How many frames have no error because the app rested between its frames around them.
  package private(set) var leftOut = 0

  /// - Parameters:
  ///   - frames: The frames of a surface.
  ///   - hasRest: Whether the app rested between two instants.
  /// - Complexity: O(n log n) in the frames, O(n) where they are in the order of their display.
  package init(
    of frames: Table<FrameColumn>, hasRest: (Timestamp, Timestamp) -> Bool = { _, _ in false }
  ) {
    var shown: [(time: Int64, row: Int)] = []
    for row in 0..<frames.count {
      if let time = frames[row, .displayed] { shown.append((time, row)) }
    }
    let isInOrder = zip(shown, shown.dropFirst()).allSatisfy { $0.time <= $1.time }
    if !isInOrder { shown.sort { ($0.time, $0.row) < ($1.time, $1.row) } }
    var errors = CompactOptionals<Nanoseconds>(missing: frames.count)
    var times = errors
    // The last of the app's frames with a start, the time of the animation there, and whether one without came since.
    var anchor: (position: Int, start: Int64)?
    var (reached, isBroken) = (Nanoseconds.zero, false)
    for (position, frame) in shown.enumerated()
    where frames[frame.row, .kind] != FrameColumn.Kind.generated.rawValue {
      guard let start = frames[frame.row, .appStart] else {
        // Nothing tells how far the animation moved up to this frame, nor from it to the next.
        isBroken = true
        continue
      }
      defer { (anchor, isBroken) = ((position, start), false) }
      guard let anchor else {
        times[frame.row] = reached
        continue
      }
      guard start > anchor.start else { continue }
      let (before, moved) = (reached, start - anchor.start)
      reached = before + Nanoseconds(moved)
      times[frame.row] = reached
      let last = shown[anchor.position].time
      guard !isBroken else { continue }
      guard !hasRest(Timestamp(nanoseconds: last), Timestamp(nanoseconds: frame.time)) else {
        leftOut += position - anchor.position
        continue
      }
      let step = Double(moved) / Double(position - anchor.position)
      for later in anchor.position + 1...position {
        let row = shown[later].row
        let time = Nanoseconds(Int64((step * Double(later - anchor.position)).rounded()))
        times[row] = before + time
        let display = shown[later].time - shown[later - 1].time
        guard display > 0 else { continue }
        errors[row] = Nanoseconds(Int64((step - Double(display)).rounded()))
      }
    }
    (self.errors, self.times) = (errors, times)
  }
}
