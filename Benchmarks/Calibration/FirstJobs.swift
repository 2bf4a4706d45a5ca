import FrameKit

/// How often `history check` names the job that caused a slowdown, compared with its stated
/// confidence.
struct FirstJobs {
  /// A step: its size, and the standard deviation from job to job.
  private struct Case: Sendable {
    let share, spread: Double
    /// How many jobs there are from the step on.
    let after: Int
  }

  private struct Cell: Sendable {
    var named = 0
    var right = 0
    var stated = 0.0
    var series = 0
  }

  private static let cases = [(0.1, 0.01), (0.1, 0.02), (0.05, 0.01), (0.05, 0.02)].flatMap {
    share, spread in [2, 3, 5].map { Case(share: share, spread: spread, after: $0) }
  }
  private static let kinds: [GeneratedSeries.Kind] = [.normal, .heavyTails, .outliers]
  private static let step = 50

  private let cells: [Cell]

  init(series: Int) {
    let count = Self.kinds.count * Self.cases.count
    cells = InParallel.map(count, named: "first jobs") { number in
      let one = Self.cases[number % Self.cases.count]
      let kind = Self.kinds[number / Self.cases.count]
      var generator = GeneratedSeries(seed: UInt64(700_000 + number), spread: one.spread)
      var cell = Cell()
      for series in 0..<series {
        let jobs = Self.step + one.after
        let values = generator.values(
          kind, jobs: jobs, .init(jobs: Self.step..<jobs, share: one.share))
        let check = HistoryCell.check(values, named: "scroll \(series)")
        cell.series += 1
        guard check.verdict(recent: HistoryAlarms.recent) == .regressed,
          let first = check.firsts(recent: HistoryAlarms.recent).first
        else { continue }
        cell.named += 1
        cell.stated += first.probability
        if first.job.date == JobDate(seconds: Int64(Self.step) * 86400) { cell.right += 1 }
      }
      return cell
    }
  }

  var text: String {
    let rows = cells.enumerated().map { number, cell -> [String] in
      let one = Self.cases[number % Self.cases.count]
      let named = Double(max(1, cell.named))
      return [
        Self.kinds[number / Self.cases.count].rawValue, Percent.text(one.share),
        Percent.text(one.spread), "\(one.after)", "\(cell.named)",
        Percent.text(Double(cell.right) / named), Percent.text(cell.stated / named),
      ]
    }
    let table = MarkdownTable(
      ["noise", "step", "deviation", "jobs since", "red", "of them named right", "stated"], rows)
    return """
      ## Histories: the job that is named as the first of a worse level

      n = \(cells[0].series) series with each step.

      \(table.text)
      """
  }
}
