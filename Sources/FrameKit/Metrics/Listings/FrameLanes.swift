/// Puts spans of time that overlap next to one another.
struct FrameLanes {
  /// For each span its lane.
  let lanes: [Int]
  /// How many lanes there are.
  let count: Int

  /// - Parameter spans: In order of their start.
  init(_ spans: [Range<Int64>]) {
    var ends: [Int64] = []
    lanes = spans.map { span in
      if let free = ends.firstIndex(where: { $0 <= span.lowerBound }) {
        ends[free] = span.upperBound
        return free
      }
      ends.append(span.upperBound)
      return ends.count - 1
    }
    count = max(1, ends.count)
  }
}
