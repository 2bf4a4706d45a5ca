import FrameStatistics
import FrameTrace

/// Reads the rows of a PresentMon CSV into frames, their times still in the unit of the
/// file's time column.
struct PresentMonRows {
  private var builder: TraceBuilder
  /// The frames of each surface.
  private var frames: [UntimedFrames] = []
  /// The machine's description from the first row; `nil` before that row was read.
  private var system: [String: String]?

  /// The unit of the time column; `nil` when the file has none.
  private(set) var timeUnit: PresentMonClock.Unit?

  /// The inputs in rows.
  private(set) var inputs: [PresentMonInput] = []

  /// The frames that are longer than a second.
  private(set) var longFrames = LongFrames()

  private let header: PresentMonHeader
  /// The fields that are read.
  private let fields: [PresentMonField]
  private var identities: PresentMonIdentities
  /// The numbers of the block being read.
  private var numbers: PresentMonNumbers
  /// The combination of texts of each of the block's regular rows; -1 for a row that is left out.
  private var identityOfRow: [Int64] = []
  /// The block's rows that are frames of each surface.
  private var rowsOfSurface: [[Int32]] = []
  /// `nil` if they are not needed.
  private var extras: PresentMonExtras?

  init(_ header: PresentMonHeader, _ provenance: Provenance, _ demand: TraceDemand) {
    self.header = header
    fields = PresentMonField.allCases.filter { $0.isNeeded(for: demand, in: header) }
    builder = TraceBuilder(provenance)
    builder.trace.isPartial = demand != .everything
    identities = PresentMonIdentities(header)
    numbers = PresentMonNumbers(header)
    if demand == .everything { extras = PresentMonExtras(header) }
    timeUnit = header.time?.unit
  }

  /// Reads a block of rows.
  mutating func read(_ block: CSVBlock) {
    numbers.selectRows(of: block, header)
    settleTimeUnit(block)
    let decoder = decoder
    numbers.decode(block, decoder)
    consume(block, numbers)
  }

  /// How blocks are decoded once ``isSettled``.
  var decoder: PresentMonNumbers.Decoder {
    PresentMonNumbers.Decoder(header: header, fields: fields, timeUnit: timeUnit)
  }

  /// Whether nothing in the next rows can change how they are decoded.
  var isSettled: Bool { !builder.trace.surfaces.isEmpty }

  /// Takes the numbers of the next block.
  mutating func consume(_ block: CSVBlock, _ numbers: PresentMonNumbers) {
    if system == nil, let row = numbers.regularRows.first.map(Int.init) {
      system = systemCells(row, block.cellCount(row), block)
    }
    for row in numbers.otherRows { noteWidth(Int(row), block) }
    if numbers.regularRows.isEmpty { return }
    for odd in numbers.odd { note(odd.cell, odd.column, block) }
    let combinations = identities.number(numbers.identities, of: block, &builder)
    if combinations.count == 1, identities.surfaces[Int(combinations[0])] >= 0, areTimed(numbers) {
      return appendAll(numbers, of: combinations[0], block)
    }
    identityOfRow.removeAll(keepingCapacity: true)
    identityOfRow.reserveCapacity(numbers.regularRows.count)
    for position in numbers.identities.ofRows {
      identityOfRow.append(Int64(combinations[Int(position)]))
    }
    dropUnusable(block, numbers)
    groupBySurface()
    for surface in rowsOfSurface.indices where !rowsOfSurface[surface].isEmpty {
      append(numbers, to: surface, block)
    }
  }

  /// Notes that the input breaks off.
  mutating func noteBreak(_ error: ParseError) {
    builder.log.note(.brokenCompression, .dataLoss, error.problem, at: error.position)
  }

  private mutating func noteUnread() {
    guard builder.trace.isPartial else { return }
    let unread = PresentMonField.allCases.count {
      header.position($0) != nil && !fields.contains($0)
    }
    let extras = header.others.count - PresentMonIdentities.repeating(header).count
    builder.log.note(
      .columnUnused, .info, "columns left unread because no requested metric needs them",
      count: unread + extras)
  }

  /// An empty one.
  var withoutRows: PresentMonRows {
    PresentMonRows(header, builder.trace.provenance, .everything)
  }

