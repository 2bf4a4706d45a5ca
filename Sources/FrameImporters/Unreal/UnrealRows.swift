import FrameTrace

/// The cells of an Unreal CSV profile: a column for each counter, whether it was there from the first row or not.
struct UnrealRows {
  /// What the engine wrote beside a row.
  struct Event {
    let row: Int
    let text: String
  }

  /// The names of columns, by place: of the last header that was read.
  private(set) var names: [String]
  /// The values of each column that is read, by place; rows after the last one that has it are not there.
  private(set) var values: [Int: [Double]] = [:]
  private(set) var events: [Event] = []
  /// The row of facts about the recording, by key in lower case.
  private(set) var facts: [String: String] = [:]
  private(set) var count = 0
  private let eventPlace: Int
  private let readsAll: Bool

  private static let limit = Double(Timestamp.bound)

  init(_ names: [String], _ demand: TraceDemand) {
    self.names = names
    eventPlace = names.firstIndex { $0.lowercased() == "events" } ?? 0
    readsAll = demand == .everything
  }

  init(_ binary: UnrealBinary) {
    names = binary.names
    values = binary.values
    events = binary.events
    facts = binary.facts
    count = binary.count
    (eventPlace, readsAll) = (-1, true)
  }

  /// The place of a column; `nil` without one of that name.
  func place(_ name: String) -> Int? { names.firstIndex { $0.lowercased() == name.lowercased() } }

  /// Whether the recording was ended as it should be: all names and facts come last.
  var hasEnd: Bool { !facts.isEmpty }

  mutating func read(_ reader: CSVReader, _ log: inout IssueLog) {
    var rows: [Int32] = []
    for row in max(0, 2 - reader.firstLine)..<max(reader.rowCount, max(0, 2 - reader.firstLine)) {
      let width = reader.cellCount(row)
      let place = Place.line(reader.firstLine + row)
      if width == 1, reader.text(row, 0).isEmpty { continue }
      let first = reader.text(row, 0)
      if first.hasPrefix("[") {
        take(facts: (0..<width).map { reader.text(row, $0) })
      } else if width > eventPlace, reader.text(row, eventPlace).lowercased() == "events" {
        names = (0..<width).map { reader.text(row, $0) }
      } else if reader.isUnterminated(row) {
        log.note(.cutOff, .dataLoss, "a truncated last row, left out", at: place)
      } else if width < 2 {
        log.note(.rowWidth, .dataLoss, "rows without counters, left out", at: place)
      } else {
        takeEvents(reader, row, count + rows.count)
        rows.append(Int32(truncatingIfNeeded: row))
      }
    }
    append(rows, of: reader)
  }

  private mutating func takeEvents(_ reader: CSVReader, _ row: Int, _ number: Int) {
    guard eventPlace < reader.cellCount(row) else { return }
    let text = reader.text(row, eventPlace)
    guard !text.isEmpty, text != "0" else { return }
    events += text.split(separator: ";").map { Event(row: number, text: String($0)) }
  }

  /// Adds rows, which may be shorter than the header, or longer.
  private mutating func append(_ rows: [Int32], of reader: CSVReader) {
    let widest = rows.map { reader.cellCount(Int($0)) }.max() ?? 0
    for place in 0..<widest where place != eventPlace && reads(place) {
      let own = rows.indices.filter { reader.cellCount(Int(rows[$0])) > place }
      var numbers = [Double](repeating: .nan, count: own.count)
      reader.decodeReals(
        column: place, of: own.map { rows[$0] }, limit: Self.limit, into: &numbers)
      var column = values[place] ?? []
      for (index, number) in zip(own, numbers) {
        let gap = count + index - column.count
        if gap > 0 { column += repeatElement(.nan, count: gap) }
        column.append(number)
      }
      values[place] = column
    }
    count += rows.count
  }

  /// Whether somebody asks for a column. The names of later ones are not known yet.
  private func reads(_ place: Int) -> Bool {
    readsAll || place >= names.count || UnrealJoin.isFrames(names[place])
  }

  /// Takes pairs of a key in brackets and a value, which may have commas in it. The command line is the last, and the
  /// rest of the row.
  private mutating func take(facts cells: [String]) {
    var key: String?
    for cell in cells {
      let isKey =
        cell.hasPrefix("[") && cell.hasSuffix("]") && key != "commandline"
        && (key.map { facts[$0] != nil } ?? true)
      if isKey {
        key = cell.dropFirst().dropLast().lowercased()
      } else if let key {
        facts[key] = facts[key].map { "\($0),\(cell)" } ?? cell
      }
    }
  }
}
