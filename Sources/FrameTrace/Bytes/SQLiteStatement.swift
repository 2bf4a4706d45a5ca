import CSQLite

/// A prepared command of a database; it can be run repeatedly with different values.
@safe package final class SQLiteStatement {
  private let statement: OpaquePointer?
  /// The database stays open as long as it has statements.
  private let database: SQLiteDatabase

  package init(_ command: String, in database: SQLiteDatabase) throws(ParseError) {
    self.database = database
    var statement: OpaquePointer?
    let status = unsafe sqlite3_prepare_v2(database.handle, command, -1, &statement, nil)
    unsafe self.statement = statement
    guard status == SQLITE_OK else { throw database.error() }
  }

  deinit { unsafe sqlite3_finalize(statement) }

  /// Runs a command that returns no rows.
  package func run(_ values: [SQLiteValue] = []) throws(ParseError) {
    try start(values)
    defer { unsafe sqlite3_reset(statement) }
    guard unsafe sqlite3_step(statement) == SQLITE_DONE else { throw database.error() }
  }

  /// Runs a command and passes each row to `body`.
  package func rows(
    _ values: [SQLiteValue] = [], _ body: (SQLiteStatement) throws(ParseError) -> Void
  ) throws(ParseError) {
    try start(values)
    defer { unsafe sqlite3_reset(statement) }
    while true {
      let status = unsafe sqlite3_step(statement)
      if status == SQLITE_DONE { break }
      guard status == SQLITE_ROW else { throw database.error() }
      try body(self)
    }
  }

  private func start(_ values: [SQLiteValue]) throws(ParseError) {
    unsafe sqlite3_reset(statement)
    for (position, value) in values.enumerated() {
      guard bind(value, Int32(position + 1)) == SQLITE_OK else { throw database.error() }
    }
  }

  private func bind(_ value: SQLiteValue, _ position: Int32) -> Int32 {
    switch value {
    case .missing: unsafe sqlite3_bind_null(statement, position)
    case .integer(let number): unsafe sqlite3_bind_int64(statement, position, number)
    case .real(let number): unsafe sqlite3_bind_double(statement, position, number)
    case .text(let text):
      // The database makes a copy.
      unsafe sqlite3_bind_text(
        statement, position, text, Int32(clamping: text.utf8.count),
        unsafeBitCast(-1, to: sqlite3_destructor_type.self))
    }
  }

  /// A cell of the current row; `nil` for a missing value.
  package func text(_ column: Int32) -> String? {
    unsafe sqlite3_column_text(statement, column).map { unsafe String(cString: $0) }
  }

  /// A cell of the current row; 0 for a missing value.
  package func integer(_ column: Int32) -> Int64 { unsafe sqlite3_column_int64(statement, column) }

  /// A cell of the current row; 0 for a missing value.
  package func real(_ column: Int32) -> Double { unsafe sqlite3_column_double(statement, column) }
}
