/// Files that lie beside an input and belong to it, by their names.
enum SiblingFile {
  /// The names that a file beside an input can have: the input's own, up to three endings taken off, with
  /// another one.
  static func paths(of path: String, suffix: String) -> [String] {
    var paths: [String] = []
    var stem = Substring(path)
    for _ in 0..<3 {
      guard let point = stem.utf8.lastIndex(of: UInt8(ascii: ".")), point > stem.startIndex,
        !stem.utf8[point...].contains(UInt8(ascii: "/"))
      else { break }
      stem = stem[..<point]
      paths.append(stem + suffix)
    }
    return paths
  }
}
