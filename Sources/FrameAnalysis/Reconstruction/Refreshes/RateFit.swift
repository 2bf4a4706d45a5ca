import FrameTrace

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// How well times of display changes fit the grid of one interval.
///
/// Frames of an app that runs at its own pace also have steps that are close to multiples of some interval. A display
/// differs in the phase: its changes stay on one grid for hundreds of refreshes, while the errors of anything timed
/// from frame to frame accumulate.
struct RateFit {
  /// The interval that fits.
  let interval: Nanoseconds
  /// The length of the mean of unit vectors at the phases of the times, over windows of about 256 times: 1 if all lie
  /// on one grid, near 0 if they lie anywhere.
  let coherence: Double
  /// The number of intervals in most steps.
  let usualMultiple: Int
  /// Whether times that were late by a part of an interval returned to the same grid. With a limiter that counts from
  /// the previous frame, they would not.
  let isProven: Bool
  /// Whether times that were late by a part of an interval did not return to the grid.
  let isContradicted: Bool

  /// Whether a display produced these times.
  let isGrid: Bool

  /// Whether a step keeps the interval: it is within 3 of 20 parts of the interval of a multiple.
  static func keeps(_ step: Nanoseconds, _ interval: Nanoseconds) -> Bool {
    (step - interval * multiple(step, interval)).magnitude * 20 <= interval * 3
  }

  /// The number of intervals in a step, rounded; at least one.
  static func multiple(_ step: Nanoseconds, _ interval: Nanoseconds) -> Int64 {
    max(1, (step + interval / 2) / interval)
  }

  /// Steps of more intervals than this are left out because they accumulate errors.
  static let longestStep: Int64 = 8
  /// If most steps have more intervals than this, another rate is more likely.
  private static let longestUsual = 5
}

extension RateFit {
  /// The size and number of the windows: all of a short trace, otherwise evenly spaced parts.
  private static let windowLength = 256
  private static let mostWindows = 48

  /// Whether times lie on the grid of an interval, or of an interval very near it.
  /// - Parameter clockStep: The step to which the times are rounded; zero where it is not known.
  static func isGrid(
    _ times: ArraySlice<Timestamp>, interval: Nanoseconds, clockStep: Nanoseconds = .zero
  ) -> Bool {
    let coherence = mostCoherent(windows(times), Double(interval.count)).coherence
    // Vectors spread evenly over a part of the circle have a mean of this length.
    let half = Double.pi * clockStep.seconds / interval.seconds
    return isGrid(half > 0 ? coherence * half / sin(half) : coherence, of: times.count)
  }

  /// Errors have less time to accumulate in a short trace, but a clock with whole milliseconds contributes a larger
  /// share of the errors.
  private static func isGrid(_ coherence: Double, of count: Int) -> Bool {
    coherence >= (count < windowLength ? 0.95 : 0.97)
  }

  /// Fits the grid of an interval to times.
  /// - Parameters:
  ///   - times: The times in order and without duplicates.
  ///   - rough: The interval that is tried.
  ///   - tolerance: The maximum deviation of the fitting interval, as the divisor of the interval.
  /// - Returns: `nil` if fewer than nine in ten steps are near a multiple of the interval, or if a different interval
  ///   fits.
  init?(_ times: ArraySlice<Timestamp>, near rough: Nanoseconds, within tolerance: Int64) {
    let windows = Self.windows(times)
    guard let fitted = Self.fitted(windows, rough), (fitted - rough).magnitude * tolerance <= rough
    else {
      return nil
    }
    usualMultiple = Self.usualMultiple(windows, Double(fitted.count))
    guard usualMultiple <= Self.longestUsual else { return nil }
    let (refined, coherence) = Self.mostCoherent(windows, Double(fitted.count))
    interval = fitted
    self.coherence = coherence
    isGrid = Self.isGrid(coherence, of: times.count)
    let late = Self.late(windows, refined, usual: Double(usualMultiple))
    isProven = late.count >= Self.fewestLate && late.onGrid * 5 >= late.count * 4
    isContradicted = late.count >= Self.fewestLate && !isProven
  }

  private static func windows(_ times: ArraySlice<Timestamp>) -> [ArraySlice<Timestamp>] {
    let count = max(1, times.count / windowLength)
    let wanted = min(count, mostWindows)
    return (0..<wanted).map { index in
      let window = count * index / wanted
      return times[
        times.startIndex + times.count * window / count..<times.startIndex + times.count
          * (window + 1) / count]
    }
  }

