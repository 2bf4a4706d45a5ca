import FrameAnalysis
import FrameTrace

/// A table of a database: its columns with what each holds, and its rows.
struct SQLTable {
  struct Column {
    let name: String
    let type: String
    let meaning: String

    init(_ name: String, _ type: String, _ meaning: String) {
      self.name = name
      self.type = type
      self.meaning = meaning
    }
  }

  let name: String
  let columns: [Column]
  /// How many rows there are, and each of them.
  let count: Int
  let row: (Int) -> [SQLiteValue]

  func create(in database: SQLiteDatabase) throws(ParseError) {
    let cells = columns.map { "\(SQLiteDatabase.quoted($0.name)) \($0.type)" }
    try database.execute(
      "CREATE TABLE \(SQLiteDatabase.quoted(name))(\(cells.joined(separator: ", ")))")
  }

  func fill(_ database: SQLiteDatabase) throws(ParseError) {
    let insertion = try database.insertion(into: name, columns: columns.count)
    for index in 0..<count { try insertion.run(row(index)) }
  }

  /// Writes the table that says what the others' columns hold.
  static func write(
    _ tables: [SQLTable], explainedIn database: SQLiteDatabase
  ) throws(ParseError) {
    let rows = tables.flatMap { table in
      table.columns.map { [table.name, $0.name, $0.type, $0.meaning] }
    }
    let columns = [
      Column("table_name", "TEXT", "the table"), Column("column_name", "TEXT", "its column"),
      Column("type", "TEXT", "what its cells are"), Column("meaning", "TEXT", "what it holds"),
    ]
    let table = SQLTable(name: "columns", columns: columns, count: rows.count) { index in
      rows[index].map(SQLiteValue.text)
    }
    try table.create(in: database)
    try table.fill(database)
  }
}

extension SQLiteValue {
  init(_ time: Timestamp?) { self.init(time?.nanoseconds) }
  init(_ length: Nanoseconds?) { self.init(length?.count) }
  init(_ refresh: RefreshNumber?) { self.init(refresh?.number) }
}
