import FrameTrace

/// The user's assignment of a table's columns: `time=Time:s,frameTime=MsBetweenPresents`.
public struct ColumnMap: Hashable, Sendable {
  /// What a column can hold.
  enum Target: Hashable {
    /// A time or a duration of a frame.
    case frame(FrameColumn)
    /// Frames per second.
    case frameRate
    case process, surface
    /// Whether the frame was never shown.
    case dropped
  }

  /// A column, its target, and the unit of its numbers.
  struct Entry: Hashable {
    let target: Target
    /// The column's name in the header, or `#` and its number, counted from 1.
    let column: String
    /// The unit of the column's numbers in nanoseconds, as a power of ten.
    let scale: Int
  }

  private(set) var entries: [Entry] = []

  /// The names of targets other than frame columns.
  private static let words: [String: Target] = [
    "time": .frame(.commit), "frameTime": .frame(.presentInterval), "frameRate": .frameRate,
    "process": .process, "surface": .surface, "dropped": .dropped,
  ]

  /// Units by name, each with the power of ten that converts it to nanoseconds.
  private static let units: [String: Int] = ["s": 9, "ms": 6, "us": 3, "ns": 0]

  /// The target names that can precede a column, in order.
  public static var targets: [String] {
    words.keys.sorted()
      + FrameColumn.allCases.filter { [.time, .duration].contains($0.schema.kind) }
      .map(\.schema.key)
  }

  /// Creates a map without columns.
  public init() {}

  /// Adds the columns that a string names.
  /// - Returns: What was expected, if the string is not a valid map; otherwise `nil`.
  public mutating func add(_ text: String) -> String? {
    for part in text.split(separator: ",") {
      guard let equals = part.firstIndex(of: "="), equals > part.startIndex else {
        return "columns such as time=Time:s,frameTime=FrameTime:ms"
      }
      let word = String(part[..<equals])
      guard let target = Self.target(word) else {
        return "one of \(Self.targets.joined(separator: ", ")) before '='"
      }
      var column = part[part.index(after: equals)...]
      var scale = 6
      if let colon = column.lastIndex(of: ":"),
        let unit = Self.units[String(column[column.index(after: colon)...])]
      {
        scale = unit
        column = column[..<colon]
      }
      if column.hasPrefix("#"), (Int(column.dropFirst()) ?? 0) < 1 {
        return "a column's number, counted from #1, or its name"
      }
      guard !column.isEmpty else { return "the name of a column after \(word)=" }
      entries.append(Entry(target: target, column: String(column), scale: scale))
    }
    return entries.isEmpty ? "columns such as time=Time:s,frameTime=FrameTime:ms" : nil
  }

  private static func target(_ word: String) -> Target? {
    if let target = words[word] { return target }
    let column = FrameColumn.allCases.first {
      $0.schema.key == word && [.time, .duration].contains($0.schema.kind)
    }
    return column.map { .frame($0) }
  }
}
