import FrameStatistics
import FrameTrace

/// A block of frames that stays in the cache while an expression is evaluated for it.
struct FrameBlock {
  private static let size = Sample.blockSize

  private let frames: Table<FrameColumn>
  /// 1 for each frame that is included; `nil` if all are.
  private let wanted: IntegerColumn?
  /// The rows between blocks that are excluded, in order, and the position of the next one.
  private let leftOut: [Int]
  private var next = 0
  private let first: IntegerColumn
  /// What is subtracted from `first`; `nil` for nothing.
  private let second: IntegerColumn?
  /// Whether values are instants and not lengths.
  private let isTime: Bool
  private var rows = 0..<0
  private var values = [Int64](repeating: 0, count: Self.size)
  private var others = [Int64](repeating: 0, count: Self.size)

  /// Starts before the first block.
  init(
    _ expression: FrameExpression, _ frames: Table<FrameColumn>, _ wanted: IntegerColumn?,
    without leftOut: [Int]
  ) {
    self.frames = frames
    self.wanted = wanted
    self.leftOut = leftOut
    let column = { (column: FrameColumn) in
      frames.stored(column) ?? IntegerColumn(missing: frames.count)
    }
    switch expression {
    case .column(let only): (first, second, isTime) = (column(only), nil, false)
    // Distances from the same reference can be subtracted as stored.
    case .between(let start, let end): (first, second, isTime) = (column(end), column(start), false)
    case .difference(let whole, let part):
      (first, second, isTime) = (column(whole), column(part), false)
    case .sinceLast(let time): (first, second, isTime) = (column(time), nil, true)
    }
  }

  /// Advances to the next block; `false` if there is none.
  mutating func advance() -> Bool {
    var start = rows.upperBound
    while next < leftOut.count, leftOut[next] == start {
      start += 1
      next += 1
    }
    let end = next < leftOut.count ? leftOut[next] : frames.count
    rows = start..<min(start + Self.size, end)
    return !rows.isEmpty
  }

  /// Appends the values of the frames that have a value.
  mutating func append(to sample: inout Sample) {
    if wanted == nil, !isTime, appendWords(to: &sample) { return }
    first.decode(rows, into: &values)
    if let second { subtract(second) }
    if isTime { addReferences() }
    leaveOutUnwanted()
    let values = values.span
    let count = rows.count
    sample.append(atMost: count) { output in
      for index in 0..<count where values[index] != IntegerColumn.missing {
        output.append(values[index])
      }
    }
  }

  /// The direct path for columns that are stored as words. This is the usual case; without this path, an analysis would
  /// spend half its time here.
  /// - Returns: `false` if the columns are not stored as words; then nothing was appended.
  private func appendWords(to sample: inout Sample) -> Bool {
    let missing = Int32.min
    let size = rows.count
    guard let second, second.constantValue != 0 else {
      return first.withWords(rows) { words in
        sample.append(atMost: size) { output in
          for index in 0..<size where words[index] != missing { output.append(Int64(words[index])) }
        }
      } != nil
    }
    let appended: Void?? = first.withWords(rows) { words in
      second.withWords(rows) { others in
        sample.append(atMost: size) { output in
          for index in 0..<size where words[index] != missing && others[index] != missing {
            output.append(Int64(words[index]) &- Int64(others[index]))
          }
        }
      }
    }
    return appended.flatMap { $0 } != nil
  }

  private mutating func subtract(_ column: IntegerColumn) {
    column.decode(rows, into: &others)
    let missing = IntegerColumn.missing
    let count = rows.count
    let others = others
    var values = values.mutableSpan
    for index in 0..<count {
      let known = values[index] != missing && others[index] != missing
      values[index] = known ? values[index] &- others[index] : missing
    }
  }

  private mutating func addReferences() {
    let references = frames.references(rows)
    var values = values.mutableSpan
    for (index, reference) in references.enumerated()
    where values[index] != IntegerColumn.missing {
      values[index] &+= reference
    }
  }

  private mutating func leaveOutUnwanted() {
    guard let wanted else { return }
    wanted.decode(rows, into: &others)
    let count = rows.count
    let isWanted = others
    var values = values.mutableSpan
    for index in 0..<count where isWanted[index] != 1 { values[index] = IntegerColumn.missing }
  }
}
