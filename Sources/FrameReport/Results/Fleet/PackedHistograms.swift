import FrameStatistics
import FrameTrace

/// The histograms of a line of a summary in few bytes, by their indices. Equal histograms have the same index, as those
/// of metrics that measure the same in a format.
///
/// The bytes are varints: the number of histograms; for each, the number of its bins that are not empty; then, of all
/// histograms in turn, the number of the first bin and, for each other one, its distance from the one before, less 1; then
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

/// Histograms that were packed. Each is made when it is first asked for, because one of few bytes may span many bins.
final class UnpackedHistograms {
  private let numbers: [UInt64]
  /// Where the bins of each begin among those of all, and where those of the last one end.
  private let starts: [Int]
  private var made: [Int64: FrameHistogram] = [:]
  /// How many bins the histograms may still span.
  private var room = 1 << 23

  /// The bins for magnitudes from a millionth of a unit to the largest number.
  static let bins = FrameHistogram.bin(1e-6)...FrameHistogram.bin(1e13)
  /// The most bytes that are read; those of a run take a few thousand.
  private static let mostBytes = 8 << 20

  /// - Returns: `nil` if the bytes are not as `PackedHistograms` writes them.
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
  /// - Returns: `nil` if there is none with that index, if it has bins that no value has, or if all together span more
  ///   bins than those of any run.
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
