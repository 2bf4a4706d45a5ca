import FrameTrace

/// A table from any tool, with columns named by the user: `--columns time=Time:s,frameTime=ms`.
///
/// Documentation: the page "Tables of any kind". Example:
///
///     frame, fps, time
///     1, 59.9, 0.0167
///
/// With `--columns time=time:s,frameRate=fps`, the row is a frame at 16.7 ms. Cells are separated by commas, semicolons
/// or tabs. In tables with semicolons or tabs, a comma can be a decimal separator.
struct GenericCSV: TraceImporter {
  let name = "csv"
  let title = "table of any kind, with --columns"
  let versions = "commas, semicolons or tabs"
  let documentation = "Sources/FrameKit/FrameKit.docc/Tables.md"

  var columns = ColumnMap()

  /// Recognizes only input with named columns, because only the user knows what the columns hold.
  func recognize(_ head: FileHead) -> Recognition? {
    columns.entries.isEmpty
      ? nil
      : Recognition(format: "table with columns named by the user", reason: "named with --columns")
  }

  func read(
    _ input: InputFile, _ provenance: Provenance, _ demand: TraceDemand
  ) throws(ParseError) -> TraceBuilder {
    let header = try GenericHeader(FileHead(input.head), columns, path: input.path)
    var rows = GenericRows(header, TraceBuilder(provenance))
    var reader = CSVReader(input, separator: header.separator)
    do throws(ParseError) {
      while try reader.nextBlock() { rows.read(reader.block) }
    } catch {
      guard rows.count > 0, error.kind == .badData else { throw error }
      rows.noteBreak(error)
    }
    return rows.finish()
  }
}

/// The positions of a table's columns.
struct GenericHeader {
  let separator: UInt8
  /// The number of lines before the first row.
  let lineCount: Int
  /// The index of each named column.
  let positions: [(entry: ColumnMap.Entry, position: Int)]
  /// The number of cells in a row; `nil` without a header.
  let width: Int?

  /// The maximum number of lines accepted before a header.
  private static let longestPreamble = 100
  private static let separators = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")]

  init(_ head: FileHead, _ columns: ColumnMap, path: String) throws(ParseError) {
    let lines = head.lines(Self.longestPreamble)
    let named = columns.entries.filter { !$0.column.hasPrefix("#") }
    var best: (line: Int, separator: UInt8, names: [String], found: Int)?
    for (number, line) in lines.enumerated() {
      for separator in Self.separators {
        let names = Self.cells(line, separator)
        let found = named.count { names.contains($0.column.lowercased()) }
        if found > best?.found ?? 0 { best = (number, separator, names, found) }
      }
    }
    guard let best else {
      guard named.isEmpty, let first = lines.first else {
        throw ParseError(
          path: path,
          problem: "expected a column \(named.first?.column ?? "") in a header, found none",
          help: "give a column without a name by its position: time=#1")
      }
      let separator = Self.separators.max {
        Self.cells(first, $0).count < Self.cells(first, $1).count
      }
      self.separator = separator ?? UInt8(ascii: ",")
      (lineCount, width) = (0, nil)
      positions = columns.entries.compactMap { entry in Self.position(entry).map { (entry, $0) } }
      return
    }
    (separator, lineCount, width) = (best.separator, best.line + 1, best.names.count)
    var positions: [(entry: ColumnMap.Entry, position: Int)] = []
    for entry in columns.entries {
      guard
        let position = Self.position(entry) ?? best.names.firstIndex(of: entry.column.lowercased())
      else {
        throw ParseError(
          path: path, position: .line(best.line + 1),
          problem: "expected a column \(entry.column), found \(best.names.joined(separator: ", "))",
          help: "--columns takes names as in the header, or #1 for the first column")
      }
      positions.append((entry, position))
    }
    self.positions = positions
  }

  /// The index of a column specified by its number.
  private static func position(_ entry: ColumnMap.Entry) -> Int? {
    guard entry.column.hasPrefix("#"), let number = Int(entry.column.dropFirst()), number > 0 else {
      return nil
    }
    return number - 1
  }

  private static func cells(_ line: String, _ separator: UInt8) -> [String] {
    FileHead.columnNames(line, separator: separator)
  }
}

/// Adds the rows of a table to a trace.
private struct GenericRows {
  private let header: GenericHeader
  private var builder: TraceBuilder
  private(set) var count = 0
  /// The sum of each surface's frame times so far, used if rows have no time.
  private var sums: [Int: Int64] = [:]
  private let hasTime: Bool
  private let hasInterval: Bool
  private var longFrames = LongFrames()

  init(_ header: GenericHeader, _ builder: TraceBuilder) {
    (self.header, self.builder) = (header, builder)
    let columns = header.positions.map(\.entry.target)
    let times = FrameColumn.allCases.filter { $0.schema.kind == .time }.map {
      ColumnMap.Target.frame($0)
    }
    hasTime = columns.contains { times.contains($0) }
    hasInterval = columns.contains { $0 == .frame(.presentInterval) || $0 == .frameRate }
  }

