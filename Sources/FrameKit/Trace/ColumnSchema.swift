/// What a column of a table is: its name in files, what its numbers mean, and in words
/// what it holds.
public struct ColumnSchema: Sendable {
  /// What the whole numbers of a column stand for.
  public enum Kind: Sendable, Equatable {
    /// An instant on the trace clock.
    case time
    /// A length of time in nanoseconds.
    case duration
    /// How many of something.
    case count
    /// A number that names something: a frame, a buffer, a thread.
    case identifier
    /// No (0) or yes (1).
    case flag
    /// One of a closed list of words, by its place in the list.
    case choice([String])
    /// A text, by its number in the table's `texts`.
    case text
    /// A number with a fraction, by its bit pattern.
    case real
    /// A surface, by its place in the trace's list.
    case surface
    /// A frame, by its row in the frames of the row's surface.
    case frame
  }

  /// The name in the native format and wherever a user meets the column.
  public let key: String
  public let kind: Kind
  /// One sentence that defines the column.
  public let summary: String

  init(_ key: String, _ kind: Kind, _ summary: String) {
    self.key = key
    self.kind = kind
    self.summary = summary
  }
}

/// The columns a kind of row can have; a source fills those it knows.
public protocol TableColumn: RawRepresentable<Int>, CaseIterable, Hashable, Sendable {
  /// The schemas of all columns, in the order of the cases.
  static var schemas: [ColumnSchema] { get }
}

extension TableColumn {
  /// What this column is.
  public var schema: ColumnSchema { Self.schemas[rawValue] }
}
