import FrameStatistics
import FrameTrace

/// Gaps between frames, up to the length of a stop, that are rest or freezes.
package struct FrameGaps: Hashable {
  /// The number of gaps.
  let count: Int
  /// The lengths of the shortest and the longest gap.
  let shortest, longest: Nanoseconds

  /// - Parameters:
  ///   - lengths: The lengths of all gaps.
  ///   - beyondUsual: How much longer all gaps together are than the usual distance.
  ///   - time: The time in which the surface was active.
  /// - Returns: `nil` if the gaps take at most a twentieth of the time: then they are freezes.
  init?(_ lengths: [Nanoseconds], beyondUsual: Nanoseconds, of time: Nanoseconds) {
    guard let shortest = lengths.min(), let longest = lengths.max(), beyondUsual * 20 > time else {
      return nil
    }
    (count, self.shortest, self.longest) = (lengths.count, shortest, longest)
  }

  /// The gaps as part of a sentence.
  var words: String {
    let ends = [shortest, longest].map { FixedNumber.text($0.milliseconds, decimals: 0) }
    if count == 1 { return "1 gap of \(ends[0]) ms, a rest or a freeze" }
    let lengths = ends[0] == ends[1] ? ends[0] : "\(ends[0]) to \(ends[1])"
    return "\(count) gaps of \(lengths) ms, rest or freezes"
  }
}

/// The distance between the starts of two frames.
struct FrameStep {
  let length: Nanoseconds
  /// The time between refreshes at that step.
  let refresh: Nanoseconds
  /// How long the GPU worked on the longer one of the two frames; zero where that is not known.
  let gpuLoad: Nanoseconds

  var refreshes: Double { length.seconds / refresh.seconds }
}

/// How far apart the frames of a surface start, up to the length of a stop.
struct FrameDistances {
  /// The median distance in refreshes.
  let usual: Double
  /// The mean distance between frames, gaps included.
  let mean: Nanoseconds
  /// Whether less than half of the time is between frames at the usual distance.
  let isIrregular: Bool
  /// Distances with more than four refreshes beyond the GPU's work; `nil` where they take little time.
  let gaps: FrameGaps?

  /// - Returns: `nil` if there is no distance.
  init?(_ steps: [FrameStep]) {
    guard let usual = steps.map(\.refreshes).sorted().medianOfSorted else { return nil }
    self.usual = usual
    let total = steps.reduce(.zero) { $0 + $1.length }
    mean = total / Int64(steps.count)
    // Work that does not take a whole number of refreshes alternates between one more and one less.
    let tolerance = usual >= 1.5 ? 1 : 0.5
    let regular = steps.filter { abs($0.refreshes - usual) < tolerance }
    isIrregular = regular.reduce(.zero) { $0 + $1.length } * 2 < total
    // Distances jitter around whole refreshes.
    let long = steps.filter { ($0.length - $0.gpuLoad) * 2 > $0.refresh * 9 }
    let beyondUsual = long.reduce(0) { $0 + max(0, $1.refreshes - usual) * $1.refresh.seconds }
    gaps = FrameGaps(long.map(\.length), beyondUsual: .seconds(beyondUsual), of: total)
  }
}
