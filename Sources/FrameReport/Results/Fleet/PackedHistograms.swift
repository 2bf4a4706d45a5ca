import FrameStatistics
import FrameTrace

/// The histograms of a summary's line in few bytes, by index. Equal histograms have the same index, for example those
/// of metrics that measure the same in a format.
///
/// The bytes are varints. First comes the number of histograms, then the number of non-empty bins of each. Next, for
/// each histogram in turn, come the number of its first bin and, for each other bin, its distance from the previous
/// bin, less 1. The counts of all bins, less 1, come last. Numbers of one kind are adjacent, so that they compress
/// better.
struct PackedHistograms {
  private var indices: [FrameHistogram: Int] = [:]
  private var sizes: [UInt64] = []
  private var distances: [UInt64] = []
  private var counts: [UInt64] = []

  /// The index of a histogram, which is added if it is new.
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

  /// The bytes of all histograms.
  var bytes: [UInt8] { Varints.bytes([UInt64(sizes.count)] + sizes + distances + counts) }
}

/// Unpacked histograms. Each is made when first requested, because a histogram of few bytes may span many bins.
final class UnpackedHistograms {
  private let numbers: [UInt64]
  /// The index of each histogram's first bin among all bins, followed by the end of the last histogram's bins.
  private let starts: [Int]
  private var made: [Int64: FrameHistogram] = [:]
  /// How many more bins the histograms may span.
  private var room = 1 << 23

  /// The bins for magnitudes from a millionth of a unit to the largest number.
  static let bins = FrameHistogram.bin(1e-6)...FrameHistogram.bin(1e13)
  /// The maximum number of bytes to read; the histograms of a run take a few thousand.
  private static let mostBytes = 8 << 20

  /// - Returns: `nil` if `PackedHistograms` does not write such bytes.
  init?(_ bytes: [UInt8]) {
    guard bytes.count <= Self.mostBytes, let numbers = Varints.numbers(bytes),
      let first = numbers.first, first < UInt64(numbers.count)
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
  /// - Returns: `nil` if the index does not exist, if the histogram has bins that no value has, or if all histograms
  ///   together span more bins than those of any run.
  subscript(index: Int64) -> FrameHistogram? {
    if let known = made[index] { return known }
    guard index >= 0, index < starts.count - 1 else { return nil }
    let positions = starts[Int(index)]..<starts[Int(index) + 1]
    guard !positions.isEmpty else { return FrameHistogram() }
    let (distances, found) = (starts.count, starts.count + starts[starts.count - 1])
    var last: UInt64 = 0
    for position in positions {
      guard numbers[distances + position] <= UInt64(Self.bins.upperBound),
        numbers[found + position] < UInt64(Int64.counts.upperBound) - 1
      else { return nil }
      last += numbers[distances + position] + 1
      guard last <= UInt64(Self.bins.upperBound) + 1 else { return nil }
    }
    let first = Int(numbers[distances + positions.lowerBound])
    let width = Int(last) - first
    guard first >= Self.bins.lowerBound, width <= room else { return nil }
    room -= width
    var counts = [Int64](repeating: 0, count: width)
    var bin = -1
    for position in positions {
      bin += position == positions.lowerBound ? 1 : Int(numbers[distances + position]) + 1
      counts[bin] = Int64(numbers[found + position]) + 1
    }
    let histogram = FrameHistogram(firstBin: first, counts: counts)
    made[index] = histogram
    return histogram
  }
}
