import FrameStatistics
import FrameTrace

/// The histograms of a line of a summary in few bytes, by their indices. Equal histograms have the same index, as those
/// of metrics that measure the same in a format.
///
/// The bytes are varints: the number of histograms; for each, the number of its bins that are not empty; then, of all
/// histograms in turn, the distance of each bin from the one before, less 1, of which the first has its own number; then
/// the counts of all bins, less 1. Numbers of one kind lie together, so that compression finds more in them.
struct PackedHistograms {
  private var indices: [FrameHistogram: Int] = [:]
  private var sizes: [UInt64] = []
  private var distances: [UInt64] = []
  private var counts: [UInt64] = []

  /// The index of a histogram, which is added if it is not there yet.
  mutating func index(of histogram: FrameHistogram) -> Int {
    if let known = indices[histogram] { return known }
    let bins = histogram.bins
    var next = 0
    for (bin, count) in bins {
      distances.append(UInt64(bin - next))
      counts.append(UInt64(count - 1))
      next = bin + 1
    }
    sizes.append(UInt64(bins.count))
    indices[histogram] = sizes.count - 1
    return sizes.count - 1
  }

  /// All of them.
  var bytes: [UInt8] { Varints.bytes([UInt64(sizes.count)] + sizes + distances + counts) }
}

/// Histograms that were packed, each made when it is asked for, because one of few bytes may span many bins.
struct UnpackedHistograms {
  private let numbers: [UInt64]
  /// Where the bins of each begin among those of all, and where those of the last one end.
  private let starts: [Int]

  /// - Returns: `nil` if the bytes are not as `PackedHistograms` writes them.
  init?(_ bytes: [UInt8]) {
    guard let numbers = Varints.numbers(bytes), let first = numbers.first,
      first < UInt64(numbers.count)
    else { return nil }
    var starts = [0]
    for size in numbers[1..<(Int(first) + 1)] {
      guard size < UInt64(numbers.count) else { return nil }
      starts.append(starts[starts.count - 1] + Int(size))
      guard starts[starts.count - 1] < numbers.count else { return nil }
    }
    guard starts.count + 2 * starts[starts.count - 1] == numbers.count else { return nil }
    (self.numbers, self.starts) = (numbers, starts)
  }

  /// A histogram.
  /// - Parameter bins: The bins that it may have.
  /// - Returns: `nil` if there is none with that index, or if it has others.
  subscript(index: Int64, bins: ClosedRange<Int>) -> FrameHistogram? {
    guard index >= 0, index < starts.count - 1 else { return nil }
    let places = starts[Int(index)]..<starts[Int(index) + 1]
    guard !places.isEmpty else { return FrameHistogram() }
    let (distances, found) = (starts.count, starts.count + starts[starts.count - 1])
    var last: UInt64 = 0
    for place in places {
      guard numbers[distances + place] <= UInt64(bins.upperBound),
        numbers[found + place] < UInt64(Int64.counts.upperBound) - 1
      else { return nil }
      last += numbers[distances + place] + 1
      guard last <= UInt64(bins.upperBound) + 1 else { return nil }
    }
    let first = Int(numbers[distances + places.lowerBound])
    guard first >= bins.lowerBound else { return nil }
    var counts = [Int64](repeating: 0, count: Int(last) - first)
    var bin = -1
    for place in places {
      bin += place == places.lowerBound ? 1 : Int(numbers[distances + place]) + 1
      counts[bin] = Int64(numbers[found + place]) + 1
    }
    return FrameHistogram(firstBin: first, counts: counts)
  }
}
