/// A block of rows of one table, in this order:
///
/// - the type of its records, as in the native format, and 1 plus the index of the display or surface that they belong
///   to, or 0 for none
/// - the number of rows
/// - the strings of its rows: their number, and all strings, compressed together; columns of strings refer to them by
///   index
/// - the instant from which each row's times are measured
/// - the number of columns; for each column its key, its kind of content, and its values, with ``PackedPrediction``
///   unless they have fractions; times are measured from that instant
/// - the number of columns outside of the model; for each column its name, its unit (empty for none), its kind of
///   content, and its values
///
/// Strings are preceded by their size in bytes; see ``PackedColumn`` for numbers. A number with a fraction is written
/// as its decimal digits without the point if its column has at most six digits after the point, or else as its bits.
enum PackedRows {
  /// The content of a column, so that a reader can skip an unknown column.
  enum Content: UInt8 {
    case times, numbers, texts, fractions

    init(_ kind: ColumnSchema.Kind) {
      switch kind {
      case .time: self = .times
      case .text: self = .texts
      case .real: self = .fractions
      case .duration, .count, .identifier, .flag, .choice, .surface, .frame: self = .numbers
      }
    }
  }

  /// The row indices 0, 1, … of a block.
  static func all(_ count: Int) -> [Int32] { (0..<Int32(count)).map(\.self) }
}

/// Writes the rows of tables as blocks.
struct PackedRowsWriter: TableVisitor {
  let write: (PackedFormat.Kind, [UInt8]) -> Void

  /// The maximum number of bytes of strings in a block of more than one row.
  static let mostText = 1 << 24

  package mutating func visit<Column>(_ table: Table<Column>, at position: TablePosition) {
    for start in stride(from: 0, to: table.count, by: PackedFormat.mostRows) {
      write(start..<min(start + PackedFormat.mostRows, table.count), of: table, at: position)
    }
  }

  private func write<Column: TableColumn>(
    _ rows: Range<Int>, of table: Table<Column>, at position: TablePosition
  ) {
    var block = PackedBlockWriter(table, rows)
    let content = block.content(position)
    guard block.texts.size > Self.mostText, rows.count > 1 else { return write(.rows, content) }
    let middle = rows.lowerBound + rows.count / 2
    write(rows.lowerBound..<middle, of: table, at: position)
    write(middle..<rows.upperBound, of: table, at: position)
  }
}

/// The content of a block.
private struct PackedBlockWriter<Column: TableColumn> {
  private let table: Table<Column>
  private let rows: Range<Int>
  /// The strings of the rows.
  private(set) var texts = PackedTexts()

  init(_ table: Table<Column>, _ rows: Range<Int>) { (self.table, self.rows) = (table, rows) }

  mutating func content(_ position: TablePosition) -> [UInt8] {
    var columns = PackedBytes()
    let times = Array(table.references(rows))
    PackedColumn.write(times, to: &columns)
    addColumns(times, to: &columns)
    let extras = table.extras.filter { $0.valueCount > 0 }
    columns.add(varint: UInt64(extras.count))
    for extra in extras { add(extra, to: &columns) }
    var output = PackedBytes()
    output.add(position.record.rawValue)
    output.add(varint: UInt64((position.owner ?? -1) + 1))
    output.add(varint: UInt64(rows.count))
    texts.write(to: &output)
    return output.bytes + columns.bytes
  }

  private mutating func addColumns(_ times: [Int64], to output: inout PackedBytes) {
    var known: [PackedPrediction.Known] = []
    let columns = Column.allCases.filter(table.has)
    output.add(varint: UInt64(columns.count))
    for column in columns {
      let content = PackedRows.Content(column.schema.kind)
      output.add(column.schema.key)
      output.add(content.rawValue)
      var values = table.stored(column)?.decoded(rows) ?? []
      if content == .texts { texts.number(&values, of: table.texts) }
      if content == .fractions {
        PackedReals.write(values, to: &output)
      } else {
        PackedPrediction.write(values, known, times, to: &output)
        known.append(.init(values: values, isTime: content == .times))
      }
    }
  }

  private mutating func add(_ extra: ExtraColumn, to output: inout PackedBytes) {
    output.add(extra.name)
    output.add(extra.unit ?? "")
    switch extra.values {
    case .integers(let column):
      output.add(PackedRows.Content.numbers.rawValue)
      PackedColumn.write(column.decoded(rows), to: &output)
    case .reals(let numbers):
      output.add(PackedRows.Content.fractions.rawValue)
      PackedReals.write(numbers[rows].map(PackedReals.bits), to: &output)
    case .texts(let column, let table):
      output.add(PackedRows.Content.texts.rawValue)
      var values = column.decoded(rows)
      texts.number(&values, of: table)
      PackedColumn.write(values, to: &output)
    }
  }
}

/// The strings of a block, in the order in which they first appear in its columns.
struct PackedTexts {
  private var table = StringTable()
  /// The number of bytes of all strings.
  private(set) var size = 0

  /// Replaces the numbers of strings in another table by their numbers here.
  mutating func number(_ values: inout [Int64], of other: StringTable) {
    var numbers: [Int64: Int64] = [:]
    for index in values.indices where values[index] != IntegerColumn.missing {
      let value = values[index]
      if let known = numbers[value] {
        values[index] = known
        continue
      }
      let text = other[value]
      let before = table.texts.count
      let number = table.number(of: text)
      if table.texts.count > before { size += text.utf8.count }
      numbers[value] = number
      values[index] = number
    }
  }

  func write(to output: inout PackedBytes) {
    output.add(varint: UInt64(table.texts.count))
    var bytes = PackedBytes()
    for text in table.texts { bytes.add(text) }
    output.add(compressed: bytes.bytes)
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
