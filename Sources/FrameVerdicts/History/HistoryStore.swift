public import FrameAnalysis
public import FrameTrace

/// Results over time in one file: a SQLite database that any number of programs may add to at the
/// same time.
///
/// A job is added as a whole or not at all, whatever happens in between: SQLite's write-ahead log
/// keeps the file as it was until a job is complete.
public final class HistoryStore {
  /// The name as the user gave it.
  public let path: String
  let database: SQLiteDatabase

  /// Opens a store.
  /// - Parameter isMade: Whether it is made where there is none.
  public convenience init(path: String, isMade: Bool) throws(ParseError) {
    try self.init(path: path, isMade: isMade, patience: 30_000)
  }

  init(path: String, isMade: Bool, patience: Int32) throws(ParseError) {
    self.path = path
    guard !path.isEmpty else {
      throw ParseError(
        .inputOutput, path: "history", problem: "the name of the store is empty",
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
    // Everything that was said to be added is on the disk.
    try database.execute("PRAGMA synchronous=FULL")
  }

  /// What is added at once.
  public struct Addition: Sendable {
    /// The job, without its number.
    public var job: HistoryJob
    /// The figures of each run.
    public var runs: [[HistoryValue]]
    /// Histograms of the field, which cannot be told apart by run.
    public var histograms: [FieldHistogram]

    /// A job with the values of each of its runs.
    public init(job: HistoryJob, runs: [[HistoryValue]] = [], histograms: [FieldHistogram] = []) {
      self.job = job
      self.runs = runs
      self.histograms = histograms
    }

    /// No figure of frames is larger than this, or worth telling apart beyond it.
    private static let largest = 1e15

    /// Why it cannot be kept; `nil` when it can.
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

  /// Adds jobs with all that was measured of them, or nothing.
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
