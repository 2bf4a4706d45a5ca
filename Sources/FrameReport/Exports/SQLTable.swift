import FrameAnalysis
import FrameTrace

/// A table of a database: its columns with their meanings, and its rows.
struct SQLTable {
  struct Column {
    let name: String
    let type: String
    let meaning: String
  }

  let name: String
  let columns: [Column]
  /// The number of rows, and a function that makes each row.
  let count: Int
  let row: (Int) -> [SQLiteValue]

  /// A table of rows described by their columns.
  /// - Parameter row: Makes a row on request, because there may be one for every frame.
  init<Row>(
    name: String, _ columns: [ResultColumn<Row>], count: Int, row: @escaping (Int) -> Row
  ) {
    self.name = name
    self.columns = columns.flatMap(\.sqlColumns)
    self.count = count
    self.row = { index in
      let row = row(index)
      var values: [SQLiteValue] = []
      values.reserveCapacity(columns.count)
      for column in columns { column.add(row, to: &values) }
      return values
    }
  }

  func create(in database: SQLiteDatabase) throws(ParseError) {
    let cells = columns.map { "\(SQLiteDatabase.quoted($0.name)) \($0.type)" }
    try database.execute(
      "CREATE TABLE \(SQLiteDatabase.quoted(name))(\(cells.joined(separator: ", ")))")
  }

  func fill(_ database: SQLiteDatabase) throws(ParseError) {
    let insertion = try database.insertion(into: name, columns: columns.count)
    for index in 0..<count { try insertion.run(row(index)) }
  }

  /// Writes the table that explains the columns of the other tables.
  static func write(
    _ tables: [SQLTable], explainedIn database: SQLiteDatabase
  ) throws(ParseError) {
    let rows = tables.flatMap { table in table.columns.map { (table: table.name, column: $0) } }
    let columns: [ResultColumn<(table: String, column: Column)>] = [
      .text("table_name", "the table") { $0.table },
      .text("column_name", "its column") { $0.column.name },
      .text("type", "the SQL type of its values") { $0.column.type },
      .text("meaning", "what it holds") { $0.column.meaning },
    ]
    let table = SQLTable(name: "columns", columns, count: rows.count) { rows[$0] }
    try table.create(in: database)
    try table.fill(database)
  }
}

extension ResultColumn {
  /// The column in a database. Times and durations are whole nanoseconds; an interval takes two columns.
  fileprivate var sqlColumns: [SQLTable.Column] {
    switch kind {
    case .nested: []
    case .text, .list: [SQLTable.Column(name: key, type: "TEXT", meaning: meaning)]
    case .integer, .flag: [SQLTable.Column(name: key, type: "INTEGER", meaning: meaning)]
    case .real: [SQLTable.Column(name: key, type: "REAL", meaning: meaning)]
    case .instant, .length:
      [SQLTable.Column(name: key.isEmpty ? "ns" : "\(key)_ns", type: "INTEGER", meaning: meaning)]
    case .interval:
      [
        SQLTable.Column(name: "\(key)_low", type: "REAL", meaning: "\(meaning): its lower end"),
        SQLTable.Column(name: "\(key)_high", type: "REAL", meaning: "\(meaning): its upper end"),
      ]
    }
  }

  fileprivate func add(_ row: Row, to values: inout [SQLiteValue]) {
    switch value(row) {
    case .text(let text): values.append(.text(text))
    case .list(let numbers): values.append(.text(ResultCell.list(numbers).plain))
    case .integer(let number): values.append(.integer(number))
    case .real(let number): values.append(.real(number))
    case .flag(let flag): values.append(.integer(flag ? 1 : 0))
    case .instant(let time): values.append(.integer(time.nanoseconds))
    case .length(let length): values.append(.integer(length.count))
    case .interval(let bounds): values += [.real(bounds.lowerBound), .real(bounds.upperBound)]
    case .nested: break
    case nil: for _ in 0..<cellCount { values.append(.missing) }
    }
  }
}
