/// A rate that shows in nothing but display times: distances in refreshes that repeat, as 3, 2, 3,
/// 2 for 24 frames a second on 60 refreshes.
struct DisplayPattern {
  /// Frames whose distances keep a pattern, by their places in the order of display.
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
  /// For each place in the order of display the refresh that the pattern makes a frame due at;
  /// `nil` for frames of none.
  private(set) var due: CompactOptionals<RefreshNumber>

  /// The most distances after which a pattern repeats.
  private static let longestPeriod = 5
  /// The fewest frames that make one.
  private static let fewestFrames = 10
  /// The fewest that show one that goes on after a late frame.
  private static let fewestShort = 3
  /// The most frames in a row that do not keep a pattern which goes on after them.
  private static let mostOff = 4

  /// What lies before a frame.
  enum Gap {
    /// The distance to the frame before.
    case none
    /// A rest, which is no distance.
    case rest
    /// Either, as nothing but the pattern after it tells.
    case unknown
    /// Frames that the recording lacks, so that any distance may be.
    case hole
  }

  /// What lies between a frame and the one before it.
  private enum Step: Equatable {
    /// So many refreshes.
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
  /// What lies before each place but the first.
  private let steps: [Step]
  /// The places of those distances that may be rests.
  private var unknown: Set<Int> = []

  /// - Parameters:
  ///   - shown: The refreshes at which frames were displayed, in order.
  ///   - gap: What lies before the frame at a place.
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

  /// Takes in runs of frames between two gaps, or between a gap and an end of the trace, that are too short to make a
  /// pattern and keep one that others make. The first frame after a gap may come back to the old phase.
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

  /// Takes in the frames before the first ten that keep a pattern, which late ones divide from those.
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
    // Too few are left to show the place in the pattern, so that its longest distance is taken.
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

  /// The shortest period with which the steps from `start` on repeat for long enough.
  private func period(from start: Int) -> Int? {
    (1...Self.longestPeriod).first { period in
      // A late frame here and there is no pattern: a long one has to come back twice.
      let end = start + max(Self.fewestFrames - 1, 3 * period)
      guard end <= steps.count else { return false }
      let pattern = steps[start..<start + period].compactMap(\.distance)
      guard pattern.count == period else { return false }
      return keeps(pattern, from: start + period, count: end - start - period, phase: 0)
    }
  }

  /// Goes along a pattern as long as it is kept, late frames included.
  /// - Returns: The place of the first step that is of no pattern.
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
      // The frame that goes on with the pattern is due when it comes, at the old phase or a new one.
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

  /// How many frames in a row do not keep a pattern before one goes on with it, at the old phase or
  /// at a new one from the last of them; `nil` where it does not go on soon.
  private func offFrames(from place: Int, _ pattern: [Int64], _ phase: Int) -> Int? {
    let period = pattern.count
    var late: Int64 = 0
    var least = period
    for count in 1...Self.mostOff {
      let last = place + count - 1
      guard last + 1 < steps.count, let step = steps[last].distance,
        let after = steps[last + 1].distance
      else { return nil }
      // What may be a rest is none only where as many frames keep the pattern after it as make one.
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

  /// Whether steps keep a pattern from a phase on, as far as there are any.
  private func keeps(_ pattern: [Int64], from start: Int, count: Int, phase: Int) -> Bool {
    (0..<count).allSatisfy { index in
      let place = start + index
      guard place < steps.count, steps[place] != .any else { return true }
      return steps[place].distance == pattern[(phase + index) % pattern.count]
    }
  }

  /// The phase at which a pattern goes on after frames that are missing; `nil` where it does not.
  private func resumption(of pattern: [Int64], after place: Int) -> Int? {
    (0..<pattern.count).first {
      keeps(pattern, from: place + 1, count: pattern.count + 1, phase: $0)
    }
  }
}
