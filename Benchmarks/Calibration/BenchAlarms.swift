import FrameKit
import FrameVerdicts

/// The results of many measurements that stop once they are decided, for one kind of generated runs and one change.
struct BenchCell: Sendable {
  let kind: GeneratedRuns.Kind
  let change: RunChange
  private(set) var count = 0
  /// How many found the second side worse, and how many found it better.
  private(set) var (worse, better) = (0, 0)
  private(set) var fine = 0
  private(set) var refused = 0
  /// The runs of both sides together.
  private(set) var runs = 0

  /// - Parameter count: How many measurements to make.
  init(_ kind: GeneratedRuns.Kind, _ change: RunChange, count: Int, seed: UInt64) {
    (self.kind, self.change) = (kind, change)
    var generator = GeneratedRuns(kind, seed: seed)
    for stream in 0..<count {
      self.count += 1
      add(&generator, seed: seed &+ UInt64(stream))
    }
  }

  /// Makes pairs until they are decided, or there are as many as `bench` makes at most.
  private mutating func add(_ generator: inout GeneratedRuns, seed: UInt64) {
    var options = ComparisonOptions()
    options.isSequential = true
    var before: [RunSummary] = []
    var after: [RunSummary] = []
    for number in 0..<BenchAlarms.mostPairs {
      let isFirst = MeasuringPlan.isBeforeFirst(inPair: number + 1, seed: seed)
      let pair = generator.pair(number, change, isFirstBefore: isFirst)
      before.append(pair.before.summary)
      after.append(pair.after.summary)
      runs += 2
      guard number + 1 >= PairedEvidence.fewest(error: 0.05) else { continue }
      do {
        let found = try Comparison(before, after, options: options)
        guard found.isDecided else { continue }
        worse += found.overall == .regressed ? 1 : 0
        better += found.overall == .improved ? 1 : 0
        fine += found.overall == .noChange ? 1 : 0
        return
      } catch {
        refused += 1
        return
      }
    }
  }

  func share(_ number: Int) -> Double { Double(number) / Double(count) }
  /// The runs of each side of a measurement.
  var runsASide: Double { Double(runs) / Double(2 * count) }
}

/// The error rates of `bench`, and the runs that it takes, beside rules for a fixed number of runs.
struct BenchAlarms {
  static let mostPairs = 40
  private static let changes = [
    RunChange.none, RunChange(name: "+2 %", work: 0.02), RunChange(name: "+5 %", work: 0.05),
    RunChange(name: "+10 %", work: 0.1),
  ]
  private static let fixed = [5, 10, 20]

  private let cells: [[BenchCell]]
  private let others: [[String]]

  /// - Parameters:
  ///   - alike: How many measurements of equal programs to make for each kind.
  ///   - changed: How many to make for each change.
  init(alike: Int, changed: Int) {
    let kinds = GeneratedRuns.kinds.filter { $0.earlier == 0 && $0.order != .blocked }
    let changes = Self.changes
    let cells = InParallel.map(kinds.count * changes.count, named: "measurements until decided") {
      number in
      let change = number % changes.count
      return BenchCell(
        kinds[number / changes.count], changes[change], count: change == 0 ? alike : changed,
        seed: UInt64(7_000_000 + 1000 * number))
    }
    self.cells = stride(from: 0, to: cells.count, by: changes.count).map {
      Array(cells[$0..<$0 + changes.count])
    }
    others = Self.others(kinds.filter(\.isForOthers), max(10, changed / 4))
  }

  private static let names = ["frametool compare"] + PeerRule.all.map(\.name) + ["Otava"]

  /// In how many comparisons each rule finds the second side worse.
  private static func found(
    by generator: inout GeneratedRuns, _ runs: Int, _ change: RunChange, _ count: Int
  ) -> [Int] {
    var found = names.map { _ in 0 }
    for _ in 0..<count {
      let sides = generator.sides(of: runs, change).map { $0.map(\.summary) }
      if (try? Comparison(sides[0], sides[1]))?.overall == .regressed { found[0] += 1 }
      for (position, rule) in PeerRule.all.enumerated()
      where rule.probability(sides[0], sides[1]) < rule.level { found[1 + position] += 1 }
      // The runs of the second side as the newest jobs of a history.
      let values = sides.joined().map { $0.value(.mean) }
      if OtavaRule.probability(values, recent: runs) <= OtavaRule.level {
        found[names.count - 1] += 1
      }
    }
    return found
  }

  /// What rules for a fixed number of runs find, over all kinds in no order.
  private static func others(_ kinds: [GeneratedRuns.Kind], _ count: Int) -> [[String]] {
    var rows: [[Int]] = []
    for runs in fixed {
      for change in changes {
        let found = InParallel.map(kinds.count, named: "\(runs) runs a side, \(change.name)") {
          number in
          var generator = GeneratedRuns(kinds[number], seed: UInt64(8_000_000 + number))
          return Self.found(by: &generator, runs, change, count)
        }
        rows.append(names.indices.map { rule in found.reduce(0) { $0 + $1[rule] } })
      }
    }
    let total = Double(count * kinds.count)
    return fixed.indices.flatMap { position in
      names.indices.map { rule in
        [names[rule], "\(fixed[position])"]
          + changes.indices.map { change in
            Percent.text(Double(rows[position * changes.count + change][rule]) / total)
          }
      }
    }
  }

  private static func row(_ cells: [BenchCell]) -> [String] {
    let none = cells[0]
    let runs = { (cell: BenchCell) in FixedNumber.text(cell.runsASide, decimals: 1) }
    return [
      none.kind.name, Percent.text(none.share(none.worse + none.better)),
      Percent.text(none.share(none.fine)), runs(none),
    ] + cells.dropFirst().flatMap { [Percent.text($0.share($0.worse)), runs($0)] }
  }

  /// The tables.
  var text: String {
    let counts =
      "n = \(cells[0][0].count) measurements of equal programs and \(cells[0][1].count) with each change; at most \(Self.mostPairs) runs a side; refused: \(cells.joined().reduce(0) { $0 + $1.refused })."
    let headings =
      ["kind of runs", "A/A changed", "A/A fine", "runs a side"]
      + Self.changes.dropFirst().flatMap { ["\($0.name) found", "runs a side"] }
    let own = MarkdownTable(headings, cells.map(Self.row))
    let pooled = cells.filter { $0[0].kind.isForOthers }
    let all = Self.changes.indices.map { change -> String in
      let cells = pooled.map { $0[change] }
      let found = cells.reduce(0) { $0 + $1.worse }
      let count = cells.reduce(0) { $0 + $1.count }
      let runs = cells.reduce(0) { $0 + $1.runs }
      let mean = FixedNumber.text(Double(runs) / Double(2 * count), decimals: 1)
      return "\(Percent.text(Double(found) / Double(count))) (\(mean))"
    }
    let table = MarkdownTable(
      ["rule", "runs a side"] + Self.changes.map { "\($0.name) regressed" },
      [["frametool bench", "as needed (mean)"] + all] + others)
    return """
      ## `bench`: a look after each pair, until it is decided

      \(counts)

      \(own.text)

      ### Beside rules for a fixed number of runs, over all kinds without a known order

      \(table.text)
      """
  }

  /// The highest share of false changes.
  var worst: String {
    let all = cells.map { $0[0] }
    guard let worst = all.max(by: { $0.worse + $0.better < $1.worse + $1.better }) else {
      return ""
    }
    return
      "worst cell of bench: \(Percent.text(worst.share(worst.worse + worst.better))) for \(worst.kind.name)"
  }
}
