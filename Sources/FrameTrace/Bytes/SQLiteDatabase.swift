import CSQLite

/// A value of a cell in a database.
package enum SQLiteValue {
  case missing
  case integer(Int64)
  case real(Double)
  case text(String)
}

/// An SQLite database in a file.
///
/// Only this class and its statements call SQLite's C interface.
@safe package final class SQLiteDatabase {
  let handle: OpaquePointer?
  private let path: String
  /// How long to wait for others, in milliseconds.
  private let patience: Int32

  /// Opens a database in a file that other processes may use at the same time.
  /// - Parameters:
  ///   - isMade: Whether to create the database if it does not exist.
  ///   - patience: How long to wait for other users of the file, in milliseconds.
  package init(path: String, isMade: Bool, patience: Int32 = 30_000) throws(ParseError) {
    self.path = path
    self.patience = patience
    let flags = SQLITE_OPEN_READWRITE | (isMade ? SQLITE_OPEN_CREATE : 0)
    // Names that begin with a colon are special in SQLite.
    unsafe handle = unsafe Self.open(path.hasPrefix(":") ? "./\(path)" : path, flags)
    guard unsafe handle != nil, unsafe sqlite3_errcode(handle) == SQLITE_OK else { throw error() }
    unsafe sqlite3_busy_timeout(handle, patience)
  }

  /// Opens a database in a read-only file that is not being written.
  package init(reading path: String) throws(ParseError) {
    self.path = path
    patience = 0
    let name =
      (path.hasPrefix("/") ? "file://" : "file:") + PercentEncoding.path(path) + "?immutable=1"
    unsafe handle = unsafe Self.open(name, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI)
    guard unsafe handle != nil, unsafe sqlite3_errcode(handle) == SQLITE_OK else { throw error() }
  }

  deinit { unsafe sqlite3_close_v2(handle) }

  private static func open(_ name: String, _ flags: Int32) -> OpaquePointer? {
    var handle: OpaquePointer?
    _ = unsafe sqlite3_open_v2(name, &handle, flags, nil)
    return unsafe handle
  }

  /// Runs commands.
  package func execute(_ commands: String) throws(ParseError) {
    guard unsafe sqlite3_exec(handle, commands, nil, nil, nil) == SQLITE_OK else { throw error() }
  }

  /// Runs commands that SQLite rejects immediately while others use the file, such as a change of its journal mode;
  /// repeats them until they succeed.
  package func executePatiently(_ commands: String) throws(ParseError) {
    for _ in 0..<patience / Self.pause {
      if unsafe sqlite3_exec(handle, commands, nil, nil, nil) == SQLITE_OK { return }
      guard unsafe sqlite3_errcode(handle) == SQLITE_BUSY else { throw error() }
      sqlite3_sleep(Self.pause)
    }
    throw error()
  }

  /// The pause before another attempt, in milliseconds.
  private static let pause: Int32 = 10

  /// The number that a query returns; 0 if it returns none.
  package func number(_ question: String) throws(ParseError) -> Int64 {
    var number: Int64 = 0
    let statement = try SQLiteStatement(question, in: self)
    try statement.rows { row throws(ParseError) in number = row.integer(0) }
    return number
  }

  /// The row ID of the last inserted row.
  package var lastRow: Int64 { unsafe sqlite3_last_insert_rowid(handle) }

  /// Performs all of `body`, or nothing of it.
  package func transaction(_ body: () throws(ParseError) -> Void) throws(ParseError) {
    try execute("BEGIN IMMEDIATE")
    do throws(ParseError) {
      try body()
      try execute("COMMIT")
    } catch {
      try? execute("ROLLBACK")
      throw error
    }
  }

  /// A statement that inserts rows with a number of cells into a table.
  package func insertion(into table: String, columns: Int) throws(ParseError) -> SQLiteStatement {
    let cells = Array(repeating: "?", count: columns).joined(separator: ",")
    return try SQLiteStatement("INSERT INTO \(Self.quoted(table)) VALUES(\(cells))", in: self)
  }

  /// A name quoted for SQL.
  package static func quoted(_ name: String) -> String {
    "\"\(name.replacing("\"", with: "\"\""))\""
  }

  /// Why the last call failed.
  func error() -> ParseError {
    let words = unsafe sqlite3_errmsg(handle).map { unsafe String(cString: $0) }
    let code = unsafe sqlite3_errcode(handle)
    if code == SQLITE_NOTADB || code == SQLITE_CORRUPT {
      return ParseError(
        path: path,
        problem: "expected an SQLite database, found something else: \(words ?? "broken")")
    }
    return ParseError(
      .inputOutput, path: path, problem: "cannot use the database: \(words ?? "no memory")")
  }
}

extension SQLiteValue {
  package init(_ number: Int64?) { self = number.map(SQLiteValue.integer) ?? .missing }
  package init(_ number: Int?) { self.init(number.map(Int64.init)) }
  package init(_ text: String?) { self = text.map(SQLiteValue.text) ?? .missing }
  package init(_ flag: Bool) { self = .integer(flag ? 1 : 0) }
}
