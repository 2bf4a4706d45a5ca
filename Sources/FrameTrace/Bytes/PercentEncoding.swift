/// Percent-encoding of paths in URLs (RFC 3986).
package enum PercentEncoding {
  /// A path with every byte that is not safe replaced by its number.
  package static func path(_ path: String) -> String {
    path.utf8.map { byte in
      let character = Character(Unicode.Scalar(byte))
      let isPlain = byte < 0x80 && (character.isLetter || character.isNumber)
      if isPlain || "/-._~".utf8.contains(byte) { return String(character) }
      return "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }.joined()
  }
}
