/// Numbers the combinations of texts that recur in rows, such as program, process and mode, so that
/// each combination is decoded once and not in every row.
package struct CSVRowIdentities {
  /// The texts of each combination found so far, in the order of the columns given.
  package private(set) var texts: [[String]] = []

  private let columns: [Int]
  /// Adjacent columns, so that one comparison covers all of them.
  private let groups: [ClosedRange<Int>]
  /// For each combination the bytes of its groups, one after the other.
  private var keys: [[UInt8]] = []
  private var numbers: [[UInt8]: Int32] = [:]
  /// The combinations of the last rows, the newest first.
  private var recent: [Int32] = []

  package init(columns: [Int]) {
    self.columns = columns
    groups = columns.sorted().reduce(into: []) { groups, column in
      if let last = groups.last, last.upperBound + 1 == column {
        groups[groups.count - 1] = last.lowerBound...column
      } else {
        groups.append(column...column)
      }
    }
  }

  /// Finds the combination of each of `rows`.
  /// - Parameter numbers: Receives the index in `texts` for each row.
  package mutating func identify(_ rows: [Int32], of block: CSVBlock, into numbers: inout [Int32]) {
    numbers.removeAll(keepingCapacity: true)
    let bytes = block.buffer
    for row in rows {
      let known = recent.firstIndex { matches(keys[Int($0)], Int(row), bytes.span, block) }
      if let known {
        numbers.append(recent[known])
        if known > 0 { recent.swapAt(known, known - 1) }
      } else {
        numbers.append(look(up: Int(row), of: block))
      }
    }
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

  private mutating func look(up row: Int, of block: CSVBlock) -> Int32 {
    var key: [UInt8] = []
    for group in groups { key.append(contentsOf: block.buffer[block.cells(row, group)]) }
    key.append(contentsOf: repeatElement(0, count: 8))
    let number: Int32
    if let known = numbers[key] {
      number = known
    } else {
      number = Int32(keys.count)
      numbers[key] = number
      keys.append(key)
      texts.append(columns.map { block.text(row, $0) })
    }
    recent.insert(number, at: 0)
    if recent.count > 8 { recent.removeLast() }
    return number
  }
}
