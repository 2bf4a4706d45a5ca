/// Reads blocks of rows into the tables of a trace.
struct PackedRowsReader {
  private var texts: [TablePlace: PackedTexts] = [:]
  private var extras: [TablePlace: [PackedExtra]] = [:]
  /// Values that refer to texts of a block that was damaged.
  private(set) var lostTexts = 0

  /// Reads a block.
  /// - Returns: How many bytes its content became.
  mutating func read(
    _ cursor: inout PackedCursor, into builder: inout TraceBuilder
  ) throws(PackedCursor.Damage) -> Int {
    guard let record = NativeFormat.Record(rawValue: try cursor.text()) else {
      throw PackedCursor.Damage()
    }
    let owner = try cursor.count(atMost: Int(Int32.max)) - 1
    let place = TablePlace(record, of: owner < 0 ? nil : owner)
    var block = PackedBlock(
      cursor: cursor, surfaces: builder.trace.surfaces.count, texts: texts[place] ?? PackedTexts(),
      extras: extras[place] ?? [])
    guard try builder.trace.edit(place, &block) else { throw PackedCursor.Damage() }
    (texts[place], extras[place]) = (block.texts, block.extras)
    lostTexts += block.lostTexts
    return block.cursor.inflated
  }

  /// Puts the columns outside of the model into the trace.
  func finish(_ builder: inout TraceBuilder) {
    for (place, extras) in extras where place.record == .frame {
      guard let surface = place.owner else { continue }
      let count = builder.trace.surfaces[surface].frames.count
      builder.trace.surfaces[surface].frames.extras = extras.map { $0.column(count) }
    }
  }
}

/// The numbers that texts have in a table, by those that they have in a file.
struct PackedTexts {
  private var numbers: [Int64] = []

  /// Reads the texts that are new, which must not come before those that are known.
  mutating func read(
    _ cursor: inout PackedCursor, into table: inout StringTable
  ) throws(PackedCursor.Damage) {
    let known = try cursor.count(atMost: Int(Int32.max))
    let new = try cursor.count(atMost: PackedFormat.mostContent)
    guard known >= numbers.count else { throw PackedCursor.Damage() }
    // Texts of damaged blocks are missing. There are no more of them than rows have been.
    let lost = known - numbers.count
    guard lost <= PackedFormat.mostContent else { throw PackedCursor.Damage() }
    if lost > 0 { numbers += [Int64](repeating: IntegerColumn.missing, count: lost) }
    var texts = PackedCursor(try cursor.decompressed(), budget: 0)
    for _ in 0..<new { numbers.append(table.number(of: try texts.text())) }
    guard texts.isAtEnd else { throw PackedCursor.Damage() }
  }

  /// Replaces the numbers of the file by those of the table.
  /// - Returns: How many values refer to texts that are lost.
  func translate(_ values: inout [Int64]) throws(PackedCursor.Damage) -> Int {
    var lost = 0
    for index in values.indices where values[index] != IntegerColumn.missing {
      guard numbers.indices.contains(Int(values[index])) else { throw PackedCursor.Damage() }
      values[index] = numbers[Int(values[index])]
      if values[index] == IntegerColumn.missing { lost += 1 }
    }
    return lost
  }
}

/// A block of rows that is appended to a table.
struct PackedBlock: TableEditor {
  typealias Failure = PackedCursor.Damage

  var cursor: PackedCursor
  /// How many surfaces the trace has.
  let surfaces: Int
  var texts: PackedTexts
  var extras: [PackedExtra]
  var lostTexts = 0

  mutating func edit<Column>(_ table: inout Table<Column>) throws(PackedCursor.Damage) {
    let rows = try cursor.count(atMost: PackedFormat.mostRows)
    try texts.read(&cursor, into: &table.texts)
    let times = try PackedColumn.read(rows, from: &cursor)
    guard times.allSatisfy({ $0.magnitude <= Timestamp.bound }) else { throw Failure() }
    var stored: [(Column, [Int64])] = []
    var known: [PackedPrediction.Known] = []
    for _ in 0..<(try cursor.count(atMost: Column.allCases.count)) {
      let key = try cursor.text()
      guard let column = Column.allCases.first(where: { $0.schema.key == key }),
        !stored.contains(where: { $0.0 == column })
      else { throw Failure() }
      stored.append((column, try values(of: column.schema.kind, times, &known)))
    }
    let read = try readExtras(rows)
    guard cursor.isAtEnd else { throw Failure() }
    for (place, values) in read { extras[place].append(values, after: table.count) }
    table.append(at: times, rows: PackedRows.all(rows), stored: stored)
  }

