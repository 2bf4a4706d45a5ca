/// Rows with a time far from the times of the neighboring rows, which themselves are close together. Such a time is a
/// damaged digit, not a pause: no recording has such a pause in the middle of its rows.
struct FarTimes {
  /// The rows, in order, each with the midpoint of its neighbors' times.
  private(set) var rows: [(row: Int, middle: Int64)] = []
  /// The maximum distance of the rows from their neighbors.
  private(set) var longest: Int64 = 0

  /// Frames that finished in a different order, and clocks that are set by hand, stay below this distance.
  private static let nearest: Int64 = 10_000_000_000
  /// If more than one row in this many is far, the times have another order, which the rows alone do not show.
  private static let fewestRows = 100

  /// - Parameter times: The times in the order of the source, `IntegerColumn.missing` for none.
  init(_ times: [Int64]) {
    let known = times.indices.filter { times[$0] != IntegerColumn.missing }
    for position in known.indices.dropFirst().dropLast() {
      let (before, after) = (times[known[position - 1]], times[known[position + 1]])
      let (early, late) = (min(before, after), max(before, after))
      let time = times[known[position]]
      let distance = max(time - late, early - time)
      guard distance >= Self.nearest, late - early < Self.nearest else { continue }
      rows.append((known[position], early + (late - early) / 2))
      longest = max(longest, distance)
    }
    if rows.count > known.count / Self.fewestRows { (rows, longest) = ([], 0) }
  }

  /// Whether two times may belong to one frame.
  static func isNear(_ one: Int64, _ other: Int64) -> Bool { (one - other).magnitude < nearest }
}

extension TraceBuilder {
  /// Repairs frames with times far from the times of the neighboring frames. If all times of a frame are far, the frame
  /// is moved between its neighbors and keeps its lengths; otherwise only the far times are left out.
  ///
  /// If times are in order, none is far from the others.
  /// - Parameter surfaces: The surfaces whose frames are out of order.
  mutating func mendFarTimes(of surfaces: [Int]) {
    for index in surfaces {
      let frames = trace.surfaces[index].frames
      let times = frames.orderTimes(by: Self.frameOrder)
      let far = FarTimes(times)
      guard !far.rows.isEmpty else { continue }
      let distance = "by up to \(FixedNumber.text(Nanoseconds(far.longest).seconds, decimals: 1)) s"
      var torn: [Int: Int64] = [:]
      for (row, middle) in far.rows {
        let shift = middle - times[row]
        if frames.times(of: row).allSatisfy({ FarTimes.isNear($0 + shift, middle) }) {
          trace.surfaces[index].frames.references[row] += shift
        } else {
          torn[row] = middle
        }
      }
      trace.surfaces[index].frames.leaveOutTimes(far: torn)
      let moved = far.rows.map(\.row).filter { torn[$0] == nil }
      log.note(
        .absurdValue, .repaired,
        "frames far from those before and after them, \(distance), moved between them\(Self.first(moved))",
        count: moved.count)
      log.note(
        .absurdValue, .dataLoss,
        "frames with times far from those of the frames before and after them, \(distance), which are left out\(Self.first(torn.keys.sorted()))",
        count: torn.count)
    }
  }

  private static func first(_ rows: [Int]) -> String {
    rows.first.map { " (the first is frame \($0 + 1) in the order of the file)" } ?? ""
  }
}

extension Table {
  /// All times of a row.
  func times(of row: Int) -> [Int64] {
    Column.allCases.filter { isTime[$0.rawValue] }.compactMap { self[row, $0] }
  }

  /// Leaves out times of rows.
  /// - Parameter rows: For each row, an instant near which its times should be.
  fileprivate mutating func leaveOutTimes(far rows: [Int: Int64]) {
    guard !rows.isEmpty else { return }
    let kept = rows.map { row, middle in
      (row, times(of: row).first { FarTimes.isNear($0, middle) } ?? 0)
    }
    let references = Dictionary(uniqueKeysWithValues: kept)
    for column in Column.allCases where isTime[column.rawValue] {
      guard let old = stored(column) else { continue }
      var new = IntegerColumn()
      for row in 0..<count {
        guard let middle = rows[row], let reference = references[row] else {
          new.append(old[row] ?? IntegerColumn.missing)
          continue
        }
        let time = self[row, column].flatMap { FarTimes.isNear($0, middle) ? $0 : nil }
        new.append(time.map { $0 - reference } ?? IntegerColumn.missing)
      }
      setStored(column, new)
    }
    for (row, reference) in references { self.references[row] = reference }
  }
}
