/// Frames at every second, third or fourth refresh, many of which are late, found by the phase that the other frames
/// keep.
///
/// A clock that is found from consecutive frames ends if every few frames are late. Most frames still come at refreshes
/// with one remainder, because a late frame does not delay the frames after it.
struct KeptPhase {
  /// The frames, by their indices in display order.
  let positions: ClosedRange<Int>
  /// The refreshes from frame to frame.
  let distance: Int64
  private let remainder: Int64

  /// The longest distance, which is as long as a gap can be without being a rest.
  private static let longest: Int64 = 4
  /// The minimum number of frames that show a phase.
  private static let fewest = 30

  /// - Parameters:
  ///   - shown: The refresh at which each frame was displayed.
  ///   - positions: Frames without a rest in between.
  /// - Returns: `nil` unless the mean distance is within a fiftieth of a whole number, and the number of frames with
  ///   the most frequent remainder exceeds that of random frames by 2.5 standard deviations.
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

  /// The due refresh of a frame, from the refresh at which it was shown.
  func due(_ shown: Int64) -> Int64 {
    let late = (shown - remainder) % distance
    return shown - (late < 0 ? late + distance : late)
  }
}
