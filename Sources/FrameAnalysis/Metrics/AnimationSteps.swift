package import FrameTrace

/// How far each displayed frame moves the animation, compared with how far the display advanced: PresentMon's animation
/// error with its 2026 definition for generated frames.
///
/// The app's frames with a known start are anchors. The simulation step from one anchor to the next is spread evenly
/// over the frames that were displayed after the first and up to the second. A driver's generated frames are therefore
/// judged, too.
/// Source: GameTechDev/PresentMon pull request 669, AnimationErrorTracker.
package struct AnimationSteps {
  /// For each frame, its simulation step minus its display step; `nil` for frames that were not displayed, for the
  /// first one, and where the display or the simulation did not advance.
  package let errors: CompactOptionals<Nanoseconds>
  /// For each frame, the animation time that it shows, starting with the first; `nil` for frames that were not
  /// displayed, where the simulation did not advance, and for generated ones around a frame without a known start.
  package let times: CompactOptionals<Nanoseconds>
  /// How many frames have no error because the app rested between its frames around them.
  package private(set) var leftOut = 0

  /// - Parameters:
  ///   - frames: The frames of a surface.
  ///   - hasRest: Whether the app rested between two instants.
  /// - Complexity: O(n log n) in the frames, O(n) if they are in display order.
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
    // The last of the app's frames with a start, the animation time there, and whether a frame without a start
    // followed.
    var anchor: (position: Int, start: Int64)?
    var (reached, isBroken) = (Nanoseconds.zero, false)
    for (position, frame) in shown.enumerated()
    where frames[frame.row, .kind] != FrameColumn.Kind.generated.rawValue {
      guard let start = frames[frame.row, .appStart] else {
        // The distance that the animation moved up to this frame, and from it to the next, is unknown.
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
