import FrameKit

/// Replays a recorded trace under other conditions.
struct ReplayCommand: Command {
  static let name = "replay"
  static let summary = "predicts what a recorded trace would have been under other conditions"
  static let operands = "TRACE"
  static let operandCount = 1...1
  static let examples = [
    (
      command: "frametool replay game.csv --scale gpu=0.8",
      does: "drops and latency with a faster GPU"
    ),
    (
      command: "frametool replay scroll.xml --low-latency on --buffers 2",
      does: "several conditions at once"
    ),
    (
      command: "frametool replay game.csv --sweep gpu=0.5..1.5",
      does: "a table for a range of GPU times"
    ),
    (command: "frametool replay game.csv --advise", does: "which single change helps most"),
  ]
  /// The setting of a condition that is on or off.
  enum Switch: String, Sendable, CaseIterable { case on, off }

  static let options: [CommandOption<ReplayCommand>] =
    conditionOptions.map { $0.metavar?.contains(",…") == true ? $0 : $0.single() } + [
      .text(
        "--sweep", to: \.sweep, metavar: "NAME=A..B",
        help: "a table for a range of app, compositor, gpu, buffers, render-ahead, refresh or cap"
      ).single(),
      .flag("--advise", \.advises, help: "rank single changes by their predicted effect"),
      .flag("--frames", \.listsFrames, help: "list each frame, recorded and predicted")
        .conflicting(with: "--format json", "--format csv"),
      .choice("--format", to: \.format, help: "how the result is printed (default: text)"),
      BriefOutput.option(\.isBrief).conflicting(with: "--frames", "--sweep"),
      .text(
        "--output", "-o", to: \.output, metavar: "FILE",
        help:
          "also write the prediction: a trace (.jsonl), or a picture (.svg, .png, .pdf, .json for its data)"
      ),
    ] + readingOptions

  /// The options for reading the trace; the display's rate is a condition here.
  private static var readingOptions: [CommandOption<ReplayCommand>] {
    TraceChoice.options(\.choice, TraceChoice.figures)
      .filter { !$0.names.contains("--refresh") }
  }

  private static var conditionOptions: [CommandOption<ReplayCommand>] {
    [
      .choice(
        "--low-latency", to: \.lowLatency, help: "whether the compositor takes commits immediately"),
      .number(
        "--buffers", to: \.buffers, metavar: "N", in: 2...8,
        help: "how many buffers the surface has"),
      .choice(
        "--present-mode", to: \.presentMode,
        help: "show frames in order, the newest one at each refresh, or each immediately"),
      .text(
        "--refresh", to: \.refresh, metavar: "HZ|A-B",
        help:
          "the display's refresh rate, or the range of a variable-refresh display, such as 48-144"),
      .real(
        "--touch-rate", to: \.touchRate, metavar: "HZ", in: 1...10_000,
        help: "how often touches are scanned"),
      .real(
        "--prediction", to: \.prediction, metavar: "MS", in: 0...1000,
        help: "how far ahead touches are predicted; 0 for not at all"),
      .list(
        "--scale", to: \.scales, metavar: "STAGE=F,…",
        help: "multiply the times of app, compositor or gpu by a factor"),
      .list("--defer", to: \.defers, metavar: "STAGE:MS,…", help: "start stages this much later"),
      .choice(
        "--sync-layers", to: \.syncLayers,
        help: "whether GPU content is shown together with the compositor's"),
      .number(
        "--render-ahead", to: \.renderAhead, metavar: "N", in: 1...16,
        help: "how many frames may be in progress before the app waits for the GPU"),
      .real(
        "--cap", to: \.cap, metavar: "FPS", in: 1...10_000, help: "limit the frame rate"),
    ]
  }

  var lowLatency: Switch?
  var buffers: Int?
  var presentMode: ReplayConditions.PresentMode?
  var refresh: String?
  var touchRate: Double?
  var prediction: Double?
  var scales: [String] = []
  var defers: [String] = []
  var syncLayers: Switch?
  var renderAhead: Int?
  var cap: Double?
  var sweep: String?
  var advises = false
  var listsFrames = false
  var format = OutputFormat.text
  var isBrief = false
  var output: String?
  var choice = TraceChoice()

