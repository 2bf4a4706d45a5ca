import FrameAnalysis
import FrameTrace

/// Writes jobs into the tables of a store.
struct HistoryWriter {
  private let database: SQLiteDatabase
  private let job, tag, series, run, bin: SQLiteStatement
  private let find: SQLiteStatement

  init(_ database: SQLiteDatabase) throws(ParseError) {
    self.database = database
    job = try SQLiteStatement(
      """
      INSERT INTO jobs(date, "commit", version, device, system, scene, source)
      VALUES(?, ?, ?, ?, ?, ?, ?)
      """, in: database)
    tag = try SQLiteStatement("INSERT INTO tags VALUES(?, ?, ?)", in: database)
    series = try SQLiteStatement(
      """
      INSERT INTO series(scene, device, source, metric, unit) VALUES(?, ?, ?, ?, ?)
      ON CONFLICT DO NOTHING
      """, in: database)
    find = try SQLiteStatement(
      """
      SELECT series FROM series
      WHERE scene = ? AND device = ? AND source = ? AND metric = ? AND unit = ?
      """, in: database)
    run = try SQLiteStatement("INSERT INTO runs VALUES(?, ?, ?, ?, ?)", in: database)
    bin = try SQLiteStatement("INSERT INTO bins VALUES(?, ?, ?, ?, ?, ?)", in: database)
  }

  /// - Returns: The job with its number.
  func write(_ addition: HistoryStore.Addition) throws(ParseError) -> HistoryJob {
    var job = addition.job
    try self.job.run([
      .integer(job.date.seconds), SQLiteValue(job.commit), SQLiteValue(job.version),
      SQLiteValue(job.device), SQLiteValue(job.system), .text(job.scene),
      .text(job.source.rawValue),
    ])
    job.number = database.lastRow
    for (name, value) in job.tags.sorted(by: { $0.key < $1.key }) {
      try tag.run([.integer(job.number), .text(name), .text(value)])
    }
    for (position, values) in addition.runs.enumerated() {
      for value in values { try write(value, run: position, of: job) }
    }
    for histogram in addition.histograms {
      for value in histogram.values { try write(value, run: 0, of: job) }
      try write(histogram, of: job)
    }
    return job
  }

  private func write(_ value: HistoryValue, run position: Int, of job: HistoryJob)
    throws(ParseError)
  {
    let series = try number(of: value.metric, value.unit, job)
    try run.run([
      .integer(series), .integer(job.number), SQLiteValue(position), .real(value.value),
      SQLiteValue(value.n),
    ])
  }

  /// The bins are stored with the series of their median.
  private func write(_ histogram: FieldHistogram, of job: HistoryJob) throws(ParseError) {
    let series = try number(of: "p50(\(histogram.metric))", histogram.unit, job)
    for (position, bin) in histogram.bins.enumerated() {
      try self.bin.run([
        .integer(series), .integer(job.number), SQLiteValue(position), .real(bin.low),
        .real(bin.high), .integer(bin.count),
      ])
    }
  }

  private func number(
    of metric: String, _ unit: String, _ job: HistoryJob
  ) throws(ParseError) -> Int64 {
    let key: [SQLiteValue] = [
      .text(job.scene), .text(job.device ?? ""), .text(job.source.rawValue), .text(metric),
      .text(unit),
    ]
    try series.run(key)
    var found: Int64 = 0
    try find.rows(key) { row throws(ParseError) in found = row.integer(0) }
    return found
  }
}
