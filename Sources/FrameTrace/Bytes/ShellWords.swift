/// Splits a command as a shell would: at blanks, unless they are quoted. Nothing is expanded.
package enum ShellWords {
  /// Words as one line that a shell splits into the same words.
  package static func quoted(_ words: [String]) -> String {
    words.map { word in
      let isPlain =
        !word.isEmpty
        && word.utf8.allSatisfy { byte in
          let character = Character(Unicode.Scalar(byte))
          return character.isASCII
            && (character.isLetter || character.isNumber || "_-./:=,@%+".contains(character))
        }
      return isPlain
        ? word
        : "'\(word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''"))'"
    }.joined(separator: " ")
  }

  /// - Returns: `nil` if a quote is not closed.
  package static func split(_ text: String) -> [String]? {
    var words: [String] = []
    var word: String?
    var quote: Character?
    var characters = text[...]
    while let character = characters.popFirst() {
      if character == "\\", quote != "'" {
        guard let next = characters.popFirst() else { return nil }
        // In double quotes, a backslash is literal before most characters.
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
