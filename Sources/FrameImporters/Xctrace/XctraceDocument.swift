import FrameTrace

/// A row with its table.
struct XctraceRow {
  let schema: XctraceSchema
  fileprivate(set) var cells: [XctraceValue]

  /// The value in a column; `.missing` if there is none.
  func value(_ column: XctraceColumn) -> XctraceValue {
    guard let position = schema.position(column), position < cells.count else { return .missing }
    return cells[position]
  }

  /// A whole number; `nil` if it is missing, or is the largest number, which stands for missing.
  func number(_ column: XctraceColumn) -> Int64? {
    guard let number = value(column).number else { return nil }
    return number == Int64(UInt32.max) || number == .max ? nil : number
  }

  /// An instant or a duration, in nanoseconds.
  func time(_ column: XctraceColumn) -> Int64? {
    guard let number = value(column).number else { return nil }
    return number >= (1 << 50) - 1 || number < 0 ? nil : number
  }

  /// The text of a value; the displayed text if the value has no other.
  func text(_ column: XctraceColumn) -> String? { value(column).text }

  /// The start and the end of a row; `nil` if its start or its duration is missing.
  var span: (start: Int64, end: Int64)? {
    guard let start = time(.start), let duration = time(.duration) else { return nil }
    return (start, start + duration)
  }
}

/// Reads the rows from the output of `xctrace export --xpath`:
///
///     <trace-query-result><node xpath='…'><schema name="hitches"><col><mnemonic>start</mnemonic>…
///     <row><start-time id="1" fmt="00:04.961">4961155833</start-time>…</row>
///     <row>…<start-time ref="1"/><sentinel/></row></node></trace-query-result>
///
/// A value has an ID at its first occurrence and a reference at each later one, across rows and
/// tables. Columns are identified by their position in a row, and a sentinel stands for a missing
/// value.
struct XctraceDocument {
  private let reader: XMLReader
  private let names: XctraceNames
  private var values = XctraceValues()
  private var schema: XctraceSchema?
  /// The tables seen so far, for nodes that have rows of a table but do not repeat its columns.
  private var schemas: [String: XctraceSchema] = [:]
  /// The tables in order of appearance, with the number of rows of each.
  private(set) var tables: [(name: String, rows: Int)] = []
  /// The index of the current table in `tables`.
  private var table = 0
  /// The number of references to missing values.
  private(set) var brokenReferences = 0
  /// The number of rows with more or fewer cells than their table has columns.
  private(set) var oddRows = 0
  /// The number of rows before the first table.
  private(set) var strayRows = 0
  /// The number of rows in nodes that do not state their columns.
  private(set) var borrowedRows = 0
  private var isBorrowed = false
  /// The runs of the tables.
  private(set) var runs: Set<String> = []

  init(_ input: InputFile) throws(ParseError) {
    reader = try XMLReader(input)
    names = XctraceNames(reader)
  }

  /// The next row; `nil` at the end.
  mutating func next() throws(ParseError) -> XctraceRow? {
    while let event = try reader.next() {
      guard case .start(let element) = event else { continue }
      switch element.name {
      case names.node:
        // If a node does not state its columns, those of the previous one are used.
        isBorrowed = true
        if let path = reader.attribute(names.path, element) {
          runs.formUnion(Self.run(reader.text(path)))
        }
      case names.schema: try readSchema(element)
      case names.row:
        if let row = try readRow() { return row }
      default: break
      }
    }
    return nil
  }

  /// The run in a path such as `//trace-toc[1]/run[3]/data[1]/table[4]`.
  private static func run(_ path: String) -> [String] {
    path.split(separator: "/").filter { $0.hasPrefix("run[") }.map(String.init)
  }

  private mutating func readSchema(_ element: XMLReader.Element) throws(ParseError) {
    let name = reader.attribute(names.name, element).map(reader.text) ?? ""
    var mnemonics: [String] = []
    var mnemonic = ""
    loop: while let event = try reader.next() {
      switch event {
      case .start(let element):
        if element.name == names.mnemonic { mnemonic = reader.text(element.text) }
      case .end(names.column):
        mnemonics.append(mnemonic)
        mnemonic = ""
      case .end(names.schema): break loop
      case .end, .text: break
      }
    }
    let found = XctraceSchema(name: name, mnemonics: mnemonics)
    schema = mnemonics.isEmpty ? schemas[name] ?? found : found
    schemas[name] = schema
    if let known = tables.firstIndex(where: { $0.name == name }) {
      table = known
    } else {
      table = tables.count
      tables.append((name, 0))
    }
    isBorrowed = false
  }

