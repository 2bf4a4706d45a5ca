/// The time axis of a surface, divided into boxes of equal width in which counts are stacked.
struct TimeBoxes {
  /// The boxes' width in seconds.
  let width: Double
  private let range: ClosedRange<Double>

  private static let most = 60.0

  /// - Parameter range: The ends of the axis in seconds.
  init(_ range: ClosedRange<Double>) {
    self.range = range
    width = ValueBins.round(max((range.upperBound - range.lowerBound) / Self.most, 1e-4))
  }

  /// The index of the box that contains a time in seconds; a time beyond an end belongs to the box at that end.
  func index(at seconds: Double) -> Int {
    let inside = min(max(seconds, range.lowerBound), range.upperBound)
    return Int((inside / width).rounded(.down))
  }

  /// The boxes of one kind, stacked on those of the previous kinds.
  /// - Parameters:
  ///   - heights: The height of each box, by index.
  ///   - base: The current height of each box.
  /// - Returns: For each box, its start, end, bottom and top.
  func stack(_ heights: [Int: Double], on base: inout [Int: Double]) -> [[Double]] {
    heights.sorted { $0.key < $1.key }.map { position, height in
      let bottom = base[position] ?? 0
      base[position] = bottom + height
      let start = max(Double(position) * width, range.lowerBound)
      let end = min(Double(position + 1) * width, range.upperBound)
      return [start, end, bottom, bottom + height]
    }
  }
}
