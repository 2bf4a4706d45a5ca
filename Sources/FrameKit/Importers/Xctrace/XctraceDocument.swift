/// A table's name and columns.
struct XctraceSchema {
  let name: String
  /// The places of columns by their mnemonics.
  let columns: [String: Int]
}

/// A row with its table.
struct XctraceRow {
  let schema: XctraceSchema
  fileprivate(set) var cells: [XctraceValue]

  /// What stands in a column; `.missing` when it is not there.
  func value(_ column: String) -> XctraceValue {
    guard let place = schema.columns[column], place < cells.count else { return .missing }
    return cells[place]
  }

  /// A whole number; `nil` when it is missing, or stands for one by being as large as can be.
  func number(_ column: String) -> Int64? {
    guard let number = value(column).number else { return nil }
    return number == Int64(UInt32.max) || number == .max ? nil : number
  }

  /// An instant or a length of time, in nanoseconds.
  func time(_ column: String) -> Int64? {
    guard let number = value(column).number else { return nil }
    return number >= (1 << 50) - 1 || number < 0 ? nil : number
  }

  /// A text, of what has only one for people that one.
  func text(_ column: String) -> String? { value(column).text }

  /// From its start for as long as it lasts; `nil` when one of them is missing.
  var span: (start: Int64, end: Int64)? {
    guard let start = time("start"), let duration = time("duration") else { return nil }
    return (start, start + duration)
  }
}

/// Walks over the rows of what `xctrace export --xpath` writes:
///
///     <trace-query-result><node xpath='…'><schema name="hitches"><col><mnemonic>start</mnemonic>…
///     <row><start-time id="1" fmt="00:04.961">4961155833</start-time>…</row>
///     <row>…<start-time ref="1"/><sentinel/></row></node></trace-query-result>
///
/// A value has an id where it comes first and a reference wherever it comes again, across rows and
/// tables. Columns are told by their place in a row, and a sentinel stands for no value.
struct XctraceDocument {
  private let reader: XMLReader
  private var values = XctraceValues()
  private var schema: XctraceSchema?
  /// The tables that have been seen, for nodes that repeat rows of one without saying its columns.
  private var schemas: [String: XctraceSchema] = [:]
  /// The tables in the order in which they came, with how many rows each had.
  private(set) var tables: [(name: String, rows: Int)] = []
  private var tablePlaces: [String: Int] = [:]
  /// References to values that are not there.
  private(set) var brokenReferences = 0
  /// Rows with other than their table's number of cells.
  private(set) var oddRows = 0
  /// Rows before any table was told.
  private(set) var strayRows = 0
  /// Rows of a node that does not tell its columns.
  private(set) var borrowedRows = 0
  private var isBorrowed = false
  /// The runs whose tables they are.
  private(set) var runs: Set<String> = []

  init(_ input: InputFile) throws(ParseError) { reader = try XMLReader(input) }

  /// The next row; `nil` at the end.
  mutating func next() throws(ParseError) -> XctraceRow? {
    while let event = try reader.next() {
      guard case .start(let name, let attributes) = event else { continue }
      switch name {
      case "node":
        // Of a node that does not tell its columns, they are taken to be those of the one before.
        isBorrowed = true
        if let path = attributes.first(where: { $0.name == "xpath" })?.value {
          runs.formUnion(Self.run(path))
        }
      case "schema": try readSchema(attributes.first { $0.name == "name" }?.value ?? "")
      case "row":
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

  private mutating func readSchema(_ name: String) throws(ParseError) {
    var columns: [String: Int] = [:]
    var count = 0
    var isMnemonic = false
    var text = ""
    loop: while let event = try reader.next() {
      switch event {
      case .start(let name, _): (isMnemonic, text) = (name == "mnemonic", "")
      case .text(let part): if isMnemonic { text += part }
      case .end("mnemonic"):
        columns[text] = count
        isMnemonic = false
      case .end("col"): count += 1
      case .end("schema"): break loop
      case .end: break
      }
    }
    let found = XctraceSchema(name: name, columns: columns)
    schema = columns.isEmpty ? schemas[name] ?? found : found
    schemas[name] = schema
    if tablePlaces[name] == nil {
      tablePlaces[name] = tables.count
      tables.append((name, 0))
    }
    isBorrowed = false
  }

  private mutating func readRow() throws(ParseError) -> XctraceRow? {
    var cells: [XctraceValue] = []
    while let event = try reader.next() {
      if case .start(let name, let attributes) = event {
        cells.append(try readValue(name, attributes))
      } else if case .end("row") = event {
        break
      }
    }
    guard let schema, let table = tablePlaces[schema.name] else {
      strayRows += 1
      return nil
    }
    tables[table].rows += 1
    if isBorrowed { borrowedRows += 1 }
    if cells.count != schema.columns.count { oddRows += 1 }
    return XctraceRow(schema: schema, cells: cells)
  }

  /// Reads an element to its end.
  private mutating func readValue(
    _ tag: String, _ attributes: [(name: String, value: String)]
  ) throws(ParseError) -> XctraceValue {
    var text = ""
    var parts: [(type: String, value: XctraceValue)] = []
    var hasParts = false
    let isWhole = XctraceValue.wholes.contains(tag)
    loop: while let event = try reader.next() {
      switch event {
      case .text(let part): text += part
      case .start(let name, let attributes):
        // Others may refer to what is not looked at here.
        hasParts = true
        let value = try readValue(name, attributes)
        if isWhole { parts.append((name, value)) }
      case .end: break loop
      }
    }
    if tag == "sentinel" { return .missing }
    let named = { (key: String) in attributes.first { $0.name == key }?.value }
    if let reference = named("ref").flatMap({ Int($0) }) {
      if let value = values[reference] { return value }
      brokenReferences += 1
      return .missing
    }
    let shown = named("fmt") ?? named("name") ?? ""
    let value: XctraceValue
    if isWhole {
      value = .whole(XctraceWhole(shown: shown, parts: parts))
    } else if tag == "binary" {
      value = .whole(
        XctraceWhole(shown: shown, parts: named("path").map { [("path", .text($0))] } ?? []))
    } else if !hasParts, let number = Int64(text) {
      value = .number(number)
    } else {
      let isEmpty = hasParts ? text.allSatisfy(\.isWhitespace) : text.isEmpty
      value = .text(isEmpty ? shown : text)
    }
    if let id = named("id").flatMap({ Int($0) }) { values.set(value, id) }
    return value
  }
}

/// The values of a document by their ids, numbers without a box each.
private struct XctraceValues {
  private var numbers: [Int64] = []
  private var others: [Int: XctraceValue] = [:]
  /// How many of the numbers are values.
  private var numberCount = 0

  subscript(id: Int) -> XctraceValue? {
    if numbers.indices.contains(id), numbers[id] != .min { return .number(numbers[id]) }
    return others[id]
  }

  mutating func set(_ value: XctraceValue, _ id: Int) {
    // Ids follow each other: an array of them is mostly full, or is not worth its room.
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