  /// The values of a column as a table stores them, checked.
  /// - Parameters:
  ///   - times: For each row the instant that times are distances from.
  ///   - known: The columns before it.
  private mutating func values(
    of kind: ColumnSchema.Kind, _ times: [Int64], _ known: inout [PackedPrediction.Known]
  ) throws(PackedCursor.Damage) -> [Int64] {
    if kind == .real { return try PackedReals.read(times.count, from: &cursor) }
    var values = try PackedPrediction.read(known, times, from: &cursor)
    known.append(.init(values: values, isTime: kind == .time))
    if kind == .text {
      lostTexts += try texts.translate(&values)
      return values
    }
    guard let range = range(of: kind) else { return values }
    for index in values.indices where values[index] != IntegerColumn.missing {
      let (value, isOver) = values[index].addingReportingOverflow(kind == .time ? times[index] : 0)
      guard !isOver, range.contains(value) else { throw Failure() }
    }
    return values
  }

  /// The values that a kind of column can have; `nil` for any.
  private func range(of kind: ColumnSchema.Kind) -> ClosedRange<Int64>? {
    let bound = Int64(Timestamp.bound)
    return switch kind {
    case .time, .duration, .count: -bound...bound
    case .flag: 0...1
    case .choice(let words): 0...Int64(words.count - 1)
    case .surface: surfaces > 0 ? 0...Int64(surfaces - 1) : 0...0
    // Which frames there are is known at the end.
    case .frame, .identifier, .text, .real: nil
    }
  }

  /// The values of columns outside of the model, with the place of each in `extras`.
  private mutating func readExtras(
    _ rows: Int
  ) throws(PackedCursor.Damage) -> [(place: Int, values: [Int64])] {
    var read: [(place: Int, values: [Int64])] = []
    for _ in 0..<(try cursor.count(atMost: PackedExtra.most)) {
      let name = try cursor.text()
      let unit = try cursor.text()
      guard let content = PackedRows.Content(rawValue: try cursor.byte()) else { throw Failure() }
      let place = extras.firstIndex { $0.name == name } ?? extras.count
      if place == extras.count {
        extras.append(PackedExtra(name: name, unit: unit.isEmpty ? nil : unit, content: content))
      }
      guard extras[place].content == content, !read.contains(where: { $0.place == place }) else {
        throw Failure()
      }
      read.append((place, try extras[place].read(rows, from: &cursor, &lostTexts)))
    }
    return read
  }
}

/// A column outside of the model that is being read.
struct PackedExtra {
  let name: String
  let unit: String?
  let content: PackedRows.Content
  private var texts = PackedTexts()
  private var table = StringTable()
  private var values = IntegerColumn()

  /// The most columns of this kind.
  static let most = 4096

  init(name: String, unit: String?, content: PackedRows.Content) {
    (self.name, self.unit, self.content) = (name, unit, content)
  }

  mutating func read(
    _ rows: Int, from cursor: inout PackedCursor, _ lostTexts: inout Int
  ) throws(PackedCursor.Damage) -> [Int64] {
    switch content {
    case .integers: return try PackedColumn.read(rows, from: &cursor)
    case .reals: return try PackedReals.read(rows, from: &cursor)
    case .texts:
      try texts.read(&cursor, into: &table)
      var values = try PackedColumn.read(rows, from: &cursor)
      lostTexts += try texts.translate(&values)
      return values
    }
  }

  /// Appends the values of rows after a number of rows.
  mutating func append(_ values: [Int64], after rows: Int) {
    self.values.appendMissing(rows - self.values.count)
    self.values.append(values, at: PackedRows.all(values.count))
  }

  /// The column with a value or none for each of a number of rows.
  func column(_ rows: Int) -> ExtraColumn {
    var values = values
    values.appendMissing(rows - values.count)
    let content: ExtraColumn.Values =
      switch content {
      case .integers: .integers(values)
      case .reals:
        .reals(
          (0..<rows).map { values[$0].map { Double(bitPattern: UInt64(bitPattern: $0)) } ?? .nan })
      case .texts: .texts(values, table)
      }
    return ExtraColumn(name: name, unit: unit, values: content)
  }
}
