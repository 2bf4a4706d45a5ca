/// A rate that is visible only in display times: distances in refreshes that repeat, such as 3, 2,
/// 3, 2 for 24 frames a second on 60 refreshes.
struct DisplayPattern {
  /// Frames with distances that keep a pattern, by their indices in the order of display.
  struct Stretch {
    /// The distances that repeat.
    fileprivate let pattern: [Int64]
    /// From the first frame of the pattern to the last.
    let places: ClosedRange<Int>
    /// The distance at which the next frame would come.
    let next: Int64
    /// The mean distance from frame to frame, in refreshes.
    let distance: Double
    /// Whether the pattern leaves refreshes out.
    var isSlow: Bool { distance > 1 }
  }

  private(set) var stretches: [Stretch] = []
  /// The distances of each pattern that was found.
  private var patterns: Set<[Int64]> = []
  /// For each index in the order of display, the refresh at which the pattern makes a frame due;
  /// `nil` for frames outside patterns.
  private(set) var due: CompactOptionals<RefreshNumber>

  /// The longest period of a pattern.
  private static let longestPeriod = 5
  /// The fewest frames that make one.
  private static let fewestFrames = 10
  /// The fewest frames that show that a pattern continues after a late frame.
  private static let fewestShort = 3
  /// The most consecutive frames that may leave a pattern which continues after them.
  private static let mostOff = 4

  /// What lies before a frame.
  enum Gap {
    /// The distance to the previous frame.
    case none
    /// A rest, which has no distance.
    case rest
    /// Either of them; only the pattern after it can show which.
    case unknown
    /// Frames that the recording lacks, so that any distance may be.
    case hole
  }

  /// What separates a frame from the previous one.
  private enum Step: Equatable {
    /// A number of refreshes.
    case distance(Int64)
    /// A rest.
    case rest
    /// Frames that are missing, so that it fits any distance.
    case any

    /// Frames that share a refresh have no distance, so that they end a pattern as a rest does.
    init(from earlier: RefreshNumber, to later: RefreshNumber) {
      self = later > earlier ? .distance(later - earlier) : .rest
    }

    var distance: Int64? {
      if case .distance(let refreshes) = self { return refreshes }
      return nil
    }
  }

  private let shown: [RefreshNumber]
  /// What separates each frame but the first from the previous one.
  private let steps: [Step]
  /// The indices of distances that may be rests.
  private var unknown: Set<Int> = []

  /// - Parameters:
  ///   - shown: The refreshes at which frames were displayed, in order.
  ///   - gap: What precedes the frame at an index.
  init(_ shown: [RefreshNumber], gap: (Int) -> Gap) {
    self.shown = shown
    let gaps = shown.indices.map(gap)
    steps = shown.indices.dropFirst().map {
      switch gaps[$0] {
      case .rest: .rest
      case .hole: .any
      case .none, .unknown: Step(from: shown[$0 - 1], to: shown[$0])
      }
    }
    unknown = Set(gaps.indices.filter { gaps[$0] == .unknown }.map { $0 - 1 })
    due = CompactOptionals(missing: shown.count)
    var place = 0
    while place < steps.count {
      guard let period = period(from: place) else {
        place += 1
        continue
      }
      place = follow(from: place, period)
    }
    takeShortRuns()
  }

  /// Adds runs of frames between two gaps, or between a gap and an end of the trace, that are too
  /// short to form a pattern but keep one found elsewhere. The first frame after a gap may return
  /// to the old phase.
  private mutating func takeShortRuns() {
    guard !patterns.isEmpty else { return }
    var taken = [Bool](repeating: false, count: steps.count)
    for stretch in stretches {
      for place in stretch.places.lowerBound..<stretch.places.upperBound { taken[place] = true }
    }
    var place = 0
    while place < steps.count {
      let start = place
      while place < steps.count, !taken[place], !unknown.contains(place),
        steps[place].distance != nil
      {
        place += 1
      }
      let begin = [start, start + 1].first { keepsKnownPattern(from: $0, to: place) }
      if let begin {
        for index in begin..<place { due[index + 1] = shown[index + 1] }
      } else if start == 0 || steps[start - 1].distance == nil,
        let next = stretches.first(where: { $0.places.lowerBound == place })
      {
        takeStart(from: start, to: place, next.pattern)
      }
      place = max(place, start + 1)
    }
  }

