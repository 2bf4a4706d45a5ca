package import FrameTrace

/// How a deliberate lower rate is known.
public enum CadenceSource: String, Sendable {
  /// The trace or the user states it.
  case stated
  /// Frames start at this interval, and the app rests before them.
  case kept
  /// Frames start at this interval, as steadily as a limiter's clock, and nothing else explains the rate.
  case limited
  /// The distances of display times repeat.
  case displayed
}

/// A deliberate lower rate of a surface.
package struct Cadence {
  let source: CadenceSource
  /// The time from frame to frame; if it alternates, the mean.
  package let interval: Nanoseconds
  /// Whether an app that aims at every refresh and is too slow for it could show the same pattern.
  let isInferred: Bool
}

/// A rate that the trace or the user states: frames are due at whole multiples of its interval after the last frame
/// that was not on time.
struct StatedRate {
  let interval: Nanoseconds
  private let grid: RefreshGrid
  /// When that frame was displayed, and how many frames ago.
  private var anchor: (time: Timestamp, count: Int64)?

  init(_ interval: Nanoseconds, _ grid: RefreshGrid) {
    self.interval = interval
    self.grid = grid
  }

  /// The refresh that the next frame is due at; `nil` for the first frame, and after a rest.
  /// - Parameters:
  ///   - shown: The refresh at which the frame, or the one that replaces it, is displayed; `nil` if there is none.
  ///   - before: The refresh at which the previous frame was displayed; `nil` if there is none.
  mutating func due(
    shown: RefreshNumber?, before: RefreshNumber?, isAfterRest: Bool
  ) -> RefreshNumber? {
    guard let known = anchor, let before, !isAfterRest else {
      anchor = shown.map { (grid.time($0), 0) }
      return nil
    }
    let time = known.time + interval * (known.count + 1)
    let due = max(before + 1, grid.first(time - grid.interval(at: time) / 16))
    anchor =
      shown == nil || shown == due ? (known.time, known.count + 1) : (grid.time(shown ?? due), 0)
    return due
  }
}
