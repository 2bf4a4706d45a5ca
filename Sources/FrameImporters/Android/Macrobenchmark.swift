import FrameTrace

/// Results of AndroidX macrobenchmarks: `…-benchmarkData.json`.
///
/// Documentation: Android, "Capture Macrobenchmark metrics". Example:
///
///     {"benchmarks": [{"name": "startup", "params": {"mode": "COLD"}, "metrics": {
///       "timeToInitialDisplayMs": {"runs": [347.88, 351.2]}}, "sampledMetrics": {
///       "frameOverrunMs": {"runs": [[-5.1, 2.3], [-4.8]]}}}]}
///
/// The example has two launches, and the samples of two iterations, one sample per frame.
struct Macrobenchmark: TraceImporter {
  let name = "macrobenchmark"
  let title = "AndroidX benchmark results"
  let versions = "androidx.benchmark 1.0 to 1.4"
  let documentation =
    "https://developer.android.com/topic/performance/benchmarking/macrobenchmark-metrics"
  let platform: Platform? = .android

  private static let mostBytes = 256 << 20

  func recognize(_ head: FileHead) -> Recognition? {
    guard head.firstByte == UInt8(ascii: "{"), head.contains("\"benchmarks\""),
      head.contains("\"context\"") || head.contains("\"className\"")
    else { return nil }
    return Recognition(
      format: "AndroidX benchmark results", reason: "an object with benchmarks and their context")
  }

  func read(
    _ input: InputFile, _ provenance: Provenance, _ demand: TraceDemand
  ) throws(ParseError) -> TraceBuilder {
    let root = try JSONNode(
      input, atMost: Self.mostBytes, of: "results",
      help: "give the …-benchmarkData.json that the Gradle task copies")
    var builder = TraceBuilder(provenance)
    let build = root["context"]?["build"]
    builder.trace.setting = Setting(
      device: build?["model"]?.text,
      system: (build?["version"]?["sdk"]?.integer).map { "Android API \($0)" })
    var record = MacrobenchmarkRecord()
    for benchmark in root["benchmarks"]?.array ?? [] { record.add(benchmark, to: &builder) }
    record.finish(&builder)
    guard !builder.trace.isEmpty else {
      throw ParseError(
        path: input.path,
        problem: "expected a launch or frame metric in the benchmark results, found none",
        help: "measure with StartupTimingMetric or FrameTimingMetric")
    }
    return builder
  }
}

/// Adds benchmark measurements to a trace.
private struct MacrobenchmarkRecord {
  private var launchCount: Int64 = 0
  private var others = 0
  private var broken = 0

  /// The launch metrics, each with the event that ends the launch.
  private static let launches: [String: LaunchColumn.End] = [
    "timeToInitialDisplayMs": .firstFrame, "startupMs": .firstFrame,
    "timeToFullDisplayMs": .marked,
  ]

  /// The frame metrics with one sample per frame.
  private static let samples: [String: StatedMetric] = [
    "frameDurationCpuMs": .frameDurationCPU, "frameOverrunMs": .frameOverrun,
    "frameDurationUiMs": .frameDurationCPU,
  ]

  /// The percentiles over all frames of an iteration, found in older results.
  private static let quantiles: [String: String] = [
    "frameTime50thPercentileMs": "p50", "frameTime90thPercentileMs": "p90",
    "frameTime95thPercentileMs": "p95", "frameTime99thPercentileMs": "p99",
  ]

  mutating func add(_ benchmark: JSONNode, to builder: inout TraceBuilder) {
    let scene = [benchmark["className"]?.text, benchmark["name"]?.text].compactMap { $0 }
      .map { $0.split(separator: ".").last.map(String.init) ?? $0 }.joined(separator: ".")
    let mode = benchmark["params"]?["startupMode"]?.text ?? benchmark["params"]?["mode"]?.text
    for (name, metric) in benchmark["metrics"]?.members ?? [] {
      let runs = (metric["runs"]?.array ?? []).map(\.number)
      if let end = Self.launches[name] {
        for time in runs { addLaunch(time, end, mode, scene, to: &builder) }
      } else if let statistic = Self.quantiles[name] {
        for (run, value) in runs.enumerated() {
          add(
            "\(statistic)(\(StatedMetric.frameDurationCPU.rawValue))", value, run, scene, name,
            to: &builder)
        }
      } else if name == "frameCount" {
        for (run, value) in runs.enumerated() {
          add(
            StatedMetric.frames.rawValue, value, run, scene, name, unit: "frames",
            to: &builder)
        }
      } else {
        others += 1
      }
    }
    for (name, metric) in benchmark["sampledMetrics"]?.members ?? [] {
      guard let stated = Self.samples[name] else {
        others += 1
        continue
      }
      for (run, node) in (metric["runs"]?.array ?? []).enumerated() {
        for value in node.array ?? [] {
          add(stated.rawValue, value.number, run, scene, name, to: &builder)
        }
      }
    }
  }

  private mutating func add(
    _ metric: String, _ value: Double?, _ run: Int, _ scene: String, _ label: String,
    unit: String = "ms", to builder: inout TraceBuilder
  ) {
    guard let value else {
      broken += 1
      return
    }
    builder.add(
      StatedFigure(
        scene: scene, run: run, metric: metric, value: value, unit: unit,
        label: label))
  }

  private mutating func addLaunch(
    _ milliseconds: Double?, _ end: LaunchColumn.End, _ mode: String?, _ scene: String,
    to builder: inout TraceBuilder
  ) {
    guard let milliseconds, milliseconds > 0, milliseconds < 1e9 else {
      broken += 1
      return
    }
    launchCount += 1
    var row = Table<LaunchColumn>.Row()
    row[.identifier] = launchCount
    row[.process] = builder.trace.launches.texts.number(of: scene)
    row[.scene] = builder.trace.launches.texts.number(of: scene)
    row[.kind] = Self.kind(mode)?.rawValue
    row[.tapped] = 0
    row[end == .marked ? .marked : .firstFrame] = Nanoseconds.milliseconds(milliseconds).count
    row[.until] = end.rawValue
    builder.trace.launches.append(row)
  }

  /// A hot start brings back a running app, so it is not a launch.
  private static func kind(_ mode: String?) -> LaunchColumn.Kind? {
    switch mode?.uppercased() {
    case "COLD": .cold
    case "WARM": .warm
    case "HOT": .resume
    default: nil
    }
  }

  func finish(_ builder: inout TraceBuilder) {
    if launchCount > 0 {
      builder.trace.clocks = [
        ClockDomain(
          name: "start of each launch", join: .traceClock, offset: nil, resolution: nil)
      ]
    }
    builder.log.note(
      .unknownRecord, .info, "metrics other than those of launches and frames, left out",
      count: others)
    builder.log.note(
      .malformedValue, .dataLoss, "measurements that are not times, left out", count: broken)
  }
}
