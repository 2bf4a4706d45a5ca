/// A length of time that each frame has by its columns.
enum FrameExpression: Hashable, Sendable {
  /// What a column of lengths says.
  case column(FrameColumn)
  /// From one stage time to another of the same frame.
  case between(FrameColumn, FrameColumn)
  /// The first length less the second.
  case difference(FrameColumn, FrameColumn)
  /// From a stage time to the next later one of any frame.
  case sinceLast(FrameColumn)

  /// The columns it needs.
  var columns: [FrameColumn] {
    switch self {
    case .column(let column), .sinceLast(let column): [column]
    case .between(let first, let second), .difference(let first, let second): [first, second]
    }
  }

  /// Whether any frame has all columns it needs.
  func isAvailable(in frames: Table<FrameColumn>) -> Bool { columns.allSatisfy(frames.has) }

  /// Finds the values of the frames that have one, in nanoseconds and in the frames' order.
  /// - Parameters:
  ///   - wanted: 1 for each frame that takes part; `nil` when all do.
  ///   - values: Memory to use again; what it held is gone.
  /// - Returns: The values.
  func values(
    of frames: Table<FrameColumn>, where wanted: IntegerColumn?, in values: consuming [Int64] = []
  ) -> [Int64] {
    values.removeAll(keepingCapacity: true)
    values.reserveCapacity(frames.count)
    var block = FrameBlock(self, frames, wanted)
    while block.next() { block.appendValues(to: &values) }
    if case .sinceLast = self { Self.turnIntoSteps(&values) }
    return values
  }

  /// Replaces times by the steps from each to the next.
  private static func turnIntoSteps(_ times: inout [Int64]) {
    if zip(times, times.dropFirst()).contains(where: { $0 > $1 }) { times.sort() }
    for index in times.indices.dropLast() { times[index] = times[index + 1] &- times[index] }
    if !times.isEmpty { times.removeLast() }
  }
}

/// A block of frames that stays in the cache while an expression is worked out for it.
private struct FrameBlock {
  private static let size = 4096

  private let expression: FrameExpression
  private let frames: Table<FrameColumn>
  private let wanted: IntegerColumn?
  private var rows = 0..<0
  private var values = [Int64](repeating: 0, count: Self.size)
  private var others = [Int64](repeating: 0, count: Self.size)

  init(_ expression: FrameExpression, _ frames: Table<FrameColumn>, _ wanted: IntegerColumn?) {
    self.expression = expression
    self.frames = frames
    self.wanted = wanted
  }

  /// Works out the next block; `false` when there is none.
  mutating func next() -> Bool {
    rows = rows.upperBound..<min(rows.upperBound + Self.size, frames.count)
    if rows.isEmpty { return false }
    switch expression {
    case .column(let column): frames.stored(column)?.decode(rows, into: &values)
    case .between(let start, let end): subtract(end, start)
    case .difference(let whole, let part): subtract(whole, part)
    case .sinceLast(let column): readTimes(column)
    }
    leaveOutUnwanted()
    return true
  }

  func appendValues(to output: inout [Int64]) {
    output.append(addingCapacity: rows.count) { output in
      for index in 0..<rows.count where values[index] != IntegerColumn.missing {
        output.append(values[index])
      }
    }
  }

  /// Distances from the same reference subtract as they are stored.
  private mutating func subtract(_ first: FrameColumn, _ second: FrameColumn) {
    frames.stored(first)?.decode(rows, into: &values)
    frames.stored(second)?.decode(rows, into: &others)
    let missing = IntegerColumn.missing
    let count = rows.count
    let others = others
    var values = values.mutableSpan
    for index in 0..<count {
      let known = values[index] != missing && others[index] != missing
      values[index] = known ? values[index] &- others[index] : missing
    }
  }

  private mutating func readTimes(_ column: FrameColumn) {
    frames.stored(column)?.decode(rows, into: &values)
    for (index, reference) in frames.references(rows).enumerated()
    where values[index] != IntegerColumn.missing {
      values[index] &+= reference
    }
  }

  private mutating func leaveOutUnwanted() {
    guard let wanted else { return }
    wanted.decode(rows, into: &others)
    for index in 0..<rows.count where others[index] != 1 { values[index] = IntegerColumn.missing }
  }
}
