/// Suggestions for mistyped words.
enum Spelling {
  /// The known word closest to `word`; `nil` if none is close.
  static func suggestion(for word: String, among known: [String]) -> String? {
    let nearest = known.map { ($0, distance(word, $0)) }.min { $0.1 < $1.1 }
    guard let (name, distance) = nearest, distance <= max(1, name.count / 3) else { return nil }
    return name
  }

  /// The edit distance: the number of letters to insert, delete or change to turn one word into the
  /// other.
  static func distance(_ first: String, _ second: String) -> Int {
    let second = Array(second)
    var row = Array(0...second.count)
    for (i, letter) in first.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for j in second.indices {
        let change = diagonal + (letter == second[j] ? 0 : 1)
        diagonal = row[j + 1]
        row[j + 1] = min(change, row[j] + 1, row[j + 1] + 1)
      }
    }
    return row[second.count]
  }
}
