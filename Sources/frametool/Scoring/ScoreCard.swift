import FrameKit

/// The scores of tools, trace by trace.
struct ScoreCard: Sendable {
  private(set) var tools: [ScoreReport.Tool]
  var explained: [ScoreReport.Explained] = []

  init(_ tools: [ScoreReport.Tool]) { self.tools = tools }

  /// Adds a tool's output for a trace.
  /// - Parameter explains: Whether each mistake is listed.
  mutating func add(
    _ output: DetectorOutput, of tool: Int, _ truth: JankTruth, _ file: ScoredTruths.File,
    namesFrames: Bool, explains: Bool
  ) {
    let score = TraceScore(truth, output, namesFrames: namesFrames)
    tools[tool].tallies[truth.family, default: ScoreTally()] += score.tally
    for (stage, tally) in score.stages {
      tools[tool].stages[stage, default: ScoreTally()] += tally
    }
    guard explains else { return }
    explained += score.misses.map { miss in
      ScoreReport.Explained(
        tool: tools[tool].name, trace: truth.name, family: truth.family, miss: miss,
        command: Self.command(miss, truth, file))
    }
  }

  /// Adds the scores of other traces.
  mutating func add(_ other: ScoreCard) {
    for position in tools.indices {
      for (family, tally) in other.tools[position].tallies {
        tools[position].tallies[family, default: ScoreTally()] += tally
      }
      for (stage, tally) in other.tools[position].stages {
        tools[position].stages[stage, default: ScoreTally()] += tally
      }
    }
    explained += other.explained
  }

  /// The command that shows where a mistake is.
  private static func command(
    _ miss: TraceScore.Miss, _ truth: JankTruth, _ file: ScoredTruths.File
  ) -> String {
    let path = ShellWords.quoted([file.folder + (truth.file?.name ?? truth.name)])
    if truth.surfaces.count == 1, let frame = miss.frame,
      let row = truth.surfaces[0].frames[frame].row
    {
      return "frametool plot pipeline \(path) --frame \(row)"
    }
    guard let time = miss.time, let range = truth.range else { return "frametool analyze \(path)" }
    let bounds = [-100_000_000, 100_000_000].map { (step: Int64) in
      FixedNumber.text(max(0, Nanoseconds(time + step - range.lowerBound).seconds), decimals: 2)
    }
    return "frametool analyze \(path) --from \(bounds[0])s --to \(bounds[1])s"
  }
}

extension ScoreTally {
  static func += (left: inout ScoreTally, right: ScoreTally) { left = left + right }
}
