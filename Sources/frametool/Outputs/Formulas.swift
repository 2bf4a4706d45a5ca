import FrameKit

/// Whether to quote strings in a CSV that a spreadsheet would interpret as formulas.
enum Formulas: String, CaseIterable, Sendable {
  case quoted, plain

  static let help =
    "whether texts that a spreadsheet would compute are quoted in CSV, such as a name that begins with '=' (default: quoted in files whose name ends in .csv, else plain)"

  /// The sink of an output, with quoting if requested.
  static func sink(
    _ chosen: Formulas?, for path: String, _ sink: @escaping ([UInt8]) -> Void
  ) -> ([UInt8]) -> Void {
    guard (chosen ?? (Output.dataSuffix(of: path) == "csv" ? .quoted : .plain)) == .quoted else {
      return sink
    }
    var text = SpreadsheetText()
    return { sink(text.consume($0)) }
  }
}