  /// The interval that fits the steps best, by least squares over the steps that keep the rough interval; `nil` if too
  /// few do.
  private static func fitted(_ windows: [ArraySlice<Timestamp>], _ rough: Nanoseconds)
    -> Nanoseconds?
  {
    var (counted, kept) = (0, 0)
    var (products, squares) = (0.0, 0.0)
    for window in windows {
      for (later, earlier) in zip(window.dropFirst(), window) {
        let step = later - earlier
        guard step <= rough * longestStep + rough / 2 else { continue }
        counted += 1
        guard keeps(step, rough) else { continue }
        kept += 1
        let count = Double(multiple(step, rough))
        products += Double(step.count) * count
        squares += count * count
      }
    }
    guard counted >= 3, kept * 10 >= counted * 9, squares > 0 else { return nil }
    return Nanoseconds(rounding: products / squares)
  }

  /// How many intervals are tried on each side, and the spacing of their frequencies.
  private static let tried = 60
  private static let apart = 5e-5

  /// The interval that keeps the phase best, among intervals very near a given one.
  private static func mostCoherent(
    _ windows: [ArraySlice<Timestamp>], _ fitted: Double
  ) -> (interval: Double, coherence: Double) {
    let count = Double(windows.reduce(0) { $0 + $1.count })
    let fit = windows.reduce(0) { $0 + phase($1, fitted).length * Double($1.count) } / count
    // A fit this good does not need to be improved.
    if fit >= 0.99 { return (fitted, fit) }
    var lengths = [Double](repeating: 0, count: 2 * tried + 1)
    for window in windows { addLengths(window, fitted, to: &lengths) }
    var best = (interval: fitted, coherence: fit)
    for (position, length) in lengths.enumerated() where length / count > best.coherence {
      best = (fitted / (1 + apart * Double(position - tried)), length / count)
    }
    return best
  }

  /// Adds, for each interval tried, the length of the sum of unit vectors at the phases of times.
  ///
  /// The frequencies are evenly spaced, so each vector of a time is the previous one rotated by a
  /// constant angle.
  private static func addLengths(
    _ window: ArraySlice<Timestamp>, _ fitted: Double, to lengths: inout [Double]
  ) {
    guard let first = window.first else { return }
    var real = [Double](repeating: 0, count: lengths.count)
    var imaginary = real
    for time in window {
      let angle = 2 * Double.pi * (Double((time - first).count) / fitted)
      let turn = angle * apart
      let (turnReal, turnImaginary) = (cos(turn), sin(turn))
      let start = angle - turn * Double(tried)
      var (x, y) = (cos(start), sin(start))
      for position in lengths.indices {
        real[position] += x
        imaginary[position] += y
        (x, y) = (x * turnReal - y * turnImaginary, x * turnImaginary + y * turnReal)
      }
    }
    for position in lengths.indices {
      lengths[position] +=
        (real[position] * real[position] + imaginary[position] * imaginary[position])
        .squareRoot()
    }
  }

  /// The mean of the unit vectors at the phases of times: its length and its angle, in intervals.
  private static func phase(
    _ window: ArraySlice<Timestamp>, _ interval: Double
  ) -> (length: Double, angle: Double) {
    guard let first = window.first else { return (0, 0) }
    var (real, imaginary) = (0.0, 0.0)
    for time in window {
      let angle = 2 * Double.pi * (Double((time - first).count) / interval)
      real += cos(angle)
      imaginary += sin(angle)
    }
    let length = (real * real + imaginary * imaginary).squareRoot() / Double(window.count)
    return (length, atan2(imaginary, real) / (2 * Double.pi))
  }

  /// The minimum number of late steps needed to see whether a grid continues after them.
  private static let fewestLate = 5

  /// How many steps are far from the usual multiple of the interval, and after how many of these the time still lies on
  /// the grid of its window.
  private static func late(
    _ windows: [ArraySlice<Timestamp>], _ interval: Double, usual: Double
  ) -> (count: Int, onGrid: Int) {
    var (off, onGrid) = (0, 0)
    for window in windows {
      guard let first = window.first else { continue }
      let angle = phase(window, interval).angle
      for (later, earlier) in zip(window.dropFirst(), window) {
        let step = Double((later - earlier).count)
        guard abs(step - usual * interval) > interval / 4 else { continue }
        off += 1
        let position = Double((later - first).count) / interval - angle
        if abs(position - position.rounded()) <= 0.15 { onGrid += 1 }
      }
    }
    return (off, onGrid)
  }

  /// The most frequent multiple of the interval.
  private static func usualMultiple(_ windows: [ArraySlice<Timestamp>], _ interval: Double) -> Int {
    var counts = [Int](repeating: 0, count: Int(longestStep) + 1)
    for window in windows {
      for (later, earlier) in zip(window.dropFirst(), window) {
        let multiple = max(1, (Double((later - earlier).count) / interval).rounded())
        if multiple <= Double(longestStep) { counts[Int(multiple)] += 1 }
      }
    }
    return counts.indices.max { (counts[$0], $1) < (counts[$1], $0) } ?? 1
  }
}
