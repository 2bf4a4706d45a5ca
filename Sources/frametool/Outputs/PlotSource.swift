import FrameKit

/// Reads the data for a plot, and creates the plot.
struct PlotSource {
  let console: Console
  let choice: TraceChoice
  let options: PlotOptions
  /// The sides of the comparison, if one is drawn.
  let compared: ComparisonChoice

  /// Draws a kind of plot from the given files.
  func draw(_ kind: PlotKind, _ files: [String]) throws(CommandError) -> Plot {
    switch kind {
    case .comparison(let plot):
      let comparison = try compare(files)
      return try refusing { () throws(PlotRefusal) in try plot.draw(comparison) }
    case .jobs(let plot):
      try expect(files, kind)
      let jobs = try choice.runs(on: console).jobs(files, keepingEmpty: true)
      return try refusing { () throws(PlotRefusal) in try plot.draw(jobs: jobs, options) }
    case .traces(let plot):
      try expect(files, kind)
      if !plot.takesSeveral, files.count > 1, !choice.areOneRecording {
        throw CommandError(.usage, "plot \(kind.name) shows one trace, found \(files.count)")
      }
      return try draw(plot, files)
    }
  }

  /// Checks that a kind supports all given options.
  func check(_ kind: PlotKind, metrics: [String]) throws(CommandError) {
    for choice in PlotKind.Choice.allCases where !kind.choices.contains(choice) {
      try refuse(.plots(without: choice), kind)
    }
    if case .comparison = kind {} else { try refuse(.plotsOfTraces, kind) }
    if metrics.count > 1 {
      throw CommandError(.usage, "--metric: expected one metric, found \(metrics.count)")
    }
  }

  private func refuse(
    _ options: OptionConditions.InputKind, _ kind: PlotKind
  ) throws(CommandError) {
    try console.given.refuse(on: options, "plot \(kind.name)") { _ in
      "'frametool list plots' lists what each plot takes"
    }
  }

  private func expect(_ files: [String], _ kind: PlotKind) throws(CommandError) {
    if files.isEmpty {
      throw CommandError(
        .usage, "plot \(kind.name): expected \(kind.takes)",
        help: "usage: \(CommandHelp.usage(of: PlotCommand.self))")
    }
  }

  private func draw(_ plot: TracePlot, _ files: [String]) throws(CommandError) -> Plot {
    // The start of a region depends on the complete trace.
    let demand = choice.region.isWhole ? plot.demand(options) : .everything
    var studies: [Study] = []
    for result in choice.inputs(on: console, demand: demand).map(files, { $0 }) {
      studies.append(try choice.study(of: try result.get()))
    }
    return try refusing { () throws(PlotRefusal) in try plot.draw(studies, options) }
  }

  private func compare(_ files: [String]) throws(CommandError) -> Comparison {
    if let pairs = try compared.pairs(files, compared.options(), on: console) { return pairs }
    let sides = try compared.sides(
      files, usage: "usage: \(CommandHelp.usage(of: PlotCommand.self))")
    return try ComparisonChoice.compare(sides, choice.runs(on: console), compared.options())
  }

  private func refusing(_ draw: () throws(PlotRefusal) -> Plot) throws(CommandError) -> Plot {
    do throws(PlotRefusal) {
      return try draw()
    } catch {
      throw CommandError(error)
    }
  }
}
