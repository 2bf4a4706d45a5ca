/// CSV rows being written, cell by cell, without a `String` for each.
package struct CSVLine {
  package private(set) var bytes: [UInt8] = []
  private var isFirst = true

  package init() {}

  /// A cell with a text, in quotes where it needs them, without anything that a terminal takes for a command.
  package mutating func add(_ text: String) {
    separate()
    let text = PrintableText.cell(text)
    guard text.utf8.contains(where: { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: ",") }) else {
      bytes.append(contentsOf: text.utf8)
      return
    }
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      if byte == UInt8(ascii: "\"") { bytes.append(byte) }
      bytes.append(byte)
    }
    bytes.append(UInt8(ascii: "\""))
  }

  /// A cell with a whole number, empty for none.
  package mutating func add(_ number: Int64?) {
    separate()
    if let number { DecimalText.append(number, digits: 0, to: &bytes) }
  }

  mutating func add(_ number: Int?) { add(number.map(Int64.init)) }

  /// A cell with a length of time in milliseconds, empty for none.
  package mutating func addMilliseconds(_ nanoseconds: Int64?) {
    separate()
    if let nanoseconds { DecimalText.append(nanoseconds, digits: 6, to: &bytes) }
  }

  /// A cell with nothing in it.
  package mutating func addEmpty() { separate() }

  /// Ends the row.
  package mutating func end() {
    bytes.append(0x0a)
    isFirst = true
  }

  /// Returns the rows and starts again without any.
  package mutating func takeBytes() -> [UInt8] {
    defer { bytes.removeAll(keepingCapacity: true) }
    return bytes
  }

  private mutating func separate() {
    if !isFirst { bytes.append(UInt8(ascii: ",")) }
    isFirst = false
  }
}

/// Writes CSV: comma, line feed, quotes only where a cell needs them (RFC 4180).
package enum CSVText {
  package static func rows(_ rows: [[String]]) -> String {
    var line = CSVLine()
    for row in rows {
      for cell in row { line.add(cell) }
      line.end()
    }
    return String(decoding: line.bytes, as: UTF8.self)
  }
}
