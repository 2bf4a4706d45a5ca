import FrameStatistics
package import FrameTrace

/// The refreshes of a display by number: the time of each refresh, and the refresh that a time belongs to.
///
/// The grid consists of refreshes with known numbers and times. Refreshes between them are evenly spaced. Refreshes
/// before the first and after the last known one follow at an interval. Memory is used only for the known refreshes,
/// regardless of how far apart they are; if at least half are known, it is also used for the times of the others.
package struct RefreshGrid {
  /// The known refreshes: numbers and times in nanoseconds, both rising and equally many. They are plain integers
  /// because both are searched in the same way.
  ///
  /// The arrays are in an object so that a copy of a grid, of which analyses make millions, costs only one reference.
  private final class Known: Sendable {
    let numbers, times: [Int64]
    /// The times of all refreshes from the first to the last known one; empty where fewer than half are known.
    let all: RisingIntegers
    /// The known numbers and times, used for searching if fewer than half are known, otherwise empty.
    let sparseNumbers, sparseTimes: RisingIntegers

    init(numbers: [Int64], times: [Int64]) {
      (self.numbers, self.times) = (numbers, times)
      if let filled = Self.filled(numbers, times) {
        all = RisingIntegers(filled)
        (sparseNumbers, sparseTimes) = (RisingIntegers([]), RisingIntegers([]))
      } else {
        all = RisingIntegers([])
        (sparseNumbers, sparseTimes) = (RisingIntegers(numbers), RisingIntegers(times))
      }
    }

    /// Whether each known refresh is later than the previous one, by at least a nanosecond for each number.
    private static func isRising(_ numbers: [Int64], _ times: [Int64]) -> Bool {
      for index in numbers.indices.dropLast() {
        let gap = numbers[index + 1] &- numbers[index]
        if gap < 1 || times[index + 1] &- times[index] < gap { return false }
      }
      return true
    }

    /// The times of all refreshes; `nil` where fewer than half of them are known.
    private static func filled(_ numbers: [Int64], _ times: [Int64]) -> [Int64]? {
      guard let first = numbers.first, let last = numbers.last else { return nil }
      let count = (last &- first).addingReportingOverflow(1)
      guard last >= first, !count.overflow, count.partialValue > 0,
        count.partialValue / 2 <= numbers.count, isRising(numbers, times)
      else { return nil }
      if count.partialValue == numbers.count { return times }
      var filled: [Int64] = []
      filled.reserveCapacity(Int(count.partialValue))
      for index in numbers.indices.dropLast() {
        filled.append(times[index])
        let gap = numbers[index + 1] - numbers[index]
        let length = times[index + 1] - times[index]
        for steps in 1..<gap {
          filled.append(times[index] + RefreshGrid.share(steps, of: gap, length))
        }
      }
      filled.append(times[times.count - 1])
      return filled
    }
  }

  private let refreshes: Known
  /// The usual time between refreshes.
  package let interval: Nanoseconds
  /// The time between refreshes before the first and after the last known one, in nanoseconds.
  private let before, after: Int64
  /// The interval of most displays, used if a trace states none.
  package static let sixtyHertz = Nanoseconds(16_666_667)
  /// Whether each refresh has its number as its time before the shift, so that nothing has to be looked up or divided.
  private let isNanosecond: Bool
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
    let one = refreshes.numbers.count == 1 && refreshes.numbers[0] == refreshes.times[0]
    isNanosecond = one && self.before == 1 && self.after == 1
  }

  private var numbers: [Int64] { refreshes.numbers }
  private var times: [Int64] { refreshes.times }

  /// A grid with one refresh per nanosecond, so that times remain unchanged.
  static let nanoseconds = RefreshGrid(
    numbers: [RefreshNumber(0)], times: [Timestamp(nanoseconds: 0)], interval: Nanoseconds(1))

  /// The shortest time between two known refreshes; `nil` when only one is known.
  var shortestStep: Nanoseconds? {
    zip(times.dropFirst(), times).map { $0 &- $1 }.min().map(Nanoseconds.init)
  }

  /// The known refreshes, with the intervals before the first and after the last known refresh.
  package var known: (numbers: [Int64], times: [Timestamp], before: Nanoseconds, after: Nanoseconds)
  {
    (
      numbers, times.map { Timestamp(nanoseconds: $0) + shift }, Nanoseconds(before),
      Nanoseconds(after)
    )
  }

  /// The same refreshes, each shifted later by a length of time.
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

  /// The time of a refresh.
  package func time(_ refresh: RefreshNumber) -> Timestamp {
    Timestamp(nanoseconds: knownTime(refresh.number)) + shift
  }

  @inline(__always)
  private func knownTime(_ number: Int64) -> Int64 {
    if isNanosecond { return number }
    let index = number &- refreshes.numbers[0]
    if UInt64(bitPattern: index) < UInt64(refreshes.all.values.count) {
      return refreshes.all.values[Int(truncatingIfNeeded: index)]
    }
    return farTime(number)
  }

  /// The time of a refresh before the first or after the last known one, or between known refreshes if these are few.
  private func farTime(_ number: Int64) -> Int64 {
    if number < numbers[0] { return times[0] &- (numbers[0] &- number) &* before }
    let last = times.count - 1
    if number >= numbers[last] { return times[last] &+ (number &- numbers[last]) &* after }
    let index = refreshes.sparseNumbers.position(of: number)
    return times[index] &+ share(number &- numbers[index], after: index)
  }

  /// The time from a refresh to the next one.
  func interval(after refresh: RefreshNumber) -> Nanoseconds {
    time(refresh + 1) - time(refresh)
  }

  /// The time between the refreshes around a time.
  package func interval(at time: Timestamp) -> Nanoseconds {
    let instant = (time - shift).nanoseconds
    let all = refreshes.all
    let index = all.position(of: instant)
    if index >= 0, index < all.values.count - 1 {
      return Nanoseconds(all.values[index + 1] &- all.values[index])
    }
    if instant < times[0] { return Nanoseconds(before) }
    if instant >= times[times.count - 1] { return Nanoseconds(after) }
    return interval(after: last(time))
  }

  /// The last refresh at or before a time.
  package func last(_ time: Timestamp) -> RefreshNumber {
    RefreshNumber(lastNumber((time - shift).nanoseconds))
  }

  private func lastNumber(_ time: Int64) -> Int64 {
    if isNanosecond { return time }
    if time < times[0] {
      let distance = times[0] &- time
      return numbers[0] &- (distance &+ before &- 1) / before
    }
    let last = times.count - 1
    if time >= times[last] { return numbers[last] &+ (time &- times[last]) / after }
    let all = refreshes.all
    guard all.values.isEmpty else { return numbers[0] &+ Int64(all.position(of: time)) }
    let index = refreshes.sparseTimes.position(of: time)
    let distance = time &- times[index]
    if distance == 0 { return numbers[index] }
    let gap = numbers[index + 1] &- numbers[index]
    let whole = Int128(times[index + 1] &- times[index])
    let steps = Int64(truncatingIfNeeded: Int128(distance) * Int128(gap) / whole)
    // Times of refreshes in between are rounded down, so the next refresh may already have come.
    let isNext = steps + 1 < gap && share(steps + 1, after: index) <= distance
    return numbers[index] &+ steps &+ (isNext ? 1 : 0)
  }

  /// The first refresh at or after a time.
  package func first(_ time: Timestamp) -> RefreshNumber {
    let last = last(time)
    return self.time(last) == time ? last : last + 1
  }

  /// The refresh nearest to a time; if two are equally near, the earlier one.
  func nearest(_ time: Timestamp) -> RefreshNumber {
    if isNanosecond { return RefreshNumber((time - shift).nanoseconds) }
    let last = last(time)
    return time - self.time(last) <= self.time(last + 1) - time ? last : last + 1
  }

  /// The number of the refresh at a time, plus the fraction of the interval that has passed.
  func position(_ time: Timestamp) -> Double {
    let last = last(time)
    let start = self.time(last)
    return Double(last.number) + (time - start).ratio(to: self.time(last + 1) - start)
  }

  /// The time from the known refresh at `index` to the refresh `steps` after it.
  private func share(_ steps: Int64, after index: Int) -> Int64 {
    Self.share(
      steps, of: numbers[index + 1] &- numbers[index], times[index + 1] &- times[index])
  }

  /// The duration of some of a number of steps, computed from the total length of all steps.
  private static func share(_ steps: Int64, of count: Int64, _ length: Int64) -> Int64 {
    Int64(truncatingIfNeeded: Int128(steps) * Int128(length) / Int128(count))
  }
}
