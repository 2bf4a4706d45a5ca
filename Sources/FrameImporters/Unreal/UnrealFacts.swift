import FrameTrace

/// What a recording states about itself in its last row: `[HasHeaderRowAtEnd],1,[platform],Windows,[os],…`.
///
/// Values can contain commas and brackets, so a cell is a key only where a key is due. The command line is the last
/// value and takes up the rest of the row. Data that identifies a person (`loginid`, `deviceid`, the command line) is
/// not kept.
struct UnrealFacts {
  /// The key that the row begins with, in lower case.
  static let first = "[hasheaderrowatend]"
  private static let kept: Set = [
    "platform", "config", "engineversion", "os", "cpu", "rhiname", "deviceprofile",
    "captureduration",
  ]

  private var values: [String: String] = [:]
  /// Whether the row was present, as it is if a recording was ended.
  private(set) var isKnown = false

  init() {}

  init(_ cells: some Sequence<String>) {
    isKnown = true
    var (key, parts): (String?, [String]) = (nil, [])
    for cell in cells {
      guard key != "commandline" else { break }
      if cell.hasPrefix("["), cell.hasSuffix("]"), key == nil || !parts.isEmpty {
        end(key, parts)
        (key, parts) = (cell.dropFirst().dropLast().lowercased(), [])
      } else {
        parts.append(cell)
      }
    }
    end(key, parts)
  }

  private mutating func end(_ key: String?, _ parts: [String]) {
    if let key, Self.kept.contains(key) { values[key] = parts.joined(separator: ",") }
  }

  /// The value of a key in lower case, without surrounding blanks; `nil` if there is no value.
  subscript(key: String) -> String? {
    guard let value = values[key] else { return nil }
    let text = String(decoding: Array(value.utf8)[...].trimmingBlanks(), as: UTF8.self)
    return text.isEmpty ? nil : text
  }
}