  /// Whether any row made a frame.
  var hasFrames: Bool { frames.contains { $0.count > 0 } }

  /// Returns the trace without its frames, and the frames with their repeated and extra columns.
  mutating func finish() -> (TraceBuilder, [UntimedFrames]) {
    builder.log.sortByLine()
    identities.finish(&frames)
    for surface in frames.indices { extras?.finish(&frames[surface], surface: surface) }
    noteUnread()
    defer { frames = [] }
    return (builder, frames)
  }
}

extension PresentMonRows {
  /// The machine's description from the first row, by column name.
  private func systemCells(_ row: Int, _ width: Int, _ block: CSVBlock) -> [String: String] {
    let first = header.names.count
    var cells: [String: String] = [:]
    for (offset, name) in header.namesOfFirstRow.enumerated() where first + offset < width {
      cells[name.lowercased()] = block.text(row, first + offset)
    }
    if header.tool == .frameView {
      for name in ["GPU", "CPU"] {
        if let column = header.names.firstIndex(of: name) {
          cells[name.lowercased()] = block.text(row, column)
        }
      }
    }
    return cells
  }

  /// The machine that the recording was made on, and its date.
  var setting: Setting {
    var facts = system ?? [:]
    for line in header.preamble {
      let parts = line.dropFirst(2).split(separator: "=", maxSplits: 1)
      if parts.count == 2 { facts[parts[0].lowercased()] = String(parts[1]) }
    }
    var setting = Setting.unknown
    let device = [facts["gpu"], facts["processor"] ?? facts["cpu"]].compactMap { $0 }
    if !device.isEmpty { setting.device = device.joined(separator: ", ") }
    setting.system = facts["os"]
    if let date = facts["creationdate"] {
      setting.date = [date, facts["creationtime"]].compactMap { $0 }.joined(separator: " ")
    }
    return setting
  }

  private mutating func noteWidth(_ row: Int, _ block: CSVBlock) {
    let found = block.cellCount(row)
    let position = Position.line(block.firstLine + row)
    if block.isUnterminated(row), found < header.names.count {
      builder.log.note(
        .cutOff, .dataLoss, "a truncated last row, left out", at: position)
    } else {
      builder.log.note(
        .rowWidth, .dataLoss,
        "rows that do not have the header's \(header.names.count) columns, left out",
        at: position)
    }
  }

  /// Settles the unit of `QPCTime`: ticks, or seconds with `--qpc_time_ms`, which only a decimal
  /// point shows.
  private mutating func settleTimeUnit(_ block: CSVBlock) {
    guard timeUnit == .ticks, builder.trace.surfaces.isEmpty, let field = header.time?.field,
      let position = header.position(field), let first = numbers.regularRows.first
    else { return }
    if block.text(Int(first), position).contains(".") { timeUnit = .seconds }
  }

  private mutating func note(_ cell: CSVBlock.OddCell, _ column: Int, _ block: CSVBlock) {
    let position = Position.line(block.firstLine + cell.row)
    let name = header.names[column]
    switch cell.reading {
    case .outOfRange:
      builder.log.note(
        .absurdValue, .dataLoss, "\(name): implausibly large numbers, treated as missing",
        at: position)
    default:
      builder.log.note(
        .malformedValue, .dataLoss, "\(name): expected a number, treated as missing", at: position)
    }
  }

  /// The time of each row; `nil` in a file without times.
  private func times(_ numbers: PresentMonNumbers) -> [Int64]? {
    guard let field = header.time?.field, timeUnit != nil else { return nil }
    return numbers[field]
  }

  /// Whether no row lacks a time that others have.
  private func areTimed(_ numbers: PresentMonNumbers) -> Bool {
    guard let times = times(numbers) else { return true }
    let values = times.span
    for index in numbers.regularRows.indices where values[index] == CSVBlock.missing {
      return false
    }
    return true
  }

