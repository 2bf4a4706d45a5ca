/// The windows of frames directly before and after a position, each of about half a second.
enum StallWindow {
  /// The number of frames in the shortest and in the longest window, apart from the ends of a run.
  static let frames = 30...480
  /// The minimum number of frames for which a side is judged.
  static let fewest = 8
  /// The longest usual lengths for which 60, 120, 240 and 480 frames are nearest to half a second on a logarithmic
  /// scale, in nanoseconds: 500 ms / 30 / 2^(k - 1/2).
  private static let longest: [Int64] = [11_785_113, 5_892_556, 2_946_278, 1_473_139]

  /// The limit for a frame between two parts of a run: the larger limit of both sides, so that a change of level is not
  /// a stall.
  /// - Parameters:
  ///   - lengths: The lengths of frames, in nanoseconds.
  ///   - before: The end of the part before the frame.
  ///   - after: The start of the part after the frame.
  ///   - length: A length for which the result is `nil` if the length is certainly not a stall; this saves work.
  /// - Returns: `nil` also if both sides are too short.
  static func limit(
    _ lengths: [Int64], before: Int, after: Int, of length: Int64 = .max
  ) -> StallLimit? {
    var limit: StallLimit?
    for isBefore in [true, false] {
      let available = isBefore ? before : lengths.count - after
      guard available >= fewest else { continue }
      let part = { (count: Int) in
        lengths[isBefore ? before - count..<before : after..<after + count]
      }
      let pace = part(min(frames.lowerBound, available)).sorted()
      let median = pace[StallLimit.rank(50, of: pace.count)]
      let doublings = longest.count { median <= $0 }
      let window = part(min(frames.lowerBound << doublings, available))
      // That many longer frames put the upper quartile, and thus the limit, above the length.
      let longer = window.count { StallLimit.least(usual: $0) > length }
      guard longer < window.count - StallLimit.rank(75, of: window.count) else { return nil }
      let side = StallLimit(ascending: window.sorted())
      limit = limit.map { .larger($0, side) } ?? side
    }
    return limit
  }
}
