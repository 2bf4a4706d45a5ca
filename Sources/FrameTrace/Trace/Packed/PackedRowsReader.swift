/// Reads blocks of rows into the tables of a trace.
struct PackedRowsReader {
  private var extras: [TablePosition: [PackedExtra]] = [:]
  /// Content from later versions that this version does not know.
  private var unknown = IssueLog()

  /// Reads a block.
  mutating func read(
    _ cursor: inout PackedCursor, into builder: inout TraceBuilder
  ) throws(PackedCursor.Damage) {
    let type = try cursor.text()
    guard let record = NativeFormat.Record(rawValue: type) else {
      unknown.note(.unknownRecord, .dataLoss, "records of the unknown type \"\(type)\"")
      return
    }
    let owner = try cursor.count(atMost: Int(Int32.max)) - 1
    let position = TablePosition(record, of: owner < 0 ? nil : owner)
    var block = PackedBlock(
      cursor: cursor, type: type, surfaces: builder.trace.surfaces.count,
      extras: extras[position] ?? [])
    defer { cursor = block.cursor }
    guard try builder.trace.edit(position, &block) else { throw .content }
    extras[position] = block.extras
    for issue in block.unknown.issues { unknown.note(issue) }
  }

  /// Adds the columns outside of the model to the trace.
  func finish(_ builder: inout TraceBuilder) {
    for (position, extras) in extras where position.record == .frame {
      guard let surface = position.owner else { continue }
      let count = builder.trace.surfaces[surface].frames.count
      builder.trace.surfaces[surface].frames.extras = extras.map { $0.column(count) }
    }
    for issue in unknown.issues { builder.log.note(issue) }
  }
}

extension IssueLog {
  /// Notes an issue from another log.
  mutating func note(_ issue: TraceIssue) {
    note(issue.kind, issue.severity, issue.message, count: issue.count, at: issue.first)
  }
}

/// A block of rows that is appended to a table.
struct PackedBlock: TableEditor {
  typealias Failure = PackedCursor.Damage

  var cursor: PackedCursor
  /// The type of the block's records.
  let type: String
  /// The number of surfaces in the trace.
  let surfaces: Int
  var extras: [PackedExtra]
  private(set) var unknown = IssueLog()
  private var texts: [String] = []

  init(cursor: PackedCursor, type: String, surfaces: Int, extras: [PackedExtra]) {
    (self.cursor, self.type, self.surfaces, self.extras) = (cursor, type, surfaces, extras)
  }

  mutating func edit<Column>(_ table: inout Table<Column>) throws(PackedCursor.Damage) {
    let rows = try cursor.count(atMost: PackedFormat.mostRows)
    try readTexts()
    let times = try PackedColumn.read(rows, from: &cursor)
    guard times.allSatisfy({ $0.magnitude <= Timestamp.bound }) else { throw .content }
    try cursor.charge(rows * MemoryLayout<Int64>.size)
    var stored: [(Column, [Int64])] = []
    var known: [PackedPrediction.Known] = []
    for _ in 0..<(try cursor.count(atMost: PackedExtra.most)) {
      let key = try cursor.text()
      let (content, values) = try readValues(times, &known)
      guard let column = Column.allCases.first(where: { $0.schema.key == key }) else {
        unknown.note(.unknownKey, .dataLoss, "\(type) records with the unknown key \"\(key)\"")
        continue
      }
      guard content == PackedRows.Content(column.schema.kind),
        !stored.contains(where: { $0.0 == column })
      else { throw .content }
      var checked = values
      try check(&checked, column.schema, times, &table.texts)
      stored.append((column, checked))
    }
    let read = try readExtras(rows)
    guard cursor.isAtEnd else { throw .content }
    for (position, values) in read { extras[position].append(values, texts, after: table.count) }
    table.append(at: times, rows: PackedRows.all(rows), stored: stored)
  }

  private mutating func readTexts() throws(PackedCursor.Damage) {
    let count = try cursor.varint()
    let bytes = try cursor.decompressed()
    // Each has at least one byte for its size.
    guard count <= UInt64(bytes.count) else { throw .content }
    try cursor.charge(Int(count) * MemoryLayout<String>.size)
    var content = PackedCursor(bytes, budget: 0)
    for _ in 0..<count { texts.append(try content.text()) }
    guard content.isAtEnd else { throw .content }
  }

  /// The values of a column as written, with strings as indices in the block.
  private mutating func readValues(
    _ times: [Int64], _ known: inout [PackedPrediction.Known]
  ) throws(PackedCursor.Damage) -> (PackedRows.Content, [Int64]) {
    guard let content = PackedRows.Content(rawValue: try cursor.byte()) else { throw .content }
    try cursor.charge(times.count * MemoryLayout<Int32>.size)
    if content == .fractions { return (content, try PackedReals.read(times.count, from: &cursor)) }
    let values = try PackedPrediction.read(known, times, from: &cursor)
    known.append(.init(values: values, isTime: content == .times))
    return (content, values)
  }

