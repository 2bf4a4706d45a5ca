import CSQLite

/// A value of a cell in a database.
enum SQLiteValue {
  case missing
  case integer(Int64)
  case real(Double)
  case text(String)
}

/// A database of SQLite in memory, which becomes the bytes of a file.
///
/// The one place that calls SQLite's C interface.
@safe final class SQLiteDatabase {
  private let database: OpaquePointer?
  private var insert: OpaquePointer?
  private let path: String

  /// - Parameter path: The name to use in an error.
  init(for path: String) throws(ParseError) {
    self.path = path
    var database: OpaquePointer?
    let status = unsafe sqlite3_open(":memory:", &database)
    unsafe self.database = database
    guard status == SQLITE_OK else { throw error() }
  }

  deinit {
    unsafe sqlite3_finalize(insert)
    unsafe sqlite3_close(database)
  }

  /// Runs commands.
  func execute(_ commands: String) throws(ParseError) {
    guard unsafe sqlite3_exec(database, commands, nil, nil, nil) == SQLITE_OK else { throw error() }
  }

  /// Prepares to insert rows of so many cells into a table.
  func beginInserting(into table: String, columns: Int) throws(ParseError) {
    unsafe sqlite3_finalize(insert)
    unsafe insert = nil
    let cells = Array(repeating: "?", count: columns).joined(separator: ",")
    let command = "INSERT INTO \(Self.quoted(table)) VALUES(\(cells))"
    guard unsafe sqlite3_prepare_v2(database, command, -1, &insert, nil) == SQLITE_OK else {
      throw error()
    }
  }

  /// Inserts a row into the table.
  func insert(_ row: [SQLiteValue]) throws(ParseError) {
    for (place, value) in row.enumerated() {
      guard bind(value, Int32(place + 1)) == SQLITE_OK else { throw error() }
    }
    guard unsafe sqlite3_step(insert) == SQLITE_DONE else { throw error() }
    unsafe sqlite3_reset(insert)
  }

  private func bind(_ value: SQLiteValue, _ place: Int32) -> Int32 {
    switch value {
    case .missing: unsafe sqlite3_bind_null(insert, place)
    case .integer(let number): unsafe sqlite3_bind_int64(insert, place, number)
    case .real(let number): unsafe sqlite3_bind_double(insert, place, number)
    case .text(let text):
      // The database takes a copy.
      unsafe sqlite3_bind_text(
        insert, place, text, Int32(clamping: text.utf8.count),
        unsafeBitCast(-1, to: sqlite3_destructor_type.self))
    }
  }

  /// The bytes of the whole database as a file holds them.
  func bytes() throws(ParseError) -> [UInt8] {
    var size: sqlite3_int64 = 0
    guard let memory = unsafe sqlite3_serialize(database, "main", &size, 0) else {
      throw ParseError(.inputOutput, path: path, problem: "there is no memory for the database")
    }
    defer { unsafe sqlite3_free(memory) }
    return unsafe Array(UnsafeBufferPointer(start: memory, count: Int(size)))
  }

  /// A name as SQL writes it.
  static func quoted(_ name: String) -> String {
    "\"\(name.replacing("\"", with: "\"\""))\""
  }

  private func error() -> ParseError {
    let words = unsafe sqlite3_errmsg(database).map { unsafe String(cString: $0) }
    return ParseError(
      .inputOutput, path: path, problem: "cannot write the database: \(words ?? "no memory")")
  }
}
