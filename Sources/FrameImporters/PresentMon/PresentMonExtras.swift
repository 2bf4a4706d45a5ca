import FrameTrace

/// The columns of a PresentMon CSV that the model does not have, kept cell by cell.
struct PresentMonExtras {
  private let header: PresentMonHeader
  private let columns: [Int]
  /// A builder for each surface and each of `columns`.
  private var builders: [[ExtraColumnBuilder]] = []

  init(_ header: PresentMonHeader) {
    self.header = header
    let repeating = Set(PresentMonIdentities.repeating(header))
    columns = header.others.filter { !repeating.contains($0) }
  }

  /// Takes in the cells of a surface's new frames.
  mutating func append(_ rows: [Int32], of block: CSVBlock, surface: Int) {
    while builders.count <= surface { builders.append(columns.map(newBuilder)) }
    for (index, column) in columns.enumerated() {
      for row in rows {
        builders[surface][index].append(block.buffer, block.cell(Int(row), column))
      }
    }
  }

  private func newBuilder(_ column: Int) -> ExtraColumnBuilder {
    ExtraColumnBuilder(name: header.names[column], unit: Self.unit(header.names[column]))
  }

  /// The unit of a column: milliseconds for times, as in PresentMon's documentation, else the unit
  /// in brackets in the column's name.
  private static func unit(_ name: String) -> String? {
    let lower = name.lowercased()
    if lower.hasPrefix("ms") || lower == "instrumentedlatency" { return "ms" }
    guard let opening = name.lastIndex(of: "("), name.hasSuffix(")") else { return nil }
    return String(name[name.index(after: opening)...].dropLast())
  }

  /// Adds the columns that have any value to the surface's frames.
  func finish(_ frames: inout UntimedFrames, surface: Int) {
    guard surface < builders.count else { return }
    frames.addExtras(builders[surface].map { $0.finish() }.filter { $0.valueCount > 0 })
  }
}

extension ExtraColumnBuilder {
  /// Appends a cell as a number if it is one, else as text.
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
