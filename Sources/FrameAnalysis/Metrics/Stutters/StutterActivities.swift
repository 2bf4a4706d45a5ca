import FrameStatistics
import FrameTrace

/// What marks and threads did around stutters, as series that are compared like sensor readings.
extension StutterDifferences {
  /// The maximum number of mark names that are compared: those set most often.
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

  /// The states of the threads that draw: how much of the time each thread is in each state. Times without a recorded
  /// state do not count.
  static func threads(of surface: MeasuredSurface, in range: Range<Timestamp>) -> [Named] {
    guard let facts = surface.threadFacts() else { return [] }
    let drawing = [
      ("main thread", facts.mainThread(of: surface.surface, in: range)),
      ("render thread", facts.threads.renderThread(of: surface.surface.process)),
    ]
    let states = surface.pipeline.trace.threadStates
    return drawing.flatMap { name, thread -> [Named] in
      guard let thread, let empty = ActivitySeries(range) else { return [] }
      var recorded = empty
      var series = [ThreadStateColumn.State: ActivitySeries]()
      for row in 0..<states.count where states[row, .thread] == thread {
        guard let state = states[row, .state].flatMap(ThreadStateColumn.State.init),
          let start = states.time(row, .start), let end = states.time(row, .end), end > start
        else { continue }
        series[state, default: empty].add(start..<end)
        recorded.add(start..<end)
      }
      return ThreadStateColumn.State.allCases.compactMap { state in
        series[state].map {
          Named(
            name: "\(name) \(state)", unit: "%", $0.known(recorded), coversStutters: false)
        }
      }
    }
  }
}

extension StutterDifferences.Named {
  init(name: String, unit: String, _ series: ActivitySeries, coversStutters: Bool) {
    self.init(
      name: name, unit: unit,
      values: MomentDifferences.Series(
        times: series.times, values: series.values, coversStutters: coversStutters))
  }
}
