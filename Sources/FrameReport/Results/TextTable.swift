/// A table for people: text columns with headings, aligned when printed.
struct TextTable {
  enum Alignment { case left, right }

  struct Column {
    let heading: String
    let alignment: Alignment
  }

  private(set) var columns: [Column]
  private(set) var rows: [[String]] = []
  /// The headings of columns that may be omitted if there is no room, in order of removal.
  var expendable: [String] = []

  init(_ columns: [(String, Alignment)]) {
    self.columns = columns.map { Column(heading: $0.0, alignment: $0.1) }
  }

  mutating func append(_ row: [String]) { rows.append(row) }

  mutating func remove(column: Int) {
    columns.remove(at: column)
    for row in rows.indices { rows[row].remove(at: column) }
  }

  /// The same table without columns that are empty in all rows.
  var withoutEmptyColumns: TextTable {
    let used = columns.indices.filter { column in rows.contains { !$0[column].isEmpty } }
    var table = TextTable(used.map { (columns[$0].heading, columns[$0].alignment) })
    for row in rows { table.append(used.map { row[$0] }) }
    table.expendable = expendable
    return table
  }
}

/// Notes below a table; each note has one number, however often it is referenced.
struct Footnotes {
  private(set) var notes: [String] = []

  /// The mark to print next to a figure, such as ` [2]`.
  mutating func mark(_ note: String) -> String {
    if let known = notes.firstIndex(of: note) { return "[\(known + 1)]" }
    notes.append(note)
    return "[\(notes.count)]"
  }

  /// The numbered notes, one per line.
  func lines() -> [String] { notes.enumerated().map { "[\($0 + 1)] \($1)" } }
}
