/// Follows frames that follow a clock for as long as they keep it, late frames included.
struct ClockFollower {
  private let clock: ClockDistance
  private let frames: DisplayedFrames
  /// The indices of the newest on-time frames.
  private var onTime: [Int]
  /// The indices of the newest on-time frames before a late frame that later frames have not made up for.
  private var beforeLate: [Int] = []

  /// How many frames show the phase of a clock.
  private static let phaseFrames = 12
  /// The minimum number of frames that show that a clock continues after a late frame.
  private static let fewestAfter = 3
  /// The number of consecutive frames that must keep a new phase to show that the clock's distance is not exactly the
  /// fraction.
  private static let slipFrames = 5
  /// The maximum number of consecutive frames that may leave a clock that continues after them.
  private static let mostOff = 4

  init(_ clock: ClockDistance, _ frames: DisplayedFrames, from first: Int = 0) {
    (self.clock, self.frames, onTime) = (clock, frames, [first])
  }

  /// - Parameter body: Receives the index of a frame, and the refresh at which it was due.
  /// - Returns: The index of the last frame that keeps the clock.
  mutating func follow(_ body: (Int, Int64) -> Void) -> Int {
    var position = onTime[0]
    while position + 1 < frames.count, frames.gaps[position + 1] != .rest {
      let next = position + 1
      if frames.gaps[next] == .hole {
        guard restarted(at: next).keeps(through: next + clock.frames + 1) else { break }
        restart(at: next)
        position = next
      } else if isOnTime(next) {
        body(next, frames.shown[next])
        add(next)
        position = next
      } else if isSlip(next) {
        body(next, frames.shown[next])
        restart(at: next)
        position = next
      } else if let off = offFrames(from: next) {
        for index in next..<(next + off) {
          body(index, min(latest(index, onTime), frames.shown[index]))
          self = leaving(at: index)
        }
        position = next + off - 1
      } else {
        if frames.gaps[next] == .none { body(next, min(latest(next, onTime), frames.shown[next])) }
        break
      }
    }
    return position
  }

  /// Whether all frames up to `last` keep the clock, as far as they exist.
  func keeps(through last: Int) -> Bool {
    var follower = self
    for position in (newest + 1)..<max(newest, min(frames.count - 1, last)) + 1 {
      if frames.gaps[position] == .hole { return true }
      guard frames.gaps[position] != .rest, follower.isOnTime(position) else { return false }
      follower.add(position)
    }
    return true
  }

  private var newest: Int { onTime[onTime.count - 1] }

  /// The last refresh at which a frame is on time.
  private func latest(_ position: Int, _ others: [Int]) -> Int64 {
    others.reduce(Int64.max) { min($0, frames.shown[$1] + clock.most(over: position - $1)) }
  }

  /// The first refresh at which the clock has a frame.
  private func earliest(_ position: Int, _ others: [Int]) -> Int64 {
    others.reduce(Int64.min) { max($0, frames.shown[$1] + clock.least(over: position - $1)) }
  }

  private func isOnTime(_ position: Int) -> Bool {
    let shown = frames.shown[position]
    guard shown <= latest(position, onTime) else { return false }
    return shown >= earliest(position, onTime)
      || (!beforeLate.isEmpty && shown >= earliest(position, beforeLate))
  }

  private mutating func add(_ position: Int) {
    if !beforeLate.isEmpty {
      if frames.shown[position] <= latest(position, beforeLate) {
        (onTime, beforeLate) = (beforeLate, [])
      } else if frames.shown[position] > frames.shown[position - 1] + 1 {
        // Frames that make up for a late frame come at every refresh.
        beforeLate = []
      }
    }
    if onTime.count >= Self.phaseFrames { onTime.removeFirst() }
    onTime.append(position)
  }

  private mutating func restart(at position: Int) { (onTime, beforeLate) = ([position], []) }

  private func restarted(at position: Int) -> ClockFollower {
    var follower = self
    follower.restart(at: position)
    return follower
  }

  /// The clock after a frame that left it, at a new phase. Later frames may make up for a late frame and return to the
  /// old phase.
  private func leaving(at position: Int) -> ClockFollower {
    var follower = restarted(at: position)
    let old = beforeLate.isEmpty ? onTime : beforeLate
    if frames.shown[position] > latest(position, old) { follower.beforeLate = old }
    return follower
  }

  /// Whether a frame is late by one refresh because the clock's distance is not exactly the fraction.
  private func isSlip(_ position: Int) -> Bool {
    frames.gaps[position] == .none && !clock.isWhole
      && frames.shown[position] == latest(position, onTime) + 1
      && restarted(at: position).keeps(through: position + Self.slipFrames)
  }

  /// How many consecutive frames leave the clock before frames continue it; `nil` if the clock does not continue soon.
  private func offFrames(from position: Int) -> Int? {
    var follower = self
    for off in 1...Self.mostOff {
      let last = position + off - 1
      guard last + 1 < frames.count, ![.rest, .hole].contains(frames.gaps[last]),
        frames.gaps[last + 1] != .rest
      else { return nil }
      follower = follower.leaving(at: last)
      if follower.keeps(through: last + max(Self.fewestAfter, clock.frames)) { return off }
    }
    return nil
  }
}
