/// The header of a PresentMon CSV: the position of each column, and the dialect.
struct PresentMonHeader {
  /// The three sets of columns that PresentMon has written.
  enum Dialect {
    /// 1.x, and `--v1_metrics` of later ones: a row is a present call.
    case presents
    /// 2.0 to 2.3.0, and `--v2_metrics` of later ones: a row is a frame from its start on.
    case frames
    /// 2.3.1 and later: both, under different names.
    case both
  }

  /// Tools that write PresentMon's columns and additional ones.
  enum Tool: String { case presentMon, ocat, capFrameX, frameView }

  let dialect: Dialect
  let tool: Tool
  /// The names of columns that every row has, as the file spells them.
  let names: [String]
  /// The names of columns that only the first row has; they describe the machine.
  let namesOfFirstRow: [String]
  /// The lines before the header, which describe the machine as `//Key=Value`.
  let preamble: [String]
  private let positions: [PresentMonField: Int]

  /// Parses a header; `nil` if it is not PresentMon's.
  init?(_ head: FileHead) {
    let lines = head.lines(Self.longestPreamble + 1)
    let preamble = lines.prefix { $0.hasPrefix("//") }
    guard preamble.count < lines.count else { return nil }
    self.init(lines[preamble.count], preamble: Array(preamble))
  }

  /// The most lines accepted before a header.
  private static let longestPreamble = 64

  init?(_ line: String, preamble: [String] = []) {
    let cells = FileHead.columnNames(line)
    var positions: [PresentMonField: Int] = [:]
    for field in PresentMonField.allCases {
      positions[field] = cells.firstIndex { field.names.contains($0) }
    }
    guard positions[.application] != nil, positions[.processID] != nil,
      positions[.swapChain] != nil,
      let dialect = Self.dialect(positions)
    else { return nil }
    self.dialect = dialect
    // Before 1.7 renamed it, the time for which the GPU was active was called its duration.
    if dialect == .presents, positions[.gpuBusy] == nil {
      positions[.gpuBusy] = positions.removeValue(forKey: .gpuTime)
    }
    self.positions = positions
    self.preamble = preamble
    let all = FileHead.cells(line)
    let system = cells.firstIndex(of: "motherboard")
    tool =
      !preamble.isEmpty
      ? .capFrameX
      : system != nil ? .ocat : cells.contains("render queue depth") ? .frameView : .presentMon
    names = Array(all[..<(system ?? all.count)])
    namesOfFirstRow = Array(all[(system ?? all.count)...])
    guard positions.values.allSatisfy(names.indices.contains) else { return nil }
  }

  /// Whether a row with this many cells fits the header.
  func accepts(width: Int) -> Bool {
    tool == .ocat ? width >= names.count : width == names.count
  }

  private static func dialect(_ positions: [PresentMonField: Int]) -> Dialect? {
    let hasPresents = positions[.betweenPresents] != nil
    let hasFrames = positions[.cpuBusy] != nil && positions[.startTime] != nil
    switch (hasPresents, hasFrames) {
    case (true, true): return .both
    case (true, false): return .presents
    case (false, true): return .frames
    case (false, false): return nil
    }
  }

  /// The index of a field's column; `nil` if the file has none.
  func position(_ field: PresentMonField) -> Int? { positions[field] }

  /// The columns that hold none of the known fields.
  var others: [Int] {
    let known = Set(positions.values)
    return names.indices.filter { !known.contains($0) && !names[$0].isEmpty }
  }

  /// The format and its version, as a display name.
  var format: String {
    switch tool {
    case .presentMon: break
    case .ocat: return "OCAT CSV"
    case .capFrameX: return "CapFrameX CSV"
    case .frameView: return "FrameView CSV"
    }
    return switch dialect {
    case .presents: "PresentMon CSV, 1.x columns"
    case .frames: "PresentMon CSV, \(positions[.frameTime] == nil ? "2.0" : "2.1 to 2.3.0") columns"
    case .both: "PresentMon CSV, 2.3.1 and later columns"
    }
  }

  /// The column with the rows' reference times, and the unit from its name.
  var time: (field: PresentMonField, unit: PresentMonClock.Unit)? {
    let order: [PresentMonField] =
      dialect == .frames ? [.startTime] : [.qpcTime, .presentTime]
    for field in order {
      if let position = positions[field] {
        return (field, PresentMonField.timeUnit(names[position].lowercased()))
      }
    }
    return nil
  }
}
