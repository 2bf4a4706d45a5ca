import FrameKit

/// What a user chooses of the traces of an analysis, a plot or a report.
struct TraceChoice: Sendable {
  var reading = ReadingChoice()
  var processes: [String] = []
  var surfaces: [String] = []
  var start: String?
  var end: String?
  var skipped: Double?
  var scanOutShare: Double?
  var deviceOffset: Double?

  /// The options that set it.
  static func options<Root>(
    _ path: any WritableKeyPath<Root, TraceChoice> & Sendable
  ) -> [CommandOption<Root>] {
    let own: [CommandOption<TraceChoice>] = [
      .list(
        "--process", to: \.processes, metavar: "NAME",
        help: "only processes of this name or number"),
      .list(
        "--surface", to: \.surfaces, metavar: "NAME", help: "only surfaces of this name or id"),
      .text(
        "--from", to: \.start, metavar: "S|NAME",
        help: "from so many seconds of the trace on, or from a marker's start"),
      .text(
        "--to", to: \.end, metavar: "S|NAME",
        help: "until so many seconds of the trace, or until a marker's end"),
      .real(
        "--skip-first", to: \.skipped, metavar: "S", in: 0...1e9,
        help: "leave the first seconds of the trace, or of what --from selects, out"),
      .real(
        "--scan-out", to: \.scanOutShare, metavar: "SHARE", in: 0...1,
        help: "part of a frame that is lit at its photon time: 0 top line, 1 all of it (default: 1)"
      ),
      .real(
        "--device-offset", to: \.deviceOffset, metavar: "MS", in: -1000...1000,
        help: "a constant of the device to add to every touch latency"),
    ]
    return (own + ReadingChoice.options(\.reading)).map { $0.within(path) }
  }

  /// Which surfaces are meant.
  var selection: SurfaceSelection { SurfaceSelection(processes: processes, surfaces: surfaces) }

  /// Which part of a trace is meant.
  var region: RegionSelection {
    RegionSelection(start: start, end: end, skipped: skipped ?? 0)
  }

  /// How a trace is measured.
  func analysisOptions(of trace: Trace) throws(CommandError) -> AnalysisOptions {
    var options = AnalysisOptions()
    options.region = try region.find(in: trace)
    options.scanOutShare = scanOutShare ?? 1
    options.deviceOffset = .milliseconds(deviceOffset ?? 0)
    return options
  }

  /// What reads runs of a comparison.
  func runs(on console: Console) -> RunInputs {
    RunInputs(
      console: console, importing: reading.importing, selection: selection,
      quiet: reading.quiet)
  }

  /// What reads the traces.
  func inputs(on console: Console, demand: TraceDemand = .everything) -> TraceInputs {
    reading.inputs(on: console, demand: demand)
  }
}

extension CommandOption {
  /// The same option for something that has the root as a part.
  func within<Outer>(
    _ path: any WritableKeyPath<Outer, Root> & Sendable
  ) -> CommandOption<Outer> {
    var option = CommandOption<Outer>(
      names: names, metavar: metavar, help: help, choices: choices
    ) { outer, text in apply(&outer[keyPath: path], text) }
    option.takesAll = takesAll
    return option
  }
}
