/// Frames that an input has twice, for example in two concatenated dumps or exports: all known facts about both are the
/// same.
struct RepeatedRows {
  /// For each repeated row, the row that it repeats.
  private var twins: [Int32: Int32] = [:]

  /// Rows with fewer values may be equal by coincidence.
  private static let fewestValues = 3

  /// - Parameter order: The rows in order of time; `nil` where they already are.
  init(_ frames: Table<FrameColumn>, order: [Int32]?) {
    let references = frames.references
    // In most inputs, no two frames have the same time.
    guard order != nil || references.hasEqualNeighbors else { return }
    // The rows kept for the current time; usually only one.
    var kept: [Int32] = []
    var last: Int64?
    for position in references.indices {
      let row = order.map { $0[position] } ?? Int32(position)
      let time = references[Int(row)]
      if time != last {
        kept.removeAll(keepingCapacity: true)
        last = time
      } else if frames.hasTime(Int(row)),
        frames.valueCount(ofRow: Int(row)) >= Self.fewestValues,
        let twin = kept.first(where: { frames.isSame(Int($0), Int(row)) })
      {
        twins[row] = twin
        continue
      }
      if kept.count < 8 { kept.append(row) }
    }
  }

  var count: Int { twins.count }
  var isEmpty: Bool { twins.isEmpty }

  /// Whether a row repeats another one.
  func repeats(_ row: Int) -> Bool { twins[Int32(row)] != nil }

  /// An order of rows without the rows that repeat others.
  func removed(from order: [Int32]) -> [Int32] {
    twins.isEmpty ? order : order.filter { twins[$0] == nil }
  }

  /// The new positions of all rows, given the positions of the kept rows.
  func positions(_ kept: [Int32]) -> [Int32] {
    guard !twins.isEmpty else { return kept }
    var positions = kept
    for (row, twin) in twins { positions[Int(row)] = kept[Int(twin)] }
    return positions
  }
}

extension [Int64] {
  fileprivate var hasEqualNeighbors: Bool {
    let values = span
    for index in 1..<Swift.max(1, count) where values[index] == values[index &- 1] { return true }
    return false
  }
}

extension Table {
  /// Whether any time of a row is known. Rows without one may be equal by coincidence.
  fileprivate func hasTime(_ row: Int) -> Bool {
    columns.indices.contains { isTime[$0] && columns[$0]?[row] != nil }
  }

  /// The number of values in a row.
  fileprivate func valueCount(ofRow row: Int) -> Int {
    columns.count { $0?[row] != nil } + extras.count { !$0.isMissing(row) }
  }

  /// Whether two rows with equal references have the same values.
  fileprivate func isSame(_ one: Int, _ other: Int) -> Bool {
    columns.allSatisfy { $0?[one] == $0?[other] } && extras.allSatisfy { $0.isSame(one, other) }
  }
}