  private mutating func readRow() throws(ParseError) -> XctraceRow? {
    var cells: [XctraceValue] = []
    cells.reserveCapacity(schema?.columnCount ?? 0)
    loop: while let event = try reader.next() {
      switch event {
      case .start(let element): cells.append(try readValue(element))
      case .end(names.row): break loop
      case .end, .text: break
      }
    }
    guard let schema else {
      strayRows += 1
      return nil
    }
    tables[table].rows += 1
    if isBorrowed { borrowedRows += 1 }
    if cells.count != schema.columnCount { oddRows += 1 }
    return XctraceRow(schema: schema, cells: cells)
  }

  /// Reads an element to its end.
  private mutating func readValue(_ element: XMLReader.Element) throws(ParseError) -> XctraceValue {
    let known = knownValue(element)
    let identifier = known == nil ? number(names.identifier, element) : nil
    let value: XctraceValue
    if element.hasParts {
      let shown = known == nil ? shown(element) : ""
      let path = element.name == names.binary ? path(element) : []
      let isWhole = names.wholes.contains(element.name)
      let (text, parts) = try readParts(areKept: isWhole)
      value =
        known
        ?? (isWhole || element.name == names.binary
          ? .whole(XctraceWhole(shown: shown, parts: isWhole ? parts : path))
          : .text(text.isEmpty ? shown : text))
    } else {
      value = known ?? leaf(element)
      // The end of the element.
      _ = try reader.next()
    }
    if let identifier { values.set(value, Int(identifier)) }
    return value
  }

  /// The value of a sentinel or of a reference; `nil` for an element that contains a value.
  private mutating func knownValue(_ element: XMLReader.Element) -> XctraceValue? {
    if element.name == names.sentinel { return .missing }
    guard let reference = number(names.reference, element) else { return nil }
    if let value = values[Int(reference)] { return value }
    brokenReferences += 1
    return .missing
  }

  /// The value of an element without child elements.
  private func leaf(_ element: XMLReader.Element) -> XctraceValue {
    if names.wholes.contains(element.name) {
      return .whole(XctraceWhole(shown: shown(element), parts: []))
    }
    if element.name == names.binary {
      return .whole(XctraceWhole(shown: shown(element), parts: path(element)))
    }
    if let number = reader.number(element.text) { return .number(number) }
    return .text(element.text.isEmpty ? shown(element) : reader.text(element.text))
  }

  /// The text and the parts of an element, up to its end.
  private mutating func readParts(
    areKept: Bool
  ) throws(ParseError) -> (text: String, parts: [(type: String, value: XctraceValue)]) {
    var text = ""
    var parts: [(type: String, value: XctraceValue)] = []
    while let event = try reader.next() {
      switch event {
      case .text(let part): text += reader.text(part)
      case .start(let element):
        // Other elements may refer to parts that are skipped here.
        let value = try readValue(element)
        if areKept { parts.append((reader.text(element.name), value)) }
      case .end: return (text, parts)
      }
    }
    return (text, parts)
  }

  private func number(_ name: XMLReader.Name, _ element: XMLReader.Element) -> Int64? {
    reader.attribute(name, element).flatMap(reader.number)
  }

  /// The text that Instruments shows.
  private func shown(_ element: XMLReader.Element) -> String {
    (reader.attribute(names.format, element) ?? reader.attribute(names.name, element)).map(
      reader.text) ?? ""
  }

  private func path(_ element: XMLReader.Element) -> [(type: String, value: XctraceValue)] {
    reader.attribute(names.filePath, element).map { [("path", .text(reader.text($0)))] } ?? []
  }
}

/// The names of an export.
private struct XctraceNames {
  let node, path, schema, column, mnemonic, row, identifier, reference, format, name, filePath,
    sentinel,
    binary: XMLReader.Name
  let wholes: [XMLReader.Name]

  init(_ reader: XMLReader) {
    node = reader.name("node")
    path = reader.name("xpath")
    schema = reader.name("schema")
    column = reader.name("col")
    mnemonic = reader.name("mnemonic")
    row = reader.name("row")
    identifier = reader.name("id")
    reference = reader.name("ref")
    format = reader.name("fmt")
    name = reader.name("name")
    filePath = reader.name("path")
    sentinel = reader.name("sentinel")
    binary = reader.name("binary")
    wholes = XctraceValue.wholes.map(reader.name)
  }
}

/// The values of a document by ID, with numbers stored unboxed.
private struct XctraceValues {
  private var numbers: [Int64] = []
  private var others: [Int: XctraceValue] = [:]
  /// The number of entries in `numbers` that are values.
  private var numberCount = 0

  subscript(id: Int) -> XctraceValue? {
    if numbers.indices.contains(id), numbers[id] != .min { return .number(numbers[id]) }
    return others[id]
  }

  mutating func set(_ value: XctraceValue, _ id: Int) {
    // IDs are mostly consecutive; an array that is mostly empty is not worth its memory.
    guard case .number(let number) = value, number != .min, id >= 0,
      id < 4 * numberCount + 4096
    else {
      others[id] = value
      return
    }
    while numbers.count <= id { numbers.append(.min) }
    numbers[id] = number
    numberCount += 1
  }
}