  /// Adds frames that keep a pattern before its first ten frames but are separated from those by
  /// late frames.
  private mutating func takeStart(from start: Int, to end: Int, _ pattern: [Int64]) {
    let least = max(Self.fewestShort, pattern.count)
    var end = end
    while let off = (1...Self.mostOff).first(where: { off in
      let first = max(start, end - off - least)
      return first < end - off && keeps(pattern, from: first, to: end - off)
    }) {
      let stop = end - off
      var first = stop
      while first > start, keeps(pattern, from: first - 1, to: stop) { first -= 1 }
      let count = stop - first
      guard
        let phase = pattern.indices.first(where: {
          keeps(pattern, from: first, count: count, phase: $0)
        })
      else { return }
      for index in first..<stop { due[index + 1] = shown[index + 1] }
      for index in 0..<off {
        let expected = shown[stop + index] + pattern[(phase + count + index) % pattern.count]
        due[stop + index + 1] = min(expected, shown[stop + index + 1])
      }
      end = first
    }
    // Too few frames are left to determine the phase, so the longest distance is assumed.
    guard end - start <= Self.mostOff, let longest = pattern.max() else { return }
    for place in start..<end { due[place + 1] = min(shown[place] + longest, shown[place + 1]) }
  }

  private func keeps(_ pattern: [Int64], from start: Int, to end: Int) -> Bool {
    pattern.indices.contains { keeps(pattern, from: start, count: end - start, phase: $0) }
  }

  /// Whether steps keep a pattern that was found elsewhere.
  private func keepsKnownPattern(from start: Int, to end: Int) -> Bool {
    start < end && patterns.contains { keeps($0, from: start, to: end) }
  }

  /// The shortest period at which the steps from `start` repeat for long enough.
  private func period(from start: Int) -> Int? {
    (1...Self.longestPeriod).first { period in
      // An occasional late frame is not a pattern: a long one must occur two more times.
      let end = start + max(Self.fewestFrames - 1, 3 * period)
      guard end <= steps.count else { return false }
      let pattern = steps[start..<start + period].compactMap(\.distance)
      guard pattern.count == period else { return false }
      return keeps(pattern, from: start + period, count: end - start - period, phase: 0)
    }
  }

  /// Follows a pattern for as long as it is kept, late frames included.
  /// - Returns: The index of the first step outside the pattern.
  private mutating func follow(from start: Int, _ period: Int) -> Int {
    let pattern = steps[start..<start + period].compactMap(\.distance)
    var place = start
    var phase = 0
    while place < steps.count, steps[place] != .rest {
      if steps[place] == .any {
        guard let next = resumption(of: pattern, after: place) else { break }
        (place, phase) = (place + 1, next)
        continue
      }
      let isKept = steps[place].distance == pattern[phase]
      guard let off = isKept ? 0 : offFrames(from: place, pattern, phase) else {
        if !unknown.contains(place) {
          due[place + 1] = min(shown[place] + pattern[phase], shown[place + 1])
        }
        break
      }
      for index in 0..<off {
        let expected = shown[place + index] + pattern[(phase + index) % period]
        due[place + index + 1] = min(expected, shown[place + index + 1])
      }
      // The frame that continues the pattern is due when it is shown, at the old phase or a new
      // one.
      due[place + off + 1] = shown[place + off + 1]
      place += off + 1
      phase = (phase + off + 1) % period
    }
    patterns.insert(pattern)
    stretches.append(
      Stretch(
        pattern: pattern, places: start...place, next: pattern[phase],
        distance: Double(pattern.reduce(0, +)) / Double(period)))
    return max(place, start + 1)
  }

  /// How many consecutive frames leave a pattern before a frame continues it, at the old phase or
  /// at a new one from the last of them; `nil` where it does not continue soon.
  private func offFrames(from place: Int, _ pattern: [Int64], _ phase: Int) -> Int? {
    let period = pattern.count
    var late: Int64 = 0
    var least = period
    for count in 1...Self.mostOff {
      let last = place + count - 1
      guard last + 1 < steps.count, let step = steps[last].distance,
        let after = steps[last + 1].distance
      else { return nil }
      // A possible rest counts as a distance only if enough frames to form a pattern keep it
      // afterward.
      if unknown.contains(last) { least = Self.fewestFrames }
      guard least == period || last + least < steps.count else { return nil }
      late += step - pattern[(phase + count - 1) % period]
      let next = pattern[(phase + count) % period]
      guard after == next || after == next - late else { continue }
      if keeps(pattern, from: last + 2, count: least, phase: phase + count + 1) {
        return count
      }
    }
    return nil
  }

  /// Whether all available steps keep a pattern from a phase on.
  private func keeps(_ pattern: [Int64], from start: Int, count: Int, phase: Int) -> Bool {
    (0..<count).allSatisfy { index in
      let place = start + index
      guard place < steps.count, steps[place] != .any else { return true }
      return steps[place].distance == pattern[(phase + index) % pattern.count]
    }
  }

  /// The phase at which a pattern continues after missing frames; `nil` where it does not.
  private func resumption(of pattern: [Int64], after place: Int) -> Int? {
    (0..<pattern.count).first {
      keeps(pattern, from: place + 1, count: pattern.count + 1, phase: $0)
    }
  }
}
