import FrameKit

/// Random values of a sensor that stutters do not affect.
enum GeneratedSensor: Sendable {
  /// Each value depends on the one before by a factor; 1 is a random walk.
  case dependent(Double)
  /// A rising line plus noise.
  case trend
  /// Levels that last 5 s on average.
  case steps
  /// Dependent values, of which only three levels are recorded.
  case threeLevels
  /// Independent values, once a second, in the row of each frame.
  case held
  /// A value a second, which depends on the one before by a factor.
  case second(Double)
  /// A row for each change of a value that is read once a second.
  case changes
  /// One value.
  case constant
  /// One value, except in one of 1000 rows.
  case spikes
  /// Marks of 30 ms at random times, as their share of each 20 ms; in groups of three or alone.
  case marks(inGroups: Bool)
  /// A sine wave with a period from 0.5 to 10 s, plus noise.
  case periodic
  /// Another level in scenes.
  case level
  /// More noise in scenes.
  case noise

  /// A series that is unrelated to the stutters of a recording, except through its scenes.
  func series(
    _ recording: GeneratedStutters, _ random: inout SplitMix64
  ) -> MomentDifferences.Series {
    if case .marks(let inGroups) = self { return marks(recording, inGroups, &random) }
    let times = times(recording, &random)
    var state = State(random: random)
    let period = 1e9 * Elementary.exp(3 * random.nextUnit() - 0.7)
    var values = times.map { value($0, recording, period, &state) }
    random = state.random
    guard case .changes = self else { return .init(times: times, values: values) }
    values = values.map { ($0 / 2).rounded() }
    let kept = times.indices.filter { $0 == 0 || values[$0] != values[$0 - 1] }
    return .init(times: kept.map { times[$0] }, values: kept.map { values[$0] })
  }

  /// From 10 to 600 marks a minute.
  private func marks(
    _ recording: GeneratedStutters, _ inGroups: Bool, _ random: inout SplitMix64
  ) -> MomentDifferences.Series {
    let step = 20_000_000.0
    var values = [Double](repeating: 0, count: Int(Double(recording.length) / step))
    let mean = 6e9 * Elementary.exp(-4 * random.nextUnit())
    var time = 0.0
    while true {
      time -= mean * Elementary.log(1 - random.nextUnit())
      for number in 0..<(inGroups ? 3 : 1) {
        let start = time + Double(number) * 60_000_000
        guard Int(start / step) + 2 < values.count else {
          return .init(
            times: values.indices.map { Int64((Double($0) + 1) * step) }, values: values,
            coversStutters: true)
        }
        let first = 1 - (start / step - (start / step).rounded(.down))
        values[Int(start / step)] += first
        values[Int(start / step) + 1] += min(1, 1.5 - first)
        values[Int(start / step) + 2] += max(0, 0.5 - first)
      }
    }
  }

  /// Whether each value is in the rows of several frames.
  var isHeld: Bool {
    if case .held = self { return true }
    return false
  }

  /// What the next value depends on.
  private struct State {
    var random: SplitMix64
    var last = 0.0
    var second = Int64(-1)

    mutating func normal() -> Double {
      (-2 * Elementary.log(1 - random.nextUnit())).squareRoot()
        * Elementary.cosine(2 * .pi * random.nextUnit())
    }
  }

  private func times(_ recording: GeneratedStutters, _ random: inout SplitMix64) -> [Int64] {
    switch self {
    case .second, .changes:
      let phase = random.nextUnit() * 1e9
      return stride(from: phase, to: Double(recording.length), by: 1e9).map {
        Int64($0 + 1e7 * random.nextUnit())
      }
    default: return recording.frames
    }
  }

  private func value(
    _ time: Int64, _ recording: GeneratedStutters, _ period: Double, _ state: inout State
  ) -> Double {
    switch self {
    case .dependent(let factor), .second(let factor):
      state.last = factor * state.last + state.normal()
    case .changes: state.last += state.normal()
    case .trend: return Double(time) * 1e-9 + state.normal()
    case .steps:
      if state.random.nextUnit() < 1 / 300 { state.last = 10 * state.normal() }
      return state.last + 0.1 * state.normal()
    case .threeLevels:
      state.last = 0.99 * state.last + state.normal()
      return state.last < -4 ? 0 : state.last < 4 ? 1 : 2
    case .held:
      if time / 1_000_000_000 != state.second { state.last = state.normal() }
      state.second = time / 1_000_000_000
    case .constant, .marks: return 7
    case .spikes: return state.random.nextUnit() < 0.001 ? 100 : 7
    case .periodic:
      return 3 * Elementary.sine(2 * .pi * Double(time) / period) + 0.3 * state.normal()
    case .level: return (isScene(time, recording) ? 5 : 0) + state.normal()
    case .noise: return (isScene(time, recording) ? 5 : 1) * state.normal()
    }
    return state.last
  }

  private func isScene(_ time: Int64, _ recording: GeneratedStutters) -> Bool {
    recording.scenes.contains { $0.contains(time) }
  }
}
