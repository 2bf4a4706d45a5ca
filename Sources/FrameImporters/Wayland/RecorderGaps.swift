import FrameStatistics

/// When a recorder was held up, for the time of it in any range.
struct RecorderGaps {
  private var ends: [Int64] = []
  private var starts: [Int64] = []
  /// How long the gaps before each are together.
  private var before: [Int64] = []
  private var total: Int64 = 0

  /// - Parameter gaps: In any order, and they may overlap.
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

  /// How long it was held up in a range; logarithmic in the number of gaps.
  func time(within range: Range<Int64>) -> Int64 {
    time(until: range.upperBound) - time(until: range.lowerBound)
  }

  private func time(until end: Int64) -> Int64 {
    let next = starts.partitioningIndex { $0 >= end }
    guard next > 0 else { return 0 }
    return before[next - 1] + min(end, ends[next - 1]) - starts[next - 1]
  }
}