  /// Checks the values of a column and replaces strings with their numbers in the table.
  /// - Parameter times: For each row, the instant from which times are measured.
  private mutating func check(
    _ values: inout [Int64], _ schema: ColumnSchema, _ times: [Int64], _ table: inout StringTable
  ) throws(PackedCursor.Damage) {
    if case .text = schema.kind {
      guard table.number(&values, of: texts) else { throw .content }
      return
    }
    if case .choice(let words) = schema.kind {
      // Later versions may define more words.
      for index in values.indices
      where values[index] != IntegerColumn.missing && !(0..<Int64(words.count) ~= values[index]) {
        values[index] = IntegerColumn.missing
        unknown.note(
          .malformedValue, .dataLoss, "\(schema.key): expected \(words.joined(separator: ", "))")
      }
      return
    }
    guard let range = range(of: schema.kind) else { return }
    for index in values.indices where values[index] != IntegerColumn.missing {
      let (value, isOver) = values[index].addingReportingOverflow(
        schema.kind == .time ? times[index] : 0)
      guard !isOver, range.contains(value) else { throw .content }
    }
  }

  /// The values that a kind of column can have; `nil` for any.
  private func range(of kind: ColumnSchema.Kind) -> Range<Int64>? {
    let bound = Int64(Timestamp.bound)
    return switch kind {
    case .time, .duration, .count: -bound..<bound + 1
    case .flag: 0..<2
    case .surface: 0..<Int64(surfaces)
    // The set of frames is known only at the end.
    case .frame, .identifier, .choice, .text, .real: nil
    }
  }

  /// The values of columns outside of the model, with the position of each in `extras`.
  private mutating func readExtras(
    _ rows: Int
  ) throws(PackedCursor.Damage) -> [(position: Int, values: [Int64])] {
    var read: [(position: Int, values: [Int64])] = []
    for _ in 0..<(try cursor.count(atMost: PackedExtra.most)) {
      let name = try cursor.text()
      let unit = try cursor.text()
      guard let content = PackedRows.Content(rawValue: try cursor.byte()) else { throw .content }
      let position = extras.firstIndex { $0.name == name } ?? extras.count
      if position == extras.count {
        extras.append(PackedExtra(name: name, unit: unit.isEmpty ? nil : unit, content: content))
      }
      guard extras[position].content == content, !read.contains(where: { $0.position == position })
      else {
        throw .content
      }
      try cursor.charge(rows * MemoryLayout<Int64>.size)
      let values =
        content == .fractions
        ? try PackedReals.read(rows, from: &cursor) : try PackedColumn.read(rows, from: &cursor)
      if content == .texts {
        for value in values where value != IntegerColumn.missing {
          guard 0..<Int64(texts.count) ~= value else { throw .content }
        }
      }
      read.append((position, values))
    }
    return read
  }
}

/// A column outside of the model that is being read.
struct PackedExtra {
  let name: String
  let unit: String?
  let content: PackedRows.Content
  private var table = StringTable()
  private var values = IntegerColumn()

  /// The maximum number of columns in a block.
  static let most = 4096

  init(name: String, unit: String?, content: PackedRows.Content) {
    (self.name, self.unit, self.content) = (name, unit, content)
  }

  /// Appends the values of rows after a number of rows.
  /// - Parameter texts: The strings of the block, to which values refer if the column holds strings.
  mutating func append(_ values: [Int64], _ texts: [String], after rows: Int) {
    var values = values
    // The indices were checked when they were read.
    if content == .texts { _ = table.number(&values, of: texts) }
    self.values.appendMissing(rows - self.values.count)
    self.values.append(values, at: PackedRows.all(values.count))
  }

  /// The column, with a value or none for each of a number of rows.
  func column(_ rows: Int) -> ExtraColumn {
    var values = values
    values.appendMissing(rows - values.count)
    let content: ExtraColumn.Values =
      switch content {
      case .times, .numbers: .integers(values)
      case .fractions:
        .reals(
          (0..<rows).map { values[$0].map { Double(bitPattern: UInt64(bitPattern: $0)) } ?? .nan })
      case .texts: .texts(values, table)
      }
    return ExtraColumn(name: name, unit: unit, values: content)
  }
}

extension StringTable {
  /// Replaces the indices of strings in a block by their numbers in the table.
  /// - Returns: Whether all indices have strings.
  fileprivate mutating func number(_ values: inout [Int64], of texts: [String]) -> Bool {
    var numbers = [Int64](repeating: IntegerColumn.missing, count: texts.count)
    for index in values.indices where values[index] != IntegerColumn.missing {
      guard 0..<Int64(texts.count) ~= values[index] else { return false }
      let position = Int(values[index])
      if numbers[position] == IntegerColumn.missing {
        numbers[position] = number(of: texts[position])
      }
      values[index] = numbers[position]
    }
    return true
  }
}
