import FrameAnalysis

/// What published models predict of a surface, as lines for people and as a record.
struct PerceptionLines {
  private let findings: [PerceptionFinding]

  init(_ findings: [PerceptionFinding]) { self.findings = findings }

  /// A line for each model: its predictions with their range, or why there are none.
  var lines: [String] {
    findings.map { finding in
      let model = finding.model
      guard !finding.predictions.isEmpty else {
        return "\(model.name): nothing predicted: \(finding.why ?? "")"
      }
      let said = finding.predictions.map(\.sentence) + [finding.why].compactMap { $0 }
      return
        "\(model.name), predicted and not measured: \(said.joined(separator: "; ")) (\(model.source); holds for \(model.range))"
    }
  }
}

extension FieldRecord {
  /// What published models predict.
  mutating func add(_ findings: [PerceptionFinding]) {
    add("perception", rows: findings) { finding, record in
      record.add("model", finding.model.rawValue)
      record.add("name", finding.model.name)
      record.add("source", finding.model.source)
      record.add("range", finding.model.range)
      record.add("predictions", rows: finding.predictions) { prediction, record in
        record.add("what", prediction.what)
        record.add("low", prediction.low)
        record.add("high", prediction.high)
        record.add("unit", prediction.unit)
        record.add("sentence", prediction.sentence)
      }
      record.add("why", finding.why, else: "nothing is left out")
    }
  }
}
