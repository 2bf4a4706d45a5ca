package import FrameTrace

/// How far each displayed frame moves the animation, beside how far the display moved on: PresentMon's animation error
/// with its definition of 2026 for generated frames.
///
/// The app's frames with a known start are anchors. What was simulated from one to the next is spread evenly over the
/// frames that were displayed after the first and up to the second, so that a driver's generated frames are judged, too.
/// Source: GameTechDev/PresentMon pull request 669, AnimationErrorTracker.
package struct AnimationSteps {
  /// For each frame its step of the simulation less its step on the display, `nil` for frames that were not
  /// displayed, for the first one, where the display did not move on, and where the simulation did not.
  package let errors: CompactOptionals<Nanoseconds>
  /// For each frame the time of the animation that it shows, from the first one on; `nil` where it is not known how far
  /// the animation moved.
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
    // The time of the last frame for which it is known.
    var reached = 0.0
    var anchor: (place: Int, start: Int64)?
    for (place, frame) in shown.enumerated()
    where frames[frame.row, .kind] != FrameColumn.Kind.generated.rawValue {
      guard let start = frames[frame.row, .appStart] else {
        // Nothing tells how far the animation moved up to this frame, nor from it to the next.
        anchor = nil
        continue
      }
      defer { anchor = (place, start) }
      if anchor == nil, reached == 0 { times[frame.row] = .zero }
      guard let anchor, start > anchor.start else { continue }
      let (before, now) = (shown[anchor.place].time, frame.time)
      guard !hasRest(Timestamp(nanoseconds: before), Timestamp(nanoseconds: now)) else {
        leftOut += place - anchor.place
        continue
      }
      let step = Double(start - anchor.start) / Double(place - anchor.place)
      for later in anchor.place + 1...place {
        let time = reached + step * Double(later - anchor.place)
        times[shown[later].row] = Nanoseconds(Int64(time.rounded()))
      }
      reached += Double(start - anchor.start)
      for place in anchor.place + 1...place {
        let display = shown[place].time - shown[place - 1].time
        guard display > 0 else { continue }
        errors[shown[place].row] = Nanoseconds(Int64((step - Double(display)).rounded()))
      }
    }
    (self.errors, self.times) = (errors, times)
  }
}
