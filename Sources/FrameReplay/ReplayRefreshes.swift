import FrameStatistics

/// The refreshes, by number, of a display on which work is replayed. Between known refreshes they are evenly spaced;
/// before the first and after the last they are an interval apart. Times are in nanoseconds.
///
/// This type deliberately duplicates the function of the reconstruction's grid in separate code: a replay tests the
/// reconstruction only if the two share no mistakes. They share only the search among numbers, which does not depend on
/// refreshes.
struct ReplayRefreshes: Sendable {
  private let knownNumbers, knownTimes: RisingIntegers
  private let before, after: Int64

  /// - Precondition: There is at least one refresh, and numbers and times are ascending.
  init(numbers: [Int64], times: [Int64], before: Int64, after: Int64) {
    (knownNumbers, knownTimes) = (RisingIntegers(numbers), RisingIntegers(times))
    (self.before, self.after) = (max(1, before), max(1, after))
  }

  private var numbers: [Int64] { knownNumbers.values }
  private var times: [Int64] { knownTimes.values }

  /// Refreshes at a single rate.
  init(from time: Int64, every interval: Int64, numberedFrom number: Int64 = 0) {
    self.init(numbers: [number], times: [time], before: interval, after: interval)
  }

  /// Whether the refreshes are always an interval apart, to within half a percent over any sixteen or more refreshes.
  func keep(_ interval: Int64) -> Bool {
    let isNear = { (length: Int64, count: Int64) in
      abs(length - count * interval) * 200 <= count * interval
    }
    guard isNear(before, 1), isNear(after, 1) else { return false }
    var first = 0
    for position in numbers.indices where numbers[position] - numbers[first] >= 16 {
      let count = numbers[position] - numbers[first]
      guard isNear(times[position] - times[first], count) else { return false }
      first = position
    }
    return true
  }

  /// The time of a refresh.
  func time(_ number: Int64) -> Int64 {
    let last = numbers.count - 1
    if number <= numbers[0] { return times[0] - (numbers[0] - number) * before }
    if number >= numbers[last] { return times[last] + (number - numbers[last]) * after }
    // If no number is missing, the position follows from the number.
    let likely = UInt64(bitPattern: number &- numbers[0])
    if likely < UInt64(last), numbers[Int(likely)] == number { return times[Int(likely)] }
    let position = knownNumbers.position(of: number)
    if numbers[position] == number { return times[position] }
    let gap = numbers[position + 1] - numbers[position]
    let length = times[position + 1] - times[position]
    return times[position]
      + Int64(Int128(number - numbers[position]) * Int128(length) / Int128(gap))
  }

  /// The last refresh at or before a time.
  func last(_ time: Int64) -> Int64 {
    let end = numbers.count - 1
    if time < times[0] { return numbers[0] - (times[0] - time + before - 1) / before }
    if time >= times[end] { return numbers[end] + (time - times[end]) / after }
    let position = knownTimes.position(of: time)
    let gap = numbers[position + 1] - numbers[position]
    if gap == 1 { return numbers[position] }
    let length = times[position + 1] - times[position]
    var number =
      numbers[position] + Int64(Int128(time - times[position]) * Int128(gap) / Int128(length))
    if self.time(number + 1) <= time { number += 1 }
    return number
  }

  /// The first refresh at or after a time.
  func first(_ time: Int64) -> Int64 {
    let last = last(time)
    return self.time(last) == time ? last : last + 1
  }

  /// The time from a refresh to the next refresh.
  func interval(after number: Int64) -> Int64 { time(number + 1) - time(number) }
}
