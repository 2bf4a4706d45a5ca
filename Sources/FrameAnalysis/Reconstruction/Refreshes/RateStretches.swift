import FrameTrace

/// Divides the display times of a trace into stretches with one refresh rate each.
///
/// A display that switches rates shows frames at each rate. If no switch is visible, frames at every second refresh are
/// attributed to the app, not to a lower rate of the display.
struct RateStretches {
  /// Consecutive steps at one rate.
  struct Stretch {
    let interval: Nanoseconds
    /// The steps, by the index of the time at which each step begins.
    var steps: Range<Int>
  }

  let stretches: [Stretch]

  /// The minimum number of consecutive steps that show a rate, and the minimum number at an end of the trace, which may
  /// cut steps off.
  private static let fewest = 12
  private static let fewestAtEnd = 4
  /// The interval of the lowest rate that a display switches to: 47 Hz.
  private static let longest = Nanoseconds(21_276_596)
  /// The ratios of rates that divide an observed rate, and the ratios of rates with only a common divisor.
  private static let parts: ClosedRange<Int64> = 2...4
  private static let commonParts: ClosedRange<Int64> = 2...15

  /// Creates one stretch for all steps.
  init(single interval: Nanoseconds, steps: Range<Int>) {
    stretches = [Stretch(interval: interval, steps: steps)]
  }

  /// The stretches of a display that changes its rate.
  /// - Parameters:
  ///   - times: The display times in order and without duplicates.
  ///   - unit: The time of which nearly all steps are multiples.
  /// - Returns: `nil` where no change is visible.
  init?(_ times: [Timestamp], unit: Nanoseconds) {
    let multiples = zip(times.dropFirst(), times).map { later, earlier in
      Self.multiple(later - earlier, unit)
    }
    let found: [(steps: Range<Int>, multiple: Int64)]
    if Self.hasSingles(multiples) {
      found = Self.runs(multiples, of: Self.parts, unit, isExact: true)
      guard !found.isEmpty else { return nil }
    } else {
      guard !multiples.contains(1) else { return nil }
      let ways = [true, false].lazy.map {
        Self.runs(multiples, of: Self.commonParts, unit, isExact: $0)
      }
      let way = ways.first { runs in
        let covered = runs.reduce(0) { $0 + $1.steps.count }
        return Set(runs.map(\.multiple)).count > 1 && covered * 10 >= multiples.count * 9
      }
      guard let way else { return nil }
      found = way
    }
    stretches = Self.filled(found, steps: multiples.count, unit, Self.hasSingles(multiples))
  }

  /// Whether a display may have changed its rate without a frame that shows the change. For a long time, all steps are
  /// then multiples of another rate's interval, but not one constant multiple, as they would be for a slow app;
  /// elsewhere they are not.
  static func mayChange(_ times: [Timestamp], unit: Nanoseconds) -> Bool {
    let multiples = zip(times.dropFirst(), times).map { multiple($0 - $1, unit) }
    return parts.contains { part in
      guard unit * part <= longest else { return false }
      let others = multiples.count { $0 == 0 || $0 % part != 0 }
      guard others >= fewest else { return false }
      return multiples.split(whereSeparator: { $0 == 0 || $0 % part != 0 }).contains { run in
        guard run.count >= 2 * fewest else { return false }
        let counts = Dictionary(run.map { ($0, 1) }, uniquingKeysWith: +)
        return counts.values.count { $0 * 8 >= run.count } > 1
      }
    }
  }

  /// Whether the times of nearly all stretches lie on the grid of their rate.
  func areKept(_ times: [Timestamp]) -> Bool {
    var (all, kept) = (0, 0)
    for index in stride(from: 0, to: stretches.count, by: max(1, stretches.count / 256)) {
      let stretch = stretches[index]
      all += stretch.steps.count
      let own = times[stretch.steps.lowerBound...stretch.steps.upperBound]
      let isKept =
        stretch.steps.count < 4 || RateFit.isGrid(own, interval: stretch.interval)
      if isKept { kept += stretch.steps.count }
    }
    return kept * 10 >= all * 9
  }

  /// The number of units in a step; 0 if the step is not a multiple.
  private static func multiple(_ step: Nanoseconds, _ unit: Nanoseconds) -> Int64 {
    guard step <= DisplayDistances.longest else { return 0 }
    return DisplayDistances.isMultiple(step, of: unit, within: 8) ? (step + unit / 2) / unit : 0
  }

