import FrameTrace

/// Rows of results with the columns that describe them, for formats that are tables.
struct ResultRows<Row: Sendable> {
  let columns: [ResultColumn<Row>]
  let rows: [Row]

  /// The rows as CSV, the header first; cells of missing values are empty.
  ///
  /// Times and durations are in milliseconds, as their keys state; an interval has two columns, one for each bound.
  /// - Parameter origin: The zero of times.
  func cells(from origin: Timestamp = Timestamp(nanoseconds: 0)) -> [[String]] {
    [columns.flatMap(\.csvKeys)] + rows.map { row in columns.flatMap { $0.csvCells(row, origin) } }
  }

  /// The rows as a table for people, with the columns that have a heading.
  var table: TextTable {
    let shown = columns.compactMap(\.heading)
    var table = TextTable(shown.map { ($0.text, $0.alignment) })
    for row in rows { table.append(shown.map { $0.cell(row) }) }
    return table
  }
}

// MARK: JSON

extension FieldRecord {
  /// Adds the values of a row under its columns' keys.
  /// - Parameter origin: The zero of times.
  mutating func add<Row>(
    _ columns: [ResultColumn<Row>], of row: Row,
    from origin: Timestamp = Timestamp(nanoseconds: 0)
  ) {
    for column in columns {
      let value = column.value(row)
      if column.isAbsent?(row) ?? (value == nil && column.isOptional) { continue }
      add(
        column.textKey, value.map { FieldRecord.Value($0, from: origin) }, else: column.why(row),
        column.figure(row))
    }
  }

  /// A row as an object.
  init<Row>(
    _ columns: [ResultColumn<Row>], of row: Row,
    from origin: Timestamp = Timestamp(nanoseconds: 0)
  ) {
    self.init()
    add(columns, of: row, from: origin)
  }
}

extension FieldRecord.Value: FieldValue {
  var value: FieldRecord.Value { self }

  fileprivate init(_ cell: ResultCell, from origin: Timestamp) {
    self =
      switch cell {
      case .text(let text): .text(text)
      case .integer(let number): .integer(number)
      case .real(let number): .real(number)
      case .flag(let flag): .flag(flag)
      case .instant(let time): .real((time - origin).milliseconds)
      case .length(let length): .real(length.milliseconds)
      case .interval(let bounds): .values([.real(bounds.lowerBound), .real(bounds.upperBound)])
      case .list(let numbers): .values(numbers.map(FieldRecord.Value.real))
      case .nested(let value): value(origin)
      }
  }
}

// MARK: CSV

extension ResultColumn {
  /// The key in text formats, in which times and durations are in milliseconds.
  var textKey: String {
    switch kind {
    case .instant, .length: key.isEmpty ? "ms" : key + "_ms"
    default: key
    }
  }

  /// The keys in the header of a CSV; an interval has two, one for each bound.
  var csvKeys: [String] {
    switch kind {
    case .interval: ["\(key)_low", "\(key)_high"]
    case .nested: []
    default: [textKey]
    }
  }

  fileprivate func csvCells(_ row: Row, _ origin: Timestamp) -> [String] {
    guard let cell = value(row) else { return [String](repeating: "", count: cellCount) }
    switch cell {
    case .text(let text): return [text]
    case .integer(let number): return ["\(number)"]
    case .real(let number): return ["\(RoundedNumber.of(number))"]
    case .flag(let flag): return ["\(flag)"]
    case .instant(let time): return ["\((time - origin).milliseconds)"]
    case .length(let length): return ["\(length.milliseconds)"]
    case .interval(let bounds):
      return [bounds.lowerBound, bounds.upperBound].map { "\(RoundedNumber.of($0))" }
    case .list: return [cell.plain]
    case .nested: return []
    }
  }

  /// The number of cells of the column in tables: an interval has one for each bound.
  var cellCount: Int { csvKeys.count }
}

extension CSVLine {
  /// Adds the value of a row in a column, without creating a string for each number.
  /// - Parameter count: The number of cells of the column.
  mutating func add(_ value: ResultCell?, cells count: Int, from origin: Timestamp) {
    switch value {
    case .text(let text): add(text)
    case .integer(let number): add(number)
    case .flag(let flag): add(flag ? "true" : "false")
    case .instant(let time): addMilliseconds((time - origin).count)
    case .length(let length): addMilliseconds(length.count)
    case .real(let number): add("\(RoundedNumber.of(number))")
    case .interval(let bounds):
      add("\(bounds.lowerBound)")
      add("\(bounds.upperBound)")
    case .list(let numbers): add(ResultCell.list(numbers).plain)
    case .nested: break
    case nil: for _ in 0..<count { addEmpty() }
    }
  }
}
