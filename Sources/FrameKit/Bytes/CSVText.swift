/// Writes CSV: comma, line feed, quotes only where a cell needs them (RFC 4180).
enum CSVText {
  static func rows(_ rows: [[String]]) -> String {
    rows.map { $0.map(quoted).joined(separator: ",") + "\n" }.joined()
  }

  private static func quoted(_ cell: String) -> String {
    guard cell.utf8.contains(where: { "\",\n\r".utf8.contains($0) }) else { return cell }
    return "\"" + cell.replacing("\"", with: "\"\"") + "\""
  }
}
