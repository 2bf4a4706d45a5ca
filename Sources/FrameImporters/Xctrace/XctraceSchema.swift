/// A column that is read from some table, named like the tables' mnemonics: `hidTime` is
/// `hid-time`.
enum XctraceColumn: Int, CaseIterable {
  case category, channelName, cpUserCallstack, delay, desiredPresentationTime, deviceName, display,
    displayName, duration, eventLabel, eventType, frameNumber, hangType, hidTime, identifier,
    maxRefreshRate, message, name, narrativeDescription, note, offscreenPasses, path, period,
    priority, process, scope, stack, start, startThread, state, subsystem, surfaceId, swapId,
    thread, threadState, time, timestamp, typeLabel, weight

  fileprivate static let byMnemonic = Dictionary(
    uniqueKeysWithValues: allCases.map { (mnemonic($0), $0) })

  private static func mnemonic(_ column: XctraceColumn) -> String {
    "\(column)".map { $0.isUppercase ? "-\($0.lowercased())" : "\($0)" }.joined()
  }
}

/// A table's name and columns, and the reader of its rows.
final class XctraceSchema {
  let name: String
  /// The number of the table's columns; 0 if it does not state them.
  let columnCount: Int
  /// The reader of its rows; `nil` for a table that is not read.
  let reader: XctraceRecording.Reader?
  /// The index in a row of each column, by the column's number; -1 for a column that the table lacks.
  private var positions = [Int](repeating: -1, count: XctraceColumn.allCases.count)

  /// - Parameter mnemonics: The names of its columns, in order.
  init(name: String, mnemonics: [String]) {
    self.name = name
    columnCount = mnemonics.count
    reader = XctraceRecording.reader(of: name)
    for (position, mnemonic) in mnemonics.enumerated() {
      if let column = XctraceColumn.byMnemonic[mnemonic] { positions[column.rawValue] = position }
    }
  }

  /// The index of a column in a row; `nil` if the table does not have it.
  func position(_ column: XctraceColumn) -> Int? {
    let position = positions[column.rawValue]
    return position < 0 ? nil : position
  }
}
