import FrameStatistics
package import FrameTrace

/// The refreshes of a display by number: when each was, and which one a time belongs to.
///
/// The grid is made of refreshes with known numbers and times. Refreshes between them are evenly
/// spaced, and those before the first and after the last follow at an interval. Memory is used only
/// for the known ones, however far apart they are.
package struct RefreshGrid {
  /// The known refreshes: numbers and times in nanoseconds, both rising and equally many. They are
  /// plain integers because both are searched alike.
  ///
  /// They are in an object so that a copy of a grid, of which analyses make millions, costs one reference.
  private final class Known: Sendable {
    let numbers, times: RisingIntegers

    init(numbers: [Int64], times: [Int64]) {
      (self.numbers, self.times) = (RisingIntegers(numbers), RisingIntegers(times))
    }
  }

  private let refreshes: Known
  /// The usual time between refreshes.
  package let interval: Nanoseconds
  /// The time between refreshes before the first and after the last known one, in nanoseconds.
  private let before, after: Int64
  /// The interval of most displays, where a trace states none.
  package static let sixtyHertz = Nanoseconds(16_666_667)
  /// The offset added to the known times.
  private var shift = Nanoseconds.zero

  /// - Precondition: There is at least one refresh, numbers and times rise strictly, times
  ///   at least as fast as numbers, and the intervals are positive.
  init(
    numbers: [RefreshNumber], times: [Timestamp], interval: Nanoseconds,
    before: Nanoseconds? = nil, after: Nanoseconds? = nil
  ) {
    refreshes = Known(numbers: numbers.map(\.number), times: times.map(\.nanoseconds))
    self.interval = interval
    self.before = (before ?? interval).count
    self.after = (after ?? interval).count
  }

  private var numbers: [Int64] { refreshes.numbers.values }
  private var times: [Int64] { refreshes.times.values }

  /// A refresh each nanosecond, so that times stay what they are.
  static let nanoseconds = RefreshGrid(
    numbers: [RefreshNumber(0)], times: [Timestamp(nanoseconds: 0)], interval: Nanoseconds(1))

  /// The shortest time between two known refreshes; `nil` when only one is known.
  var shortestStep: Nanoseconds? {
    zip(times.dropFirst(), times).map { $0 &- $1 }.min().map(Nanoseconds.init)
  }

  /// The known refreshes, with the intervals before the first and after the last of them.
  package var known: (numbers: [Int64], times: [Timestamp], before: Nanoseconds, after: Nanoseconds)
  {
    (
      numbers, times.map { Timestamp(nanoseconds: $0) + shift }, Nanoseconds(before),
      Nanoseconds(after)
    )
  }

  /// The same refreshes, each later by a length.
  func shifted(by length: Nanoseconds) -> RefreshGrid {
    var grid = self
    grid.shift = shift + length
    return grid
  }

  /// Whether the time of a refresh with this number can be represented.
  func holds(_ refresh: RefreshNumber) -> Bool {
    let number = refresh.number
    let reach = Timestamp.bound / max(1, interval.count, before, after)
    return number > numbers[0] &- reach && number < numbers[numbers.count - 1] &+ reach
      && abs(number / 2) < Timestamp.bound
  }

  /// When a refresh was.
  package func time(_ refresh: RefreshNumber) -> Timestamp {
    Timestamp(nanoseconds: knownTime(refresh.number)) + shift
  }

  private func knownTime(_ number: Int64) -> Int64 {
    let place = refreshes.numbers.place(of: number)
    if place < 0 { return times[0] &- (numbers[0] &- number) &* before }
    let steps = number &- numbers[place]
    if steps == 0 { return times[place] }
    if place == times.count - 1 { return times[place] &+ steps &* after }
    return times[place] &+ share(steps, after: place)
  }

  /// The time from a refresh to the next one.
  func interval(after refresh: RefreshNumber) -> Nanoseconds {
    time(refresh + 1) - time(refresh)
  }

  /// The time between the refreshes around a time.
  package func interval(at time: Timestamp) -> Nanoseconds {
    let place = refreshes.times.place(of: (time - shift).nanoseconds)
    if place < 0 { return Nanoseconds(before) }
    if place == times.count - 1 { return Nanoseconds(after) }
    guard numbers[place + 1] &- numbers[place] == 1 else { return interval(after: last(time)) }
    return Nanoseconds(times[place + 1] &- times[place])
  }

  /// The last refresh at or before a time.
  package func last(_ time: Timestamp) -> RefreshNumber {
    RefreshNumber(lastNumber((time - shift).nanoseconds))
  }

  private func lastNumber(_ time: Int64) -> Int64 {
    let place = refreshes.times.place(of: time)
    if place < 0 {
      let distance = times[0] &- time
      return numbers[0] &- (distance &+ before &- 1) / before
    }
    let distance = time &- times[place]
    if distance == 0 { return numbers[place] }
    if place == times.count - 1 { return numbers[place] &+ distance / after }
    let gap = numbers[place + 1] &- numbers[place]
    if gap == 1 { return numbers[place] }
    let whole = Int128(times[place + 1] &- times[place])
    let steps = Int64(truncatingIfNeeded: Int128(distance) * Int128(gap) / whole)
    // Times of refreshes in between are rounded down, so the next one may have come.
    let isNext = steps + 1 < gap && share(steps + 1, after: place) <= distance
    return numbers[place] &+ steps &+ (isNext ? 1 : 0)
  }

  /// The first refresh at or after a time.
  package func first(_ time: Timestamp) -> RefreshNumber {
    let last = last(time)
    return self.time(last) == time ? last : last + 1
  }

  /// The refresh nearest to a time; the earlier of two that are as near.
  func nearest(_ time: Timestamp) -> RefreshNumber {
    let last = last(time)
    return time - self.time(last) <= self.time(last + 1) - time ? last : last + 1
  }

  /// The number of the refresh at a time with the fraction of the interval that has passed.
  func position(_ time: Timestamp) -> Double {
    let last = last(time)
    let start = self.time(last)
    return Double(last.number) + (time - start).ratio(to: self.time(last + 1) - start)
  }

  /// How long after the known refresh at `place` the one `steps` after it is.
  private func share(_ steps: Int64, after place: Int) -> Int64 {
    let gap = Int128(numbers[place + 1] &- numbers[place])
    let whole = Int128(times[place + 1] &- times[place])
    return Int64(truncatingIfNeeded: Int128(steps) * whole / gap)
  }
}
