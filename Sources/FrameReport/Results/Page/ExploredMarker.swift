import FrameAnalysis
import FrameTrace

/// A mark that an app or a tester set, for an interactive page.
struct ExploredMarker: Sendable {
  /// In microseconds from the start of the trace.
  let time: Int64
  let name: String

  /// The most marks of a surface in the page.
  private static let most = 2_000

  /// The marks of a surface's process, and those of none, in order of time. Where there are too many, names that occur
  /// often are left out first: a mark of each frame is no place to go to.
  static func all(
    _ trace: Trace, of process: String?, in range: Range<Timestamp>, from origin: Timestamp
  ) -> [ExploredMarker] {
    let markers = trace.markers
    var places: [Int64: [Int]] = [:]
    for place in 0..<markers.count {
      guard let name = markers[place, .name], let start = markers.time(place, .start),
        range.contains(start)
      else { continue }
      let owner = markers[place, .process].map { markers.texts[$0] }
      guard owner == nil || process == nil || owner == process else { continue }
      places[name, default: []].append(place)
    }
    var kept: [Int] = []
    for (_, found) in places.sorted(by: { ($0.value.count, $0.key) < ($1.value.count, $1.key) }) {
      guard kept.count + found.count <= most else { break }
      kept += found
    }
    return kept.compactMap { place in
      guard let name = markers[place, .name], let start = markers.time(place, .start) else {
        return nil
      }
      return ExploredMarker(time: (start - origin).count / 1000, name: markers.texts[name])
    }.sorted { ($0.time, $0.name) < ($1.time, $1.name) }
  }
}
