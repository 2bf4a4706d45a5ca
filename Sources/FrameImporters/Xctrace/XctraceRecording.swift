/// The contents of one recording's tables, before they are assembled.
struct XctraceRecording {
  var frames = XctraceFrameFacts()
  var displays = XctraceDisplayFacts()
  var marks = XctraceMarkFacts()
  var threads = XctraceThreadFacts()
  var launches = XctraceLaunchFacts()
  /// How the recording was made, in words from its table of contents.
  var conditions: [String] = []
  /// The number of rows without a time or a subject.
  private(set) var brokenRows = 0

  /// Consumes a row of a table; returns `false` if the row lacks its time or its subject.
  typealias Reader = @Sendable (XctraceRow, inout XctraceRecording) -> Bool

  /// The reader of each table's rows.
  private static let readers: [String: Reader] = [
    frameReaders, displayReaders, markReaders, threadReaders, launchReaders,
  ].reduce([:]) { $0.merging($1) { first, _ in first } }

  /// The tables that are read.
  static var names: [String] { readers.keys.sorted() }

  /// The reader of a table's rows; `nil` for a table that is not read.
  static func reader(of table: String) -> Reader? { readers[table] }

  /// Whether a table is read.
  static func reads(_ table: String) -> Bool { readers[table] != nil }

  mutating func consume(_ row: XctraceRow) {
    if let read = row.schema.reader, !read(row, &self) { brokenRows += 1 }
  }
}
