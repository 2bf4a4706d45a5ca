import FrameTrace

/// Adds what tests measured to a trace: launches, and figures of iterations.
struct XCTestRecord {
  /// A figure, with what distinguishes it from others of the same name.
  private struct Figure {
    let scene: String
    let metric: StatedMetric
    let subject, label: String
    let values: [Double]
  }

  /// The name of each run of a test, so that no two are combined.
  private let scenes: [String]
  /// Whether several runs have launches.
  private let areLaunchesOfSeveral: Bool
  private var figures: [Figure] = []
  private var launchCount: Int64 = 0
  private var others = 0
  private var unknownUnits: [String: Int] = [:]
  private var broken = 0

  init(_ runs: [XCTestRun]) {
    scenes = Self.scenes(runs)
    areLaunchesOfSeveral =
      runs.count { run in
        run.metrics.contains {
          if case .launch = XCTestMetric($0.identifier) { true } else { false }
        }
      } > 1
  }

  /// The names of runs: the test's name, with device and configuration if it has several runs, and
  /// with a number if even those are the same.
  private static func scenes(_ runs: [XCTestRun]) -> [String] {
    let counts = { (names: [String]) in
      names.reduce(into: [String: Int]()) { $0[$1, default: 0] += 1 }
    }
    let tests = counts(runs.map(\.test))
    let full = runs.map { run in
      tests[run.test] == 1
        ? run.test
        : [run.test, run.device, run.configuration].compactMap { $0 }.joined(separator: ", ")
    }
    let repeated = counts(full)
    var seen: [String: Int] = [:]
    return full.map { name in
      guard repeated[name] ?? 1 > 1 else { return name }
      seen[name, default: 0] += 1
      return "\(name), \(seen[name] ?? 1)"
    }
  }

  /// Adds a run of a test.
  /// - Parameter position: The index of the run among the runs passed to `init`.
  mutating func add(_ run: XCTestRun, at position: Int, to builder: inout TraceBuilder) {
    builder.trace.setting.device = builder.trace.setting.device ?? run.device
    for metric in run.metrics {
      broken += metric.broken
      switch XCTestMetric(metric.identifier) {
      case .launch(let untilResponsive):
        let scene = areLaunchesOfSeveral ? scenes[position] : nil
        let process = scene ?? run.project ?? run.test
        for time in metric.measurements {
          guard let length = XCTestMetric.value(time, metric.unit, as: "ms") else {
            unknownUnits[metric.unit, default: 0] += 1
            continue
          }
          addLaunch(
            length, of: process, scene, untilResponsive: untilResponsive, to: &builder)
        }
      case .figure(let stated, let subject):
        let values = metric.measurements.compactMap {
          XCTestMetric.value($0, metric.unit, as: stated.unit)
        }
        if values.count < metric.measurements.count {
          unknownUnits[metric.unit, default: 0] += metric.measurements.count - values.count
        }
        figures.append(
          Figure(
            scene: scenes[position], metric: stated, subject: subject, label: metric.identifier,
            values: values))
      case nil: others += 1
      }
    }
  }

  /// Adds a launch by its duration in milliseconds. Each launch has a separate clock because
  /// results do not state the time of day.
  private mutating func addLaunch(
    _ milliseconds: Double, of process: String, _ scene: String?, untilResponsive: Bool,
    to builder: inout TraceBuilder
  ) {
    guard milliseconds > 0, milliseconds < 1e9 else {
      broken += 1
      return
    }
    let end = Nanoseconds.milliseconds(milliseconds).count
    launchCount += 1
    var row = Table<LaunchColumn>.Row()
    row[.identifier] = launchCount
    row[.process] = builder.trace.launches.texts.number(of: process)
    row[.scene] = scene.map { builder.trace.launches.texts.number(of: $0) }
    row[.tapped] = 0
    row[untilResponsive ? .responsive : .firstFrame] = end
    row[.until] = (untilResponsive ? LaunchColumn.End.responsive : .firstFrame).rawValue
    builder.trace.launches.append(row)
  }

  /// Adds the figures. If a run has several figures with one name, each figure's subject follows its name.
  func finish(_ builder: inout TraceBuilder) {
    if launchCount > 0 {
      builder.trace.clocks = [
        ClockDomain(
          name: "start of each launch", join: .traceClock, offset: nil, resolution: nil)
      ]
    }
    var counts: [String: [StatedMetric: Int]] = [:]
    for figure in figures { counts[figure.scene, default: [:]][figure.metric, default: 0] += 1 }
    for figure in figures {
      let name = figure.metric.rawValue
      let isAlone = counts[figure.scene]?[figure.metric] == 1
      for (run, value) in figure.values.enumerated() {
        builder.add(
          StatedFigure(
            scene: figure.scene, run: run,
            metric: isAlone ? name : "\(name).\(figure.subject)", value: value,
            unit: figure.metric.unit, label: figure.label))
      }
    }
    builder.log.note(
      .unknownRecord, .info, "metrics other than those of launches, hitches and frames, left out",
      count: others)
    for (unit, count) in unknownUnits.sorted(by: { $0.key < $1.key }) {
      builder.log.note(
        .malformedValue, .dataLoss, "measurements in the unit \"\(unit)\", left out", count: count)
    }
    builder.log.note(
      .malformedValue, .dataLoss,
      "measurements that are not lengths of time or numbers, left out", count: broken)
  }
}
