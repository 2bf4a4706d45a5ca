/// Reads the records of one table.
struct NativeRowReader<Column: TableColumn> {
  private var row = Table<Column>.Row()
  private var keys: KeyOrder
  private let record: NativeFormat.Record
  private let schemas = Column.schemas
  private let columns = Array(Column.allCases)

  /// - Parameter others: Keys of the record that are no columns and are read elsewhere.
  init(_ record: NativeFormat.Record, others: [String] = []) {
    self.record = record
    keys = KeyOrder(schemas.map(\.key) + ["type"] + others)
  }

  /// Reads a line's record as a row.
  mutating func read(
    _ line: NativeLine, into table: inout Table<Column>, _ values: inout NativeValues
  ) {
    row.clear()
    for (position, member) in line.members.enumerated() {
      guard let place = keys.place(of: line.bytes, member.key, at: position) else {
        let key = String(decoding: line.bytes[member.key], as: UTF8.self)
        values.log.note(
          .unknownKey, .dataLoss, "\(record.rawValue) records with the key \"\(key)\"",
          at: .line(line.number))
        continue
      }
      guard place < columns.count else { continue }
      row[columns[place]] = values.value(
        member.value, of: schemas[place], in: line, texts: &table.texts)
    }
    table.append(row)
  }
}
