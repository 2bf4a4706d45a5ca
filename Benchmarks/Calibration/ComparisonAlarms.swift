import FrameKit

/// The results of many comparisons for one kind of generated runs and one change.
struct ComparisonCell: Sendable {
  let runs: Int
  let kind: GeneratedRuns.Kind
  let change: RunChange
  private(set) var count = 0
  private(set) var regressed = 0
  private(set) var fine = 0
  /// Refused comparisons, which find nothing.
  private(set) var refused = 0
  /// The probabilities from each of the other rules, comparison by comparison.
  private(set) var peers = [[Double]](repeating: [], count: PeerRule.all.count)

  var rate: Double { Double(regressed) / Double(count) }
  var rateOfFine: Double { Double(fine) / Double(count) }

  init(runs: Int, kind: GeneratedRuns.Kind, change: RunChange, count: Int, seed: UInt64) {
    (self.runs, self.kind, self.change) = (runs, kind, change)
    var generator = GeneratedRuns(kind, seed: seed)
    for _ in 0..<count {
      let sides = generator.sides(of: runs, change).map { $0.map(\.summary) }
      self.count += 1
      do {
        var options = ComparisonOptions()
        options.history = generator.earlier().map { $0.map(\.summary) }
        switch try Comparison(sides[0], sides[1], options: options).overall {
        case .regressed: regressed += 1
        case .noChange: fine += 1
        default: break
        }
      } catch {
        refused += 1
      }
      for (number, rule) in PeerRule.all.enumerated() {
        peers[number].append(rule.probability(sides[0], sides[1]))
      }
    }
  }
}

/// The error rates of comparisons, next to those of other tools' rules on the same runs.
struct ComparisonAlarms {
  private static let sides = [3, 5, 10]

  private let cells: [ComparisonCell]

  /// - Parameters:
  ///   - alike: How many comparisons of equal runs to make for each kind.
  ///   - changed: How many comparisons to make for each change.
  ///   - kinds: The kinds of runs.
  init(alike: Int, changed: Int, kinds: [GeneratedRuns.Kind] = GeneratedRuns.kinds) {
    let changes = RunChange.all
    cells = InParallel.map(Self.sides.count * kinds.count * changes.count, named: "comparisons") {
      number in
      let change = number % changes.count
      let kind = number / changes.count % kinds.count
      let runs = Self.sides[number / changes.count / kinds.count]
      return ComparisonCell(
        runs: runs, kind: kinds[kind], change: changes[change],
        count: change == 0 ? alike : changed, seed: UInt64(100_000 * runs + 100 * kind + change))
    }
  }

  /// The cells of each kind and number of runs, by change.
  private var rows: [[ComparisonCell]] {
    stride(from: 0, to: cells.count, by: RunChange.all.count).map { start in
      Array(cells[start..<start + RunChange.all.count])
    }
  }

  /// The table of what is "regressed" alone.
  var own: String {
    MarkdownTable(
      ["runs a side", "kind of runs"] + RunChange.all.map(\.name),
      rows.map { row in [row[0].side, row[0].kind.name] + row.map { Percent.text($0.rate) } }
    ).text
  }

  /// The tables.
  var text: String {
    let names = RunChange.all.map(\.name)
    let refused = cells.reduce(0) { $0 + $1.refused }
    let counts =
      "n = \(cells[0].count) comparisons without a change and \(cells[1].count) with each; refused: \(refused)."
    let fine = MarkdownTable(
      ["runs a side", "kind of runs"] + names,
      rows.map { row in
        [row[0].side, row[0].kind.name] + row.map { Percent.text($0.rateOfFine) }
      })
    return """
      ## Comparisons: share that is "regressed"

      \(counts)

      \(own)

      ### Share that is "fine"

      \(fine.text)

      ## Rules of other tools on the same runs

      "As it comes" is the rate of false alarms at the tool's own level. "At equal alarms" its level is set, for each
      number of runs, so that over all kinds but those that drift it gives as many false alarms as ours does;
      of ties at the level a share counts. Ours beside it.

      \(peers.text)

      ### Over all kinds but those that drift, at equal alarms

      \(pooled.text)

      ### Where another rule finds more at equal alarms, by two standard errors

      \(leads)
      """
  }

