import FrameAnalysis
import FrameTrace

/// A database with a table for each kind of record, for questions in SQL.
///
/// Times and durations are whole nanoseconds, times on the trace clock; missing values are NULL. The table `columns`
/// explains every column.
struct SQLiteExport: TraceExport {
  let name = "sqlite"
  let summary = "SQLite database: one table per kind of record, and one that explains the columns"
  let suffixes = ["sqlite", "sqlite3", "db"]

  /// The version of the tables.
  static let version = 1

  func whyNot(_ study: Study) -> String? { nil }

  func write(
    _ study: Study, to sink: @escaping ([UInt8]) -> Void
  ) throws(ParseError) {
    // The database is a file, because an hour's trace takes gigabytes in memory.
    let words = "the database"
    var name = ""
    let file = try FileDescriptor(temporaryFor: words, under: &name)
    let opened = Result { () throws(ParseError) in try SQLiteDatabase(path: name, isMade: true) }
    // Both descriptors keep the file open. Without a name, it disappears when the program ends.
    FileDescriptor.remove(name)
    let database = try opened.get()
    try database.execute(
      """
      PRAGMA page_size=4096; PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF;
      PRAGMA locking_mode=EXCLUSIVE; PRAGMA user_version=\(Self.version); BEGIN
      """)
    let facts = RecordedTables(study)
    let rebuilt = RebuiltTables(study)
    for table in facts.all + rebuilt.all { try table.create(in: database) }
    try SQLTable.write(facts.all + rebuilt.all, explainedIn: database)
    for table in facts.all + rebuilt.all { try table.fill(database) }
    try database.execute("COMMIT")
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    while true {
      let count = try file.read(into: &buffer, at: buffer.indices, path: words)
      if count == 0 { return }
      sink(Array(buffer[..<count]))
    }
  }
}
