package import FrameTrace
package import FrameVerdicts

/// Writes every value of a history with its job, one per line.
package struct HistoryValues {
  package enum Form: Sendable { case csv, jsonLines }

  private let form: Form

  package init(_ form: Form) { self.form = form }

  /// A value from one run of a job.
  private struct Row {
    let job: HistoryJob
    let key: HistorySeries.Key
    let run: Int
    let value: Double
    let n: Int

    static let columns: [ResultColumn<Row>] =
      HistoryJob.columns.map { $0.on(\.job) } + figure

    /// The columns after those of the job.
    static let figure: [ResultColumn<Row>] = [
      .text("metric", "the figure", \.key.metric.name),
      .text("unit", "the unit of its values", \.key.metric.unit),
      .integer("run", "the run of the job, from 0", \.run),
      .integer("n", "how many values it is computed from", \.n),
      .real("value", "the figure's value", \.value),
    ]
  }

  /// - Parameter sink: Receives the bytes piece by piece.
  package func write(
    _ store: HistoryStore, _ filter: HistoryFilter, to sink: @escaping ([UInt8]) -> Void
  ) throws(ParseError) {
    var line = CSVLine()
    var text = form == .csv ? CSVText.rows([Row.columns.flatMap(\.csvKeys)]) : ""
    try store.export(filter) { key, job, run, value, n in
      let row = Row(job: job, key: key, run: run, value: value, n: n)
      switch form {
      case .csv:
        for column in Row.columns {
          line.add(
            column.value(row), cells: column.cellCount, from: Timestamp(nanoseconds: 0))
        }
        line.end()
        text += String(decoding: line.takeBytes(), as: UTF8.self)
      case .jsonLines:
        var record = FieldRecord(HistoryJob.fields, of: job)
        record.add(Row.figure, of: row)
        text += JSONText.line(record)
      }
      if text.utf8.count > 1 << 16 {
        sink(Array(text.utf8))
        text = ""
      }
    }
    sink(Array(text.utf8))
  }
}
