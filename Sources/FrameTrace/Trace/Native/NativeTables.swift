/// Reads the records that are rows of a table.
struct NativeTables {
  /// The id of the surface and the display of records when none is declared.
  static let defaultSurface = "main"
  static let defaultDisplay = "display"

  private static let surface: ByteName = "surface"
  private static let display: ByteName = "display"
  private static let extra: ByteName = "extra"

  private var frames = NativeRowReader<FrameColumn>(.frame, others: ["surface", "extra"])
  private var refreshes = NativeRowReader<RefreshColumn>(.refresh, others: ["display"])
  /// The readers of the other kinds of records.
  private var readers = Dictionary(
    uniqueKeysWithValues: FactTables.all.map { ($0.record, $0.reader()) })
  /// The extra columns of each surface.
  private var extras: [Int: NativeExtras] = [:]

  /// Reads a record of these kinds.
  mutating func read(
    _ record: NativeFormat.Record, _ line: NativeLine, _ builder: inout TraceBuilder,
    _ values: inout NativeValues, _ facts: NativeFacts
  ) {
    switch record {
    case .frame: readFrame(line, &builder, &values, facts)
    case .refresh:
      let index =
        line.text("display").map { builder.display($0) }
        ?? facts.currentDisplay ?? builder.display(Self.defaultDisplay)
      refreshes.read(
        line, into: &builder.trace.displays[index].refreshes, &values, number: index,
        isFormed: line.token(Self.display) != nil)
    default: readers[record]?.read(line, &values)
    }
  }

  /// Reads a line if it has the form of the last line of its kind.
  /// - Returns: Whether the line was read.
  mutating func readLike(
    _ record: NativeFormat.Record, _ bytes: [UInt8], _ range: Range<Int>,
    _ builder: inout TraceBuilder
  ) -> Bool {
    switch record {
    case .frame:
      guard frames.last < builder.trace.surfaces.count else { return false }
      return frames.readLike(
        bytes, range, into: &builder.trace.surfaces[frames.last].frames)
    case .refresh:
      guard refreshes.last < builder.trace.displays.count else { return false }
      return refreshes.readLike(
        bytes, range, into: &builder.trace.displays[refreshes.last].refreshes)
    default: return readers[record]?.readLike(bytes, range) ?? false
    }
  }

  private mutating func readFrame(
    _ line: NativeLine, _ builder: inout TraceBuilder, _ values: inout NativeValues,
    _ facts: NativeFacts
  ) {
    let index =
      line.token(Self.surface).flatMap { values.surface($0, line) }
      ?? facts.currentSurface ?? Int(values.surfaces.number(of: Self.defaultSurface))
    builder.makeSurfaces(values.surfaces)
    if let extra = line.token(Self.extra) {
      let row = builder.trace.surfaces[index].frames.count
      readExtras(extra, line, row: row, surface: index, &values, facts)
    }
    frames.read(
      line, into: &builder.trace.surfaces[index].frames, &values, number: index,
      isFormed: line.token(Self.surface) != nil && line.token(Self.extra) == nil)
  }

  private mutating func readExtras(
    _ token: JSONScanner.Token, _ line: NativeLine, row: Int, surface: Int,
    _ values: inout NativeValues, _ facts: NativeFacts
  ) {
    var scanner = JSONScanner(line.bytes, token.range)
    var members: [JSONScanner.Member] = []
    guard (try? scanner.object(into: &members)) != nil else {
      values.log.note(
        .malformedValue, .dataLoss, "extra: expected an object", at: .line(line.number))
      return
    }
    for member in members {
      let name = JSONScanner.text(
        line.bytes, (member.key.lowerBound - 1)..<(member.key.upperBound + 1))
      let isTaken = extras[surface, default: NativeExtras()].append(
        member.value, line.bytes, name: name, row: row, unit: facts.units[surface]?[name])
      if !isTaken {
        values.log.note(
          .absurdValue, .dataLoss,
          NativeExtras.tooSparse,
          at: .line(line.number))
      }
    }
  }

