import FrameTrace

/// The texts that PresentMon's rows repeat: the owner of a frame, and how it was presented.
struct PresentMonIdentities {
  /// The surface of each combination of texts; -1 for a repeated header.
  private(set) var surfaces: [Int] = []

  private let header: PresentMonHeader
  private let columns: [Int]
  /// The texts of each combination, in the order of the columns.
  private var texts: [[String]] = []
  /// The number of each combination by its bytes.
  private var numbers: [[UInt8]: Int32] = [:]
  /// The combination of each frame, by surface.
  private var ofFrames: [IntegerColumn] = []
  /// The surfaces of each process ID and swap chain.
  private var ofChains: [String: [Int]] = [:]

  /// Columns outside the model that also repeat.
  private static let repeating: Set<String> = [
    "runtime", "presentruntime", "presentflags", "allowstearing", "wasbatched", "dwmnotified",
    "hybridpresent", "vidpnsourceid", "layerindex",
  ]

  init(_ header: PresentMonHeader) {
    self.header = header
    columns = Self.columns(header)
  }

  /// The columns whose texts make a combination.
  static func columns(_ header: PresentMonHeader) -> [Int] {
    let fields: [PresentMonField] = [
      .application, .processID, .swapChain, .frameType, .dropped, .syncInterval, .presentMode,
    ]
    return fields.compactMap { header.position($0) } + repeating(header)
  }

  /// The columns outside the model that are read here instead of cell by cell.
  static func repeating(_ header: PresentMonHeader) -> [Int] {
    header.others.filter { repeating.contains(header.names[$0].lowercased()) }
  }

  /// Numbers the combinations of a block in the order of their first rows in the file, and makes surfaces for new ones.
  /// - Returns: The number of each of the block's combinations.
  mutating func number(
    _ found: CSVRowIdentities, of block: CSVBlock, _ builder: inout TraceBuilder
  ) -> [Int32] {
    found.combinations.map { combination in
      if let known = numbers[combination.key] { return known }
      let row = Int(combination.row)
      let number = texts.count
      numbers[combination.key] = Int32(number)
      texts.append(columns.map { block.text(row, $0) })
      surfaces.append(surface(number, &builder, line: block.firstLine + row))
      return Int32(number)
    }
  }

  private func text(_ identity: Int, _ field: PresentMonField) -> String? {
    header.position(field).flatMap { columns.firstIndex(of: $0) }.map {
      texts[identity][$0]
    }
  }

  private mutating func surface(
    _ identity: Int, _ builder: inout TraceBuilder, line: Int
  ) -> Int {
    let application = text(identity, .application) ?? ""
    let processID = text(identity, .processID) ?? ""
    if processID.lowercased() == "processid" {
      builder.log.note(.malformedLine, .info, "a repeated header, left out", at: .line(line))
      return -1
    }
    let chain = Self.address(text(identity, .swapChain) ?? "")
    let base = "\(processID):\(chain)"
    let known = ofChains[base] ?? []
    let name = Self.isNamed(application) ? application : nil
    let own = known.first { position in
      guard let name, let other = builder.trace.surfaces[position].process else { return true }
      return name == other || !Self.isNamed(other)
    }
    if let own {
      if let name { builder.trace.surfaces[own].process = name }
      return own
    }
    // Process IDs are reused, and the next process's swap chain can have the address of the last
    // one's.
    let id = base + (known.isEmpty ? "" : " of \(application)")
    let made = builder.surface(id) {
      Surface(
        id: id, name: chain, process: application.isEmpty ? nil : application,
        processID: Int(processID), bufferOwner: .app, derivesStarts: true)
    }
    ofChains[base, default: []].append(made)
    return made
  }

  /// Whether an application has a name. PresentMon does not know the names of processes that it
  /// looked up too late.
  private static func isNamed(_ application: String) -> Bool {
    !application.isEmpty && !application.hasPrefix("<")
  }

  /// An address without padding, which differs between versions.
  static func address(_ text: String) -> String {
    guard text.lowercased().hasPrefix("0x"), let value = UInt64(text.dropFirst(2), radix: 16)
    else { return text }
    return "0x" + String(value, radix: 16, uppercase: true)
  }

  /// Keeps the combinations of a surface's new frames.
  mutating func append(_ numbers: [Int64], at rows: [Int32], surface: Int) {
    while ofFrames.count <= surface { ofFrames.append(IntegerColumn()) }
    ofFrames[surface].append(numbers, at: rows)
  }

