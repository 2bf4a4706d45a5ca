extension CSVReader {
  /// What stands for "no value" in a decoded column.
  static let missing = Int64.min

  /// A cell that holds neither a number nor a word for "no value".
  struct OddCell {
    var row: Int
    var reading: DecimalNumber.Reading
  }

  /// Reads one column of numbers.
  /// - Parameters:
  ///   - rows: The rows of the block to read, which have that column.
  ///   - scale: The digits after the point that the unit has, as in `DecimalNumber`.
  ///   - limit: The largest magnitude that is believed; beyond it a number is out of range.
  ///   - values: Gets a value for each of `rows`, `missing` where there is none.
  /// - Returns: The cells that are no numbers; their values are `missing`.
  func decode(
    column: Int, of rows: [Int32], scale: Int, limit: Int64 = .max, into values: inout [Int64]
  ) -> [OddCell] {
    var odd: [OddCell] = []
    let buffer = self.buffer
    let bytes = buffer.span
    let powerTable = DecimalNumber.powers
    let powers = powerTable.span
    var output = values.mutableSpan
    cells(column: column, of: rows) { index, row, start, end in
      let length = end &- start
      let word = bytes.word(at: start)
      var value = DecimalNumber.readShort(word, length: length, scale: scale, powers: powers)
      if value == Self.missing, word & 0xffff != Self.wordNA {
        value = Self.decodeOther(buffer, start..<end, scale: scale, row: row, odd: &odd)
      }
      if value > limit || (value < 0 &- limit && value != Self.missing) {
        odd.append(OddCell(row: row, reading: .outOfRange))
        value = Self.missing
      }
      output[index] = value
    }
    return odd
  }

  /// The letters NA as the first two bytes of a word: the missing cell of most tools.
  private static let wordNA: UInt64 = 0x414e

  /// Decodes what the short way could not take.
  @inline(never)
  private static func decodeOther(
    _ bytes: [UInt8], _ cell: Range<Int>, scale: Int, row: Int, odd: inout [OddCell]
  ) -> Int64 {
    if let value = DecimalNumber.readLong(bytes, cell, scale: scale) { return value }
    switch DecimalNumber.read(bytes[cell], scale: scale) {
    case .value(let value): return value
    case .missing: return missing
    case let reading:
      odd.append(OddCell(row: row, reading: reading))
      return missing
    }
  }
}
