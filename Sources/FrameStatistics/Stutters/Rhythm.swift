/// Events that recur at a constant interval, such as a stutter every four seconds.
public struct Rhythm: Hashable, Sendable {
  /// The time from one beat to the next, in seconds.
  public let period: Double
  /// Half of the width of the 95 % confidence interval of the period, in seconds; `nil` if beats drift.
  public let uncertainty: Double?
  /// The number of events on a beat: less than an eighth of a period away, or, if beats drift, one to three periods
  /// after or before another event.
  public let onBeat: Int
  /// The number of all events.
  public let count: Int
  /// The time of the first beat, in seconds; if beats drift, the time of the first event on a beat.
  public let phase: Double
  /// The maximum probability that random events agree equally well with any period.
  public let probability: Double

  /// The shortest and the longest period that is searched, in seconds.
  static let periods = 0.3...120.0
  /// The number of events that are used, and the time from the start in seconds. Later events are
  /// ignored, which bounds the work.
  static let most = (events: 2000, span: 1200.0)
  /// The minimum number of events, and of events on a beat.
  private static let fewest = (events: 6, onBeat: 5)
  /// The minimum share of events on a beat, and of events that follow another event on a beat.
  private static let clock = (onBeat: 0.5, following: 0.6)
  /// The minimum number of events and share of steps of one to three periods, if beats drift.
  private static let drifting = (events: 8, steps: 0.6)
  /// The share of beats with an event above which no more evidence is needed, and the probability that is small enough
  /// for a lower share.
  private static let gaps = (filled: 0.7, probability: 0.0001)

  /// Finds the rhythms of events: the clearest rhythm, and another rhythm of the remaining events, if any.
  ///
  /// The number of operations is proportional to the product of the span and the number of events.
  /// Events after 20 minutes are ignored, and events after the first 2,000.
  /// - Parameters:
  ///   - times: The times of events, in seconds from the start.
  ///   - span: The time that was observed, in seconds.
  public static func find(in times: [Double], span: Double) -> [Rhythm] {
    var times = Array(times.filter { $0 >= 0 && $0 <= min(span, most.span) }.sorted())
    var span = min(span, most.span)
    if times.count > most.events {
      times = Array(times.prefix(most.events))
      span = times[most.events - 1]
    }
    guard let (first, rest) = clearest(in: times, span: span) else { return [] }
    guard let (second, _) = clearest(in: rest, span: span) else { return [first] }
    // The remainder of a rhythm has a multiple of its period.
    let ratio = second.period / first.period
    return abs(ratio - ratio.rounded()) > 0.05 ? [first, second] : [first]
  }

  /// The clearest rhythm, and the events that are not on its beats.
  private static func clearest(
    in times: [Double], span: Double
  ) -> (rhythm: Rhythm, rest: [Double])? {
    let longest = min(periods.upperBound, span / Double(fewest.onBeat))
    guard times.count >= fewest.events, longest > periods.lowerBound else { return nil }
    let peaks = RhythmSpectrum.peaks(of: times, span: span, periods: periods.lowerBound...longest)
    guard let peak = fundamental(of: peaks, times) else { return nil }
    let beats = RhythmBeats(times, period: peak.period)
    let steps = RhythmSteps(times, period: peak.period)
    let hasSteps = times.count >= drifting.events && steps.share >= drifting.steps
    // Events drift if they keep their distance but leave the beats after a while.
    let isDrifting = hasSteps && Double(steps.isOn.count { $0 }) > 1.1 * Double(beats.count)
    let isClock = !isDrifting && isClock(beats, times, near: peak.period)
    guard isClock || hasSteps else { return nil }
    let isOn = isClock ? beats.isOn : steps.isOn
    let period = isClock ? beats.period : peak.period
    let on = zip(times, isOn).filter(\.1).map(\.0)
    guard let start = on.first, on.count >= fewest.onBeat, isFilled(on, period, peak) else {
      return nil
    }
    let rhythm = Rhythm(
      period: period, uncertainty: isClock ? beats.uncertainty : nil, onBeat: on.count,
      count: times.count,
      phase: isClock ? beats.phase - (beats.phase / period).rounded(.down) * period : start,
      probability: Elementary.exp(peak.logarithm))
    return (rhythm, zip(times, isOn).filter { !$1 }.map(\.0))
  }

  /// Whether enough events are on the beats of a clock, and are consecutive rather than scattered.
  private static func isClock(_ beats: RhythmBeats, _ times: [Double], near period: Double) -> Bool
  {
    let on = zip(times, beats.isOn).filter(\.1).map(\.0)
    guard on.count >= fewest.onBeat, Double(on.count) >= clock.onBeat * Double(times.count),
      abs(beats.period / period - 1) <= 0.1
    else { return false }
    let following = RhythmSteps(on, period: beats.period).isOn.count { $0 }
    return Double(following) >= clock.following * Double(on.count)
  }

  /// Whether most beats have an event. Events that merely keep a distance from each other appear to be on some beats of
  /// a quick rhythm, so rhythms with gaps need more evidence.
  private static func isFilled(
    _ on: [Double], _ period: Double, _ peak: RhythmSpectrum.Peak
  ) -> Bool {
    guard let first = on.first, let last = on.last else { return false }
    let beats = (last - first) / period + 1
    return Double(on.count) >= gaps.filled * beats
      || peak.logarithm <= Elementary.log(gaps.probability)
  }

  /// The longest period that explains nearly as much as the best one: events every four seconds also agree with periods
  /// of two seconds and one second.
  private static func fundamental(
    of peaks: [RhythmSpectrum.Peak], _ times: [Double]
  ) -> RhythmSpectrum.Peak? {
    guard let best = peaks.min() else { return nil }
    let on = Double(RhythmBeats(times, period: best.period).count)
    let longer = peaks.filter {
      $0.period > 1.5 * best.period && $0.logarithm <= best.logarithm / 4
    }
    let longest = longer.sorted { $0.period > $1.period }.first {
      Double(RhythmBeats(times, period: $0.period).count) >= 0.8 * on
    }
    return longest.flatMap { longest in
      peaks.filter { abs($0.period / longest.period - 1) < 0.03 }.min()
    } ?? best
  }
}
