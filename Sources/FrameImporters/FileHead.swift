import FrameTrace

/// The start of an input, used to choose an importer.
package struct FileHead: Sendable {
  /// At most the first 64 KiB, after decompression.
  let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The first byte that is neither blank nor part of a byte-order mark.
  var firstByte: UInt8? {
    let text = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? bytes.dropFirst(3) : bytes[...]
    return text.first { $0 > 0x20 }
  }

  /// Whether the input begins like JSON.
  var isJSON: Bool { firstByte == UInt8(ascii: "{") || firstByte == UInt8(ascii: "[") }

  /// Whether the bytes contain a string.
  func contains(_ text: String) -> Bool {
    bytes.span.first(of: Array(text.utf8), in: bytes.indices) != nil
  }

  /// The first line, without the byte-order mark and line ending.
  var firstLine: String { lines(1).first ?? "" }

  /// The first lines, without the byte-order mark and line endings.
  func lines(_ count: Int) -> [String] {
    var rest = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? bytes.dropFirst(3) : bytes[...]
    var lines: [String] = []
    while lines.count < count, !rest.isEmpty {
      let end = rest.firstIndex(of: 0x0a) ?? rest.endIndex
      let line = rest[rest.startIndex..<end].withoutReturns
      lines.append(String(decoding: line, as: UTF8.self))
      rest = end < rest.endIndex ? rest[(end + 1)...] : []
    }
    return lines
  }

  /// The cells of the first line normalized for comparison: trimmed, in lower case.
  var columnNames: [String] { Self.columnNames(firstLine) }

  /// The cells of a header line normalized for comparison: trimmed, without quotes, in lower case.
  static func columnNames(_ line: String, separator: UInt8 = UInt8(ascii: ",")) -> [String] {
    cells(line, separator: separator).map { $0.lowercased() }
  }

  /// The cells of a header line, trimmed and without quotes.
  static func cells(_ line: String, separator: UInt8 = UInt8(ascii: ",")) -> [String] {
    var cells: [[UInt8]] = [[]]
    var isQuoted = false
    for byte in line.utf8 {
      if byte == UInt8(ascii: "\"") {
        isQuoted.toggle()
      } else if byte == separator, !isQuoted {
        cells.append([])
      } else {
        cells[cells.count - 1].append(byte)
      }
    }
    return cells.map { String(decoding: $0[...].trimmingBlanks(), as: UTF8.self) }
  }
}
