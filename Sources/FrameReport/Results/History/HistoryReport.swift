import FrameTrace
public import FrameVerdicts

/// What a history answers, in each form: a table, with lines around it, and the same as JSON.
public struct HistoryReport {
  /// The schema of what it prints as JSON.
  static let schema = "frametool.history/1"

  private let store: String
  private let headlines: [String]
  private let tables: [TextTable]
  private let footnotes: [String]
  /// A table of plain values, for spreadsheets.
  let rows: [[String]]
  private let details: FieldRecord
  /// The verdicts on series, as CI systems show tests; empty for what is no check.
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

  /// It as data.
  var record: FieldRecord {
    var record = FieldRecord()
    record.add("schema", Self.schema)
    record.add("store", store)
    record.add(details)
    return record
  }

  /// What is said of it.
  var document: Document {
    var document = Document()
    document.add(.lines(headlines))
    for table in tables { document.add(table, "History") }
    document.add(Document.Block.notes, footnotes)
    return document
  }
}

extension HistoryReport {
  /// Jobs in order of time.
  /// - Parameter total: How many there are in all.
  public init(jobs: [HistoryJob], total: Int, of store: String) {
    let count = jobs.count == total ? "" : ", the newest \(jobs.count) are listed"
    var table = TextTable([
      ("job", .right), ("date", .left), ("commit", .left), ("version", .left), ("device", .left),
      ("system", .left), ("scene", .left), ("source", .left), ("tags", .left),
    ])
    let cells = { (job: HistoryJob, commit: String?) in
      [
        "\(job.number)", job.date.text, commit ?? "", job.version ?? "", job.device ?? "",
        job.system ?? "", job.scene, job.source.rawValue, job.tagText,
      ]
    }
    for job in jobs { table.append(cells(job, job.shortCommit)) }
    self.init(
      store: store, headlines: ["\(store): \(total == 1 ? "1 job" : "\(total) jobs")\(count)"],
      tables: [table.withoutEmptyColumns],
      rows: [table.columns.map(\.heading)] + jobs.map { cells($0, $0.commit) },
      details: FieldRecord { record in
        record.add("total", total)
        record.add("jobs", rows: jobs) { job, record in record = FieldRecord(job) }
      })
  }

  /// The series that there are.
  public init(series: [HistorySeries.Key], of store: String) {
    var table = TextTable([
      ("scene", .left), ("device", .left), ("source", .left), ("metric", .left), ("unit", .left),
    ])
    for key in series {
      table.append([
        key.scene, key.device ?? "", key.source.rawValue, key.metric.name, key.metric.unit,
      ])
    }
    self.init(
      store: store, headlines: ["\(store): \(series.count) series"],
      tables: [table.withoutEmptyColumns], rows: [table.columns.map(\.heading)] + table.rows,
      details: FieldRecord { record in
        record.add("series", rows: series) { key, record in record = FieldRecord(key) }
      })
  }
}

extension HistoryJob {
  /// The tags in a line.
  var tagText: String {
    tags.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
  }
}

extension FieldRecord {
  /// A job of a history.
  init(_ job: HistoryJob) {
    let why = "it was not given"
    add("job", job.number)
    add("date", job.date.text)
    add("commit", job.commit, else: why)
    add("version", job.version, else: why)
    add("device", job.device, else: why)
    add("system", job.system, else: why)
    add("scene", job.scene)
    add("source", job.source.rawValue)
    add("tags") { record in
      for (name, value) in job.tags.sorted(by: { $0.key < $1.key }) { record.add(name, value) }
    }
  }

  /// What names a series of a history.
  init(_ key: HistorySeries.Key) {
    add("scene", key.scene)
    add("device", key.device, else: "it was not given")
    add("source", key.source.rawValue)
    add("metric", key.metric.name)
    add("unit", key.metric.unit)
  }
}
