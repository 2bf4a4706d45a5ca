/// Text in Markdown.
enum MarkdownText {
  /// Text that Markdown shows as it is.
  static func escape(_ text: String) -> String {
    let characters = Array(text)
    var escaped = ""
    for (place, character) in characters.enumerated() {
      let next = place + 1 < characters.count ? characters[place + 1] : nil
      if isMarkup(character, before: next) || (place == 0 && "+-=".contains(character)) {
        escaped.append("\\")
      }
      escaped.append(character)
    }
    // A number with a point and a blank at the start would begin a list.
    let digits = escaped.prefix { $0.isASCII && $0.isNumber }
    let mark = escaped.dropFirst(digits.count).prefix(2)
    if !digits.isEmpty, mark.first.map({ ".)".contains($0) }) ?? false,
      mark.dropFirst().first?.isWhitespace ?? true
    {
      escaped.insert("\\", at: escaped.index(escaped.startIndex, offsetBy: digits.count))
    }
    return escaped
  }

  private static func isMarkup(_ character: Character, before next: Character?) -> Bool {
    // Brackets are only text unless what is behind them makes a link of them.
    if character == "]" { return next.map { "([:".contains($0) } ?? false }
    return "\\`*_{}<>#|~&".contains(character)
  }

  /// Text in a cell of a table: of one line, without what would end the cell or begin HTML or a
  /// link.
  static func cell(_ text: String) -> String {
    let characters = Array(text)
    var escaped = ""
    for (place, character) in characters.enumerated() {
      let next = place + 1 < characters.count ? characters[place + 1] : nil
      let isLink = character == "]" && (next.map { "([:".contains($0) } ?? false)
      if isLink || "\\|<`&".contains(character) { escaped.append("\\") }
      escaped.append(character.isNewline ? " " : character)
    }
    return escaped
  }
}
