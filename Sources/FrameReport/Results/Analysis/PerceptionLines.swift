import FrameAnalysis

/// Predictions of published models for a surface, as lines for people and as a record.
struct PerceptionLines {
  private let findings: [PerceptionFinding]

  init(_ findings: [PerceptionFinding]) { self.findings = findings }

  /// A line for each model: its predictions with their range, or why there are no predictions.
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

extension PerceptionFinding {
  /// Predictions of published models.
  static let fields: [ResultColumn<PerceptionFinding>] = [
    .words(
      "model", PerceptionModel.allCases.map(\.rawValue), "the model", \.model.rawValue),
    .text("name", "what it is called", \.model.name),
    .text("source", "who published it", \.model.source),
    .text("range", "what it holds for, and what is assumed", \.model.range),
    .rows(
      "predictions",
      [
        .text("what", "what is predicted", \.what),
        .real("low", "the lowest value over what the trace does not tell", \.low),
        .real("high", "the highest", \.high), .text("unit", "the unit of both", \.unit),
        .text("sentence", "the prediction in words", \.sentence),
      ], "what it predicts; empty where it says nothing", \.predictions),
    .text("why", "why it says nothing, or nothing more", \.why).otherwise("nothing is left out"),
  ]
}
