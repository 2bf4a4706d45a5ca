/// The frames that may be stalls according to a bound that takes a few operations per frame. Windows are made only for
/// these frames.
///
/// At least four of eight frames are as long as the fifth shortest one. A window of m frames contains at least (m - 7)
/// / 8 whole blocks of eight, rounded down. With 30 frames or more, more than a quarter of the window is therefore as
/// long as the smallest fifth shortest frame of its blocks. The upper quartile is at least that long, too.
enum StallCandidates {
  private static let block = 8
  /// The number of blocks on each side that contain any window.
  private static let reach = StallWindow.frames.upperBound / block

  /// The positions in a range of frames that may be stalls, ascending: all stalls, and few other frames. Takes time and
  /// memory linear in the length of the range.
  static func positions(in range: Range<Int>, of lengths: [Int64]) -> [Int] {
    let full = lengths.count / block
    let blocks = range.lowerBound / block...(range.upperBound - 1) / block
    let first = max(0, blocks.lowerBound - reach)
    let last = min(full, blocks.upperBound + reach + 1)
    let bounds = (first..<max(first, last)).map { fifthShortest(of: lengths, from: $0 * block) }
    let before = trailingMinima(bounds)
    let after = Array(trailingMinima(bounds.reversed()).reversed())
    var positions: [Int] = []
    for number in blocks {
      // The blocks themselves are not completely in any window of their frames.
      let (left, right) = (number - 1 - first, number + 1 - first)
      let start = number * block
      let frames = max(start, range.lowerBound)..<min(start + block, range.upperBound)
      // A side with fewer frames than a window has no bound.
      let hasBefore = start >= StallWindow.frames.lowerBound
      let hasAfter = start + block + StallWindow.frames.lowerBound <= lengths.count
      let usual = max(hasBefore ? before[left] : 0, hasAfter ? after[right] : 0)
      let least = StallLimit.least(usual: usual)
      for position in frames where lengths[position] >= least { positions.append(position) }
    }
    return positions
  }

  /// The minimum of each value and the `reach - 1` values before it.
  private static func trailingMinima(_ values: [Int64]) -> [Int64] {
    // The smallest values from the start of a part of `reach` values, and to its end: two such minima cover any `reach`
    // values. M. van Herk, "A fast algorithm for local minimum and maximum filters on rectangular and octagonal
    // kernels", Pattern Recognition Letters 13 (1992).
    var toEnd = values
    for index in values.indices.dropLast().reversed() where (index + 1) % reach != 0 {
      toEnd[index] = min(values[index], toEnd[index + 1])
    }
    var fromStart = Int64.max
    return values.indices.map { index in
      fromStart = index % reach == 0 ? values[index] : min(fromStart, values[index])
      return index < reach ? fromStart : min(fromStart, toEnd[index - reach + 1])
    }
  }

  /// The fifth shortest of eight frames: the shortest of the four longest, which are the larger values of each pair
  /// from two sorted halves, one of them reversed.
  private static func fifthShortest(of lengths: [Int64], from start: Int) -> Int64 {
    let first = sortedFour(
      lengths[start], lengths[start + 1], lengths[start + 2], lengths[start + 3])
    let second = sortedFour(
      lengths[start + 4], lengths[start + 5], lengths[start + 6], lengths[start + 7])
    return min(
      min(max(first.0, second.3), max(first.1, second.2)),
      min(max(first.2, second.1), max(first.3, second.0)))
  }

  private static func sortedFour(
    _ a: Int64, _ b: Int64, _ c: Int64, _ d: Int64
  ) -> (Int64, Int64, Int64, Int64) {
    let (low, high) = ((min(a, b), max(a, b)), (min(c, d), max(c, d)))
    let (second, third) = (max(low.0, high.0), min(low.1, high.1))
    return (min(low.0, high.0), min(second, third), max(second, third), max(low.1, high.1))
  }
}
