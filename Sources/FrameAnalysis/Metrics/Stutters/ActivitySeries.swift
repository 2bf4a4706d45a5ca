import FrameStatistics
import FrameTrace

/// Intervals and instants, as a series of how much of them each short step of time has.
struct ActivitySeries {
  /// The end of each step, in nanoseconds, and its value.
  let times: [Int64]
  private(set) var values: [Double]
  private let start: Int64
  private let step: Int64

  /// How long a step is, except where a recording would have more of them than ``mostSteps``.
  private static let shortestStep: Int64 = 20_000_000
  private static let mostSteps: Int64 = 50_000

  /// Creates a series without activity.
  /// - Returns: `nil` for a range that is shorter than a step.
  init?(_ range: Range<Timestamp>) {
    let length = range.length.count
    step = max(Self.shortestStep, length / Self.mostSteps)
    start = range.lowerBound.nanoseconds
    guard length >= step else { return nil }
    times = (1...(length / step)).map { [start, step] in start + $0 * step }
    values = [Double](repeating: 0, count: times.count)
  }

  /// Adds an interval: to each step, the share that it covers, in percent.
  mutating func add(_ interval: Range<Timestamp>) {
    let first = max(0, interval.lowerBound.nanoseconds - start)
    let last = min(interval.upperBound.nanoseconds - start, step * Int64(values.count))
    guard first < last else { return }
    for index in (first / step)...((last - 1) / step) {
      let covered = min(last, (index + 1) * step) - max(first, index * step)
      values[Int(index)] += Double(covered) / Double(step) * 100
    }
  }

  /// Adds an instant: to its step, its share of a rate per second.
  mutating func add(_ time: Timestamp) {
    let distance = time.nanoseconds - start
    guard distance >= 0, distance < step * Int64(values.count) else { return }
    values[Int(distance / step)] += 1 / Nanoseconds(step).seconds
  }
}

extension StutterDifferences {
  /// How many names of marks are compared: those that are set most often.
  private static let mostMarks = 32
  /// A mark that is set less often cannot be found at four stutters.
  private static let fewestMarks = 4

  /// The marks of the surface's process and those of unknown processes, by name.
  static func marks(of surface: MeasuredSurface, in range: Range<Timestamp>) -> [Named] {
    let marks = surface.pipeline.trace.markers
    let process = surface.surface.process
    var rows: [String: [Int]] = [:]
    for row in 0..<marks.count {
      let owner = marks.text(row, .process)
      guard owner == nil || process == nil || owner == process,
        let time = marks.time(row, .start), range.contains(time),
        let name = marks.text(row, .name)
      else { continue }
      rows[name, default: []].append(row)
    }
    return rows.filter { $0.value.count >= fewestMarks }
      .sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }
      .prefix(mostMarks).compactMap { name, rows in
        guard var series = ActivitySeries(range) else { return nil }
        let ends = rows.map { marks.time($0, .end) }
        let isInterval = !ends.contains(nil)
        for (row, end) in zip(rows, ends) {
          guard let start = marks.time(row, .start) else { continue }
          if isInterval, let end, end > start {
            series.add(start..<end)
          } else if !isInterval {
            series.add(start)
          }
        }
        return Named(
          name: "mark \(name)", unit: isInterval ? "%" : "/s", series, coversStutters: true)
      }
  }

  /// The states of the threads that draw: how much of the time each is in each state.
  static func threads(of surface: MeasuredSurface, in range: Range<Timestamp>) -> [Named] {
    guard let facts = surface.threadFacts() else { return [] }
    let drawing = [
      ("main thread", facts.mainThread(of: surface.surface, in: range)),
      ("render thread", facts.threads.renderThread(of: surface.surface.process)),
    ]
    let states = surface.pipeline.trace.threadStates
    return drawing.flatMap { name, thread -> [Named] in
      guard let thread, let empty = ActivitySeries(range) else { return [] }
      var series = [ThreadStateColumn.State: ActivitySeries]()
      for row in 0..<states.count where states[row, .thread] == thread {
        guard let state = states[row, .state].flatMap(ThreadStateColumn.State.init),
          let start = states.time(row, .start), let end = states.time(row, .end), end > start
        else { continue }
        series[state, default: empty].add(start..<end)
      }
      return ThreadStateColumn.State.allCases.compactMap { state in
        series[state].map {
          Named(name: "\(name) \(state)", unit: "%", $0, coversStutters: false)
        }
      }
    }
  }
}
