/// What plain text may look like where it is read.
public struct TextLook: Sendable {
  /// How many characters fit on a line; `nil` where nobody counts them, as in a file.
  public var width: Int?
  /// Whether there are colors.
  public var hasColor: Bool

  /// A width in columns, `nil` for any, and whether colors may be used.
  public init(width: Int? = nil, hasColor: Bool = false) {
    self.width = width
    self.hasColor = hasColor
  }

  /// Lines as long as they are, without color: the same everywhere.
  public static let plain = TextLook()

  /// Lines are not folded into less than this.
  static let narrowest = 40
}

/// What a text stands for, where there are colors.
enum TextRole: Sendable {
  case title, heading, wrong, doubtful, better

  /// The role of a cell or a line that is a verdict, or begins with one; `nil` for other texts.
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

  /// The number of its rendition (ECMA-48, SGR).
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
  /// A text in its role.
  func styled(_ text: String, _ role: TextRole?) -> String {
    guard hasColor, let role, !text.isEmpty else { return text }
    return "\u{1b}[\(role.rendition)m\(text)\u{1b}[0m"
  }

  /// A line folded where it is too long, at blanks, the rest indented.
  func folded(_ line: String, indent: Int) -> [String] {
    guard let width, line.count > width else { return [line] }
    let limit = max(width, Self.narrowest)
    var lines: [String] = []
    var rest = Substring(line)
    while rest.count > limit - (lines.isEmpty ? 0 : indent) {
      let room = limit - (lines.isEmpty ? 0 : indent)
      let start = rest.prefix { $0 == " " }.count
      // The blank that ends what fits; a word that is longer than a line is left whole.
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
