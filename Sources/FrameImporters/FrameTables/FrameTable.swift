import FrameTrace

/// A format that is a table with a row per frame, known by its column names.
///
/// Each such format is a value of this type, which says how the cells of a row become a frame.
struct FrameTable: TraceImporter {
  /// What a row says.
  struct Frame {
    var row = Table<FrameColumn>.Row()
    /// When the input came whose picture the frame shows first; `nil` without one.
    var click: Int64?
    /// The time between the display's refreshes at this frame; `nil` where the format has none.
    var interval: Int64?
    /// Whether the display waited for the frame; `nil` where the format does not say.
    var isVariable: Bool?
    /// How many frames the row stands for: of more than one, it has the means; 0 for none.
    var count: Int64 = 1
  }

  let name: String
  let title: String
  let versions: String
  let documentation: String
  /// The names in the header, in lower case; others may come between and after them.
  let columns: [String]
  var platform: Platform?
  /// How to record display times with the tool, or instead of it.
  var displayAdvice: String?
  /// The name of the clock that times are on.
  let clock: String
  /// How to read a file that has the lengths of frames instead of times.
  var lengthsHelp: String?
  /// Whether a row has the time at which its frame began.
  var timesAreStarts = false
  /// What lines that are no rows begin with.
  var skippedPrefix: String?
  var surface = Surface(id: "frames", bufferOwner: .app)
  /// What a row says; `nil` for one without a time.
  let frame: @Sendable (inout FrameTableCells) -> Frame?

  func advice(_ fact: RecordedFact) -> String? { fact == .displayTimes ? displayAdvice : nil }

  func recognize(_ head: FileHead) -> Recognition? {
    let names = head.columnNames
    guard columns.allSatisfy(names.contains) else { return nil }
    return Recognition(
      format: title, reason: "the columns \(columns.prefix(3).joined(separator: ", "))")
  }

  func read(
    _ input: InputFile, _ provenance: Provenance, _ demand: TraceDemand
  ) throws(ParseError) -> TraceBuilder {
    var rows = FrameTableRows(self, FileHead(input.head).columnNames, TraceBuilder(provenance))
    var reader = CSVReader(input)
    do throws(ParseError) {
      while try reader.nextBlock() { rows.read(reader.block) }
    } catch {
      guard rows.count > 0, error.kind == .badData else { throw error }
      rows.note(break: error)
    }
    if let found = rows.disorder {
      throw ParseError(
        path: input.path, problem: "\(title): expected times that grow, found \(found)",
        help: lengthsHelp)
    }
    return rows.finish()
  }
}

/// The cells of a row, by the names of their columns.
struct FrameTableCells {
  private let positions: [String: Int]
  private let block: CSVBlock
  private let row: Int
  /// The number of cells that are not numbers and should be.
  private(set) var oddCount = 0

  init(_ positions: [String: Int], _ block: CSVBlock, _ row: Int) {
    (self.positions, self.block, self.row) = (positions, block, row)
  }

  /// A time or a length in ns; `nil` where the row has none.
  /// - Parameter scale: The column's unit as a power of ten of ns: 6 for ms.
  mutating func time(_ column: String, scale: Int) -> Int64? {
    // Rows may end before columns that are not needed.
    guard let position = positions[column], position < block.cellCount(row) else { return nil }
    switch DecimalNumber.read(block.buffer[block.cell(row, position)], scale: scale) {
    case .value(let value) where value.magnitude < Timestamp.bound: return value
    case .missing: return nil
    default:
      oddCount += 1
      return nil
    }
  }

  /// A whole number; `nil` where the row has none.
  mutating func whole(_ column: String) -> Int64? { time(column, scale: 0) }
}

/// Adds the rows of a table to a trace.
private struct FrameTableRows {
  private let table: FrameTable
  private let positions: [String: Int]
  private let width: Int
  private let nameCount: Int
  private var builder: TraceBuilder
  private(set) var count = 0
  private var intervals: [Int64: Int] = [:]
  private var variableCount = 0
  private var knownVariable = 0
  private var averages = 0
  private var frames = Table<FrameColumn>()
  private var clicks: [(time: Int64, frame: Int)] = []
  private var longFrames = LongFrames()

  init(_ table: FrameTable, _ names: [String], _ builder: TraceBuilder) {
    (self.table, self.builder) = (table, builder)
    positions = Dictionary(names.enumerated().map { ($1, $0) }) { first, _ in first }
    nameCount = names.count
    width = (table.columns.compactMap { [positions] in positions[$0] }.max() ?? 0) + 1
  }

