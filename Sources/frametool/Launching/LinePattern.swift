import CLaunch

/// A regular expression to search for in a program's lines, in time linear in the length of the line: an expression
/// cannot outlast the time limit of a launch.
///
/// The expression is a POSIX extended expression, with the classes `\\d`, `\\s` and `\\w` of other tools, and without
/// back references.
@safe final class LinePattern: @unchecked Sendable {
  // The pattern is not changed after its creation, and the C library locks it during a search.
  private let pattern: OpaquePointer

  /// - Returns: `nil` if the string is not a valid expression, or has a back reference.
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

  /// The expression with classes in POSIX syntax; `nil` for features that POSIX lacks, such as back references and
  /// groups that begin with a question mark.
  private static func translated(_ text: String) -> String? {
    var translated = ""
    var rest = text[...]
    while let character = rest.popFirst() {
      switch character {
      case "\\":
        guard let escaped = rest.popFirst(), let outside = outside(escaped) else { return nil }
        translated += outside
      case "(":
        guard rest.first != "?" else { return nil }
        translated.append(character)
      case "[":
        guard let set = set(&rest) else { return nil }
        translated += "[\(set)]"
      default: translated.append(character)
      }
    }
    return translated
  }

  private static let classes: [Character: String] = [
    "d": "0-9", "s": "[:space:]", "w": "[:alnum:]_",
  ]

  /// An escaped character outside of brackets.
  private static func outside(_ character: Character) -> String? {
    if let members = classes[character] { return "[\(members)]" }
    let lower = Character(character.lowercased())
    if character != lower, let members = classes[lower] { return "[^\(members)]" }
    // Word boundaries have the same names in the C library; other letters and numbers have other meanings elsewhere.
    guard !(character.isLetter || character.isNumber) || "bB".contains(character) else {
      return nil
    }
    return "\\\(character)"
  }

  /// The content of brackets, after the opening bracket.
  private static func set(_ rest: inout Substring) -> String? {
    var set = ""
    if rest.first == "^" { set.append(rest.removeFirst()) }
    if rest.first == "]" { set.append(rest.removeFirst()) }
    while let character = rest.popFirst() {
      switch character {
      case "]": return set
      case "\\":
        guard let escaped = rest.popFirst() else { return nil }
        if let members = classes[escaped] {
          set += members
        } else if escaped.isLetter || escaped.isNumber || "]-^".contains(escaped) {
          return nil
        } else {
          set.append(escaped)
        }
      case "[" where rest.first.map { ":.=".contains($0) } ?? false:
        guard let mark = rest.popFirst(), let end = rest.firstRange(of: "\(mark)]") else {
          return nil
        }
        set += "[\(mark)\(rest[..<end.lowerBound])\(mark)]"
        rest = rest[end.upperBound...]
      default: set.append(character)
      }
    }
    return nil
  }
}
