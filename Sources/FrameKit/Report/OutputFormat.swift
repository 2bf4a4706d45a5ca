/// The forms in which results are printed.
public enum OutputFormat: String, Sendable, CaseIterable {
  case text, json, csv, markdown
}

/// Writes analyses in one form.
protocol AnalysisWriter: Sendable {
  var format: OutputFormat { get }
  /// The whole output, its last line feed included.
  func write(_ analyses: [TraceAnalysis]) -> String
}

/// The writers there are.
public enum Writers {
  static let all: [any AnalysisWriter] = [
    AnalysisTextWriter(), AnalysisJSONWriter(), AnalysisCSVWriter(), AnalysisMarkdownWriter(),
  ]

  /// The analyses in that form, the last line feed included.
  public static func write(_ analyses: [TraceAnalysis], as format: OutputFormat) -> String {
    all.first { $0.format == format }?.write(analyses) ?? ""
  }
}
