/// Notes below a table, each numbered once however often it is referred to.
struct Footnotes {
  private(set) var notes: [String] = []

  /// The mark to put beside a figure, as ` [2]`.
  mutating func mark(_ note: String) -> String {
    if let known = notes.firstIndex(of: note) { return "[\(known + 1)]" }
    notes.append(note)
    return "[\(notes.count)]"
  }

  /// The notes with their numbers, a line each.
  func lines() -> [String] { notes.enumerated().map { "[\($0 + 1)] \($1)" } }
}
