/// CSV in which no text is a formula: a spreadsheet computes a cell that begins with one of `= + - @`, whether or
/// not it is in quotes.
///
/// Such texts get an apostrophe in front and quotes around them, as OWASP recommends ("CSV Injection"). Numbers stay
/// numbers. The CSV may come in pieces that end anywhere.
public struct SpreadsheetText {
  /// The beginning of a cell whose end has not come yet.
  private var cell: [UInt8] = []
  private var isInQuotes = false

  /// Begins at the start of a cell.
  public init() {}

  /// The next bytes to write; the last, incomplete cell is kept until its end comes.
  public mutating func consume(_ bytes: [UInt8]) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count + cell.count)
    // Cells that stay as they are, nearly all, are copied together.
    var (copied, start) = (0, 0)
    var hasSemicolon = false
    for index in bytes.indices {
      switch bytes[index] {
      case UInt8(ascii: "\""): isInQuotes.toggle()
      case UInt8(ascii: ";"): hasSemicolon = true
      case UInt8(ascii: ","), UInt8(ascii: "\n"):
        if isInQuotes { continue }
        if !cell.isEmpty || hasSemicolon || Self.mayBeginFormula(bytes[start..<index]) {
          output += bytes[copied..<start]
          cell += bytes[start..<index]
          endCell(&output)
          copied = index
        }
        (start, hasSemicolon) = (index + 1, false)
      default: break
      }
    }
    output += bytes[copied..<start]
    cell += bytes[start...]
    return output
  }

  /// Whether a whole cell may begin with a formula, in quotes or without.
  private static func mayBeginFormula(_ cell: ArraySlice<UInt8>) -> Bool {
    guard let first = cell.first else { return false }
    return first == UInt8(ascii: "\"") || beginsFormula(first)
  }

  private mutating func endCell(_ output: inout [UInt8]) {
    defer { cell.removeAll(keepingCapacity: true) }
    // Some countries' spreadsheets end cells at semicolons.
    if cell.contains(UInt8(ascii: ";")) {
      for position in cell.indices.dropLast().reversed()
      where cell[position] == UInt8(ascii: ";") && Self.beginsFormula(cell[position + 1]) {
        cell.insert(UInt8(ascii: "'"), at: position + 1)
      }
    }
    let isQuoted = cell.first == UInt8(ascii: "\"")
    let text = isQuoted ? cell.dropFirst() : cell[...]
    guard let first = text.first, Self.beginsFormula(first), !Self.isNumber(text) else {
      output += cell
      return
    }
    output += "\"'".utf8
    output += text
    if !isQuoted { output.append(UInt8(ascii: "\"")) }
  }

  private static func beginsFormula(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "="), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "@"): true
    default: false
    }
  }

  /// Whether a cell is a number, as this program writes them.
  private static func isNumber(_ text: ArraySlice<UInt8>) -> Bool {
    text.first == UInt8(ascii: "-") && text.count > 1
      && Double(String(decoding: text, as: UTF8.self))?.isFinite ?? false
      && text.dropFirst().allSatisfy { "0123456789.e+-".utf8.contains($0) }
  }
}
