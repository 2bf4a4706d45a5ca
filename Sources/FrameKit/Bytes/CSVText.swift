/// Writes CSV: comma, line feed, quotes only where a cell needs them (RFC 4180).
enum CSVText {
  static func rows(_ rows: [[String]]) -> String {
    var line = CSVLine()
    for row in rows {
      for cell in row { line.add(cell) }
      line.end()
    }
    return String(decoding: line.bytes, as: UTF8.self)
  }
}