  mutating func note(break error: ParseError) { builder.log.note(break: error) }

  mutating func read(_ block: CSVBlock) {
    let start = max(0, 2 - block.firstLine)
    for row in start..<max(start, block.rowCount) { read(block, row) }
  }

  private mutating func read(_ block: CSVBlock, _ row: Int) {
    let found = block.cellCount(row)
    let line = Position.line(block.firstLine + row)
    if found <= 1, block.text(row, 0).isEmpty { return }
    if let prefix = table.skippedPrefix, block.text(row, 0).hasPrefix(prefix) { return }
    // More cells than names come of commas within numbers, which would be read as others.
    guard found >= width, found <= nameCount, !block.isUnterminated(row) || found == nameCount
    else {
      builder.log.note(
        width: row, of: block, "rows that do not have the columns of a frame, left out")
      return
    }
    var cells = FrameTableCells(positions, block, row)
    let frame = table.frame(&cells)
    builder.log.note(
      .malformedValue, .dataLoss, "cells that are not numbers, treated as missing",
      count: cells.oddCount, at: line)
    guard let frame else {
      builder.log.note(.malformedValue, .dataLoss, "rows without a time, left out", at: line)
      return
    }
    add(frame, at: block.firstLine + row)
  }

  private mutating func add(_ frame: FrameTable.Frame, at line: Int) {
    count += 1
    if frame.count == 0 {
      builder.log.note(.unknownRecord, .info, "rows that stand for no frame, left out")
      return
    }
    if frame.count != 1 {
      averages += 1
      return
    }
    if let interval = frame.interval, interval > 0 { intervals[interval, default: 0] += 1 }
    if let isVariable = frame.isVariable {
      knownVariable += 1
      if isVariable { variableCount += 1 }
    }
    if let click = frame.click { clicks.append((click, frames.count)) }
    longFrames.note(
      frame.row[.presentInterval], table.timesAreStarts ? .after : .before, surface: 0,
      row: frames.count, line: line)
    longFrames.note(
      frame.row[.startInterval], .around, surface: 0, row: frames.count, line: line)
    frames.append(frame.row)
  }

  consuming func finish() -> TraceBuilder {
    builder.trace.clocks = [
      ClockDomain(name: table.clock, join: .traceClock, offset: nil, resolution: nil)
    ]
    builder.log.note(
      .framesWithheld, .dataLoss,
      "rows with the means of several frames, left out; write a row for each frame",
      count: averages)
    guard frames.count > 0 else { return builder }
    var surface = table.surface
    if !intervals.isEmpty || knownVariable > 0 {
      var display = Display(id: "display")
      display.isVariable = knownVariable > 0 ? variableCount > 0 : nil
      let usual = intervals.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
      if variableCount > 0 {
        display.shortestInterval = usual.map(Nanoseconds.init)
      } else {
        display.interval = usual.map(Nanoseconds.init)
      }
      builder.trace.displays = [display]
      surface.display = 0
    }
    let position = builder.surface(surface.id) { surface }
    builder.trace.surfaces[position].frames = frames
    let impossible = longFrames.leaveOutImpossible(from: &builder, times: times)
    for click in clicks {
      guard let frame = impossible.rowAfterRemoval(of: click.frame, in: position) else { continue }
      var row = Table<TouchColumn>.Row()
      row[.kind] = TouchColumn.Kind.main.rawValue
      row[.device] = TouchColumn.Device.input.rawValue
      row[.scanStart] = click.time
      row[.surface] = Int64(position)
      row[.frame] = Int64(frame)
      builder.trace.touches.append(row)
    }
    return builder
  }

  /// How many times go back, if too many do for times; `nil` otherwise.
  var disorder: String? {
    let times = times(frames)
    let back = zip(times, times.dropFirst()).count { $1 < $0 }
    guard back >= Self.fewestBack, back * 4 >= times.count else { return nil }
    return "times that go back in \(back) of \(times.count) rows"
  }

  private static let fewestBack = 8

  /// The times in rows, in ns.
  private func times(_ frames: Table<FrameColumn>) -> [Int64] {
    guard table.timesAreStarts else { return frames.references }
    return frames.references.indices.map {
      frames.references[$0] &- (frames[$0, .presentInterval] ?? 0)
    }
  }
}
