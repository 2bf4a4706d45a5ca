package import FrameTrace
package import FrameVerdicts

/// Writes every value of a history with its job, a line each.
package struct HistoryValues {
  package enum Form: Sendable { case csv, jsonLines }

  private let form: Form

  package init(_ form: Form) { self.form = form }

  private static let columns = [
    "job", "date", "commit", "version", "device", "system", "scene", "source", "tags", "metric",
    "unit", "run", "n", "value",
  ]

  /// - Parameter sink: Is given the bytes piece by piece.
  package func write(
    _ store: HistoryStore, _ filter: HistoryFilter, to sink: @escaping ([UInt8]) -> Void
  ) throws(ParseError) {
    var text = form == .csv ? CSVText.rows([Self.columns]) : ""
    try store.export(filter) { key, job, run, value, n in
      switch form {
      case .csv:
        text += CSVText.rows([
          [
            "\(job.number)", job.date.text, job.commit ?? "", job.version ?? "",
            job.device ?? "", job.system ?? "", job.scene, job.source.rawValue, job.tagText,
            key.metric.name, key.metric.unit, "\(run)", "\(n)", "\(value)",
          ]
        ])
      case .jsonLines:
        var record = FieldRecord(job)
        record.add("metric", key.metric.name)
        record.add("unit", key.metric.unit)
        record.add("run", run)
        record.add("n", n)
        record.add("value", value)
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
