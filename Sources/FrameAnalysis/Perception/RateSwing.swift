import FrameStatistics
import FrameTrace

/// A regular alternation between two frame rates, as one line in the spectrum of the time that pictures stayed.
struct RateSwing {
  /// How often the alternation repeats, in Hz.
  let frequency: Double
  /// The rates that it alternates between, in Hz.
  let rates: ClosedRange<Double>
  /// The share of all changes that the alternation makes up.
  let share: Double
  /// How long the alternation was observed.
  let length: Nanoseconds

  /// The smallest share of a line that counts as clear, the minimum number of repetitions, and the longest time that is
  /// examined.
  static let clear = 0.5
  private static let fewestTimes = 5.0
  private static let longest = Nanoseconds(60_000_000_000)
  /// The smallest ratio of two rates that counts as a change of the refresh rate.
  static let smallestRatio = 1.05
  /// How often the steps are sampled, in Hz. Twice the highest frequency examined would be too coarse for steps that
  /// begin between samples.
  private static let sampling = 120.0

  /// The strongest line of the longest stretch, whether or not it is clear; `nil` if there is too little data.
  init?(_ steps: ShownSteps) {
    let length = { (times: [Timestamp]) in (times.last ?? times[0]) - times[0] }
    guard let all = steps.stretches.max(by: { length($0) < length($1) }) else { return nil }
    let end = min(length(all), Self.longest)
    let times = all.prefix { $0 - all[0] <= end }
    guard times.count > 2,
      end.seconds * FlickerSensitivity.frequencies.lowerBound >= Self.fewestTimes
    else { return nil }
    self.length = end
    let lengths = zip(times, times.dropFirst()).map { ($1 - $0).seconds }.sorted()
    let (short, long) = (lengths[lengths.count / 10], lengths[lengths.count * 9 / 10])
    rates = (1 / long)...max(1 / long, 1 / short)
    let samples = Self.samples(Array(times), end)
    let total = samples.reduce(0) { $0 + $1 * $1 } / Double(samples.count)
    guard total > 0 else { return nil }
    let duration = Double(samples.count) / Self.sampling
    let first = Int((FlickerSensitivity.frequencies.lowerBound * duration).rounded(.up))
    let last = Int(FlickerSensitivity.frequencies.upperBound * duration)
    guard first < last else { return nil }
    let powers = (first...last).map { Self.power(samples, cycles: $0) }
    guard let strongest = powers.indices.max(by: { powers[$0] < powers[$1] }) else { return nil }
    // A swing that drifts by a twentieth, or does not fit the length, appears as a line of some width.
    let reach = max(2, Int(0.05 * Double(first + strongest)))
    let line = powers[max(0, strongest - reach)...min(powers.count - 1, strongest + reach)]
    frequency = Double(first + strongest) / duration
    share = min(1, line.reduce(0, +) / total)
  }

  /// How long the picture at each of equidistant instants stayed, minus the mean.
  private static func samples(_ times: [Timestamp], _ end: Nanoseconds) -> [Double] {
    let count = Int(end.seconds * sampling)
    var position = 1
    var samples = (0..<count).map { index -> Double in
      let time = Double(index) / sampling
      while position < times.count - 1, (times[position] - times[0]).seconds <= time {
        position += 1
      }
      return (times[position] - times[position - 1]).seconds
    }
    let mean = samples.reduce(0, +) / Double(max(1, samples.count))
    for index in samples.indices { samples[index] -= mean }
    return samples
  }

  /// The mean square of the component with that number of cycles.
  private static func power(_ samples: [Double], cycles: Int) -> Double {
    let step = 2 * Double.pi * Double(cycles) / Double(samples.count)
    let turn = 2 * Elementary.cosine(step)
    // Goertzel's recurrence.
    var (last, before) = (0.0, 0.0)
    for sample in samples { (last, before) = (sample + turn * last - before, last) }
    let size = last * last + before * before - turn * last * before
    return 2 * size / Double(samples.count) / Double(samples.count)
  }
}
