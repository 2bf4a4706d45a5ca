/// A column that is read of some table, named as the tables' mnemonics are: `hidTime` is `hid-time`.
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

/// A table's name and columns, and what reads its rows.
final class XctraceSchema {
  let name: String
  /// How many columns the table has; 0 for one that does not state them.
  let columnCount: Int
  /// What reads its rows; `nil` for a table that is not read.
  let reader: XctraceRecording.Reader?
  /// The places of columns in a row, by their numbers; -1 for those that the table does not have.
  private var places = [Int](repeating: -1, count: XctraceColumn.allCases.count)

  /// - Parameter mnemonics: The names of its columns, in order.
  init(name: String, mnemonics: [String]) {
    self.name = name
    columnCount = mnemonics.count
    reader = XctraceRecording.reader(of: name)
    for (place, mnemonic) in mnemonics.enumerated() {
      if let column = XctraceColumn.byMnemonic[mnemonic] { places[column.rawValue] = place }
    }
  }

  /// The place of a column in a row; `nil` when the table does not have it.
  func place(_ column: XctraceColumn) -> Int? {
    let place = places[column.rawValue]
    return place < 0 ? nil : place
  }
}