  /// Takes out rows that repeat the header or have no time, by giving them no surface.
  private mutating func dropUnusable(_ block: CSVBlock, _ numbers: PresentMonNumbers) {
    guard let times = times(numbers) else { return }
    for index in numbers.regularRows.indices where times[index] == CSVBlock.missing {
      if identities.surfaces[Int(identityOfRow[index])] >= 0 {
        builder.log.note(
          .malformedValue, .dataLoss, "rows without a time, left out",
          at: .line(block.firstLine + Int(numbers.regularRows[index])))
      }
      identityOfRow[index] = -1
    }
  }

  /// Lists the rows of each surface in order.
  private mutating func groupBySurface() {
    let count = builder.trace.surfaces.count
    // Omitted rows form a separate group after the surfaces' groups.
    let groups = [count] + identities.surfaces.map { $0 < 0 ? count : $0 }
    rowsOfSurface = Self.grouped(identityOfRow, groups, count: count + 1).dropLast()
  }

  /// The rows of each group in order, by counting sort.
  /// - Parameter groups: The group of each combination, from -1 on.
  private static func grouped(_ combinations: [Int64], _ groups: [Int], count: Int) -> [[Int32]] {
    var ends = [Int](repeating: 0, count: count)
    for combination in combinations { ends[groups[Int(combination) + 1]] += 1 }
    var first = 0
    for group in ends.indices { (ends[group], first) = (first, first + ends[group]) }
    let starts = ends + [first]
    var sorted = [Int32](repeating: 0, count: combinations.count)
    for row in combinations.indices {
      let group = groups[Int(combinations[row]) + 1]
      sorted[ends[group]] = Int32(truncatingIfNeeded: row)
      ends[group] += 1
    }
    return (0..<count).map { Array(sorted[starts[$0]..<starts[$0 + 1]]) }
  }

  private mutating func append(
    _ numbers: PresentMonNumbers, to surface: Int, _ block: CSVBlock
  ) {
    let rows = rowsOfSurface[surface]
    guard let columns = numbers.columns else { return }
    let first = reserve(rows.count, surface, block)
    frames[surface].append(rows: rows, times: columns.times, stored: columns.stored)
    identities.append(identityOfRow, at: rows, surface: surface)
    extras?.append(rows.map { numbers.regularRows[Int($0)] }, of: block, surface: surface)
    inputs += columns.inputs(of: rows, surface: surface, firstFrame: first)
    for frame in numbers.longFrames {
      let position = rows.partitioningIndex { $0 >= frame.index }
      guard position < rows.count, rows[position] == frame.index else { continue }
      note(frame, surface, row: first + position, numbers, block)
    }
  }

  /// Appends all regular rows of a block, which have one combination of texts.
  private mutating func appendAll(
    _ numbers: PresentMonNumbers, of combination: Int32, _ block: CSVBlock
  ) {
    let (rows, surface) = (numbers.regularRows, identities.surfaces[Int(combination)])
    guard let columns = numbers.columns else { return }
    let first = reserve(rows.count, surface, block)
    frames[surface].append(first: rows.count, times: columns.times, stored: columns.stored)
    identities.append(combination, count: rows.count, surface: surface)
    extras?.append(rows, of: block, surface: surface)
    inputs += columns.inputs(
      of: rows.indices.map(Int32.init), surface: surface, firstFrame: first)
    for frame in numbers.longFrames {
      note(frame, surface, row: first + frame.index, numbers, block)
    }
  }

  private mutating func note(
    _ frame: PresentMonNumbers.LongFrame, _ surface: Int, row: Int, _ numbers: PresentMonNumbers,
    _ block: CSVBlock
  ) {
    let line = block.firstLine + Int(numbers.regularRows[frame.index])
    longFrames.note(frame.length, frame.reach, surface: surface, row: row, line: line)
  }

  /// Makes room for further frames of a surface.
  /// - Returns: The number of its frames.
  private mutating func reserve(_ rows: Int, _ surface: Int, _ block: CSVBlock) -> Int {
    while frames.count <= surface { frames.append(UntimedFrames()) }
    let first = frames[surface].count
    let reserved = frames[surface].reserved
    if first + rows > reserved {
      // A pipe does not state its length. Growth by a quarter moves rows only a few times in all,
      // and not with each block.
      let expected = Int(Double(first + rows) * block.expectedGrowth)
      frames[surface].reserve(max(expected, reserved + reserved / 4))
    }
    return first
  }
}
