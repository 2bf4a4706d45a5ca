/// Frames of every second, third or fourth refresh of which many come late, found by the phase that the others keep.
///
/// A clock that is found from frames in a row ends where every few frames come late. Most frames still come at refreshes with
/// one remainder, because a late frame does not move those after it.
struct KeptPhase {
  /// The frames, by their indices in the order of display.
  let positions: ClosedRange<Int>
  /// The refreshes from frame to frame.
  let distance: Int64
  private let remainder: Int64

  /// The longest distance, as long as a rest is not.
  private static let longest: Int64 = 4
  /// Fewer frames show no phase.
  private static let fewest = 30

  /// - Parameters:
  ///   - shown: At which refresh each frame was displayed.
  ///   - positions: Frames without a rest in between.
  /// - Returns: `nil` unless the mean distance is within a fiftieth of a whole number, and more frames keep one remainder than
  ///   2.5 standard deviations of frames at random.
  init?(_ shown: [Int64], _ positions: ClosedRange<Int>) {
    guard positions.count >= Self.fewest else { return nil }
    let steps = Double(positions.count - 1)
    let mean = Double(shown[positions.upperBound] - shown[positions.lowerBound]) / steps
    let distance = Int64(mean.rounded())
    guard (2...Self.longest).contains(distance), abs(mean - Double(distance)) * 50 <= mean else {
      return nil
    }
    var counts = Array(repeating: 0, count: Int(distance))
    for position in positions { counts[Int(shown[position] % distance)] += 1 }
    guard let most = counts.max(), let remainder = counts.firstIndex(of: most) else { return nil }
    let (all, share) = (Double(positions.count), 1 / Double(distance))
    guard Double(most) > all * share + 2.5 * (all * share * (1 - share)).squareRoot(),
      most * 2 > positions.count
    else { return nil }
    (self.positions, self.distance, self.remainder) = (positions, distance, Int64(remainder))
  }

  /// The refresh at which a frame that was shown at one was due.
  func due(_ shown: Int64) -> Int64 {
    let late = (shown - remainder) % distance
    return shown - (late < 0 ? late + distance : late)
  }
}
