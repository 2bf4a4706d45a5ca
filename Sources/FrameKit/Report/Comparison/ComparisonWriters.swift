/// The forms in which comparisons are printed.
public enum ComparisonFormat: String, Sendable, CaseIterable {
  case text, json, csv, markdown, junit
}

/// Writes comparisons in one form.
protocol ComparisonWriter: Sendable {
  var format: ComparisonFormat { get }
  /// The whole output, its last line feed included.
  func write(_ comparison: Comparison) -> String
}

/// The writers of comparisons there are.
public enum ComparisonWriters {
  static let all: [any ComparisonWriter] = [
    ComparisonTextWriter(), ComparisonJSONWriter(), ComparisonCSVWriter(),
    ComparisonMarkdownWriter(), ComparisonJUnitWriter(),
  ]

  /// The comparison in that form, the last line feed included.
  public static func write(_ comparison: Comparison, as format: ComparisonFormat) -> String {
    all.first { $0.format == format }?.write(comparison) ?? ""
  }
}
