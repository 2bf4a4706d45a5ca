extension Table {
  /// A column of times for all rows, `IntegerColumn.missing` for a row without one.
  func times(_ column: Column) -> [Int64] {
    guard let stored = stored(column) else {
      return Array(repeating: IntegerColumn.missing, count: count)
    }
    var times = [Int64](repeating: 0, count: count)
    stored.decode(0..<count, into: &times)
    let references = self.references(0..<count)
    for row in 0..<count where times[row] != IntegerColumn.missing {
      times[row] &+= references[row]
    }
    return times
  }

  /// The order of the rows in time: by the first of `keys` that every row has, or else by the first one that each
  /// single row has. Rows with equal times keep their order, and rows without times come first.
  /// - Returns: The current indices of the rows in the new order, and how many rows were earlier than the row before
  ///   them; `nil` if the rows are in order.
  func timeOrder(by keys: [Column]) -> (order: [Int32], disorder: Int)? {
    if let first = keys.first, isInOrder(by: first) { return nil }
    let times = orderTimes(by: keys)
    let disorder = Self.disorder(times)
    guard disorder > 0 else { return nil }
    let order = (0..<Int32(count)).sorted { left, right in
      let (first, second) = (times[Int(left)], times[Int(right)])
      return first == second ? left < right : first < second
    }
    return (order, disorder)
  }

  /// Whether the rows are in the order of `timeOrder`.
  func isInOrder(by keys: [Column]) -> Bool {
    if let first = keys.first, isInOrder(by: first) { return true }
    return Self.disorder(orderTimes(by: keys)) == 0
  }

  /// How many rows are earlier than the row before them.
  private static func disorder(_ times: [Int64]) -> Int {
    times.indices.dropFirst().count { times[$0] < times[$0 - 1] }
  }

  /// The times that put rows in order, `IntegerColumn.missing` for none.
  func orderTimes(by keys: [Column]) -> [Int64] {
    if let complete = keys.first(where: { valueCount($0) == count }) { return times(complete) }
    return incompleteTimes(keys)
  }

  /// A row without the first time keeps its position in the source, after the previous row, unless another of its times
  /// is before the previous row or long after it. If the row were sorted by its display time, it would be among rows
  /// with later hand-overs.
  private func incompleteTimes(_ keys: [Column]) -> [Int64] {
    let nearby: Int64 = 1_000_000_000
    var times: [Int64] = []
    times.reserveCapacity(count)
    var last: Int64?
    for row in 0..<count {
      if let time = keys.first.flatMap({ self[row, $0] }) {
        last = time
        times.append(time)
        continue
      }
      let own = keys.dropFirst().lazy.compactMap { self[row, $0] }.first
      let isAfter = own.map { own in last.map { own >= $0 && own &- $0 <= nearby } ?? false }
      // Rows before all rows that have a time stay there.
      times.append((isAfter ?? true ? last : own) ?? IntegerColumn.missing)
    }
    return times
  }

  /// Whether every row has that time and no row is before the previous one: the usual case, checked without additional
  /// memory.
  private func isInOrder(by column: Column) -> Bool {
    guard let stored = stored(column) else { return count == 0 }
    var block = [Int64](repeating: 0, count: 4096)
    var last = Int64.min
    for start in stride(from: 0, to: count, by: block.count) {
      let rows = start..<min(start + block.count, count)
      stored.decode(rows, into: &block)
      let (distances, references) = (block.span, self.references(rows).span)
      for index in 0..<rows.count {
        let time = references[index] &+ distances[index]
        if distances[index] == IntegerColumn.missing || time < last { return false }
        last = time
      }
    }
    return true
  }

  /// The table reduced to some of its rows.
  package func rows(_ rows: Range<Int>) -> Table {
    var table = self
    table.reorder(by: rows.map(Int32.init))
    return table
  }

  /// Puts the rows in another order: row `i` becomes the former row `order[i]`.
  package mutating func reorder(by order: [Int32]) {
    let all = references(0..<count)
    references = order.map { all[Int($0)] }
    columns = columns.map { $0?.reordered(by: order) }
    extras = extras.map { $0.reordered(by: order) }
    count = order.count
  }
}
