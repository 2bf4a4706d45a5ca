import FrameTrace

/// The cells of an Unreal CSV profile: a column for each counter, whether or not it was present from the first row on.
struct UnrealRows {
  /// An event that the engine wrote in addition to a row's counters.
  struct Event {
    let row: Int
    let text: String
  }

  /// The names of columns, by position, from the last header that was read.
  private(set) var names: [String]
  /// The values of each column that is read, by position.
  private(set) var columns: [Int: UnrealColumn] = [:]
  private(set) var events: [Event] = []
  private(set) var facts = UnrealFacts()
  private(set) var count = 0
  /// The number of cells that were read.
  private(set) var cellCount = 0
  private let eventPosition: Int
  private let readsAll: Bool

  private static let limit = Double(Timestamp.bound)

  init(_ names: [String], _ demand: TraceDemand) {
    self.names = names
    eventPosition = names.firstIndex { $0.lowercased() == "events" } ?? 0
    readsAll = demand == .everything
  }

  init(_ binary: UnrealBinary) {
    names = binary.names
    columns = binary.columns
    events = binary.events
    facts = binary.facts
    count = binary.count
    cellCount = binary.count * binary.names.count
    (eventPosition, readsAll) = (-1, true)
  }

  /// The position of a column; `nil` if no column has that name.
  func position(_ name: String) -> Int? {
    names.firstIndex { $0.lowercased() == name.lowercased() }
  }

  mutating func read(_ block: CSVBlock, _ log: inout IssueLog) {
    // Consecutive rows of the same width, which are read column by column.
    var (rows, width): ([Int32], Int) = ([], 0)
    let start = max(0, 2 - block.firstLine)
    for row in start..<max(start, block.rowCount) {
      let cells = block.cellCount(row)
      guard isFrame(block, row, cells, &log) else { continue }
      if cells != width {
        append(rows, width, of: block)
        (rows, width) = ([], cells)
      }
      takeEvents(block, row, count + rows.count)
      rows.append(Int32(truncatingIfNeeded: row))
    }
    append(rows, width, of: block)
  }

  /// Whether a row is a frame; reads the row if it is a header or contains the facts.
  private mutating func isFrame(
    _ block: CSVBlock, _ row: Int, _ cells: Int, _ log: inout IssueLog
  ) -> Bool {
    let first = block.text(row, 0)
    let position = Position.line(block.firstLine + row)
    if cells == 1, first.isEmpty { return false }
    if first.lowercased() == UnrealFacts.first {
      facts = UnrealFacts((0..<cells).lazy.map { block.text(row, $0) })
      return false
    }
    if block.isUnterminated(row) {
      log.note(.cutOff, .dataLoss, "a truncated last row, left out", at: position)
      return false
    }
    if cells > eventPosition, block.text(row, eventPosition).lowercased() == "events" {
      names = (0..<cells).map { block.text(row, $0) }
      return false
    }
    guard cells >= 2 else {
      log.note(.rowWidth, .dataLoss, "rows without counters, left out", at: position)
      return false
    }
    return true
  }

  private mutating func takeEvents(_ block: CSVBlock, _ row: Int, _ number: Int) {
    guard eventPosition < block.cellCount(row) else { return }
    let text = block.text(row, eventPosition)
    guard !text.isEmpty, text != "0" else { return }
    events += text.split(separator: ";").map { Event(row: number, text: String($0)) }
  }

  /// Adds rows of the same width, which may differ from the header's width.
  private mutating func append(_ rows: [Int32], _ width: Int, of block: CSVBlock) {
    guard !rows.isEmpty else { return }
    var numbers = [Double](repeating: .nan, count: rows.count)
    for position in 0..<width where position != eventPosition && reads(position) {
      block.decodeReals(column: position, of: rows, limit: Self.limit, into: &numbers)
      for (index, number) in numbers.enumerated() {
        columns[position, default: UnrealColumn()].append(number, row: count + index)
      }
    }
    count += rows.count
    cellCount += rows.count * width
  }

  /// Whether a column is requested. The names of later columns are not known yet.
  private func reads(_ position: Int) -> Bool {
    readsAll || position >= names.count || UnrealJoin.isFrames(names[position])
  }
}
