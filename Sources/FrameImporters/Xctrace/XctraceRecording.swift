/// What tables of one recording say, before it is put together.
struct XctraceRecording {
  var frames = XctraceFrameFacts()
  var displays = XctraceDisplayFacts()
  var marks = XctraceMarkFacts()
  var threads = XctraceThreadFacts()
  var launches = XctraceLaunchFacts()
  /// What the recording's table of contents says of how it was made, in words.
  var conditions: [String] = []
  /// Rows without a time, or without what they are about.
  private(set) var brokenRows = 0

  /// Takes a row of a table; `false` for one without its time or without what it is about.
  typealias Reader = @Sendable (XctraceRow, inout XctraceRecording) -> Bool

  /// What takes the rows of each table.
  private static let readers: [String: Reader] = [
    frameReaders, displayReaders, markReaders, threadReaders, launchReaders,
  ].reduce([:]) { $0.merging($1) { first, _ in first } }

  /// The tables that are read.
  static var names: [String] { readers.keys.sorted() }

  /// What reads the rows of a table; `nil` for one that is not read.
  static func reader(of table: String) -> Reader? { readers[table] }

  /// Whether anything is read of a table.
  static func reads(_ table: String) -> Bool { readers[table] != nil }

  mutating func take(_ row: XctraceRow) {
    if let read = row.schema.reader, !read(row, &self) { brokenRows += 1 }
  }
}
