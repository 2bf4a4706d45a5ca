import FrameKit

/// Reads what a plot is made of, and makes it.
struct PlotSource {
  let console: Console
  let choice: TraceChoice
  let options: PlotOptions
  /// The sides of a comparison, where one is drawn.
  let compared: ComparisonChoice

  /// Draws a kind of the files that were given.
  func draw(_ kind: PlotKind, _ files: [String]) throws(CommandError) -> Plot {
    switch kind.takes {
    case .sides: return try drawSides(kind, files)
    case .jobs:
      try expect(files, kind)
      let jobs = try choice.runs(on: console).jobs(files, keepingEmpty: true)
      return try refusing { () throws(PlotRefusal) in try kind.draw(jobs: jobs, options) }
    case .trace, .traces:
      try expect(files, kind)
      return try drawTraces(kind, files)
    }
  }

  /// Checks that a kind takes all options that were given.
  func check(_ kind: PlotKind, metrics: [String]) throws(CommandError) {
    let refused: [(option: String, isGiven: Bool, isTaken: Bool)] = [
      ("--metric", !metrics.isEmpty, kind.takesMetric),
      ("--frame", options.frame != nil, kind.takesFrame),
      ("--from, --to and --skip-first", !choice.region.isWhole, kind.takesRegion),
      ("--one-recording", choice.reading.areOneRecording, [.trace, .traces].contains(kind.takes)),
      ("--scan-out", choice.scanOutShare != nil, kind.takesRegion),
      ("--device-offset", choice.deviceOffset != nil, kind.takesRegion),
    ]
    if let first = refused.first(where: { $0.isGiven && !$0.isTaken }) {
      throw CommandError(
        .usage, "plot \(kind.name) takes no \(first.option)",
        help: "'frametool plots' lists what takes what")
    }
    if metrics.count > 1 {
      throw CommandError(.usage, "--metric: expected one metric, found \(metrics.count)")
    }
    if options.frame != nil, !choice.region.isWhole {
      throw CommandError(
        .usage, "--frame and --from, --to or --skip-first both choose what is shown",
        help: "give one of the two")
    }
  }

  private func expect(_ files: [String], _ kind: PlotKind) throws(CommandError) {
    guard compared.isEmpty else {
      throw CommandError(
        .usage, "plot \(kind.name) takes no --before and no --after",
        help: "'frametool plot compare' does")
    }
    if files.isEmpty {
      throw CommandError(
        .usage, "plot \(kind.name): expected \(kind.takes.rawValue)",
        help: "usage: \(CommandHelp.usage(of: PlotCommand.self))")
    }
    if kind.takes == .trace, files.count > 1, !choice.reading.areOneRecording {
      throw CommandError(.usage, "plot \(kind.name) shows one trace, found \(files.count)")
    }
  }

  private func drawTraces(_ kind: PlotKind, _ files: [String]) throws(CommandError) -> Plot {
    let inputs = choice.inputs(on: console, demand: demand(of: kind))
    var traces: [Trace] = []
    for result in inputs.map(files, { $0 }) {
      let trace = try result.get()
      if trace.frameCount > 0 { try choice.selection.check(trace) }
      traces.append(trace)
    }
    var options = options
    options.analysis = try choice.analysisOptions(of: traces[0])
    guard traces.count == 1 || choice.region.isWhole else {
      throw CommandError(
        .usage, "--from, --to and --skip-first select a part of one trace, found \(traces.count)")
    }
    return try refusing { () throws(PlotRefusal) in
      try kind.draw(
        traces.map { PlottedTrace($0, for: [kind]) }, options, where: choice.selection.matches)
    }
  }

  /// What has to be read for a kind: of a long trace only what its metric needs.
  private func demand(of kind: PlotKind) -> TraceDemand {
    choice.region.isWhole ? kind.demand(options) : .everything
  }

  private func drawSides(_ kind: PlotKind, _ files: [String]) throws(CommandError) -> Plot {
    let sides = try compared.sides(
      files, usage: "usage: \(CommandHelp.usage(of: PlotCommand.self))")
    let comparison = try ComparisonChoice.compare(sides, choice.runs(on: console), compared.options)
    return try refusing { () throws(PlotRefusal) in try kind.draw(comparison, options) }
  }

  private func refusing(_ draw: () throws(PlotRefusal) -> Plot) throws(CommandError) -> Plot {
    do throws(PlotRefusal) {
      return try draw()
    } catch {
      throw CommandError(error)
    }
  }
}
