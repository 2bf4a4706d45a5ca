/// Writes analyses of launches in one form.
protocol LaunchWriter: Sendable {
  var format: OutputFormat { get }
  /// The whole output, its last line feed included.
  func write(_ analysis: LaunchAnalysis) -> String
}

/// The writers of analyses of launches there are.
public enum LaunchWriters {
  static let all: [any LaunchWriter] = [
    LaunchTextWriter(), LaunchJSONWriter(), LaunchCSVWriter(), LaunchMarkdownWriter(),
  ]

  /// The analysis in that form, the last line feed included.
  public static func write(_ analysis: LaunchAnalysis, as format: OutputFormat) -> String {
    all.first { $0.format == format }?.write(analysis) ?? ""
  }
}
