import CLaunch

/// A regular expression that a program's lines are searched for, in time linear in the line: an expression cannot
/// outlive the time limit of a launch.
///
/// It is a POSIX extended one, with the classes `\\d`, `\\s` and `\\w` of other tools, and without back references.
@safe final class LinePattern: @unchecked Sendable {
  // It is not changed after its creation, and the C library locks it for a search.
  private let pattern: OpaquePointer

  /// - Returns: `nil` if it is no expression, or has a back reference.
  init?(_ text: String) {
    guard let translated = Self.translated(text),
      let pattern = unsafe launch_pattern_make(translated)
    else { return nil }
    unsafe self.pattern = pattern
  }

  deinit { unsafe launch_pattern_free(pattern) }

  /// Whether a part of a line matches.
  func matches(_ line: [UInt8]) -> Bool {
    let text = line.map { CChar(bitPattern: $0 == 0 ? UInt8(ascii: " ") : $0) } + [0]
    return unsafe launch_pattern_matches(pattern, text) != 0
  }

  /// The expression with classes as POSIX writes them; `nil` if it has a back reference.
  private static func translated(_ text: String) -> String? {
    let classes: [Character: String] = [
      "d": "[0-9]", "D": "[^0-9]", "s": "[[:space:]]", "S": "[^[:space:]]",
      "w": "[[:alnum:]_]", "W": "[^[:alnum:]_]",
    ]
    var translated = ""
    var isEscaped = false
    for character in text {
      if isEscaped {
        guard !("1"..."9").contains(character) else { return nil }
        translated += classes[character] ?? "\\\(character)"
        isEscaped = false
      } else if character == "\\" {
        isEscaped = true
      } else {
        translated.append(character)
      }
    }
    return isEscaped ? nil : translated
  }
}
