import FrameStatistics

/// Reduces points so that a plot with a given number of pixel columns looks the same: for each
/// column, the first, lowest, highest and last point are kept.
///
/// No outlier is lost, however many points there are. The memory depends only on the number of
/// columns.
struct PixelColumns {
  private struct Column {
    var first, last, low, high: (x: Double, y: Double)
  }

  private let range: ClosedRange<Double>
  private var columns: [Column?]
  /// The x values at which a new line begins.
  private var beginnings: [Double] = []
  private var isBroken = false
  /// The number of points added.
  private(set) var count = 0
  /// The lowest and the highest y value.
  private(set) var limits: ClosedRange<Double>?

  /// - Parameter count: The number of pixel columns.
  init(_ range: ClosedRange<Double>, count: Int) {
    self.range = range
    columns = Array(repeating: nil, count: max(1, count))
  }

  /// Adds a point; points outside the range are ignored.
  mutating func add(_ x: Double, _ y: Double) {
    guard x.isFinite, y.isFinite, range.contains(x) else { return }
    count += 1
    if isBroken { beginnings.append(x) }
    isBroken = false
    limits = limits.map { min($0.lowerBound, y)...max($0.upperBound, y) } ?? y...y
    let width = range.upperBound - range.lowerBound
    let share = width > 0 ? (x - range.lowerBound) / width : 0
    let position = min(columns.count - 1, Int(share * Double(columns.count)))
    guard var column = columns[position] else {
      columns[position] = Column(first: (x, y), last: (x, y), low: (x, y), high: (x, y))
      return
    }
    // Points are usually, but not always, in order of x.
    if x < column.first.x { column.first = (x, y) }
    if x >= column.last.x { column.last = (x, y) }
    if y < column.low.y { column.low = (x, y) }
    if y > column.high.y { column.high = (x, y) }
    columns[position] = column
  }

  /// Interrupts the line between the last point and the next one.
  mutating func breakLine() { isBroken = count > 0 }

  /// The line through the points as a layer; a broken line becomes segments.
  func line(_ name: String, _ color: PlotColor) -> PlotLayer {
    guard !beginnings.isEmpty else { return PlotLayer(.line, name, color, rows) }
    let starts = beginnings.sorted()
    let segments = zip(rows, rows.dropFirst()).filter { from, to in
      let position = starts.partitioningIndex { $0 > from[0] }
      return position == starts.count || starts[position] > to[0]
    }
    return PlotLayer(.segments, name, color, segments.map { $0 + $1 })
  }

  /// The kept points, in order of x.
  var rows: [[Double]] {
    columns.flatMap { column -> [[Double]] in
      guard let column else { return [] }
      let positions = [column.first, column.low, column.high, column.last].sorted { $0.x < $1.x }
      var kept: [(x: Double, y: Double)] = []
      for position in positions where !kept.contains(where: { $0 == position }) {
        kept.append(position)
      }
      return kept.map { [$0.x, $0.y] }
    }
  }
}
