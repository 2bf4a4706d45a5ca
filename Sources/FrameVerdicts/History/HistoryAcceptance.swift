public import FrameTrace

/// A user's statement that the figures up to a job are as expected.
public struct HistoryAcceptance: Sendable {
  /// The job up to which the level is accepted.
  public let job: HistoryJob
  /// The accepted figure; `nil` for all figures of the job's scene and device.
  public let metric: String?
  /// The user's reason; `nil` if none was given.
  public let note: String?

  /// Whether the acceptance applies to a series.
  func isOf(_ key: HistorySeries.Key) -> Bool {
    job.scene == key.scene && job.device == key.device && job.source == key.source
      && (metric ?? key.metric.name) == key.metric.name
  }
}

extension HistoryStore {
  /// Accepts jobs: changes up to these jobs are no longer reported, and the resulting level becomes the reference.
  /// - Parameter metrics: The figures that are accepted; empty for all.
  public func accept(
    _ jobs: [HistoryJob], metrics: [String], note: String?, on date: JobDate
  ) throws(ParseError) {
    try database.transaction { () throws(ParseError) in
      let statement = try SQLiteStatement(
        "INSERT OR REPLACE INTO accepted(job, metric, note, date) VALUES(?, ?, ?, ?)",
        in: database)
      for job in jobs {
        for metric in metrics.isEmpty ? [""] : metrics {
          try statement.run([
            .integer(job.number), .text(metric), SQLiteValue(note), .integer(date.seconds),
          ])
        }
      }
    }
  }

  /// All acceptances, in order of the jobs.
  public func acceptances() throws(ParseError) -> [HistoryAcceptance] {
    var said: [(job: Int64, metric: String, note: String?)] = []
    try SQLiteStatement(
      "SELECT job, metric, note FROM accepted ORDER BY job, metric", in: database
    ).rows { row throws(ParseError) in
      said.append((row.integer(0), row.text(1) ?? "", row.text(2)))
    }
    guard !said.isEmpty else { return [] }
    let jobs = Dictionary(uniqueKeysWithValues: try self.jobs().map { ($0.number, $0) })
    return said.compactMap { number, metric, note in
      jobs[number].map {
        HistoryAcceptance(job: $0, metric: metric.isEmpty ? nil : metric, note: note)
      }
    }
  }
}

extension HistorySeries.Acceptance {
  /// The latest acceptance that applies to a series; `nil` if there is none.
  init?(
    _ key: HistorySeries.Key, _ points: [HistorySeries.Point], among all: [HistoryAcceptance]
  ) {
    let latest = all.filter { $0.isOf(key) }.max {
      ($0.job.date, $0.job.number) < ($1.job.date, $1.job.number)
    }
    guard let latest else { return nil }
    let position = points.lastIndex {
      ($0.job.date, $0.job.number) <= (latest.job.date, latest.job.number)
    }
    guard let position else { return nil }
    self.init(position: position, note: latest.note)
  }
}
