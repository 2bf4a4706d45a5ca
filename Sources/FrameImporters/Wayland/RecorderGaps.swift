import FrameStatistics

/// The periods in which a recorder was held up, from which the delay in any range is computed.
struct RecorderGaps {
  private var ends: [Int64] = []
  private var starts: [Int64] = []
  /// The total duration of the gaps before each gap.
  private var before: [Int64] = []
  private var total: Int64 = 0

  /// - Parameter gaps: The gaps, in any order; they may overlap.
  init(_ gaps: [(start: Int64, end: Int64)]) {
    for gap in gaps.sorted(by: { $0.start < $1.start }) {
      let start = max(gap.start, ends.last ?? gap.start)
      guard start < gap.end else { continue }
      starts.append(start)
      ends.append(gap.end)
      before.append(total)
      total += gap.end - start
    }
  }

  /// How long the recorder was held up in a range; logarithmic in the number of gaps.
  func time(within range: Range<Int64>) -> Int64 {
    time(until: range.upperBound) - time(until: range.lowerBound)
  }

  private func time(until end: Int64) -> Int64 {
    let next = starts.partitioningIndex { $0 >= end }
    guard next > 0 else { return 0 }
    return before[next - 1] + min(end, ends[next - 1]) - starts[next - 1]
  }
}
