/// Writes analyses of launches in one form.
protocol LaunchWriter: Sendable {
  var format: OutputFormat { get }
  /// The whole output, its last line feed included.
  /// - Parameter comparison: That of two groups of them; `nil` where none was made.
  func write(_ analysis: LaunchAnalysis, _ comparison: Comparison?) -> String
}

/// The writers of analyses of launches there are.
public enum LaunchWriters {
  static let all: [any LaunchWriter] = [
    LaunchTextWriter(), LaunchJSONWriter(), LaunchCSVWriter(), LaunchMarkdownWriter(),
  ]

  /// The analysis in that form, the last line feed included.
  public static func write(
    _ analysis: LaunchAnalysis, _ comparison: Comparison? = nil, as format: OutputFormat
  ) -> String {
    all.first { $0.format == format }?.write(analysis, comparison) ?? ""
  }
}
