/// Splits a command as a shell would: at blanks, unless they are quoted. Nothing is expanded.
enum ShellWords {
  /// - Returns: `nil` when a quotation does not end.
  static func split(_ text: String) -> [String]? {
    var words: [String] = []
    var word: String?
    var quote: Character?
    var characters = text[...]
    while let character = characters.popFirst() {
      if character == "\\", quote != "'" {
        guard let next = characters.popFirst() else { return nil }
        // In double quotes a backslash stands for itself before most characters.
        let isKept = quote != nil && !"\"\\$`".contains(next)
        word = (word ?? "") + (isKept ? "\\" : "") + String(next)
      } else if let open = quote {
        if character == open { quote = nil } else { word?.append(character) }
      } else if character == "'" || character == "\"" {
        quote = character
        word = word ?? ""
      } else if character.isWhitespace {
        if let done = word { words.append(done) }
        word = nil
      } else {
        word = (word ?? "") + String(character)
      }
    }
    if quote != nil { return nil }
    return words + [word].compactMap { $0 }
  }
}