  /// Whether enough consecutive steps are a single refresh of the finest rate.
  private static func hasSingles(_ multiples: [Int64]) -> Bool {
    var run = 0
    for multiple in multiples {
      run = multiple == 1 ? run + 1 : 0
      if run >= fewest { return true }
    }
    return false
  }

  /// The runs of steps that are multiples of one number, in order.
  /// - Parameter isExact: Whether at least half of the steps must be that number itself; otherwise, it must be their
  ///   greatest common divisor.
  private static func runs(
    _ multiples: [Int64], of parts: ClosedRange<Int64>, _ unit: Nanoseconds, isExact: Bool
  ) -> [(steps: Range<Int>, multiple: Int64)] {
    var found: [(steps: Range<Int>, multiple: Int64)] = []
    for part in parts where unit * part <= longest {
      var start = 0
      for position in 0...multiples.count {
        if position < multiples.count, multiples[position] > 0, multiples[position] % part == 0 {
          continue
        }
        let run =
          isExact
          ? trimmed(start..<position, multiples, to: part)
          : common(start..<position, multiples, part)
        if let run { found.append((run, part)) }
        start = position + 1
      }
    }
    // A run that belongs almost entirely to a coarser rate as well is assigned to that rate.
    let all = found
    found.removeAll { run in
      all.contains { other in
        other.multiple > run.multiple && other.multiple % run.multiple == 0
          && other.steps.clamped(to: run.steps).count * 10 >= run.steps.count * 9
      }
    }
    // Where two runs overlap at common multiples, the longer one is used.
    found.sort { ($0.steps.lowerBound, $1.steps.count) < ($1.steps.lowerBound, $0.steps.count) }
    var kept: [(steps: Range<Int>, multiple: Int64)] = []
    for run in found {
      guard let last = kept.last, last.steps.overlaps(run.steps) else {
        kept.append(run)
        continue
      }
      if run.steps.count > last.steps.count { kept[kept.count - 1] = run }
    }
    return kept
  }

  private static func fewest(in run: Range<Int>, of multiples: [Int64]) -> Int {
    run.lowerBound == 0 || run.upperBound == multiples.count ? fewestAtEnd : fewest
  }

  /// A run of steps with a given greatest common divisor; `nil` if the divisor is different, or if the run is too
  /// short.
  private static func common(
    _ run: Range<Int>, _ multiples: [Int64], _ part: Int64
  ) -> Range<Int>? {
    guard run.count >= fewest(in: run, of: multiples) else { return nil }
    let divisor = multiples[run].reduce(Int64(0)) { one, other in
      var (one, other) = (one, other)
      while other != 0 { (one, other) = (other, one % other) }
      return one
    }
    return divisor == part ? run : nil
  }

  /// A run from the first step that is the number itself to the last such step; `nil` if the run is too short.
  private static func trimmed(
    _ run: Range<Int>, _ multiples: [Int64], to part: Int64
  ) -> Range<Int>? {
    let fewest = fewest(in: run, of: multiples)
    guard run.count >= fewest, let first = multiples[run].firstIndex(of: part),
      let last = multiples[run].lastIndex(of: part), last + 1 - first >= fewest
    else { return nil }
    let exact = multiples[first...last].count { $0 == part }
    return exact * 2 >= last + 1 - first ? first..<last + 1 : nil
  }

  /// The runs and the gaps between them. A gap gets the finest rate if frames show it, otherwise the rate before the
  /// gap.
  private static func filled(
    _ found: [(steps: Range<Int>, multiple: Int64)], steps: Int, _ unit: Nanoseconds,
    _ isUnitRate: Bool
  ) -> [Stretch] {
    var stretches: [Stretch] = []
    var end = 0
    func fill(until next: Int) {
      guard end < next else { return }
      if isUnitRate {
        stretches.append(Stretch(interval: unit, steps: end..<next))
      } else if let last = stretches.last {
        stretches[stretches.count - 1].steps = last.steps.lowerBound..<next
      } else {
        stretches.append(Stretch(interval: unit * (found.first?.multiple ?? 1), steps: end..<next))
      }
    }
    for run in found {
      fill(until: run.steps.lowerBound)
      stretches.append(Stretch(interval: unit * run.multiple, steps: run.steps))
      end = run.steps.upperBound
    }
    fill(until: steps)
    return stretches
  }
}
