/// The columns of a CSV without quoted cells.
struct CSVRows {
  let header: [String]
  let rows: [[String]]

  init(_ text: String) {
    let lines = text.split(separator: "\n").map { line in
      line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
    header = lines.first ?? []
    rows = Array(lines.dropFirst())
  }

  /// The cells of a column; empty if the header lacks the key.
  subscript(key: String) -> [String] {
    header.firstIndex(of: key).map { index in rows.map { $0[index] } } ?? []
  }
}
