import FrameStatistics

/// Puts places together so that a picture of so many columns of pixels looks the
/// same: of each column the first, the lowest, the highest and the last place are kept.
///
/// No value that stands out is lost, however many there are; memory is that of the columns.
struct PixelColumns {
  private struct Column {
    var first, last, low, high: (x: Double, y: Double)
  }

  private let range: ClosedRange<Double>
  private var columns: [Column?]
  /// Where a line begins anew, in order.
  private var beginnings: [Double] = []
  private var isBroken = false
  /// How many places there were.
  private(set) var count = 0
  /// The lowest and the highest of all.
  private(set) var limits: ClosedRange<Double>?

  /// - Parameter count: How many columns of pixels there are.
  init(_ range: ClosedRange<Double>, count: Int) {
    self.range = range
    columns = Array(repeating: nil, count: max(1, count))
  }

  /// Takes in a place; those outside of the range do not count.
  mutating func add(_ x: Double, _ y: Double) {
    guard x.isFinite, y.isFinite, range.contains(x) else { return }
    count += 1
    if isBroken { beginnings.append(x) }
    isBroken = false
    limits = limits.map { min($0.lowerBound, y)...max($0.upperBound, y) } ?? y...y
    let width = range.upperBound - range.lowerBound
    let share = width > 0 ? (x - range.lowerBound) / width : 0
    let place = min(columns.count - 1, Int(share * Double(columns.count)))
    guard var column = columns[place] else {
      columns[place] = Column(first: (x, y), last: (x, y), low: (x, y), high: (x, y))
      return
    }
    // Places are nearly in order of x, not always.
    if x < column.first.x { column.first = (x, y) }
    if x >= column.last.x { column.last = (x, y) }
    if y < column.low.y { column.low = (x, y) }
    if y > column.high.y { column.high = (x, y) }
    columns[place] = column
  }

  /// Takes in that no line leads from the last place to the next one.
  mutating func breakLine() { isBroken = count > 0 }

  /// The line through the places as a layer: in one, or piece by piece where it is broken.
  func line(_ name: String, _ color: PlotColor) -> PlotLayer {
    guard !beginnings.isEmpty else { return PlotLayer(.line, name, color, rows) }
    let starts = beginnings.sorted()
    let segments = zip(rows, rows.dropFirst()).filter { from, to in
      let place = starts.boundary { $0 > from[0] }
      return place == starts.count || starts[place] > to[0]
    }
    return PlotLayer(.segments, name, color, segments.map { $0 + $1 })
  }

  /// The places that are kept, in order of x.
  var rows: [[Double]] {
    columns.flatMap { column -> [[Double]] in
      guard let column else { return [] }
      let places = [column.first, column.low, column.high, column.last].sorted { $0.x < $1.x }
      var kept: [(x: Double, y: Double)] = []
      for place in places where !kept.contains(where: { $0 == place }) { kept.append(place) }
      return kept.map { [$0.x, $0.y] }
    }
  }
}
