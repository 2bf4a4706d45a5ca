/// Text in Markdown.
enum MarkdownText {
  /// Text that Markdown shows as it is.
  static func escape(_ text: String) -> String {
    text.map { "\\`*_{}<>#|".contains($0) ? "\\\($0)" : String($0) }.joined()
  }
}
