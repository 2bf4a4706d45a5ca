import FrameKit

/// How often `fleet` reports a change in an unchanged group, and how often it finds a real one,
/// next to a bootstrap of trimmed means.
struct FleetAlarms {
  /// Fleets of one kind of runs.
  fileprivate struct Kind: Sendable {
    let name: String
    let runs: GeneratedRuns.Kind
    var before = 8
    var after = 8
  }

  fileprivate struct Cell: Sendable {
    var fleets = 0
    /// Fleets in which any group was reported as changed, and the number of those groups.
    var withAny = 0
    var groups = 0
    var found = 0
    var foundByOther = 0
  }

  /// How many groups a fleet has.
  fileprivate static let groups = 6

  private static let kinds: [Kind] = {
    let named = { (name: String) in GeneratedRuns.kinds.first { $0.name == name } }
    let benchmark = named("benchmark pass")
    return [
      benchmark.map { Kind(name: "normal", runs: $0) },
      named("heavy tails").map { Kind(name: "heavy tails", runs: $0) },
      named("thermal throttling").map { Kind(name: "thermal throttling", runs: $0) },
      named("stray runs").map { Kind(name: "stray runs", runs: $0) },
      named("60 Hz scroll").map { Kind(name: "bound to 60 Hz", runs: $0) },
      named("60 Hz, a third at 30").map { Kind(name: "60 Hz, a third at 30", runs: $0) },
      benchmark.map { Kind(name: "3 against 15 runs", runs: $0, before: 3, after: 15) },
    ].compactMap(\.self)
  }()

  private static let changes = RunChange.all.filter { $0.name == "A/A" || $0.name == "+5 %" }

  private let cells: [[Cell]]

  init(fleets: Int) {
    let count = Self.kinds.count * Self.changes.count
    let flat = InParallel.map(count, named: "fleets") { number in
      let kind = Self.kinds[number / Self.changes.count]
      let change = Self.changes[number % Self.changes.count]
      var generator = GeneratedRuns(kind.runs, seed: UInt64(500_000 + number))
      var random = SplitMix64(seed: UInt64(600_000 + number))
      var cell = Cell()
      for _ in 0..<fleets { cell.add(kind, change, &generator, &random) }
      return cell
    }
    cells = stride(from: 0, to: flat.count, by: Self.changes.count).map {
      Array(flat[$0..<$0 + Self.changes.count])
    }
  }

  var text: String {
    let rows = zip(Self.kinds, cells).map { kind, cells -> [String] in
      let (alike, changed) = (cells[0], cells[1])
      let groups = Double(changed.groups)
      return [
        kind.name, "\(kind.before) v \(kind.after)",
        Percent.text(Double(alike.withAny) / Double(alike.fleets)),
        Percent.text(Double(alike.found) / Double(alike.groups), decimals: 2),
        Percent.text(Double(changed.found) / groups),
        Percent.text(Double(changed.foundByOther) / groups),
      ]
    }
    let table = MarkdownTable(
      [
        "kind of runs", "runs", "A/A fleets with any call", "A/A groups called",
        "+5 % in one group, found", "by a bootstrap of trimmed means",
      ], rows)
    return """
      ## Fleets: share of fleets of \(Self.groups) groups with a group called changed

      n = \(cells[0][0].fleets) fleets of each kind; of +5 % one group of each is slower, and found are those groups. The other rule: the
      probability, by 500 resamplings, that the means without the smallest and the largest fifth of the runs' mean frame times differ by 3 %
      or less; with the same correction for the number of groups.

      \(table.text)
      """
  }
}

extension FleetAlarms.Cell {
  fileprivate mutating func add(
    _ kind: FleetAlarms.Kind, _ change: RunChange, _ generator: inout GeneratedRuns,
    _ random: inout SplitMix64
  ) {
    var options = Fleet.Options()
    options.by = ["scene"]
    options.comparing = Fleet.Sides("version=1..2")
    var builder = Fleet.Builder(options)
    var others: [Double] = []
    for group in 0..<FleetAlarms.groups {
      let sides = generator.sides(
        of: max(kind.before, kind.after), group == 0 ? change : .none)
      let runs = [Array(sides[0].prefix(kind.before)), Array(sides[1].prefix(kind.after))]
      for (version, runs) in zip(["1", "2"], runs) {
        for (position, run) in runs.enumerated() {
          let counted = SummarizedRun(
            run, tags: ["scene": "\(group)", "version": version],
            named: "\(fleets) \(group) \(version) \(position)")
          try? builder.add(counted)
        }
      }
      let means = runs.map { $0.map { $0.summary.value(.mean) } }
      others.append(TrimmedBootstrap.pSlower(means[0], means[1], by: 0.03, &random))
    }
    guard let comparison = FleetComparison(builder.fleet) else { return }
    fleets += 1
    let called = comparison.groups.filter { [.regressed, .improved].contains($0.verdict) }
    if !called.isEmpty { withAny += 1 }
    guard change.name != RunChange.none.name else {
      groups += comparison.groups.count
      found += called.count
      return
    }
    groups += 1
    if called.contains(where: { $0.values == ["0"] && $0.verdict == .regressed }) { found += 1 }
    if MultipleTests.benjaminiHochberg(others)[0] <= options.level { foundByOther += 1 }
  }
}

/// A rule that is often written by hand: a bootstrap of trimmed means.
enum TrimmedBootstrap {
  /// The probability, by resampling, that the second side is slower by no more than the given
  /// share.
  static func pSlower(
    _ before: [Double], _ after: [Double], by share: Double, _ random: inout SplitMix64,
    draws: Int = 500
  ) -> Double {
    var few = 0
    for _ in 0..<draws {
      let means = [before, after].map { values in
        trimmed(values.map { _ in values[Int(random.nextUnit() * Double(values.count))] })
      }
      if means[1] <= means[0] * (1 + share) { few += 1 }
    }
    return (Double(few) + 1) / Double(draws + 1)
  }

  private static func trimmed(_ values: [Double]) -> Double {
    let cut = values.count / 5
    let middle = values.sorted()[cut..<(values.count - cut)]
    return middle.reduce(0, +) / Double(middle.count)
  }
}
