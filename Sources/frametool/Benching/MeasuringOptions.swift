import FrameKit

/// The options of commands that run programs and measure them.
struct MeasuringOptions: Sendable {
  var recorder = RunMeasurement.Recorder.none
  var result: String?
  var duration: Double?
  var timeout: Double?
  var kept: String?
  var showsOutput = false
  var metrics: [String] = []
  var comparesLatency = false
  var mostRuns: Int?
  var mostTime: Double?
  var seed: Int?
  var setsMachine = false
  var traces = TraceChoice()

  static func options<Root>(
    _ path: any WritableKeyPath<Root, MeasuringOptions> & Sendable, runs: String
  ) -> [CommandOption<Root>] {
    let own: [CommandOption<MeasuringOptions>] = [
      .choice(
        "--capture", to: \.recorder,
        help:
          "what records each run; with none and no --result, its time is measured (default: none)"),
      .text(
        "--result", to: \.result, metavar: "FILE",
        help: "the trace that each run leaves, such as 'out/*.csv'"
      ).conflicting(with: "--capture"),
      .list(
        "--metric", to: \.metrics, metavar: "NAME",
        help:
          "compare this figure, such as p99 or 'p95(gpuTime)', or all figures of a metric; cpuTime is the processor time of a program"
      ),
      .flag("--latency", \.comparesLatency, help: "touch or click latency, not frame times")
        .conflicting(with: "--metric").needing("--capture", "--result"),
      .real(
        "--duration", to: \.duration, metavar: "S", in: 0.01...1e6,
        help: "end each run after this time (default: when the program exits)"
      ).needing("--capture"),
      .real(
        "--timeout", to: \.timeout, metavar: "S", in: 0.01...1e6,
        help: "how long a run may take before it counts as failed (default: 600)"),
      .number("--max-runs", to: \.mostRuns, metavar: "N", in: 6...10_000, help: runs),
      .real(
        "--max-time", to: \.mostTime, metavar: "S", in: 0.01...1e7,
        help: "begin nothing new after this time"),
      .number(
        "--seed", to: \.seed, metavar: "N", in: 0...Int(Int32.max),
        help: "decides the order of each pair (default: random)"),
      .text("--keep", to: \.kept, metavar: "FOLDER", help: "keep the recordings there")
        .needing("--capture"),
      .flag("--show-output", \.showsOutput, help: "show what the programs print"),
      .flag(
        "--set", \.setsMachine,
        help: "set the processors' governor to performance during the runs (needs root)"),
    ]
    return own.map { $0.within(path) }
      + TraceChoice.options(\.traces, [.processes, .surfaces, .region, .reading]).map {
        $0.within(path)
      }
  }

  /// The options that are allowed with --resume: those that do not change what is measured.
  static let resumable = [
    "--max-runs", "--max-time", "--timeout", "--format", "--fail-on", "--show-output", "--quiet",
  ]

  /// - Throws: If a command is given with --resume.
  static func checkResumption(_ operands: [String]) throws(CommandError) {
    guard let operand = operands.first else { return }
    throw CommandError(
      .usage, "--resume: \(operand) has no effect, because the file has the command",
      help: "give options only, or start a new measurement")
  }

  /// The seed: the given seed, or a random seed.
  var seedByChance: UInt64 {
    seed.map { UInt64($0) } ?? UInt64.random(in: 1...UInt64(Int32.max))
  }

  /// How each run is measured.
  func measurement() throws(CommandError) -> RunMeasurement {
    if let kept, !((try? FileFolder.files(in: kept)) ?? nil != nil) {
      throw CommandError(.usage, "--keep: there is no folder \(kept)")
    }
    var measurement = RunMeasurement()
    measurement.recorder = recorder
    measurement.result = result
    measurement.duration = duration
    measurement.timeout = timeout ?? measurement.timeout
    measurement.kept = recorder == .none ? nil : kept
    measurement.showsOutput = showsOutput
    measurement.traces = traces
    measurement.isLatency = comparesLatency
    if measurement.isTime {
      if let metric = metrics.first(where: { $0 != LaunchMeasure.processorTime.name }) {
        throw CommandError(
          .usage, "--metric \(metric): only the time of each run is measured",
          help:
            "--capture or --result says where a run's frames are; \(LaunchMeasure.processorTime.name) is the processor time"
        )
      }
      measurement.isProcessorTime = !metrics.isEmpty
    } else {
      do throws(ComparisonRefusal) {
        measurement.figures = try ComparedFigures(metrics)
      } catch {
        throw CommandError(.usage, error.message, help: error.help)
      }
    }
    return measurement
  }
}
