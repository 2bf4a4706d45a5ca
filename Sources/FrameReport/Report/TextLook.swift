/// How plain text is formatted for its output.
public struct TextLook: Sendable {
  /// The number of characters that fit on a line; `nil` for no limit, as in a file.
  public var width: Int?
  /// Whether colors may be used.
  public var hasColor: Bool

  /// A look with or without colors and with a width in columns; a `nil` width means no limit.
  public init(width: Int? = nil, hasColor: Bool = false) {
    self.width = width
    self.hasColor = hasColor
  }

  /// Unfolded lines without color: the same for every output.
  public static let plain = TextLook()

  /// The minimum width to which lines are folded.
  static let narrowest = 40
}

/// The role of a string, shown by its color.
enum TextRole: Sendable {
  case title, heading, wrong, doubtful, better

  /// The role of a cell or a line that begins with a verdict; `nil` for other strings.
  init?(verdict text: String) {
    let word = text.prefix { $0.isLetter }.lowercased()
    switch word {
    case "regressed", "failed", "critical": self = .wrong
    case "suspected":
      self = text.lowercased().hasPrefix("suspected improvement") ? .better : .doubtful
    case "warning": self = .doubtful
    case "improved": self = .better
    default: return nil
    }
  }

  /// The number of the role's graphic rendition (ECMA-48, SGR).
  fileprivate var rendition: Int {
    switch self {
    case .title: 1
    case .heading: 2
    case .wrong: 31
    case .doubtful: 33
    case .better: 32
    }
  }
}

extension TextLook {
  /// A string in the style of its role.
  func styled(_ text: String, _ role: TextRole?) -> String {
    guard hasColor, let role, !text.isEmpty else { return text }
    return "\u{1b}[\(role.rendition)m\(text)\u{1b}[0m"
  }

  /// A line folded at spaces if it is too long; the remaining lines are indented.
  func folded(_ line: String, indent: Int) -> [String] {
    guard let width, line.count > width else { return [line] }
    let limit = max(width, Self.narrowest)
    var lines: [String] = []
    var rest = Substring(line)
    while rest.count > limit - (lines.isEmpty ? 0 : indent) {
      let room = limit - (lines.isEmpty ? 0 : indent)
      let start = rest.prefix { $0 == " " }.count
      // The last space that fits. A word longer than a line is not broken.
      guard
        let blank = rest.prefix(room + 1).dropFirst(start).lastIndex(of: " ")
          ?? rest.dropFirst(room).firstIndex(of: " ")
      else { break }
      lines.append(String(rest[..<blank]))
      rest = rest[blank...].drop { $0 == " " }
    }
    if !rest.isEmpty { lines.append(String(rest)) }
    let blanks = String(repeating: " ", count: indent)
    return lines.enumerated().map { $0 == 0 ? $1 : blanks + $1 }
  }
}