  /// Adds the collected rows to the trace and resolves references to frames.
  mutating func finish(_ builder: inout TraceBuilder, _ values: inout NativeValues) {
    builder.makeSurfaces(values.surfaces)
    for kind in FactTables.all { readers[kind.record]?.finish(&builder.trace) }
    for (surface, columns) in extras {
      let count = builder.trace.surfaces[surface].frames.count
      let found = columns.finish(count)
      values.log.note(
        .absurdValue, .dataLoss, NativeExtras.tooSparse, count: columns.count - found.count)
      builder.trace.surfaces[surface].frames.extras = found
    }
    let numberings = builder.trace.surfaces.map { FrameNumbering($0.frames) }
    builder.resolveFrames({ numberings[$1].row(of: $0) }, &values.log)
  }
}

extension TraceBuilder {
  /// Creates the named surfaces that do not exist yet.
  mutating func makeSurfaces(_ ids: StringTable) {
    for id in ids.texts.dropFirst(trace.surfaces.count) { _ = surface(id) { Surface(id: id) } }
  }

  /// The index of the display with an id; it is created if necessary.
  package mutating func display(_ id: String) -> Int {
    if let known = trace.displays.firstIndex(where: { $0.id == id }) { return known }
    trace.displays.append(Display(id: id))
    return trace.displays.count - 1
  }
}

/// Reads the records of one table.
struct NativeRowReader<Column: TableColumn> {
  private var row = Table<Column>.Row()
  private var keys: KeyOrder
  private let record: NativeFormat.Record
  private let schemas = Column.schemas
  private let columns = Array(Column.allCases)

  /// - Parameter others: Keys of the record that are not columns and are read elsewhere.
  init(_ record: NativeFormat.Record, others: [String] = []) {
    self.record = record
    keys = KeyOrder(schemas.map(\.key) + ["type"] + others)
  }

  /// The number of the table of the last record, for kinds of records with several tables.
  private(set) var last = 0
  private var form: NativeForm<Column>?
  /// The column of each member of the last line.
  private var found: [Column?] = []

  /// Reads a line's record as a row.
  /// - Parameters:
  ///   - number: The number of `table` among the tables of its kind.
  ///   - isFormed: Whether lines of the same form go to the same table and state nothing else.
  mutating func read(
    _ line: NativeLine, into table: inout Table<Column>, _ values: inout NativeValues,
    number: Int = 0, isFormed: Bool = true
  ) {
    row.clear()
    found.removeAll(keepingCapacity: true)
    // If records of several tables alternate, the next line does not have this line's form.
    var isKnown = isFormed && values.scale == 0 && line.isRepeated && number == last
    for (position, member) in line.members.enumerated() {
      guard let index = keys.index(of: line.bytes, member.key, at: position) else {
        let key = String(decoding: line.bytes[member.key], as: UTF8.self)
        values.log.note(
          .unknownKey, .dataLoss, "\(record.rawValue) records with the unknown key \"\(key)\"",
          at: .line(line.number))
        isKnown = false
        continue
      }
      guard index < columns.count else {
        found.append(nil)
        continue
      }
      let value = values.value(
        member.value, of: schemas[index], in: line, texts: &table.texts)
      row[columns[index]] = value
      found.append(columns[index])
      // Problems with values are noted for each line.
      isKnown = isKnown && (value != nil || member.value.kind == .null)
    }
    table.append(row)
    last = number
    form = isKnown ? NativeForm(line, found, row) : nil
  }

  /// Reads a line if it has the form of the last line.
  mutating func readLike(
    _ bytes: [UInt8], _ range: Range<Int>, into table: inout Table<Column>
  ) -> Bool {
    guard let form, form.read(bytes.span, range, into: &row) else { return false }
    table.append(row)
    return true
  }
}
