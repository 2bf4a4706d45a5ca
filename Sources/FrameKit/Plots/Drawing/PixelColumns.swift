/// Puts places in order of x together so that a picture of so many columns of pixels looks the
/// same: of each column the first, the lowest, the highest and the last place are kept.
///
/// No value that stands out is lost, however many there are; memory is that of the columns.
struct PixelColumns {
  private struct Column {
    var first, last, low, high: (x: Double, y: Double)
  }

  private let range: ClosedRange<Double>
  private var columns: [Column?]
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
    limits = limits.map { min($0.lowerBound, y)...max($0.upperBound, y) } ?? y...y
    let width = range.upperBound - range.lowerBound
    let share = width > 0 ? (x - range.lowerBound) / width : 0
    let place = min(columns.count - 1, Int(share * Double(columns.count)))
    guard var column = columns[place] else {
      columns[place] = Column(first: (x, y), last: (x, y), low: (x, y), high: (x, y))
      return
    }
    column.last = (x, y)
    if y < column.low.y { column.low = (x, y) }
    if y > column.high.y { column.high = (x, y) }
    columns[place] = column
  }

  /// The places that are kept, in order of x.
  var rows: [[Double]] {
    columns.flatMap { column -> [[Double]] in
      guard let column else { return [] }
      let middle =
        column.low.x <= column.high.x ? [column.low, column.high] : [column.high, column.low]
      var kept: [(x: Double, y: Double)] = []
      for place in [column.first] + middle + [column.last]
      where kept.last.map({ $0 != place }) ?? true { kept.append(place) }
      return kept.map { [$0.x, $0.y] }
    }
  }
}
