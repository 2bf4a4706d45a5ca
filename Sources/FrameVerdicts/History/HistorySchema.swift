import FrameTrace

/// The tables of a history, and the upgrades from earlier versions.
enum HistorySchema {
  /// The SQLite application ID that identifies a history: "frmh".
  static let application: Int64 = 0x6672_6d68

  /// The commands that create each version from the previous one, starting from an empty file.
  /// Released steps are never changed; new ones are appended.
  static let steps = [
    """
    CREATE TABLE jobs(
      job INTEGER PRIMARY KEY, date INTEGER NOT NULL, "commit" TEXT, version TEXT, device TEXT,
      system TEXT, scene TEXT NOT NULL, source TEXT NOT NULL);
    CREATE INDEX jobs_by_date ON jobs(date, job);
    CREATE TABLE tags(
      job INTEGER NOT NULL REFERENCES jobs(job), name TEXT NOT NULL, value TEXT NOT NULL,
      PRIMARY KEY(job, name)) WITHOUT ROWID;
    CREATE TABLE series(
      series INTEGER PRIMARY KEY, scene TEXT NOT NULL, device TEXT NOT NULL, source TEXT NOT NULL,
      metric TEXT NOT NULL, unit TEXT NOT NULL, UNIQUE(scene, device, source, metric, unit));
    CREATE TABLE runs(
      series INTEGER NOT NULL REFERENCES series(series), job INTEGER NOT NULL REFERENCES jobs(job),
      run INTEGER NOT NULL, value REAL NOT NULL, n INTEGER NOT NULL,
      PRIMARY KEY(series, job, run)) WITHOUT ROWID;
    """,
    """
    CREATE TABLE bins(
      series INTEGER NOT NULL REFERENCES series(series), job INTEGER NOT NULL REFERENCES jobs(job),
      bin INTEGER NOT NULL, low REAL NOT NULL, high REAL NOT NULL, count INTEGER NOT NULL,
      PRIMARY KEY(series, job, bin)) WITHOUT ROWID;
    """,
    """
    CREATE TABLE accepted(
      job INTEGER NOT NULL REFERENCES jobs(job), metric TEXT NOT NULL, note TEXT,
      date INTEGER NOT NULL, PRIMARY KEY(job, metric)) WITHOUT ROWID;
    """,
  ]

  /// The schema version that this program writes.
  static var version: Int { steps.count }

  /// Creates the tables, or upgrades those of an earlier version, in one transaction.
  static func prepare(_ database: SQLiteDatabase, path: String) throws(ParseError) {
    if try state(of: database, path) == .current { return }
    // With WAL, readers and a writer do not wait for each other; the file keeps this mode.
    try database.executePatiently("PRAGMA journal_mode=WAL")
    try database.transaction { () throws(ParseError) in
      // Another process may have upgraded the database in the meantime.
      guard case .version(let found) = try state(of: database, path) else { return }
      for step in steps[found...] { try database.execute(step) }
      try database.execute(
        "PRAGMA application_id=\(application); PRAGMA user_version=\(version)")
    }
  }

  /// Checks a store that can only be read.
  static func check(_ database: SQLiteDatabase, path: String) throws(ParseError) {
    guard case .version(let found) = try state(of: database, path) else { return }
    throw ParseError(
      .inputOutput, path: path,
      problem:
        "must be upgraded from version \(found) to \(version), but is read-only",
      help: "open it once with write permission")
  }

  private enum State: Equatable {
    case current
    /// An earlier version; 0 for an empty file.
    case version(Int)
  }

  private static func state(
    of database: SQLiteDatabase, _ path: String
  ) throws(ParseError) -> State {
    var (found, owner, tables): (Int64, Int64, Int64) = (0, 0, 0)
    // A single query, because another process may be creating the tables.
    try SQLiteStatement(
      """
      SELECT user_version, application_id, (SELECT count(*) FROM sqlite_master)
      FROM pragma_user_version, pragma_application_id
      """, in: database
    ).rows { row throws(ParseError) in
      (found, owner, tables) = (row.integer(0), row.integer(1), row.integer(2))
    }
    let isNew = tables == 0 && owner == 0 && found == 0
    guard owner == application || isNew, found >= 0 else {
      throw ParseError(
        path: path, problem: "expected a history, found another kind of database",
        help: "give the history another name; 'frametool history add' creates it")
    }
    guard found <= version else {
      throw ParseError(
        path: path,
        problem: "expected a history of version \(version) or earlier, found version \(found)",
        help: "it was written by a newer frametool; use that version")
    }
    return found == version ? .current : .version(Int(found))
  }
}
