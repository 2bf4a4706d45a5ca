import FrameAnalysis
import FrameTrace

/// A mark set by an app or a tester, for an interactive page.
struct ExploredMarker: Sendable {
  /// The time in microseconds from the start of the trace.
  let time: Int64
  let name: String

  /// The maximum number of a surface's marks in the page.
  private static let most = 2_000

  /// The marks of a surface's process and the marks without a process, in order of time. If there are too many,
  /// frequent names are omitted first: a mark on every frame is not worth navigating to.
  static func all(
    _ trace: Trace, of process: String?, in range: Range<Timestamp>, from origin: Timestamp
  ) -> (kept: [ExploredMarker], count: Int) {
    let table = trace.markers
    var positions: [Int64: [Int]] = [:]
    for position in 0..<table.count {
      guard let name = table[position, .name], let start = table.time(position, .start),
        range.contains(start)
      else { continue }
      let owner = table[position, .process].map { table.texts[$0] }
      guard owner == nil || process == nil || owner == process else { continue }
      positions[name, default: []].append(position)
    }
    var kept: [Int] = []
    for (_, found) in positions.sorted(by: { ($0.value.count, $0.key) < ($1.value.count, $1.key) })
    {
      let room = most - kept.count
      guard room > 0 else { break }
      // If the marks of a name do not fit, evenly spaced ones are kept.
      kept += found.count <= room ? found : (0..<room).map { found[$0 * found.count / room] }
    }
    let markers = kept.compactMap { position -> ExploredMarker? in
      guard let name = table[position, .name], let start = table.time(position, .start) else {
        return nil
      }
      return ExploredMarker(time: (start - origin).count / 1000, name: table.texts[name])
    }.sorted { ($0.time, $0.name) < ($1.time, $1.name) }
    return (markers, positions.values.reduce(0) { $0 + $1.count })
  }
}
