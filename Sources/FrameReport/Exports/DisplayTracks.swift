import FrameAnalysis
import FrameTrace

/// The refreshes of a display in a trace for other viewers, limited to those with any activity.
struct DisplayTracks {
  private let exported: Study
  private let index: Int
  private let refreshes: DisplayRefreshes

  init(_ exported: Study, _ index: Int, _ refreshes: DisplayRefreshes) {
    self.exported = exported
    self.index = index
    self.refreshes = refreshes
  }

  /// The maximum number of refreshes per frame to write; a larger number means that the interval is not a display's.
  private static let mostPerFrame: Int64 = 60

  /// Writes a slice from each refresh to the next.
  func write(to events: inout some TrackWriter) {
    guard let grid = refreshes.grid else { return }
    let stretches = self.stretches(grid)
    let count = stretches.reduce(0) { $0 + Int64($1.count) }
    guard count > 0 else { return }
    let track = EventTrack(process: index + 1, thread: 1)
    events.name(process: index + 1, "display \(exported.trace.displays[index].id)")
    let frames = Int64(exported.trace.frameCount)
    let isTooMany = count > Self.mostPerFrame * (frames + 100)
    let source = refreshes.source.map { " (\($0.rawValue))" } ?? ""
    events.name(
      track, isTooMany ? "\(count) refreshes are too many to list" : "refreshes\(source)")
    guard !isTooMany else { return }
    for number in stretches.joined() {
      let span = grid.time(number)..<max(grid.time(number), grid.time(number + 1))
      events.slice("refresh \(number.number)", track, span, category: "refresh")
    }
  }

  /// The time of each refresh while the display was active; empty if there are too many to list.
  var times: [(number: RefreshNumber, time: Timestamp)] {
    guard let grid = refreshes.grid else { return [] }
    let stretches = self.stretches(grid)
    let count = stretches.reduce(0) { $0 + Int64($1.count) }
    guard count <= Self.mostPerFrame * (Int64(exported.trace.frameCount) + 100) else { return [] }
    return stretches.joined().map { ($0, grid.time($0)) }
  }

  /// The refreshes while any surface of the display was active, in order, each only once.
  private func stretches(_ grid: RefreshGrid) -> [Range<RefreshNumber>] {
    let only = exported.trace.displays.count == 1
    var active: [Range<Timestamp>] = []
    for surface in exported.trace.surfaces.indices {
      let display = exported.trace.surfaces[surface].display ?? (only ? 0 : nil)
      if display == index {
        active += exported.pipeline().surfaces[surface].timeline.schedule.activeStretches
      }
    }
    var stretches: [Range<RefreshNumber>] = []
    for range in active.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      let own = grid.last(range.lowerBound)..<grid.first(range.upperBound) + 1
      if let last = stretches.last, own.lowerBound <= last.upperBound {
        stretches[stretches.count - 1] =
          last.lowerBound..<max(last.upperBound, own.upperBound)
      } else {
        stretches.append(own)
      }
    }
    return stretches
  }
}
