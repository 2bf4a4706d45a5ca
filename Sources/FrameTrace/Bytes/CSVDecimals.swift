extension CSVBlock {
  /// The representation of "no value" in a decoded column.
  package static let missing = Int64.min

  /// A cell that holds neither a number nor a word for "no value".
  package struct OddCell {
    package var row: Int
    package var reading: DecimalNumber.Reading

    package init(
      row: Int, reading: DecimalNumber.Reading
    ) {
      self.row = row
      self.reading = reading
    }
  }

  /// Reads one column of numbers.
  /// - Parameters:
  ///   - rows: The rows of the block to read, which must have that column.
  ///   - scale: The number of digits after the point in the unit, as in `DecimalNumber`.
  ///   - limit: The largest plausible magnitude; larger numbers are out of range.
  ///   - values: Receives a value for each of `rows`, `missing` where there is none.
  /// - Returns: The cells that are not numbers; their values are `missing`.
  package func decode(
    column: Int, of rows: [Int32], scale: Int, limit: Int64 = .max, into values: inout [Int64]
  ) -> [OddCell] {
    var odd: [OddCell] = []
    let buffer = self.buffer
    let bytes = buffer.span
    var output = values.mutableSpan
    var reader = DecimalReader(scale: scale)
    cells(column: column, of: rows) { index, row, start, end in
      let word = bytes.word(at: start)
      let length = end &- start
      var value = reader.readLike(word, length: length)
      if value == Self.missing, word & 0xffff != Self.wordNA {
        let reading = Self.readOther(buffer, start..<end, scale, &reader)
        value = Self.accept(reading, row, limit, &odd)
      }
      output[index] = value
    }
    return odd
  }

  /// The letters NA as the first two bytes of a word: the missing cell of most tools.
  private static let wordNA: UInt64 = 0x414e

  /// Reads what the quick ways do not take: a number past the limit, for example.
  @inline(never)
  private static func readOther(
    _ bytes: [UInt8], _ cell: Range<Int>, _ scale: Int, _ reader: inout DecimalReader
  ) -> DecimalNumber.Reading {
    let value = reader.readRounded(bytes.span, cell)
    return value == missing ? DecimalNumber.read(bytes[cell], scale: scale) : .value(value)
  }

  private static func accept(
    _ reading: DecimalNumber.Reading, _ row: Int, _ limit: Int64, _ odd: inout [OddCell]
  ) -> Int64 {
    switch reading {
    case .value(let value) where value.magnitude <= limit.magnitude: return value
    case .missing: return missing
    case .value: odd.append(OddCell(row: row, reading: .outOfRange))
    default: odd.append(OddCell(row: row, reading: reading))
    }
    return missing
  }

  /// Reads one column of numbers with fractions, each as the nearest `Double`.
  /// - Parameters:
  ///   - limit: Numbers of this magnitude or more are rejected.
  ///   - values: Receives a number for each of `rows`, `nan` where there is none.
  package func decodeReals(
    column: Int, of rows: [Int32], limit: Double, into values: inout [Double]
  ) {
    let buffer = self.buffer
    let bytes = buffer.span
    var output = values.mutableSpan
    var reader = DecimalReader(scale: Self.decimals)
    cells(column: column, of: rows) { index, _, start, end in
      var value = reader.readLike(bytes.word(at: start), length: end &- start)
      if value == Self.missing {
        value = reader.readShort(bytes.word(at: start), length: end &- start)
      }
      // Both numbers are exact, so their quotient is the nearest `Double`.
      let number =
        value.magnitude < 1 << 53
        ? Double(value) / Self.unit : Self.otherReal(buffer[start..<end])
      output[index] = abs(number) < limit ? number : .nan
    }
  }

  /// The decimals that are read the quick way, and how many of their units make one.
  private static let decimals = 6
  private static let unit = 1e6

  @inline(never)
  private static func otherReal(_ cell: ArraySlice<UInt8>) -> Double {
    Double(String(decoding: cell.trimmingBlanks(), as: UTF8.self)) ?? .nan
  }
}
