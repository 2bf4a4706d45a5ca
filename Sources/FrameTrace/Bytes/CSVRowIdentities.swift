/// Numbers the combinations of texts that recur in the rows of a block, such as program, process and mode, so that each
/// combination is decoded once and not in every row.
package struct CSVRowIdentities: Sendable {
  /// The combinations in the order of their first rows, each with its bytes, which identify it, and its first row.
  package private(set) var combinations: [(key: [UInt8], row: Int32)] = []
  /// The combination of each row that was given, by its index.
  package private(set) var ofRows: [Int32] = []

  /// Adjacent columns, so that one comparison covers all of them.
  private let groups: [ClosedRange<Int>]
  /// The index of each combination by its key.
  private var positions: [[UInt8]: Int32] = [:]
  /// The combinations of the last rows, the newest first.
  private var recent: [Int32] = []

  package init(columns: [Int]) {
    groups = columns.sorted().reduce(into: []) { groups, column in
      if let last = groups.last, last.upperBound + 1 == column {
        groups[groups.count - 1] = last.lowerBound...column
      } else {
        groups.append(column...column)
      }
    }
  }

  /// Finds the combinations of some of a block's rows. Those of the previous block are forgotten.
  package mutating func identify(_ rows: [Int32], of block: CSVBlock) {
    combinations.removeAll(keepingCapacity: true)
    positions.removeAll(keepingCapacity: true)
    recent.removeAll(keepingCapacity: true)
    ofRows.removeAll(keepingCapacity: true)
    ofRows.reserveCapacity(rows.count)
    var next = 0
    while next < rows.count {
      let position = position(ofRow: rows[next], block)
      let count = repeats(of: position, rows[next...], block)
      ofRows.append(contentsOf: repeatElement(position, count: count))
      next += count
    }
  }

  /// How many rows, from the first one on, have the combination of the first one.
  private func repeats(of position: Int32, _ rows: ArraySlice<Int32>, _ block: CSVBlock) -> Int {
    // Most rows are like the one before them. The key is looked up only once for all of them.
    let key = combinations[Int(position)].key
    let bytes = block.buffer
    var count = 1
    while count < rows.count,
      matches(key, Int(rows[rows.startIndex + count]), bytes.span, block)
    {
      count += 1
    }
    return count
  }

  /// The combination of a row.
  private mutating func position(ofRow row: Int32, _ block: CSVBlock) -> Int32 {
    let known = recent.firstIndex {
      matches(combinations[Int($0)].key, Int(row), block.buffer.span, block)
    }
    guard let known else { return look(up: row, of: block) }
    if known > 0 { recent.swapAt(known, known - 1) }
    return recent[max(0, known - 1)]
  }

  @inline(__always)
  private func matches(
    _ key: [UInt8], _ row: Int, _ bytes: Span<UInt8>, _ block: CSVBlock
  ) -> Bool {
    var start = 0
    for group in groups {
      let range = block.cells(row, group)
      guard start &+ range.count &+ 8 <= key.count, bytes.equals(key.span, at: start, range)
      else { return false }
      start &+= range.count
    }
    return start &+ 8 == key.count
  }

  private mutating func look(up row: Int32, of block: CSVBlock) -> Int32 {
    var key: [UInt8] = []
    for group in groups { key.append(contentsOf: block.buffer[block.cells(Int(row), group)]) }
    key.append(contentsOf: repeatElement(0, count: 8))
    let position = positions[key] ?? Int32(combinations.count)
    if position == combinations.count {
      positions[key] = position
      combinations.append((key, row))
    }
    recent.insert(position, at: 0)
    if recent.count > 8 { recent.removeLast() }
    return position
  }
}
