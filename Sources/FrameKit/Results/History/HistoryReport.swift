/// What a history answers, in each form: a table, with lines around it, and the same as JSON.
public struct HistoryReport {
  /// The schema of what it prints as JSON.
  static let schema = "frametool.history/1"

  private let store: String
  private let headlines: [String]
  private let tables: [TextTable]
  private let footnotes: [String]
  /// A table of plain values, for spreadsheets.
  private let rows: [[String]]
  private let writeJSON: (inout JSONWriter) -> Void

  init(
    store: String, headlines: [String], tables: [TextTable], footnotes: [String] = [],
    rows: [[String]], json: @escaping (inout JSONWriter) -> Void
  ) {
    self.store = store
    self.headlines = headlines
    self.tables = tables.filter { !$0.rows.isEmpty }
    self.footnotes = footnotes
    self.rows = rows
    writeJSON = json
  }

  var csv: String { CSVText.rows(rows) }

  var json: String {
    var json = JSONWriter(indented: true)
    json.object { json in
      json.member("schema", Self.schema)
      json.member("store", store)
      writeJSON(&json)
    }
    json.endLine()
    return String(decoding: json.bytes, as: UTF8.self)
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
    let cells = jobs.map { job in
      [
        "\(job.number)", job.date.text, job.commit ?? "", job.version ?? "", job.device ?? "",
        job.system ?? "", job.scene, job.source.rawValue, job.tagText,
      ]
    }
    for row in cells { table.append(row) }
    self.init(
      store: store, headlines: ["\(store): \(total == 1 ? "1 job" : "\(total) jobs")\(count)"],
      tables: [table.withoutEmptyColumns], rows: [table.columns.map(\.heading)] + cells
    ) { json in
      json.member("total", total)
      json.key("jobs")
      json.array { json in
        for job in jobs { json.object(job.write) }
      }
    }
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
      tables: [table.withoutEmptyColumns], rows: [table.columns.map(\.heading)] + table.rows
    ) { json in
      json.key("series")
      json.array { json in
        for key in series { json.object(key.write) }
      }
    }
  }
}

extension HistoryJob {
  /// The tags in a line.
  var tagText: String {
    tags.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
  }

  /// Writes the members of the job's JSON object.
  func write(to json: inout JSONWriter) {
    json.member("job", number)
    json.member("date", date.text)
    let texts = [
      ("commit", commit), ("version", version), ("device", device), ("system", system),
    ]
    for (key, text) in texts { json.member(key, text) }
    json.member("scene", scene)
    json.member("source", source.rawValue)
    json.key("tags")
    json.object { json in
      for (name, value) in tags.sorted(by: { $0.key < $1.key }) { json.member(name, value) }
    }
    json.writeReasons(texts.filter { $0.1 == nil }.map { ($0.0, "it was not given") })
  }
}

extension HistorySeries.Key {
  /// Writes the members that name the series.
  func write(to json: inout JSONWriter) {
    json.member("scene", scene)
    json.member("device", device)
    json.member("source", source.rawValue)
    json.member("metric", metric.name)
    json.member("unit", metric.unit)
    if device == nil { json.writeReasons([("device", "it was not given")]) }
  }
}
