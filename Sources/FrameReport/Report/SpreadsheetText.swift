/// CSV without formulas: a spreadsheet evaluates any cell that begins with one of `= + - @`, quoted or not.
///
/// Such cells get a leading apostrophe and quotes, as OWASP recommends ("CSV Injection"). Numbers stay numbers. The CSV
/// may arrive in pieces that end anywhere.
public struct SpreadsheetText {
  /// The beginning of a cell whose end has not arrived yet.
  private var cell: [UInt8] = []
  private var isInQuotes = false

  /// Begins at the start of a cell.
  public init() {}

  /// The next bytes to write; an incomplete last cell is kept until its end arrives.
  public mutating func consume(_ bytes: [UInt8]) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count + cell.count)
    // Unchanged cells (nearly all) are copied together.
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

  /// Whether a complete cell may begin with a formula, quoted or not.
  private static func mayBeginFormula(_ cell: ArraySlice<UInt8>) -> Bool {
    guard let first = cell.first else { return false }
    return first == UInt8(ascii: "\"") || beginsFormula(first)
  }

  private mutating func endCell(_ output: inout [UInt8]) {
    defer { cell.removeAll(keepingCapacity: true) }
    // In some locales, spreadsheets separate cells with semicolons.
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

  /// Whether a cell is a number in the format of this program.
  private static func isNumber(_ text: ArraySlice<UInt8>) -> Bool {
    text.first == UInt8(ascii: "-") && text.count > 1
      && Double(String(decoding: text, as: UTF8.self))?.isFinite ?? false
      && text.dropFirst().allSatisfy { "0123456789.e+-".utf8.contains($0) }
  }
}