  /// The highest share of false alarms, and every share that is too high.
  var worst: String {
    let alike = cells.filter { $0.change.name == RunChange.none.name }
    let limit = 0.06
    let above = alike.filter { $0.rate > limit }.map(\.words)
    guard let worst = alike.max(by: { $0.rate < $1.rate }) else { return "" }
    return "worst cell: \(worst.words)\n\n"
      + "comparisons with A/A above 6 %: \(above.isEmpty ? "none" : above.joined(separator: "; "))"
  }

  /// The level of another rule for each number of runs. Runs that drift in a known order are left
  /// out: the other rules do not know the order, and would have to be so strict that they find
  /// nothing.
  private func levels(_ rule: Int, runs: Int) -> EqualAlarms {
    let alike = cells.filter {
      $0.runs == runs && $0.change.name == RunChange.none.name && $0.kind.isForOthers
    }
    return EqualAlarms(
      alike.flatMap { $0.peers[rule] }, alarms: alike.reduce(0) { $0 + $1.regressed })
  }

  private var peers: MarkdownTable {
    let rows = PeerRule.all.enumerated().flatMap { number, rule in
      self.rows.map { row in
        let level = levels(number, runs: row[0].runs)
        let asItComes = row[0].peers[number].count { $0 < rule.level }
        return [
          rule.name, row[0].side, row[0].kind.name,
          Percent.text(Double(asItComes) / Double(row[0].count)),
        ]
          + row.map {
            "\(Percent.text(level.rate($0.peers[number]))) (\(Percent.text($0.rate)))"
          }
      }
    }
    return MarkdownTable(
      ["rule", "runs a side", "kind of runs", "A/A as it comes"]
        + RunChange.all.map { "\($0.name) at equal alarms (ours)" }, rows)
  }

  private var pooled: MarkdownTable {
    let rows = Self.sides.flatMap { runs -> [[String]] in
      let columns: [[ComparisonCell]] = RunChange.all.map { change in
        cells.filter { $0.runs == runs && $0.change.name == change.name && $0.kind.isForOthers }
      }
      let own = columns.map { column -> String in
        let regressed = column.reduce(0) { $0 + $1.regressed }
        return Percent.text(Double(regressed) / Double(column.reduce(0) { $0 + $1.count }))
      }
      let others = PeerRule.all.enumerated().map { number, rule -> [String] in
        let level = levels(number, runs: runs)
        let rates = columns.map { column -> String in
          Percent.text(level.rate(column.flatMap { $0.peers[number] }))
        }
        return ["\(runs) v \(runs)", rule.name] + rates
      }
      return [["\(runs) v \(runs)", "frametool"] + own] + others
    }
    return MarkdownTable(["runs a side", "rule"] + RunChange.all.map(\.name), rows)
  }

  private var leads: String {
    let found = PeerRule.all.enumerated().flatMap { number, rule in
      rows.filter { $0[0].kind.isForOthers }.flatMap { row -> [String] in
        let level = levels(number, runs: row[0].runs)
        let alike = "A/A there \(Percent.text(level.rate(row[0].peers[number])))"
        return row.dropFirst().compactMap { cell in
          let rate = level.rate(cell.peers[number])
          let variance = rate * (1 - rate) + cell.rate * (1 - cell.rate)
          guard rate - cell.rate > 2 * (variance / Double(cell.count)).squareRoot() else {
            return nil
          }
          return "- \(cell.change.name): \(rule.name) \(Percent.text(rate)) (\(alike)), "
            + "ours \(cell.words) (A/A \(Percent.text(row[0].rate)))"
        }
      }
    }
    return found.isEmpty ? "Nowhere." : found.joined(separator: "\n")
  }
}

extension ComparisonCell {
  fileprivate var side: String { "\(runs) v \(runs)" }
  fileprivate var words: String { "\(Percent.text(rate)) for \(kind.name), \(side)" }
}
