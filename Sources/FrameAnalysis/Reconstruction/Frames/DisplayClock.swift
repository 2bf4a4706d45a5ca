/// Rates that are visible only in display times: frames that follow a steady clock, such as frames 3, 2, 3, 2 refreshes
/// apart for 24 frames per second on a 60 Hz display.
struct DisplayClock {
  /// Frames that keep a clock, by their indices in display order.
  struct Stretch {
    /// The distance from frame to frame.
    let clock: ClockDistance
    /// The positions from the first frame to the last.
    let positions: ClosedRange<Int>
    /// Whether the clock skips refreshes.
    var isSlow: Bool { clock.mean > 1 }
  }

  private(set) var stretches: [Stretch] = []
  /// For each index in display order, the refresh at which its clock makes a frame due; `nil` for frames that keep no
  /// clock.
  private(set) var due: CompactOptionals<RefreshNumber>
  private let frames: DisplayedFrames

  /// The minimum number of distances that show a clock; three times the number of frames in its fraction is also
  /// required.
  private static let fewestDistances = 9
  /// The maximum number of distances from which a clock is found.
  private static let mostDistances = 60
  /// The maximum number of frames in a clock's fraction: if the display repeats a frame less often than once in ten,
  /// the frame was late.
  private static let mostFrames = 10

  /// - Parameters:
  ///   - shown: The refreshes at which frames were displayed, in order.
  ///   - gap: What precedes the frame at an index.
  ///   - allowsLate: Whether a group of frames may keep a clock even if many of them are late.
  init(
    _ shown: [RefreshNumber], gap: (Int) -> DisplayedFrames.Gap, allowsLate: Bool
  ) {
    frames = DisplayedFrames(shown, gap: gap)
    due = CompactOptionals(missing: shown.count)
    var position = 0
    while position + Self.fewestDistances < frames.count {
      guard let clock = clock(from: position) else {
        position += 1
        continue
      }
      let earliest = stretches.last?.positions.upperBound ?? 0
      var back = ClockFollower(clock, frames.reversed(earliest...position))
      let first = position - back.follow { _, _ in }
      var ahead = ClockFollower(clock, frames, from: first)
      let last = ahead.follow { due[$0] = shown[$0] + ($1 - frames.shown[$0]) }
      stretches.append(Stretch(clock: clock, positions: first...last))
      position = max(last, position + 1)
    }
    if allowsLate { addKeptPhases(shown) }
  }

  /// Adds the clocks of frames without a rest if most of these frames keep no clock found from consecutive frames.
  private mutating func addKeptPhases(_ shown: [RefreshNumber]) {
    guard frames.count > 0 else { return }
    var start = 0
    for end in 1...frames.count
    where end == frames.count || frames.gaps[end] == .rest || frames.gaps[end] == .hole {
      defer { start = end }
      let kept = stretches.filter { start..<end ~= $0.positions.lowerBound }
      guard kept.reduce(0, { $0 + $1.positions.count }) * 2 < end - start,
        let phase = KeptPhase(frames.shown, start...end - 1)
      else { continue }
      for position in phase.positions.dropFirst() {
        let own = frames.shown[position]
        due[position] = shown[position] + (phase.due(own) - own)
      }
      stretches.removeAll { start..<end ~= $0.positions.lowerBound }
      stretches.append(
        Stretch(
          clock: ClockDistance(refreshes: phase.distance, frames: 1), positions: phase.positions))
    }
    stretches.sort { $0.positions.lowerBound < $1.positions.lowerBound }
  }

  /// The simplest clock that the frames starting at a position keep.
  private func clock(from start: Int) -> ClockDistance? {
    var range = ClockRange()
    var found: ClockDistance?
    for position in (start + 1)..<min(frames.count, start + Self.mostDistances + 1) {
      guard frames.gaps[position] == .none else { break }
      for before in start..<position {
        range.narrow(to: frames.shown[position] - frames.shown[before], over: position - before)
      }
      if range.isEmpty { break }
      let distances = position - start
      guard distances >= Self.fewestDistances else { continue }
      let clock = range.simplest
      if distances >= 3 * clock.frames, clock.frames <= Self.mostFrames { found = clock }
    }
    return found
  }
}

/// The refreshes at which frames were displayed, in order.
struct DisplayedFrames {
  /// What precedes a frame.
  enum Gap {
    /// The distance to the previous frame.
    case none
    /// A rest, which has no distance.
    case rest
    /// A distance or a rest; only the frames after it can show which.
    case unknown
    /// Frames missing from the recording, so that any distance is possible.
    case hole
  }

  /// For each frame, the number of refreshes after the first frame at which it was displayed, rests excluded.
  private(set) var shown: [Int64] = []
  private(set) var gaps: [Gap] = []
  var count: Int { shown.count }

  init(_ refreshes: [RefreshNumber], gap: (Int) -> Gap) {
    var sum: Int64 = 0
    for position in refreshes.indices {
      var own = position == 0 ? .rest : gap(position)
      if own != .rest, own != .hole {
        let (distance, isBeyond) = refreshes[position].number.subtractingReportingOverflow(
          refreshes[position - 1].number)
        // Frames that share a refresh have no distance between them, so they end a clock like a rest does.
        if isBeyond || distance <= 0 || distance > Int64(Int32.max) {
          own = .rest
        } else {
          sum += distance
        }
      }
      gaps.append(own)
      shown.append(sum)
    }
  }

  /// Some of the frames, from the last to the first.
  func reversed(_ positions: ClosedRange<Int>) -> DisplayedFrames {
    var frames = self
    frames.shown = shown[positions].reversed().map { -$0 }
    frames.gaps = [.rest] + gaps[positions].dropFirst().reversed()
    return frames
  }
}