  func run(_ operands: [String], on console: Console) throws(CommandError) -> ExitStatus {
    let conditions = try conditions()
    let swept = try sweep.map { text throws(CommandError) in try Sweep(text) }
    if let swept { try check(swept, against: conditions) }
    var goal: Target?
    if let output {
      goal = try target(
        output, isEmpty: conditions.isEmpty && swept == nil, operands, on: console)
    }
    let isDrawn = goal?.picture != nil
    let results = choice.inputs(on: console).map(operands) { trace throws(CommandError) in
      try replay(trace, conditions, swept, isDrawn: isDrawn)
    }
    if results.count > 1, let option = goal.map({ _ in "--output" }) ?? (isBrief ? "--brief" : nil)
    {
      throw CommandError(
        .usage, "\(option): expected one trace, found \(results.count)",
        help: "name one, as in \(operands[0])/NAME")
    }
    var answers: [Answer] = []
    var failure: CommandError?
    for result in results {
      do throws(CommandError) { answers.append(try result.get()) } catch {
        failure = failure ?? error
      }
    }
    // If a trace goes to standard output for another program, do not print the report.
    if let first = answers.first, goal?.path != "-" {
      try BriefOutput.print(isBrief, as: format.rawValue, on: console) {
        Brief(first.report, $0)
      } else: {
        Writers.write(answers.map(\.report), as: format, look: console.look)
      }
    }
    if let failure { throw failure }
    if let goal, let answer = answers.first { try write(answer, to: goal, on: console) }
    return .success
  }

  /// Writes the prediction as a trace or a picture.
  private func write(
    _ answer: Answer, to goal: Target, on console: Console
  ) throws(CommandError) {
    if let picture = goal.picture {
      guard let plot = answer.plot else {
        throw CommandError(
          .badData, "\(goal.path): \(answer.whyNoPlot ?? "there is nothing to draw")")
      }
      try picture.write(plot, on: console)
    } else if let trace = answer.prediction {
      try NativeOutput.write(trace, to: goal.path, on: console)
    }
  }

  /// The output of the prediction: a picture, or a trace.
  private struct Target {
    let path: String
    let picture: PlotTarget?
  }

  private func target(
    _ path: String, isEmpty: Bool, _ operands: [String], on console: Console
  ) throws(CommandError) -> Target {
    try Output.keep(operands, from: path)
    guard !isEmpty else {
      throw CommandError(
        .usage, "--output: there is nothing to write without a condition",
        help: "such as --scale gpu=0.8; 'convert' writes the trace itself")
    }
    guard Output.dataSuffix(of: path) != "jsonl", path != "-" else {
      guard sweep == nil else {
        throw CommandError(.usage, "--output: a sweep can only be written as a picture")
      }
      return Target(path: path, picture: nil)
    }
    let picture = try PlotTarget(path, theme: .light, size: nil, on: console)
    if picture.needsGnuplot { try console.gnuplot.check() }
    return Target(path: path, picture: picture)
  }

  /// The report on a trace, with the outputs that can be written.
  private struct Answer: Sendable {
    let report: ReplayReport
    let prediction: Trace?
    var plot: Plot?
    var whyNoPlot: String?
  }

  private func replay(
    _ trace: Trace, _ conditions: ReplayConditions, _ swept: Sweep?, isDrawn: Bool
  ) throws(CommandError) -> Answer {
    let study = try choice.study(of: trace)
    do throws(ReplayRefusal) {
      let replayer = try Replayer(study)
      let parallelism = Parallelism.replays(of: replayer.frameCount, atOnce: choice.jobs)
      let replay = try replayer.replay(conditions, parallelism)
      let sweep = try swept.map { swept throws(ReplayRefusal) in
        try ReplaySweep(
          replayer, of: swept.variable, over: swept.range, under: conditions, parallelism)
      }
      let isAsked = advises || (conditions.isEmpty && swept == nil)
      let advice = isAsked ? try ReplayAdvice(replayer, parallelism) : nil
      var answer = Answer(
        report: ReplayReport(replay, sweep: sweep, advice: advice, listsFrames: listsFrames),
        prediction: replay.prediction)
      guard isDrawn else { return answer }
      do throws(PlotRefusal) {
        answer.plot =
          if let sweep {
            try Plot(sweep)
          } else if let prediction = replay.prediction {
            try Plot(recorded: study, predicted: Study(of: prediction, study.options))
          } else {
            nil
          }
      } catch {
        answer.whyNoPlot = error.message
      }
      return answer
    } catch {
      throw CommandError(
        .badData, "\(trace.provenance.title): \(error.message)",
        help: "'frametool info' shows what the trace has")
    }
  }
}

extension ReplayCommand {
  /// A condition to be swept, with its range of values.
  struct Sweep {
    let variable: ReplaySweep.Variable
    let range: ClosedRange<Double>

