import FrameKit

/// The tags of runs: the tags that the user gave, and the tags from the paths of files.
struct RunTags {
  let given: [String: String]
  let path: PathPattern?

  /// The tags of a file. Tags from a list override tags from the path, which override tags given for all files.
  func of(_ file: String, listed: [String: String] = [:]) -> [String: String] {
    given.merging(path?.tags(of: file) ?? [:]) { $1 }.merging(listed) { $1 }
  }
}

extension RunTags {
  /// Parses a tag of the form `NAME=VALUE`; `nil` for any other string.
  static func tag(_ text: some StringProtocol) -> (name: String, value: String)? {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    return parts.count == 2 && !parts[0].isEmpty ? (String(parts[0]), String(parts[1])) : nil
  }

  /// Parses the tags given individually with `--tag`.
  static func tags(_ texts: [String]) throws(CommandError) -> [String: String] {
    var tags: [String: String] = [:]
    for text in texts {
      guard let (name, value) = tag(text) else {
        throw CommandError(.usage, "--tag: expected NAME=VALUE, found \(text)")
      }
      guard tags.updateValue(value, forKey: name) == nil else {
        throw CommandError(.usage, "--tag: \(name) is given twice")
      }
    }
    return tags
  }
}

/// A pattern for paths, such as `{device}/{version}/*.csv`. A name in braces matches part of a path
/// component and becomes a tag, an asterisk matches any part, and two asterisks match any number of
/// components.
///
/// The pattern must match the complete path; for a file in a given folder, the path relative to that folder.
struct PathPattern {
  /// The string as the user wrote it.
  let text: String
  private let parts: [Part]

  private enum Part {
    case pieces([Piece])
    case anyNumber
  }

  private enum Piece: Equatable {
    case text(String)
    case tag(String)
    case anything
  }

  /// - Throws: If the pattern has no tag, or unbalanced braces.
  init(checking text: String) throws(CommandError) {
    var parts: [Part] = []
    var hasTag = false
    for part in text.split(separator: "/") {
      if part == "**" {
        parts.append(.anyNumber)
        continue
      }
      guard let pieces = Self.pieces(part) else {
        throw CommandError(
          .usage, "--tag-path: expected names in braces with text between them, found \(text)",
          help: "such as '{device}/{version}/*.csv'")
      }
      hasTag = hasTag || pieces.contains { if case .tag = $0 { true } else { false } }
      parts.append(.pieces(pieces))
    }
    guard hasTag else {
      throw CommandError(
        .usage, "--tag-path: expected a name in braces, found \(text)",
        help: "such as '{device}/{version}/*.csv'")
    }
    self.parts = parts
    self.text = text
  }

  /// The pieces of a component; `nil` if two wildcards have no text between them.
  private static func pieces(_ part: Substring) -> [Piece]? {
    var pieces: [Piece] = []
    var rest = part
    while let first = rest.first {
      let piece: Piece
      if first == "*" {
        piece = .anything
        rest = rest.dropFirst()
      } else if first == "{" {
        guard let end = rest.firstIndex(of: "}"), rest.index(after: rest.startIndex) < end else {
          return nil
        }
        piece = .tag(String(rest[rest.startIndex..<end].dropFirst()))
        rest = rest[rest.index(after: end)...]
      } else {
        let text = rest.prefix { $0 != "*" && $0 != "{" }
        piece = .text(String(text))
        rest = rest.dropFirst(text.count)
      }
      if let last = pieces.last, !Self.isText(last), !Self.isText(piece) { return nil }
      pieces.append(piece)
    }
    return pieces
  }

  private static func isText(_ piece: Piece) -> Bool {
    if case .text = piece { true } else { false }
  }

  /// The tags in a path; `nil` if the path does not match the pattern.
  func tags(of path: String) -> [String: String]? {
    let names = path.split(separator: "/").filter { $0 != "." }
    var tags: [String: String] = [:]
    return Self.match(parts[...], names[...], &tags) ? tags : nil
  }

  private static func match(
    _ parts: ArraySlice<Part>, _ names: ArraySlice<Substring>, _ tags: inout [String: String]
  ) -> Bool {
    guard let first = parts.first else { return names.isEmpty }
    let rest = parts.dropFirst()
    switch first {
    case .pieces(let pieces):
      guard let name = names.first else { return false }
      var found = tags
      guard match(pieces[...], name, &found), match(rest, names.dropFirst(), &found) else {
        return false
      }
      tags = found
      return true
    case .anyNumber:
      for start in names.startIndex...names.endIndex
      where match(rest, names[start...], &tags) {
        return true
      }
      return false
    }
  }

  /// Whether a name matches the pieces; wildcards match as little as possible.
  private static func match(
    _ pieces: ArraySlice<Piece>, _ name: Substring, _ tags: inout [String: String]
  ) -> Bool {
    guard let first = pieces.first else { return name.isEmpty }
    let rest = pieces.dropFirst()
    if case .text(let text) = first {
      return name.hasPrefix(text) && match(rest, name.dropFirst(text.count), &tags)
    }
    for end in name.indices.dropFirst() + [name.endIndex] {
      guard match(rest, name[end...], &tags) else { continue }
      if case .tag(let tag) = first { tags[tag] = String(name[..<end]) }
      return true
    }
    return false
  }
}
