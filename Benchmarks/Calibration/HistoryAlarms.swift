import FrameKit

/// The results of many history checks for one kind of generated series and one change.
struct HistoryCell: Sendable {
  /// The result of a check: whether it is red, and the other rule's probability.
  struct Check: Sendable {
    let isRed: Bool
    let other: Double
  }

  /// The checks of each series, in order.
  let checks: [[Check]]

  /// - Parameters:
  ///   - ends: The numbers of jobs after which to check.
  init(
    _ kind: GeneratedSeries.Kind, _ change: GeneratedSeries.Change?, series: Int, ends: [Int],
    seed: UInt64
  ) {
    var generator = GeneratedSeries(seed: seed)
    checks = (0..<series).map { number in
      let values = generator.values(kind, jobs: ends.max() ?? 0, change)
      return ends.map { end in
        let check = Self.check(Array(values[..<end]), named: "scroll \(number)")
        return Check(
          isRed: check.verdict(recent: HistoryAlarms.recent) == .regressed,
          other: OtavaRule.probability(Array(values[..<end]), recent: HistoryAlarms.recent))
      }
    }
  }

  /// The result of a check on the values of jobs, one job a day.
  /// - Parameter name: The seed for the permutations.
  static func check(_ values: [Double], named name: String) -> HistoryCheck {
    let points = values.enumerated().map { job, value in
      HistorySeries.Point(
        HistoryJob(date: JobDate(seconds: Int64(job) * 86400), scene: "scroll"),
        values: [value], n: 1800)
    }
    let key = HistorySeries.Key(
      scene: name, device: "lab", source: .measured,
      metric: HistoryMetric("p50(frameTime)", unit: "ms"))
    return HistoryCheck.all([HistorySeries(key, points)])[0]
  }

  /// The share of series in which one of the first `count` checks is red.
  func found(by count: Int) -> Double {
    Double(checks.count { $0.prefix(count).contains(where: \.isRed) }) / Double(checks.count)
  }

  /// The smallest of the other rule's probabilities over the first `count` checks, for each series.
  func others(by count: Int) -> [Double] {
    checks.map { $0.prefix(count).map(\.other).min() ?? 1 }
  }
}

/// The error rates of history checks, next to those of Apache Otava's rule on the same series.
struct HistoryAlarms {
  /// How many of the newest jobs a change may be in to count, as in the command.
  static let recent = 10
  private static let jobs = 130
  /// The job at which a step is, and the numbers of jobs after it at which detection is measured.
  private static let step = 100
  private static let looks = [1, 2, 3, 5]

  /// A case: a change, and the checks that it needs.
  private struct Case: Sendable {
    let name: String
    var change: GeneratedSeries.Change?
    let ends: [Int]
    let looks: [Int]
  }

  private static let cases: [Case] = {
    let after = Array(step + 1...step + 5)
    let creep = GeneratedSeries.Change(jobs: 50..<jobs, share: 0.1, creeps: 80)
    return [
      Case(name: "no change", ends: Array(50...jobs), looks: []),
      Case(name: "+5 %", change: .init(jobs: step..<jobs, share: 0.05), ends: after, looks: looks),
      Case(name: "+10 %", change: .init(jobs: step..<jobs, share: 0.1), ends: after, looks: looks),
      Case(
        name: "one job +30 %", change: .init(jobs: step..<step + 1, share: 0.3),
        ends: [step + 1], looks: [1]),
      Case(
        name: "creep to +10 % over 80 jobs, at its end", change: creep, ends: [jobs], looks: [1]),
      Case(
        name: "the same, in checks every ten jobs on the way", change: creep,
        ends: Array(stride(from: 60, through: jobs, by: 10)), looks: [8]),
    ]
  }()

  /// By kind, then by case.
  private let cells: [[HistoryCell]]

  /// - Parameters:
  ///   - series: How many series without a change to generate for each kind.
  ///   - changed: How many series to generate with each change.
  init(series: Int, changed: Int) {
    let kinds = GeneratedSeries.Kind.allCases
    let cases = Self.cases
    let flat = InParallel.map(kinds.count * cases.count, named: "histories") { number in
      let position = number % cases.count
      return HistoryCell(
        kinds[number / cases.count], cases[position].change,
        series: position == 0 ? series : changed,
        ends: cases[position].ends, seed: UInt64(900_000 + number))
    }
    cells = stride(from: 0, to: flat.count, by: cases.count).map { start in
      Array(flat[start..<start + cases.count])
    }
  }

  /// The tables.
  var text: String {
    let alike = cells[0][0].checks
    return """
      ## Histories: share of checks that are red without a change, and of series found

      n = \(alike.count) series and \(alike.count * alike[0].count) checks without a change, at jobs 50 to \(Self.jobs); \
      \(cells[0][1].checks.count) series with each change, steps at job \(Self.step). Found by so many jobs after a
      step: red in one of the checks up to there.

      \(table { $0.rate } found: { $1.found(by: $2) }.text)

      ## Apache Otava's rule on the same series

      Red where a change for the worse is among the newest \(Self.recent) jobs. First as it comes, at p ≤ 0.001:

      \(table { Self.share($0) } found: { Self.share($1, $2) }.text)

      Then at the level, of no more than 0.01, at which it is red as often as ours is without a change, over all kinds:

      \(table { level.rate($0.all) } found: { level.rate($1.others(by: $2)) }.text)
      """
  }

  private var level: EqualAlarms {
    EqualAlarms(
      cells.flatMap { $0[0].all },
      alarms: cells.reduce(0) { $0 + $1[0].checks.joined().count(where: \.isRed) })
  }

  private static func share(_ cell: HistoryCell) -> Double {
    Double(cell.all.count { $0 <= OtavaRule.level }) / Double(cell.all.count)
  }

  private static func share(_ cell: HistoryCell, _ count: Int) -> Double {
    let least = cell.others(by: count)
    return Double(least.count { $0 <= OtavaRule.level }) / Double(least.count)
  }

  /// The highest share of red checks without a change.
  var worst: String {
    let rates = zip(GeneratedSeries.Kind.allCases, cells).map { (name: $0.rawValue, $1[0].rate) }
    guard let worst = rates.max(by: { $0.1 < $1.1 }) else { return "" }
    return "worst cell of histories: \(Percent.text(worst.1, decimals: 2)) for \(worst.name)"
  }

  private func table(
    _ alike: (HistoryCell) -> Double, found: (Case, HistoryCell, Int) -> Double
  ) -> MarkdownTable {
    let header = Self.cases.map { one in
      one.looks.count > 1
        ? "\(one.name) by \(one.looks.map { String($0) }.joined(separator: " / "))" : one.name
    }
    let rows = zip(GeneratedSeries.Kind.allCases, cells).map { kind, cells in
      [kind.rawValue]
        + zip(Self.cases, cells).map { one, cell in
          one.looks.isEmpty
            ? Percent.text(alike(cell), decimals: 2)
            : one.looks.map { Percent.text(found(one, cell, $0)) }.joined(separator: " / ")
        }
    }
    return MarkdownTable(["noise"] + header, rows)
  }
}

extension HistoryCell {
  /// The other rule's probabilities of all checks.
  fileprivate var all: [Double] { checks.joined().map(\.other) }
  fileprivate var rate: Double {
    let all = checks.joined()
    return Double(all.count(where: \.isRed)) / Double(all.count)
  }
}
