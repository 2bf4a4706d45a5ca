/// Successive rows of a CSV input.
///
/// A cell is a range of `buffer`: nothing is copied until a caller requests a number or a text.
/// Quotes around a cell hide separators, but a line feed always ends a row. Blank lines are rows
/// with one empty cell.
package struct CSVBlock: Sendable {
  /// The line number of the block's first row, counted from 1.
  package internal(set) var firstLine = 1
  /// How many rows the block has.
  package private(set) var rowCount = 0
  /// The expected number of rows in the whole input, as a multiple of those up to here, by the
  /// share of the input that is read; 1 when unknown.
  package internal(set) var expectedGrowth = 1.0

  /// The bytes the cells are ranges of; eight can be read from the start of any cell.
  package private(set) var buffer: [UInt8] = []
  private var lines = 0..<0
  private var endsWithoutLineFeed = false
  private var scan = SeparatorScan()
  private let separator: UInt8

  init(separator: UInt8) { self.separator = separator }

  /// Moves on to the next lines of an input, which are not split yet.
  /// - Returns: `false` when there are none left.
  mutating func load(_ window: inout LineWindow) throws(ParseError) -> Bool {
    rowCount = 0
    guard try window.next() else { return false }
    (lines, endsWithoutLineFeed) = (window.lines, window.endsWithoutLineFeed)
    window.exchangeBytes(with: &buffer)
    return true
  }

  /// How many bytes the block's lines have.
  package var byteCount: Int { lines.count }

  /// Splits the lines into rows of cells.
  package mutating func split() {
    scan.scan(buffer, lines, separator: separator)
    if scan.hasQuotes { scan.dropQuotedSeparators(buffer) }
    rowCount = scan.lineCount
  }

  /// Whether the row is the input's last one and has no line feed: it may be cut off.
  package func isUnterminated(_ row: Int) -> Bool {
    endsWithoutLineFeed && row == rowCount - 1
  }

  /// How many cells every row has; `nil` where rows differ.
  package var uniformWidth: Int? { scan.uniformWidth }

  /// How many cells the row has; a blank line has one, an empty one.
  package func cellCount(_ row: Int) -> Int { Int(scan.lineEnds[row]) - firstCell(row) }

  /// Where the cell's text is, without the carriage returns of a Windows line end: two, where it went
  /// through a text mode twice.
  package func cell(_ row: Int, _ column: Int) -> Range<Int> {
    let index = firstCell(row) + column
    let start = index == 0 ? 0 : Int(scan.separators[index - 1]) + 1
    var end = Int(scan.separators[index])
    while end > start, buffer[end - 1] == UInt8(ascii: "\r") { end -= 1 }
    return start..<end
  }

  /// Calls `body` with where the column's cell is, for each of `rows`, which have one.
  @inline(__always)
  func cells(
    column: Int, of rows: [Int32],
    _ body: (_ index: Int, _ row: Int, _ start: Int, _ end: Int) -> Void
  ) {
    // Rows of equal width, as in all but damaged files, need not be looked up one by one.
    guard let width = scan.uniformWidth, column < width - 1 else {
      for index in rows.indices {
        let cell = self.cell(Int(rows[index]), column)
        body(index, Int(rows[index]), cell.lowerBound, cell.upperBound)
      }
      return
    }
    let separators = scan.separators.span
    for index in rows.indices {
      let row = Int(truncatingIfNeeded: rows[index])
      let cell = row &* width &+ column
      let start = cell == 0 ? 0 : Int(truncatingIfNeeded: separators[cell &- 1]) &+ 1
      body(index, row, start, Int(truncatingIfNeeded: separators[cell]))
    }
  }

  /// From the start of the first cell to the end of the last one, separators included.
  @inline(__always)
  func cells(_ row: Int, _ columns: ClosedRange<Int>) -> Range<Int> {
    let row = scan.uniformWidth.map { row &* $0 } ?? firstCell(row)
    let first = row &+ columns.lowerBound
    let start = first == 0 ? 0 : Int(scan.separators[first &- 1]) &+ 1
    var end = Int(scan.separators[row &+ columns.upperBound])
    if buffer[end] == UInt8(ascii: "\n") {
      while end > start, buffer[end &- 1] == UInt8(ascii: "\r") { end &-= 1 }
    }
    return start..<end
  }

  /// The cell's text, without quotes and blanks around it.
  package func text(_ row: Int, _ column: Int) -> String {
    Self.unquoted(buffer[cell(row, column)])
  }

  private func firstCell(_ row: Int) -> Int { row == 0 ? 0 : Int(scan.lineEnds[row - 1]) }

  private static func unquoted(_ cell: ArraySlice<UInt8>) -> String {
    let quote = UInt8(ascii: "\"")
    let text = cell.trimmingBlanks()
    guard text.count >= 2, text.first == quote, text.last == quote else {
      return String(decoding: text, as: UTF8.self)
    }
    var plain: [UInt8] = []
    var afterQuote = false
    for byte in text.dropFirst().dropLast() {
      if byte == quote, !afterQuote {
        afterQuote = true
      } else {
        plain.append(byte)
        afterQuote = false
      }
    }
    return String(decoding: plain, as: UTF8.self)
  }
}

extension IssueLog {
  /// Notes a row that is left out because of its width: as cut off if it is the last one and has no line feed.
  package mutating func note(width row: Int, of block: CSVBlock, _ words: String) {
    let isCut = block.isUnterminated(row)
    note(
      isCut ? .cutOff : .rowWidth, .dataLoss,
      isCut ? "a truncated last row, left out" : words, at: .line(block.firstLine + row))
  }
}

extension ArraySlice<UInt8> {
  /// A line without the carriage returns of its end: none, one of Windows, or two, where it went through a
  /// text mode twice, as `adb shell` on Windows does.
  package var withoutReturns: ArraySlice<UInt8> {
    var line = self
    while line.last == 0x0d { line = line.dropLast() }
    return line
  }

  /// The slice without blanks and tabs at its ends.
  package func trimmingBlanks() -> ArraySlice<UInt8> {
    func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0d }
    var text = self
    while let first = text.first, isBlank(first) { text = text.dropFirst() }
    while let last = text.last, isBlank(last) { text = text.dropLast() }
    return text
  }
}
