/// The extra columns of a surface while its frames are read.
struct NativeExtras {
  /// The columns in the order in which they appear.
  private var columns: [ExtraColumnBuilder] = []
  private var positions: [String: Int] = [:]
  /// How many cells were left empty because a frame did not have that column.
  private var gapCount = 0

  /// The largest number of such cells, including those after a column's last value. Beyond it, a
  /// file of sparse columns would take disproportionate memory.
  private let mostGaps: Int
  /// The message about columns beyond that limit.
  static let tooSparse = "extra: sparse columns, too many to keep"

  init(mostGaps: Int = 1 << 26) { self.mostGaps = mostGaps }

  /// Appends a JSON value for a row; skipped rows have no value.
  /// - Returns: Whether the limit allowed it.
  mutating func append(
    _ token: JSONScanner.Token, _ bytes: [UInt8], name: String, row: Int, unit: String?
  ) -> Bool {
    let gap = row - (positions[name].map { columns[$0].count } ?? 0)
    // A name that occurs twice in a record counts once.
    guard gap >= 0 else { return true }
    guard gapCount + gap <= mostGaps else { return false }
    gapCount += gap
    if positions[name] == nil {
      positions[name] = columns.count
      columns.append(ExtraColumnBuilder(name: name, unit: unit))
    }
    if let position = positions[name] {
      columns[position].pad(to: row)
      columns[position].append(token, bytes)
    }
    return true
  }

  /// The columns within the limit, each with `count` rows.
  func finish(_ count: Int) -> [ExtraColumn] {
    var gapCount = 0
    return columns.compactMap { column in
      let gap = count - column.count
      guard gapCount + gap <= mostGaps else { return nil }
      gapCount += gap
      var column = column
      column.pad(to: count)
      return column.finish()
    }
  }

  /// The number of columns in all.
  var count: Int { columns.count }
}

extension ExtraColumnBuilder {
  fileprivate mutating func append(_ token: JSONScanner.Token, _ bytes: [UInt8]) {
    switch token.kind {
    case .string: append(text: JSONScanner.text(bytes, token.range))
    case .number:
      let text = String(decoding: bytes[token.range], as: UTF8.self)
      if let whole = Int64(text) { append(whole) } else { append(real: Double(text) ?? .nan) }
    case .true: append(text: "true")
    case .false: append(text: "false")
    case .null, .object, .array: append(nil as Int64?)
    }
  }
}
