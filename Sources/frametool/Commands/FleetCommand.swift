import FrameKit

/// Groups and compares many runs.
struct FleetCommand: Command {
  static let name = "fleet"
  static let summary =
    "groups many runs by their tags, and compares two values of a tag in each group"
  static let operands = "SUMMARY…"
  static let operandCount = 1...Int.max
  static let examples = [
    (
      command: "frametool fleet night.jsonl --by device,version",
      does: "percentiles and drops of each group"
    ),
    (
      command:
        "frametool fleet night.jsonl --by scene --compare version=1.2..1.3 --fail-on regression",
      does: "a verdict on each scene; exits with 1 when one got worse"
    ),
  ]
  static let options: [CommandOption<FleetCommand>] = [
    .list("--by", to: \.by, metavar: "TAG,…", help: "group runs by these tags"),
    .text(
      "--compare", to: \.compared, metavar: "TAG=A..B",
      help: "compare two values of a tag in each group"),
    .text(
      "--metric", to: \.metric, metavar: "NAME",
      help: "the metric to show (default: frameTime)"),
    .text(
      "--unit", to: \.unit, metavar: "TAG",
      help:
        "the unit of replication, such as device: each value of the tag counts once (default: each run)"
    ).needing("--compare"),
    .list(
      "--mix", to: \.mix, metavar: "TAG,…",
      help:
        "adjust for the mix of these tags, which may differ between the sides (default: device)"
    ).needing("--compare"),
    .choice("--format", to: \.format, help: "how the result is printed (default: text)"),
    BriefOutput.option(\.isBrief),
    .text(
      "--output", "-o", to: \.output, metavar: "FILE",
      help: "also write a picture (.svg, .png, .pdf, .json for its data) or a page (.html, .md)"),
    .words(
      "--fail-on", to: \.failOn, among: Compare.failures, metavar: "WHAT",
      help:
        "regression (exit with 1 if a group got worse), or inconclusive (also with 3 if one is undecided)"
    ).needing("--compare"),
  ]

  var by: [String] = []
  var compared: String?
  var metric: String?
  var unit: String?
  var mix: [String] = []
  var format = OutputFormat.text
  var isBrief = false
  var output: String?
  var failOn: [String] = []

  func run(_ operands: [String], on console: Console) throws(CommandError) -> ExitStatus {
    let options = try fleetOptions()
    if let output { try Output.keep(operands, from: output) }
    var builder = Fleet.Builder(options)
    try SummaryInputs(console: console).read(operands) { run, _ throws(RunsCountedTwice) in
      try builder.add(run)
    }
    SummaryInputs.tell(builder.repeated, on: console)
    let fleet = builder.fleet
    try check(fleet)
    let report = FleetReport(fleet)
    try BriefOutput.print(isBrief, as: format.rawValue, on: console) {
      Brief(report, $0)
    } else: {
      Writers.write(report, as: format, look: console.look)
    }
    if let output { try write(report, to: output, on: console) }
    return report.overall.map { Compare.status($0, failOn: failOn) } ?? .success
  }

  /// Writes a picture or a page, depending on the file extension.
  private func write(_ report: FleetReport, to path: String, on console: Console)
    throws(CommandError)
  {
    if ["html", "htm", "md"].contains(Output.suffix(of: path) ?? "") {
      let target = try ReportTarget(path, leavesPlotsOut: false)
      try target.write(try Self.drawn { () throws(PlotRefusal) in try report.page() }, on: console)
    } else {
      let target = try PlotTarget(path, theme: .light, size: nil, on: console)
      if target.needsGnuplot { try console.gnuplot.check() }
      try target.write(try Self.drawn { () throws(PlotRefusal) in try report.plot() }, on: console)
    }
  }

  private static func drawn<Value>(_ draw: () throws(PlotRefusal) -> Value) throws(CommandError)
    -> Value
  {
    do throws(PlotRefusal) { return try draw() } catch { throw CommandError(error) }
  }

  static func unknownSides(_ text: String) -> CommandError {
    CommandError(
      .usage, "--compare: expected TAG=A..B, such as version=1.2..1.3, found \(text)")
  }

  private func fleetOptions() throws(CommandError) -> Fleet.Options {
    var options = Fleet.Options()
    options.by = SummaryInputs.names(by)
    options.unit = unit
    if !mix.isEmpty { options.mix = SummaryInputs.names(mix) }
    if let metric {
      options.metric = Metrics.name(metric) ?? metric
    }
    if let compared {
      guard let sides = Fleet.Sides(compared) else {
        throw Self.unknownSides(compared)
      }
      options.comparing = sides
    }
    if let tag = options.comparing?.tag, options.by.contains(tag) || options.unit == tag {
      throw CommandError(
        .usage, "--compare: \(tag) is compared, so it cannot be in --by or --unit")
    }
    return options
  }

  /// - Throws: If no run has a tag or the metric.
  private func check(_ fleet: Fleet) throws(CommandError) {
    guard fleet.runs > 0 else {
      throw CommandError(
        .badData, "the summaries have no runs",
        help: "the summaries list failed traces with the reason, as 'failed'")
    }
    let known = fleet.tags.keys.sorted()
    for tag in fleet.options.by + mix.flatMap({ SummaryInputs.names([$0]) })
      + [unit, fleet.options.comparing?.tag].compactMap({ $0 })
    where fleet.tags[tag] == nil {
      throw CommandError(
        .usage, "no run has the tag \(tag)",
        help: known.isEmpty
          ? "'analyze --summary … --tag NAME=VALUE' sets tags"
          : "runs have \(known.joined(separator: ", "))")
    }
    let metrics = Set(fleet.groups.flatMap { $0.tally.values.keys.map(\.metric) }).sorted()
    guard metrics.contains(fleet.options.metric) else {
      throw CommandError(
        .usage, "no run has values of \(fleet.options.metric)",
        help: "runs have \(metrics.joined(separator: ", "))")
    }
  }
}