  mutating func noteBreak(_ error: ParseError) {
    builder.log.note(.brokenCompression, .dataLoss, error.problem, at: error.position)
  }

  mutating func read(_ block: CSVBlock) {
    let start = max(0, header.lineCount + 1 - block.firstLine)
    for row in start..<max(start, block.rowCount) { read(block, row) }
  }

  private mutating func read(_ block: CSVBlock, _ row: Int) {
    let found = block.cellCount(row)
    if found <= 1, block.text(row, 0).isEmpty { return }
    let needed = (header.positions.map(\.position).max() ?? 0) + 1
    // Rows can have fewer or more cells after the cells that are read.
    guard found >= needed, header.width.map({ found >= $0 || !block.isUnterminated(row) }) ?? true
    else {
      builder.log.note(width: row, of: block, "rows that lack a named column, left out")
      return
    }
    var frame = Table<FrameColumn>.Row()
    var owner: (process: String?, surface: String?) = (nil, nil)
    var odd = false
    for (entry, position) in header.positions {
      let text = block.text(row, position)
      switch entry.target {
      case .process: owner.process = text.isEmpty ? nil : text
      case .surface: owner.surface = text.isEmpty ? nil : text
      case .dropped: frame[.fate] = Self.fate(text)?.rawValue
      case .frameRate:
        let rate = number(text, scale: 9, &odd)
        frame[.presentInterval] = rate.flatMap {
          $0 > 0 ? Int64((1e18 / Double($0)).rounded()) : nil
        }
      case .frame(let column):
        let value = number(text, scale: entry.scale, &odd)
        // A frame time is never 0; some tools write 0 for a missing value.
        frame[column] = column == .presentInterval && value == 0 ? nil : value
      }
    }
    add(frame, owner, odd: odd, at: block.firstLine + row)
  }

  private static func fate(_ text: String) -> FrameColumn.Fate? {
    switch text.lowercased() {
    case "0", "false", "no": .displayed
    case "1", "true", "yes": .discarded
    default: nil
    }
  }

  /// A number in nanoseconds; a comma within a cell is a decimal point because cells do not contain separators.
  private func number(_ text: String, scale: Int, _ odd: inout Bool) -> Int64? {
    let plain = String(text.map { $0 == "," ? "." : $0 })
    switch DecimalNumber.read(Array(plain.utf8)[...], scale: scale) {
    case .value(let value) where abs(value) < Timestamp.bound: return value
    case .missing: return nil
    default:
      odd = true
      return nil
    }
  }

  private mutating func add(
    _ row: Table<FrameColumn>.Row, _ owner: (process: String?, surface: String?), odd: Bool,
    at line: Int
  ) {
    var frame = row
    let times = FrameColumn.allCases.contains { $0.schema.kind == .time && frame[$0] != nil }
    let interval = frame[.presentInterval]
    if odd {
      // If no column is named by its header, a row of words is the header.
      if count == 0, header.width == nil, !times, interval == nil { return }
      builder.log.note(
        .malformedValue, .dataLoss, "cells that are not numbers, treated as missing",
        at: .line(line))
    }
    guard hasTime ? times : interval != nil else {
      builder.log.note(
        .malformedValue, .dataLoss, "rows without a time, left out", at: .line(line))
      return
    }
    let id = [owner.process, owner.surface].compactMap { $0 }.joined(separator: ": ")
    let position = builder.surface(id.isEmpty ? "table" : id) {
      Surface(
        id: id.isEmpty ? "table" : id, name: owner.surface ?? owner.process.map { _ in "table" },
        process: owner.process, bufferOwner: .app)
    }
    if !hasTime {
      let sum = sums[position].map { $0 &+ (interval ?? 0) } ?? 0
      guard abs(sum) < Timestamp.bound else { return }
      sums[position] = sum
      frame[.commit] = sum
    }
    count += 1
    note(frame, position, at: line)
    builder.trace.surfaces[position].frames.append(frame)
  }

  private mutating func note(_ frame: Table<FrameColumn>.Row, _ surface: Int, at line: Int) {
    // Sums of frame times cannot contradict a frame time.
    guard hasTime else { return }
    let row = builder.trace.surfaces[surface].frames.count
    longFrames.note(frame[.presentInterval], .before, surface: surface, row: row, line: line)
    longFrames.note(frame[.startInterval], .around, surface: surface, row: row, line: line)
  }

  consuming func finish() -> TraceBuilder {
    _ = longFrames.leaveOutImpossible(from: &builder)
    builder.trace.clocks = [
      ClockDomain(
        name: hasTime ? "the table's" : "sum of frame times", join: .traceClock, offset: nil,
        resolution: nil)
    ]
    if !hasTime {
      builder.log.note(
        .timeRebuilt, .repaired, "frames without a time, their times summed from frame times",
        count: count)
    }
    return builder
  }
}