  /// Keeps the combination of a surface's new frames, which all have the same.
  mutating func append(_ number: Int32, count: Int, surface: Int) {
    while ofFrames.count <= surface { ofFrames.append(IntegerColumn()) }
    ofFrames[surface].append(repeating: Int64(number), count: count)
  }
}

extension PresentMonIdentities {
  /// Fills the columns derived from the combinations of frames.
  func finish(_ frames: inout [UntimedFrames]) {
    let fates = header.position(.dropped).map { _ in
      surfaces.indices.map { text($0, .dropped).flatMap(Self.fate) }
    }
    let kinds = header.position(.frameType).map { _ in
      surfaces.indices.map { text($0, .frameType).flatMap(Self.kind) }
    }
    let syncIntervals = header.position(.syncInterval).map { _ in
      surfaces.indices.map { text($0, .syncInterval).flatMap { Int64($0) } }
    }
    let repeating = Self.repeating(header) + [header.position(.frameType)].compactMap { $0 }
    let extras = repeating.map(extra)
    let modes = header.position(.presentMode).map { _ in
      surfaces.indices.map {
        text($0, .presentMode).flatMap { $0.isEmpty || $0 == "NA" ? nil : $0 }
      }
    }
    // The numbers of modes differ from surface to surface.
    var modeNumbers = [Int64?](repeating: nil, count: surfaces.count)
    let combinations = combinations(surfaces: ofFrames.count)
    // A swap chain with all its rows left out has no frames.
    for surface in ofFrames.indices {
      if let fates {
        frames[surface].setStored(.fate, column(fates, surface))
      }
      if let kinds {
        frames[surface].setStored(.kind, column(kinds, surface))
      }
      if let syncIntervals {
        frames[surface].setStored(.syncInterval, column(syncIntervals, surface))
      }
      if let modes {
        for identity in combinations[surface] {
          modeNumbers[identity] = modes[identity].map { frames[surface].number(of: $0) }
        }
        frames[surface].setStored(.presentMode, column(modeNumbers, surface))
      }
      frames[surface].addExtras(extras.map { column($0, surface) })
    }
  }

  /// The combinations of texts in the frames of each surface.
  private func combinations(surfaces count: Int) -> [[Int]] {
    var combinations = [[Int]](repeating: [], count: count)
    for (identity, surface) in surfaces.enumerated() where combinations.indices.contains(surface) {
      combinations[surface].append(identity)
    }
    return combinations
  }

  private static func fate(_ dropped: String) -> Int64? {
    switch dropped {
    case "0": FrameColumn.Fate.displayed.rawValue
    case "1": FrameColumn.Fate.discarded.rawValue
    default: nil
    }
  }

  private static func kind(_ frameType: String) -> Int64? {
    switch frameType {
    case "Application": FrameColumn.Kind.application.rawValue
    case "", "NA", "Unknown": nil
    default: FrameColumn.Kind.generated.rawValue
    }
  }

  /// A column with the value of each frame's combination.
  private func column(_ values: [Int64?], _ surface: Int) -> IntegerColumn {
    let ofFrames = ofFrames[surface]
    if let only = ofFrames.constantValue {
      return IntegerColumn(repeating: values[Int(only)], count: ofFrames.count)
    }
    var column = IntegerColumn()
    for row in 0..<ofFrames.count {
      column.append(ofFrames[row].flatMap { values[Int($0)] } ?? IntegerColumn.missing)
    }
    return column
  }

  /// A column outside the model, with the value of each combination.
  private struct Extra {
    let name: String
    let values: [Int64?]
    /// The texts that the values refer to; `nil` if all values are numbers.
    let texts: StringTable?
  }

  private func extra(_ column: Int) -> Extra {
    let position = columns.firstIndex(of: column) ?? 0
    let texts = texts.map { $0[position] }
    let isNumber = texts.indices.allSatisfy { surfaces[$0] < 0 || Int64(texts[$0]) != nil }
    let name = header.names[column]
    if isNumber { return Extra(name: name, values: texts.map { Int64($0) }, texts: nil) }
    var table = StringTable()
    let numbers = texts.map { $0.isEmpty || $0 == "NA" ? nil : table.number(of: $0) }
    return Extra(name: name, values: numbers, texts: table)
  }

  private func column(_ extra: Extra, _ surface: Int) -> ExtraColumn {
    let values = column(extra.values, surface)
    return ExtraColumn(
      name: extra.name, unit: nil,
      values: extra.texts.map { .texts(values, $0) } ?? .integers(values))
  }
}