    init(_ text: String) throws(CommandError) {
      let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
      let ends = parts.last?.split(separator: "..").compactMap { Double($0) } ?? []
      guard parts.count == 2,
        let variable = ReplaySweep.Variable.all.first(where: { $0.name == parts[0] }),
        ends.count == 2, ends[0] > 0, ends[0] < ends[1], ends[1] <= variable.most,
        ends[0] >= variable.least
      else {
        throw CommandError(
          .usage, "--sweep: expected NAME=A..B, found \(text)",
          help:
            "NAME is one of \(ReplaySweep.Variable.all.map(\.name).joined(separator: ", ")), as in gpu=0.5..1.5 or buffers=2..4"
        )
      }
      (self.variable, range) = (variable, ends[0]...ends[1])
    }
  }

  private func conditions() throws(CommandError) -> ReplayConditions {
    var conditions = ReplayConditions()
    conditions.lowLatency = lowLatency.map { $0 == .on }
    conditions.buffers = buffers
    conditions.presentMode = presentMode
    conditions.syncsLayers = syncLayers.map { $0 == .on }
    conditions.renderAhead = renderAhead
    conditions.scanInterval = touchRate.map { .milliseconds(1000 / $0) }
    conditions.prediction = prediction.map(Nanoseconds.milliseconds)
    conditions.cap = cap.map { .milliseconds(1000 / $0) }
    conditions.refresh = try refresh.map(Self.refresh)
    for (stage, value) in try Self.stages(scales, "--scale", "=", in: 0.01...100, metavar: "") {
      conditions.scales[stage] = value
    }
    for (stage, value) in try Self.stages(defers, "--defer", ":", in: 0...1000, metavar: "MS") {
      conditions.defers[stage] = .milliseconds(value)
    }
    return conditions
  }

  /// The rate of a display, or the range of a variable refresh display; `variable` means a display as fast as the
  /// recorded one.
  private static func refresh(_ text: String) throws(CommandError) -> ReplayConditions.Refresh {
    if text == "variable" { return .variable(shortest: nil, longest: nil) }
    let ends = text.split(separator: "-", omittingEmptySubsequences: false).map {
      QuantityText.value(String($0), in: "HZ")
    }
    let rates = ends.compactMap(\.self).filter { (1...10_000).contains($0) }
    if rates.count == ends.count {
      if rates.count == 1 { return .fixed(.milliseconds(1000 / rates[0])) }
      if rates.count == 2, rates[0] < rates[1] {
        return .variable(
          shortest: .milliseconds(1000 / rates[1]), longest: .milliseconds(1000 / rates[0]))
      }
    }
    throw CommandError(
      .usage, "--refresh: expected a number from 1 to 10000, found \(text)",
      help: "or the range of a variable-refresh display, such as 48-144")
  }

  /// Rejects a condition that is both swept and given, because the given value would be ignored.
  private func check(_ sweep: Sweep, against conditions: ReplayConditions) throws(CommandError) {
    var without = ReplayConditions()
    sweep.variable.set(sweep.range.lowerBound, in: &without)
    let isSet =
      without.scales.keys.contains { conditions.scales[$0] != nil }
      || (without.buffers != nil && conditions.buffers != nil)
      || (without.renderAhead != nil && conditions.renderAhead != nil)
      || (without.refresh != nil && conditions.refresh != nil)
      || (without.cap != nil && conditions.cap != nil)
    guard !isSet else {
      throw CommandError(
        .usage, "--sweep: \(sweep.variable.name) is both swept and given",
        help: "leave one of them out")
    }
  }

  /// Values by stage.
  private static func stages(
    _ texts: [String], _ option: String, _ separator: Character, in range: ClosedRange<Double>,
    metavar: String
  ) throws(CommandError) -> [(ReplayConditions.Stage, Double)] {
    var found: [(ReplayConditions.Stage, Double)] = []
    for text in texts.flatMap({ $0.split(separator: ",") }) {
      let parts = text.split(separator: separator, maxSplits: 1).map(String.init)
      guard parts.count == 2, let stage = ReplayConditions.Stage(rawValue: parts[0]),
        let value = QuantityText.value(parts[1], in: metavar), range.contains(value)
      else {
        throw CommandError(
          .usage,
          "\(option): expected a stage and a number from \(range.lowerBound) to \(range.upperBound), found \(text)",
          help:
            "such as \(option) gpu\(separator)\(option == "--scale" ? "0.8" : "4"); stages are app, compositor and gpu"
        )
      }
      guard !found.contains(where: { $0.0 == stage }) else {
        throw CommandError(.usage, "\(option): \(stage.rawValue) is given twice")
      }
      found.append((stage, value))
    }
    return found
  }
}
