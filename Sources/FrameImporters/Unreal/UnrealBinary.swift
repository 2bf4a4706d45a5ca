import FrameTrace

/// The binary form of an Unreal CSV profile, as the engine's `CsvConvert` writes it: column by column.
///
/// Grammar: Epic Games, Unreal Engine, `CSVTools/CsvStats/CsvStats.cs`, versions 2 and 3. Numbers are little-endian.
/// The length of a string precedes it, in groups of seven bits. A column consists either of all its values, compressed,
/// or of the values where they change, with a bit for each row.
struct UnrealBinary {
  static let mark: [UInt8] = [6] + Array("CSVBIN".utf8)

  private let bytes: [UInt8]
  private let path: String
  private var position = Self.mark.count
  private(set) var names: [String] = []
  private(set) var columns: [Int: UnrealColumn] = [:]
  private(set) var events: [UnrealRows.Event] = []
  private(set) var facts = UnrealFacts()
  private(set) var count = 0

  /// The limit on the memory for a file's values: a multiple of the file's size, but at least a number of bytes, as for
  /// compressed files.
  private static let (mostRatio, leastBound) = (100, 1 << 28)

  /// How the columns are stored.
  private enum Form { case changes, compressed }

  /// - Throws: `ParseError` at the first byte that does not follow the grammar. The names and lengths of all columns
  ///   come before their values, so a part of a file is not a recording.
  init(_ bytes: [UInt8], path: String) throws(ParseError) {
    (self.bytes, self.path) = (bytes, path)
    let version = try whole("a version")
    guard version == 2 || version == 3 else {
      throw error("version 2 or 3", "version \(version)")
    }
    var (hasFacts, form) = (false, Form.changes)
    if version == 3 {
      hasFacts = try whole("flags") & 1 != 0
      let level = try byte("a level of compression")
      let kind = level == 0 ? 0 : try byte("a kind of compression")
      guard kind == 0 else { throw error("the kind of compression 0", "\(kind)") }
      form = level == 0 ? .changes : .compressed
    } else {
      hasFacts = try byte("a flag") != 0
    }
    if hasFacts {
      var cells: [String] = []
      for _ in 0..<(try length("facts", of: 2)) { cells += ["[\(try text())]", try text()] }
      facts = UnrealFacts(cells)
    }
    let eventCount = try length("events", of: 5)
    count = try length("rows", of: 0)
    let columnCount = try length("columns", of: 1)
    let most = max(Self.leastBound, Self.mostRatio * bytes.count)
    // A product could overflow.
    guard count <= most / (max(1, columnCount) * MemoryLayout<Double>.size) else {
      throw error(
        "no more than \(most >> 20) MB of values", "\(count) rows of \(columnCount) columns")
    }
    for _ in 0..<columnCount { names.append(try text()) }
    for column in 0..<columnCount {
      let name = try text()
      guard name == names[column] else { throw error("the column \(names[column])", name) }
      // The column's mean and total.
      try skip(12)
      let size = try length("bytes", of: 1)
      let end = position + size
      let own = form == .changes ? try changes() : try compressed(until: end)
      columns[column] = UnrealColumn(own)
      position = end
    }
    for _ in 0..<eventCount {
      let row = Int(try whole("the row of an event"))
      events += try text().split(separator: ";").map { .init(row: row, text: String($0)) }
    }
  }

  private func error(_ expected: String, _ found: String) -> ParseError {
    ParseError(
      path: path, position: .byte(position),
      problem: "expected \(expected) in a binary Unreal CSV profile, found \(found)",
      help: "convert it to text with the engine's CsvConvert")
  }

  private mutating func skip(_ size: Int) throws(ParseError) {
    guard size >= 0, size <= bytes.count - position else {
      throw error("\(size) more bytes", "the end")
    }
    position += size
  }

  private mutating func byte(_ what: String) throws(ParseError) -> UInt8 {
    guard position < bytes.count else { throw error(what, "the end") }
    defer { position += 1 }
    return bytes[position]
  }

  private mutating func whole(_ what: String) throws(ParseError) -> Int32 {
    guard bytes.count - position >= 4 else { throw error(what, "the end") }
    defer { position += 4 }
    return Int32(bitPattern: word(at: position))
  }

  private func word(at position: Int) -> UInt32 {
    (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[position + $1]) << UInt32(8 * $1) }
  }

  /// The number of items, each of which has at least `size` bytes.
  private mutating func length(_ what: String, of size: Int) throws(ParseError) -> Int {
    let count = Int(try whole("the number of \(what)"))
    guard count >= 0, count * size <= bytes.count - position else {
      throw error("a number of \(what) that fit in the file", "\(count)")
    }
    return count
  }

  private mutating func text() throws(ParseError) -> String {
    var (size, shift) = (0, 0)
    while true {
      let group = try byte("a text")
      size |= Int(group & 0x7f) << shift
      shift += 7
      if group & 0x80 == 0 { break }
      guard shift <= 28 else { throw error("the length of a text", "\(size)") }
    }
    let start = position
    try skip(size)
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  private func number(at position: Int) -> Double {
    let value = Double(Float(bitPattern: word(at: position)))
    return value.isFinite ? value : .nan
  }

  /// A column with a bit for each row: 1 if its value differs from the previous row's value.
  private mutating func changes() throws(ParseError) -> [Double] {
    let bitCount = try length("bits", of: 0)
    guard bitCount == count else { throw error("a bit for each of \(count) rows", "\(bitCount)") }
    let bits = position
    try skip((bitCount + 31) / 32 * 4)
    let valueCount = try length("values", of: 4)
    let first = position
    try skip(4 * valueCount)
    var (own, next, last) = ([Double](), 0, Double.nan)
    for row in 0..<count {
      if word(at: bits + row / 32 * 4) >> UInt32(row % 32) & 1 == 1, next < valueCount {
        last = number(at: first + 4 * next)
        next += 1
      }
      own.append(last)
    }
    return own
  }

  /// A column whose values were compressed together.
  private mutating func compressed(until end: Int) throws(ParseError) -> [Double] {
    let size = try length("compressed bytes", of: 1)
    let start = position
    guard size <= end - start,
      let plain = Inflated.raw(bytes, start..<start + size, atMost: 4 * count),
      plain.count == 4 * count
    else { throw error("\(count) compressed values", "something else") }
    return (0..<count).map { row in
      let bits = (0..<4).reduce(UInt32(0)) {
        $0 | UInt32(plain[4 * row + $1]) << UInt32(8 * $1)
      }
      let value = Double(Float(bitPattern: bits))
      return value.isFinite ? value : .nan
    }
  }
}
