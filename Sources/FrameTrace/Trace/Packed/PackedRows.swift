/// A block of rows of one table, in this order:
///
/// - the type of its records, as in the native format, and 1 more than the index of the display or surface they belong to,
///   0 for none
/// - the number of rows
/// - the texts that the table did not have before: how many there were, how many are new, and these, compressed together
/// - the instant that each row's times are distances from
/// - the number of columns; of each one its key and, of what ``PackedPrediction`` leaves of them, its numbers, times as
///   distances from that instant
/// - the number of columns outside of the model; of each one its name, its unit (empty for none), what it holds, its new
///   texts if it holds texts, and its values
///
/// Texts are preceded by their size in bytes; see ``PackedColumn`` for numbers. A number with a fraction is one of a
/// decimal's digits without the point, where its column has at most six behind it, else the bits of the number.
enum PackedRows {
  /// What a column outside of the model holds.
  enum Content: UInt8 { case integers, reals, texts }

  /// The row indices 0, 1, … of a block.
  static func all(_ count: Int) -> [Int32] { (0..<Int32(count)).map(\.self) }
}

/// Writes the rows of tables as blocks.
struct PackedRowsWriter: TableVisitor {
  let write: (PackedFormat.Kind, [UInt8]) -> Void

  mutating func visit<Column>(_ table: Table<Column>, at place: TablePlace) {
    // How many texts of the table, and of each of its extra columns, earlier blocks have.
    var known = [Int](repeating: 0, count: 1 + table.extras.count)
    for start in stride(from: 0, to: table.count, by: PackedFormat.mostRows) {
      let rows = start..<min(start + PackedFormat.mostRows, table.count)
      write(.rows, Self.content(of: table, rows, at: place, &known))
    }
  }

  private static func content<Column: TableColumn>(
    of table: Table<Column>, _ rows: Range<Int>, at place: TablePlace, _ texts: inout [Int]
  ) -> [UInt8] {
    var output = PackedBytes()
    output.add(place.record.rawValue)
    output.add(varint: UInt64((place.owner ?? -1) + 1))
    output.add(varint: UInt64(rows.count))
    addTexts(table.texts, &texts[0], to: &output)
    let times = Array(table.references(rows))
    PackedColumn.write(times, to: &output)
    var known: [PackedPrediction.Known] = []
    let columns = Column.allCases.filter(table.has)
    output.add(varint: UInt64(columns.count))
    for column in columns {
      output.add(column.schema.key)
      let values = table.stored(column)?.decoded(rows) ?? []
      if column.schema.kind == .real {
        PackedReals.write(values, to: &output)
      } else {
        PackedPrediction.write(values, known, times, to: &output)
        known.append(.init(values: values, isTime: column.schema.kind == .time))
      }
    }
    let extras = table.extras.enumerated().filter { $0.element.valueCount > 0 }
    output.add(varint: UInt64(extras.count))
    for (index, extra) in extras { add(extra, rows, &texts[1 + index], to: &output) }
    return output.bytes
  }

  private static func add(
    _ extra: ExtraColumn, _ rows: Range<Int>, _ known: inout Int, to output: inout PackedBytes
  ) {
    output.add(extra.name)
    output.add(extra.unit ?? "")
    switch extra.values {
    case .integers(let column):
      output.add(PackedRows.Content.integers.rawValue)
      PackedColumn.write(column.decoded(rows), to: &output)
    case .reals(let numbers):
      output.add(PackedRows.Content.reals.rawValue)
      PackedReals.write(numbers[rows].map(PackedReals.bits), to: &output)
    case .texts(let column, let texts):
      output.add(PackedRows.Content.texts.rawValue)
      addTexts(texts, &known, to: &output)
      PackedColumn.write(column.decoded(rows), to: &output)
    }
  }

  private static func addTexts(
    _ table: StringTable, _ known: inout Int, to output: inout PackedBytes
  ) {
    output.add(varint: UInt64(known))
    output.add(varint: UInt64(table.texts.count - known))
    var texts = PackedBytes()
    for text in table.texts[known...] { texts.add(text) }
    output.add(compressed: texts.bytes)
    known = table.texts.count
  }
}

extension IntegerColumn {
  /// The values of some rows, `missing` for none.
  fileprivate func decoded(_ rows: Range<Int>) -> [Int64] {
    var values = [Int64](repeating: Self.missing, count: rows.count)
    decode(rows, into: &values)
    return values
  }
}

/// Numbers with fractions, given by their bits: as whole numbers of a decimal unit if that loses nothing.
enum PackedReals {
  /// The most digits behind the point.
  private static let mostDigits = 6
  private static let powers = [1.0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6]
  /// Stands for the bits themselves.
  private static let asBits: UInt8 = 0xff

  /// The bits of a number, those of `missing` for `nan`. Adding zero makes -0.0, which has them too, 0.
  static func bits(_ number: Double) -> Int64 {
    number.isNaN ? IntegerColumn.missing : Int64(bitPattern: (number + 0).bitPattern)
  }

  static func write(_ bits: [Int64], to output: inout PackedBytes) {
    for digits in 0...mostDigits {
      guard let whole = wholes(bits, digits) else { continue }
      output.add(UInt8(digits))
      return PackedColumn.write(whole, to: &output)
    }
    output.add(asBits)
    PackedColumn.write(bits, to: &output)
  }

  /// The numbers in units of the last of some digits; `nil` if one of them is between two units.
  private static func wholes(_ bits: [Int64], _ digits: Int) -> [Int64]? {
    var wholes: [Int64] = []
    wholes.reserveCapacity(bits.count)
    for bits in bits {
      guard bits != IntegerColumn.missing else {
        wholes.append(bits)
        continue
      }
      let number = Double(bitPattern: UInt64(bitPattern: bits))
      let scaled = (number * powers[digits]).rounded()
      guard abs(scaled) < 0x1p53, (scaled / powers[digits]).bitPattern == number.bitPattern
      else { return nil }
      wholes.append(Int64(scaled))
    }
    return wholes
  }

  /// Reads the bits of as many numbers as there are rows, all finite.
  static func read(
    _ rows: Int, from input: inout PackedCursor
  ) throws(PackedCursor.Damage) -> [Int64] {
    let digits = try input.byte()
    var values = try PackedColumn.read(rows, from: &input)
    guard digits == asBits || digits <= mostDigits else { throw PackedCursor.Damage() }
    for index in values.indices where values[index] != IntegerColumn.missing {
      let number =
        digits == asBits
        ? Double(bitPattern: UInt64(bitPattern: values[index]))
        : Double(values[index]) / powers[Int(digits)]
      guard number.isFinite else { throw PackedCursor.Damage() }
      values[index] = bits(number)
    }
    return values
  }
}
