/// A browser's request in the form of RFC 9112. Only the request line and the fields are read: a body is never used.
struct PageRequest: Equatable {
  let method, path: String
  /// The fields by their lowercase names; for several fields with one name, all values in order.
  let fields: [String: [String]]

  /// The maximum number of bytes up to the empty line. Browsers send less than two thousand.
  static let mostBytes = 16_384

  /// The content of a connection's bytes so far.
  enum Found: Equatable {
    case whole(PageRequest)
    case unfinished
    /// The bytes are not HTTP, or exceed the limit.
    case malformed
  }

  static func find(in bytes: [UInt8]) -> Found {
    let end = Array("\r\n\r\n".utf8)
    guard let head = bytes.firstRange(of: end) else {
      return bytes.count < mostBytes ? .unfinished : .malformed
    }
    guard head.lowerBound < mostBytes,
      let text = String(validating: bytes[..<head.lowerBound], as: UTF8.self)
    else { return .malformed }
    // "\r\n" is one character.
    var lines = text.split(separator: "\r\n", omittingEmptySubsequences: false)[...]
    let words = lines.popFirst()?.split(separator: " ", omittingEmptySubsequences: false) ?? []
    guard words.count == 3, words[1].hasPrefix("/"), words[2].hasPrefix("HTTP/1.") else {
      return .malformed
    }
    var fields: [String: [String]] = [:]
    for line in lines {
      guard let colon = line.firstIndex(of: ":"), colon > line.startIndex else { return .malformed }
      let value = line[line.index(after: colon)...]
      fields[line[..<colon].lowercased(), default: []].append(value.trimmed)
    }
    return .whole(PageRequest(method: String(words[0]), path: String(words[1]), fields: fields))
  }

  /// The value of a field that occurs once; `nil` if it is missing or there are several.
  subscript(_ name: String) -> String? {
    guard let values = fields[name], values.count == 1 else { return nil }
    return values[0]
  }
}

extension Substring {
  /// The string without leading and trailing spaces and tabs.
  fileprivate var trimmed: String {
    var rest = drop { $0 == " " || $0 == "\t" }
    while rest.last == " " || rest.last == "\t" { rest.removeLast() }
    return String(rest)
  }
}
