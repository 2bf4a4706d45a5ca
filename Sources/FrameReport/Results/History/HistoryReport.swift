import FrameTrace
public import FrameVerdicts

/// The answer of a history in each format: a table, lines around the table, and the same content as JSON.
public struct HistoryReport {
  /// The schema of its JSON.
  static let schema = "frametool.history/1"

  private let store: String
  private let headlines: [String]
  private let tables: [TextTable]
  private let footnotes: [String]
  /// A table of plain values, for spreadsheets.
  let rows: [[String]]
  private let details: FieldRecord
  /// The verdicts on series, as CI systems show tests; empty if the report is not a check.
  let testCases: [TestCase]

  init(
    store: String, headlines: [String], tables: [TextTable], footnotes: [String] = [],
    rows: [[String]], details: FieldRecord, testCases: [TestCase] = []
  ) {
    self.store = store
    self.headlines = headlines
    self.tables = tables.filter { !$0.rows.isEmpty }
    self.footnotes = footnotes
    self.rows = rows
    self.details = details
    self.testCases = testCases
  }

  /// The finding as a sentence.
  var finding: String { headlines.first ?? store }

  /// The report as data.
  var record: FieldRecord {
    var record = FieldRecord(Self.storeFields, of: store)
    record.add(details)
    return record
  }

  /// The fields before those of jobs, series and checks.
  static let storeFields: [ResultColumn<String>] = [
    .schema(schema), .text("store", "the file of the history") { $0 },
  ]

  /// The report as a document.
  var document: Document {
    var document = Document()
    document.add(.lines(headlines))
    for table in tables { document.add(table, "History") }
    document.add(Document.Block.notes, footnotes)
    return document
  }
}

extension HistoryReport {
  /// The report on jobs, in order of time.
  /// - Parameter total: The number of all jobs.
  public init(jobs: [HistoryJob], total: Int, of store: String) {
    let count = jobs.count == total ? "" : ", the newest \(jobs.count) are listed"
    let rows = ResultRows(columns: HistoryJob.columns, rows: jobs)
    self.init(
      store: store, headlines: ["\(store): \(total == 1 ? "1 job" : "\(total) jobs")\(count)"],
      tables: [rows.table.withoutEmptyColumns], rows: rows.cells(),
      details: FieldRecord(Self.jobFields, of: (jobs, total)))
  }

  static let jobFields: [ResultColumn<(jobs: [HistoryJob], total: Int)>] = [
    .integer("total", "how many jobs the store has", \.total),
    .rows("jobs", HistoryJob.fields, as: "job", "the newest jobs, in order of time", \.jobs),
  ]

  static let seriesFields: [ResultColumn<[HistorySeries.Key]>] = [
    .rows("series", HistorySeries.Key.columns, "each series") { $0 }
  ]

  /// The report on all series.
  public init(series: [HistorySeries.Key], of store: String) {
    let rows = ResultRows(columns: HistorySeries.Key.columns, rows: series)
    self.init(
      store: store, headlines: ["\(store): \(series.count) series"],
      tables: [rows.table.withoutEmptyColumns], rows: rows.cells(),
      details: FieldRecord(Self.seriesFields, of: series))
  }
}

extension HistoryJob {
  /// A job of a history as a row of results.
  static let columns: [ResultColumn<HistoryJob>] =
    about + [.text("tags", "what else is known of it, as NAME=VALUE", \.tagText).shown("tags")]

  /// The columns that every job has.
  static let about: [ResultColumn<HistoryJob>] = [
    .integer("job", "its number", \.number).shown("job", .right),
    .text("date", "when it ran", \.date.text).shown("date"),
    .text("commit", "the commit that was measured", \.commit)
      .otherwise(notGiven).shown("commit") { $0.shortCommit ?? "" },
    .text("version", "the version that was measured", \.version)
      .otherwise(notGiven).shown("version"),
    .text("device", "the device that it ran on", \.device).otherwise(notGiven).shown("device"),
    .text("system", "the version of that device's system", \.system)
      .otherwise(notGiven).shown("system"),
    .text("scene", "what was done", \.scene).shown("scene"),
    .text("source", "lab or field", \.source.rawValue).shown("source"),
  ]

  fileprivate static let notGiven = "not given"

  /// The tags on one line.
  private var tagText: String {
    tags.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
  }

  /// A job as an object, with its tags as a nested object.
  static let fields: [ResultColumn<HistoryJob>] =
    about + [
      .map("tags", .text, "what else is known of it") { job in
        FieldRecord { record in
          for (name, value) in job.tags.sorted(by: { $0.key < $1.key }) { record.add(name, value) }
        }
      }
    ]
}

extension HistorySeries.Key {
  /// The columns that identify a series of a history, for a row of results.
  static let columns: [ResultColumn<HistorySeries.Key>] = [
    .text("scene", "what was done", \.scene).shown("scene"),
    .text("device", "the device", \.device).otherwise(HistoryJob.notGiven).shown("device"),
    .text("source", "lab or field", \.source.rawValue).shown("source"),
    .text("metric", "the figure", \.metric.name).shown("metric"),
    .text("unit", "the unit of its values", \.metric.unit).shown("unit"),
  ]
}
