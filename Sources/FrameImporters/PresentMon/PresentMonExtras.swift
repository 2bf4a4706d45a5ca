import FrameTrace

/// The columns of a PresentMon CSV that the model has no place for, kept a cell at a time.
struct PresentMonExtras {
  private let header: PresentMonHeader
  private let columns: [Int]
  /// For each surface a builder for each of `columns`.
  private var builders: [[ExtraColumnBuilder]] = []

  init(_ header: PresentMonHeader) {
    self.header = header
    let repeating = Set(PresentMonIdentities.repeating(header))
    columns = header.others.filter { !repeating.contains($0) }
  }

  /// Takes in the cells of a surface's new frames.
  mutating func append(_ rows: [Int32], of reader: CSVReader, surface: Int) {
    while builders.count <= surface { builders.append(columns.map(newBuilder)) }
    for (index, column) in columns.enumerated() {
      for row in rows {
        builders[surface][index].append(reader.buffer, reader.cell(Int(row), column))
      }
    }
  }

  private func newBuilder(_ column: Int) -> ExtraColumnBuilder {
    ExtraColumnBuilder(name: header.names[column], unit: Self.unit(header.names[column]))
  }

  /// The unit of a column by PresentMon's documentation, which gives all times in
  /// milliseconds; a unit in brackets is the file's own word.
  private static func unit(_ name: String) -> String? {
    let lower = name.lowercased()
    if lower.hasPrefix("ms") || lower == "instrumentedlatency" { return "ms" }
    guard let opening = name.lastIndex(of: "("), name.hasSuffix(")") else { return nil }
    return String(name[name.index(after: opening)...].dropLast())
  }

  /// Puts the columns that have any value beside the surface's frames.
  func finish(_ frames: inout UntimedFrames, surface: Int) {
    guard surface < builders.count else { return }
    frames.addExtras(builders[surface].map { $0.finish() }.filter { $0.valueCount > 0 })
  }
}

extension ExtraColumnBuilder {
  /// Appends a cell: a number where it is one, else a text.
  fileprivate mutating func append(_ bytes: [UInt8], _ cell: Range<Int>) {
    if cell.isEmpty || cell.count == 2 && bytes[cell.lowerBound] == UInt8(ascii: "N") {
      return append(nil as Int64?)
    }
    let text = String(decoding: bytes[cell].trimmingBlanks(), as: UTF8.self)
    if case .missing = DecimalNumber.read(bytes[cell], scale: 0) {
      append(nil as Int64?)
    } else if let whole = Int64(text) {
      append(whole)
    } else if let real = Double(text), real.isFinite {
      append(real: real)
    } else {
      append(text: text)
    }
  }
}
