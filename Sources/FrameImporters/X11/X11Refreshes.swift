import FrameTrace

/// The refreshes of a display at which an X server showed pixmaps, by the server's numbers.
enum X11Refreshes {
  /// The refreshes in order; `nil` if the numbers do not follow the times, as when a window moves to another display.
  static func numbered(
    _ windows: [X11Window], _ clock: X11Clock
  ) -> [(number: Int64, time: Int64)]? {
    let all = windows.flatMap { window in
      window.presents.compactMap { present in
        present.completion.flatMap { completion in
          completion.isSkipped ? nil : clock.time(completion).map { (completion.refresh, $0) }
        }
      }
    }
    var found: [(number: Int64, time: Int64)] = []
    for (number, time) in all.sorted(by: { ($0.1, $0.0) < ($1.1, $1.0) }) {
      guard let last = found.last else {
        found.append((number, time))
        continue
      }
      guard number >= last.number, (number == last.number) == (time == last.time) else {
        return nil
      }
      if number > last.number { found.append((number, time)) }
    }
    return found
  }
}
