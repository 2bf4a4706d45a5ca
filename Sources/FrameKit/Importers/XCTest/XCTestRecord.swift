/// Puts what tests measured into a trace: launches, and figures of iterations.
struct XCTestRecord {
  /// A figure with what tells it from others of its name.
  private struct Figure {
    let scene, metric, unit, label: String
    let subject: String?
    let values: [Double]
  }

  private var figures: [Figure] = []
  private var launchCount: Int64 = 0
  private var others = 0
  private var unknownUnits: [String: Int] = [:]
  private var broken = 0

  mutating func add(_ run: XCTestRun, to builder: inout TraceBuilder) {
    builder.trace.setting.device = builder.trace.setting.device ?? run.device
    for metric in run.metrics {
      broken += metric.broken
      switch XCTestMetric(metric.identifier) {
      case .launch(let untilResponsive):
        for time in metric.measurements {
          guard let length = XCTestMetric.value(time, metric.unit, as: "ms") else {
            unknownUnits[metric.unit, default: 0] += 1
            continue
          }
          addLaunch(
            length, of: run.project ?? run.test, untilResponsive: untilResponsive, to: &builder)
        }
      case .figure(let name, let unit):
        let values = metric.measurements.compactMap {
          XCTestMetric.value($0, metric.unit, as: unit)
        }
        if values.count < metric.measurements.count {
          unknownUnits[metric.unit, default: 0] += metric.measurements.count - values.count
        }
        figures.append(
          Figure(
            scene: run.test, metric: name, unit: unit, label: metric.identifier,
            subject: XCTestMetric.subject(metric.identifier), values: values))
      case nil: others += 1
      }
    }
  }

  /// Adds a launch of so many milliseconds. Each has a clock of its own, as results tell no times
  /// of the day.
  private mutating func addLaunch(
    _ milliseconds: Double, of process: String, untilResponsive: Bool,
    to builder: inout TraceBuilder
  ) {
    guard (0..<1e9).contains(milliseconds) else {
      broken += 1
      return
    }
    let end = Int64((milliseconds * 1e6).rounded())
    launchCount += 1
    var row = Table<LaunchColumn>.Row()
    row[.identifier] = launchCount
    row[.process] = builder.trace.launches.texts.number(of: process)
    row[.tapped] = 0
    row[untilResponsive ? .responsive : .firstFrame] = end
    row[.until] = (untilResponsive ? LaunchColumn.End.responsive : .firstFrame).rawValue
    builder.trace.launches.append(row)
  }

  /// Adds the figures. Of two of one name in a test each has its subject behind its name.
  func finish(_ builder: inout TraceBuilder) {
    if launchCount > 0 {
      builder.trace.clocks = [
        ClockDomain(
          name: "start of each launch", join: .traceClock, offset: nil, resolution: nil)
      ]
    }
    for figure in figures {
      let isAlone = figures.count { $0.scene == figure.scene && $0.metric == figure.metric } == 1
      let name = isAlone ? figure.metric : "\(figure.metric).\(figure.subject ?? figure.label)"
      for (run, value) in figure.values.enumerated() {
        builder.add(
          StatedFigure(
            scene: figure.scene, run: run, metric: name, value: value, unit: figure.unit,
            label: figure.label))
      }
    }
    builder.log.note(
      .unknownRecord, .info, "metrics of neither launches, hitches nor frames, left out",
      count: others)
    for (unit, count) in unknownUnits.sorted(by: { $0.key < $1.key }) {
      builder.log.note(
        .malformedValue, .dataLoss, "measurements in the unit \"\(unit)\", left out", count: count)
    }
    builder.log.note(
      .malformedValue, .dataLoss, "measurements that are no lengths of time or numbers, left out",
      count: broken)
  }
}
