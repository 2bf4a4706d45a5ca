/// Text in Markdown.
enum MarkdownText {
  /// Text that Markdown shows as it is.
  static func escape(_ text: String) -> String {
    text.map { "\\`*_{}<>#|".contains($0) ? "\\\($0)" : String($0) }.joined()
  }

  /// Text in a cell of a table: of one line, without what would end the cell or begin HTML.
  static func cell(_ text: String) -> String {
    text.map { character in
      if character.isNewline { return " " }
      return "|<`".contains(character) ? "\\\(character)" : String(character)
    }.joined()
  }
}
