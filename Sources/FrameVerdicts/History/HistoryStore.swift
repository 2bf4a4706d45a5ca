public import FrameAnalysis
public import FrameTrace

/// Results over time in one file: a SQLite database that any number of programs can add to at the
/// same time.
///
/// A job is added completely or not at all, even after a crash: with SQLite's write-ahead log, the
/// stored data does not change until a job is complete.
public final class HistoryStore {
  /// The path as the user gave it.
  public let path: String
  let database: SQLiteDatabase

  /// Opens a store.
  /// - Parameter isMade: Whether to create the store if it does not exist.
  public convenience init(path: String, isMade: Bool) throws(ParseError) {
    try self.init(path: path, isMade: isMade, patience: 30_000)
  }

  init(path: String, isMade: Bool, patience: Int32) throws(ParseError) {
    self.path = path
    guard !path.isEmpty else {
      throw ParseError(
        .inputOutput, path: "history", problem: "expected a file name, found an empty one",
        help: "--store names a file")
    }
    if !isMade, !FileDescriptor.exists(path) {
      throw ParseError(
        .inputOutput, path: path, problem: "there is no history",
        help: "'frametool history add' creates it; --store names another file")
    }
    if !isMade, !FileDescriptor.isWritable(path) {
      database = try SQLiteDatabase(reading: path)
      try HistorySchema.check(database, path: path)
      return
    }
    database = try SQLiteDatabase(path: path, isMade: isMade, patience: patience)
    try HistorySchema.prepare(database, path: path)
    // Added data is on disk when the call returns.
    try database.execute("PRAGMA synchronous=FULL")
  }

  /// The data that is added in one step.
  public struct Addition: Sendable {
    /// The job, not including its number.
    public var job: HistoryJob
    /// The figures of each run.
    public var runs: [[HistoryValue]]
    /// Histograms from the field, which cannot be separated by run.
    public var histograms: [FieldHistogram]

    /// Creates an addition from a job with the values of each of its runs.
    public init(job: HistoryJob, runs: [[HistoryValue]] = [], histograms: [FieldHistogram] = []) {
      self.job = job
      self.runs = runs
      self.histograms = histograms
    }

    /// The largest accepted magnitude; no real figure of frames exceeds it.
    private static let largest = 1e15

    /// Why the value cannot be stored; `nil` if it can.
    fileprivate var problem: String? {
      for values in runs + [histograms.flatMap(\.values)] {
        let names = values.map { "\($0.metric) in \($0.unit)" }
        if let twice = names.first(where: { name in names.count { $0 == name } > 1 }) {
          return "expected each figure of a run once, found \(twice) twice"
        }
        if let absurd = values.first(where: { !(abs($0.value) <= Self.largest) }) {
          return "expected figures up to \(Self.largest), found \(absurd.value) as \(absurd.metric)"
        }
      }
      return nil
    }
  }

  /// Adds all jobs with all their measurements, or nothing.
  /// - Returns: The jobs with their numbers.
  @discardableResult
  public func add(_ additions: [Addition]) throws(ParseError) -> [HistoryJob] {
    for addition in additions {
      if let problem = addition.problem { throw ParseError(path: path, problem: problem) }
    }
    var jobs: [HistoryJob] = []
    try database.transaction { () throws(ParseError) in
      let writer = try HistoryWriter(database)
      for addition in additions { jobs.append(try writer.write(addition)) }
    }
    return jobs
  }
}
