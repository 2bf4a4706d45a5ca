import FrameTrace

/// The refreshes of a CRTC as the kernel numbers them.
struct NumberedRefreshes {
  private var refreshes: [(number: Int64, time: Int64)] = []
  private var positions = PairTable()

  /// Sets the time of a refresh; if a number has several times, the last one counts.
  mutating func set(_ number: Int64, to time: Int64) {
    if let position = positions[0, number] {
      refreshes[Int(position)].time = time
    } else {
      positions[0, number] = Int32(refreshes.count)
      refreshes.append((number, time))
    }
  }

  /// Adds the refreshes to a table, ordered by time.
  func add(to table: inout Table<RefreshColumn>) {
    var row = Table<RefreshColumn>.Row()
    for (number, time) in refreshes.sorted(by: { ($0.time, $0.number) < ($1.time, $1.number) }) {
      row[.number] = number
      row[.time] = time
      table.append(row)
    }
  }
}
