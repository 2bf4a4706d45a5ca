import FrameTrace

/// The numbers in a block of PresentMon rows. Blocks can be decoded in any order, because their numbers
/// do not depend on other blocks.
struct PresentMonNumbers: Sendable {
  /// How blocks are decoded.
  struct Decoder: Sendable {
    let header: PresentMonHeader
    /// The fields that are read.
    let fields: [PresentMonField]
    /// The unit of the time column; `nil` when the file has none.
    let timeUnit: PresentMonClock.Unit?
  }

  /// A cell that should be a number.
  struct OddCell {
    let cell: CSVBlock.OddCell
    let column: Int
  }

  /// A frame that is longer than a second.
  struct LongFrame {
    /// The index of its row in `regularRows`.
    let index: Int
    let length: Int64
    let reach: LongFrames.Reach
  }

  /// The rows that have as many cells as the header.
  private(set) var regularRows: [Int32] = []
  /// The rows that have another number of cells.
  private(set) var otherRows: [Int32] = []
  /// The cells in regular rows that are not numbers, field by field.
  private(set) var odd: [OddCell] = []
  /// The combinations of texts in regular rows.
  private(set) var identities: CSVRowIdentities
  /// The frame columns; `nil` if there are no regular rows.
  private(set) var columns: PresentMonBlock?
  /// The frames of regular rows that are longer than a second.
  private(set) var longFrames: [LongFrame] = []

  /// The numbers by field, one for each regular row; arrays can be longer.
  private var numbers: [PresentMonField: [Int64]] = [:]

  init(_ header: PresentMonHeader) {
    identities = CSVRowIdentities(columns: PresentMonIdentities.columns(header))
  }

  /// The numbers of a field, one for each regular row; `nil` if it is not read.
  subscript(field: PresentMonField) -> [Int64]? { numbers[field] }

  /// Finds the rows that have as many cells as the header.
  mutating func selectRows(of block: CSVBlock, _ header: PresentMonHeader) {
    regularRows.removeAll(keepingCapacity: true)
    otherRows.removeAll(keepingCapacity: true)
    let start = max(0, header.preamble.count + 2 - block.firstLine)
    if let width = block.uniformWidth, header.accepts(width: width) {
      regularRows.append(contentsOf: Int32(start)..<Int32(max(start, block.rowCount)))
      return
    }
    for row in start..<max(start, block.rowCount) {
      let found = block.cellCount(row)
      if header.accepts(width: found) {
        regularRows.append(Int32(row))
      } else if found > 1 || !block.cell(row, 0).isEmpty {
        otherRows.append(Int32(row))
      }
    }
  }

  /// Decodes the numbers of the regular rows.
  mutating func decode(_ block: CSVBlock, _ decoder: Decoder) {
    odd.removeAll(keepingCapacity: true)
    longFrames.removeAll(keepingCapacity: true)
    columns = nil
    guard !regularRows.isEmpty else { return }
    identities.identify(regularRows, of: block)
    let header = decoder.header
    for field in decoder.fields {
      guard let position = header.position(field) else { continue }
      if field.isDuration {
        decode(field, position, scale: 6, limit: PresentMonClock.longest, block)
      } else if field == header.time?.field, let unit = decoder.timeUnit {
        decodeTime(field, position, unit, block)
      }
    }
    let columns = PresentMonBlock(header, numbers, hasTime: decoder.timeUnit != nil)
    findLongFrames(columns, header.dialect)
    self.columns = columns
  }

  private mutating func findLongFrames(
    _ columns: PresentMonBlock, _ dialect: PresentMonHeader.Dialect
  ) {
    for (column, values) in columns.stored {
      let reach: LongFrames.Reach
      switch column {
      case .presentInterval: reach = .before
      // Rows have the times of starts, or only those of present calls.
      case .startInterval: reach = dialect == .frames ? .after : .around
      default: continue
      }
      let values = values.span
      for index in regularRows.indices where values[index] > LongFrames.longestUnchecked {
        longFrames.append(LongFrame(index: index, length: values[index], reach: reach))
      }
    }
  }

  private mutating func decode(
    _ field: PresentMonField, _ position: Int, scale: Int, limit: Int64, _ block: CSVBlock
  ) {
    var values = numbers.removeValue(forKey: field) ?? []
    resize(&values)
    let found = block.decode(
      column: position, of: regularRows, scale: scale, limit: limit, into: &values)
    for cell in found { odd.append(OddCell(cell: cell, column: position)) }
    if field.zeroIsMissing {
      for index in regularRows.indices where values[index] == 0 {
        values[index] = CSVBlock.missing
      }
    }
    numbers[field] = values
  }

  private mutating func decodeTime(
    _ field: PresentMonField, _ position: Int, _ unit: PresentMonClock.Unit, _ block: CSVBlock
  ) {
    guard unit == .dateTime else {
      return decode(field, position, scale: unit.scale, limit: unit.limit, block)
    }
    var values: [Int64] = []
    for row in regularRows {
      let time = PresentMonClock.dateAndTime(block.text(Int(row), position))
      if time == nil {
        let cell = CSVBlock.OddCell(row: Int(row), reading: .malformed)
        odd.append(OddCell(cell: cell, column: position))
      }
      values.append(time ?? CSVBlock.missing)
    }
    numbers[field] = values
  }

  private func resize(_ values: inout [Int64]) {
    if values.count < regularRows.count {
      values.append(contentsOf: repeatElement(0, count: regularRows.count - values.count))
    }
  }
}
