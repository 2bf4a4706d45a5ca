import FrameKit
import Synchronization

/// Reports how often tools are correct about dropped refreshes.
struct Score: Command {
  static let name = "score"
  static let summary = "says how often a tool is right, on traces whose truth is known"
  static let operands = "TRUTH… [OUTPUT…]"
  static let operandCount = 1...Int.max
  static let examples = [
    (
      command: "frametool score traces",
      does: "frametool itself, on the traces that 'generate --random' wrote to this folder"
    ),
    (
      command: "frametool score traces --rules",
      does: "the published rules of other tools as well"
    ),
    (
      command: "frametool score traces verdicts.csv --explain",
      does: "any tool, from a table with the columns trace,refresh_or_time,frame,stage"
    ),
    (
      command: "frametool score traces other/*.pftrace",
      does: "what the traces themselves say: jank types, janky frames, hitches"
    ),
  ]
  static let options: [CommandOption<Score>] = [
    .flag("--rules", \.rules, help: "also score the published rules of other tools"),
    .flag(
      "--explain", \.explains,
      help: "list each mistake of frametool and of outputs, with the command that shows it"),
    .flag(
      "--by-family", \.showsFamilies,
      help: "also break the results of several tools down by family of traces"),
    .choice("--format", to: \.format, help: "how the result is printed (default: text)"),
    .text(
      "--output", "-o", to: \.output, metavar: "FILE",
      help: "write here (default: standard output)"),
  ]

  var rules = false
  var explains = false
  var showsFamilies = false
  var format = OutputFormat.text
  var output: String?

  func run(_ operands: [String], on console: Console) throws(CommandError) -> ExitStatus {
    let files = try ScoredTruths(operands, on: console)
    try Output.keep(operands, from: output ?? "-")
    var card: ScoreCard
    var warnings: [String] = []
    if files.outputs.isEmpty || rules {
      card = try ownCard(files.truths, on: console)
    } else {
      card = ScoreCard([])
    }
    if !files.outputs.isEmpty {
      let outputs = try ScoredOutputs(files, on: console)
      let others = outputs.card(explains: explains)
      warnings = outputs.warnings
      card = ScoreCard(joining: card, others)
    }
    let report = ScoreReport(
      card.tools, explained: card.explained, warnings: warnings,
      showsFamilies: showsFamilies)
    let text = Writers.write(report, as: format, look: console.look)
    try Output.write(to: output ?? "-", on: console) { $0(Array(text.utf8)) }
    return .success
  }

  /// The scores of frametool and of the published rules, for the traces next to the truths.
  private func ownCard(
    _ truths: [ScoredTruths.File], on console: Console
  ) throws(CommandError) -> ScoreCard {
    let published = rules ? JankRules.all : []
    let empty = ScoreCard(
      [ScoreReport.Tool("frametool")]
        + published.map {
          ScoreReport.Tool($0.name, rule: ($0.formula, $0.source), notMeant: $0.notMeant)
        })
    let progress = Progress(console, isShown: console.showsProgress)
    defer { progress.end() }
    let done = Atomic(0)
    let scores = Concurrently.map(truths.count) {
      position throws(ParseError) -> (String, ScoreCard) in
      let file = truths[position]
      let truth = try file.read()
      let study = Study(of: try file.trace(of: truth))
      var card = empty
      card.add(
        DetectorOutput(analyzing: study, trace: truth.name), of: 0, truth, file,
        namesFrames: true, explains: explains)
      for (number, rule) in published.enumerated() {
        card.add(
          rule.output(study, trace: truth.name), of: number + 1, truth, file,
          namesFrames: rule.namesFrames, explains: false)
      }
      progress.update(
        "\(done.wrappingAdd(1, ordering: .relaxed).newValue) of \(truths.count) traces")
      return (truth.name, card)
    }
    var card = empty
    var paths: [String: String] = [:]
    for (score, file) in zip(scores, truths) {
      do throws(ParseError) {
        let (name, own) = try score.get()
        if let other = paths.updateValue(file.path, forKey: name) {
          throw ScoredTruths.isTwice(name, file.path, other)
        }
        card.add(own)
      } catch {
        throw CommandError(error)
      }
    }
    return card
  }
}

extension ScoreCard {
  /// The tools of both score cards.
  init(joining first: ScoreCard, _ second: ScoreCard) {
    self.init(first.tools + second.tools)
    explained = first.explained + second.explained
  }
}
