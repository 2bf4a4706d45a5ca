import FrameAnalysis
import FrameStatistics
import FrameTrace
public import FrameVerdicts

/// A fleet's groups, and the comparison of each where one was asked for, described.
public struct FleetReport {
  let fleet: Fleet
  let comparison: FleetComparison?

  /// The report on a fleet.
  public init(_ fleet: Fleet) {
    self.fleet = fleet
    comparison = FleetComparison(fleet)
  }

  /// The overall verdict of the comparison: the worst of a group, or of all together; `nil` without one.
  public var overall: Verdict? {
    guard let comparison else { return nil }
    let verdicts = (comparison.groups + [comparison.all]).filter { $0.why == nil }.map(\.verdict)
    return [.regressed, .inconclusive, .improved].first { verdicts.contains($0) }
      ?? (verdicts.isEmpty ? .inconclusive : .noChange)
  }

  private var tags: [String] { fleet.options.by }
  private var metric: String { fleet.options.metric }

  /// What repeats: runs, or what a tag tells.
  private var unit: String { fleet.options.unit ?? "run" }

  private func count(_ number: Int64, _ one: String) -> String {
    "\(number) \(one)\(number == 1 ? "" : "s")"
  }

  // MARK: For people

  /// The distributions of the groups, as a picture.
  public func plot() throws(PlotRefusal) -> Plot { try FleetPlot(fleet, comparison).plot() }

  /// A page with the picture and everything that is said.
  public func page() throws(PlotRefusal) -> Document {
    var page = document
    page.add(.heading("Distributions", level: 2))
    page.add(try plot())
    return page
  }

  var document: Document {
    var document = Document()
    let by = tags.isEmpty ? "" : " by \(tags.joined(separator: ", "))"
    let groups = count(Int64(fleet.groups.count), "group")
    document.add(.title("\(count(fleet.runs, "run")) in \(groups)\(by)"))
    if let comparison {
      document.add(sentence: headline(comparison))
      document.add(comparisonTable(comparison), "Each group before and after")
      document.add(Document.Block.warnings, mixWarnings(comparison))
      document.add(.remarks(method))
    }
    document.add(groupTable, "The groups")
    document.add(
      .remarks(["\(metric) of all runs of a group together; percentiles are within 0.2 %"]))
    document.add(Document.Block.warnings, definitionWarnings + failures)
    return document
  }

  /// All groups as rows: how many runs and values, percentiles, and what was dropped.
  private var groupTable: TextTable {
    let unit = TallyKey(metric: metric, definition: nil).unit
    let isMixed = definitions.count > 1
    var table = TextTable(
      tags.map { ($0, .left) } + [
        ("runs", .right), ("n", .right), ("mean, \(unit)", .right), ("p50", .right),
        ("p95", .right), ("p99", .right),
        ("dropped", .right), ("hitches", .right), ("never shown", .right),
      ] + (isMixed ? [("definition", .left)] : []))
    table.expendable = ["never shown", "hitches", "mean, \(unit)"]
    for group in fleet.groups {
      let tally = group.tally
      let counts = tally.values(of: metric)?.values.counts
      let shown = { (value: Double?, decimals: Int, unit: String) in
        value.map { FixedNumber.text($0, decimals: decimals) + unit } ?? "–"
      }
      let figures = [
        counts?.mean, counts?.quantile(0.5), counts?.quantile(0.95), counts?.quantile(0.99),
      ]
      let neverShown = tally.frames.neverShownShare
      table.append(
        group.values.map { $0 ?? "none" } + ["\(tally.runs)", "\(counts?.count ?? 0)"]
          + figures.map { shown($0.map { $0 / 1e6 }, 2, "") } + [
            shown(tally.drops?.share.map { $0 * 100 }, 2, " %"),
            shown(tally.hitches?.ratio, 2, " ms/s"),
            shown(neverShown.map { $0 * 100 }, 2, " %"),
          ] + (isMixed ? [tally.values(of: metric)?.key.definition ?? "–"] : []))
    }
    return table
  }

  private func comparisonTable(_ comparison: FleetComparison) -> TextTable {
    var table = TextTable(
      tags.map { ($0, .left) } + [
        ("\(unit)s", .right), ("figure", .left), (comparison.sides.before, .right),
        (comparison.sides.after, .right),
        ("", .left), ("effect", .right), ("bounds", .right), ("verdict", .left),
      ])
    for group in comparison.groups {
      let names = (group.values ?? []).map { $0 ?? "none" }
      guard let figure = shown(group) else {
        table.append(names + ["", "", "", "", "", "", "", group.why ?? ""])
        continue
      }
      table.append(
        names + [
          "\(figure.counts.before) + \(figure.counts.after)", figure.figure.name,
          FixedNumber.text(figure.before, decimals: 2),
          FixedNumber.text(figure.after, decimals: 2), figure.unit,
          Self.effect(figure.effect, figure),
          Self.bounds(figure),
          group.verdict.word,
        ])
    }
    return table
  }

  /// The figure that is shown of a group: the one that decides, else the first.
  private func shown(_ group: FleetComparison.Group) -> FleetComparison.Figure? {
    group.decisive ?? group.figures.first
  }

  private static func effect(_ value: Double, _ figure: FleetComparison.Figure) -> String {
    "\(signed(value, figure)) \(figure.effectUnit)"
  }

  private static func signed(_ value: Double, _ figure: FleetComparison.Figure) -> String {
    let number = FixedNumber.text(value, decimals: figure.effectUnit == "%" ? 1 : 2)
    // What is nothing once it is rounded has no sign.
    let isNothing = number.allSatisfy { "-0.".contains($0) }
    return isNothing ? number.replacing("-", with: "") : value > 0 ? "+\(number)" : number
  }

  private static func bounds(_ figure: FleetComparison.Figure) -> String {
    "[\(signed(figure.interval.lowerBound, figure)), \(signed(figure.interval.upperBound, figure))]"
  }

  /// What is said of all groups together, and how many are worse.
  private func headline(_ comparison: FleetComparison) -> String {
    let sides = comparison.sides
    let verdicts = comparison.groups.filter { $0.why == nil }.map(\.verdict)
    let worse = verdicts.filter { $0 == .regressed }.count
    let better = verdicts.filter { $0 == .improved }.count
    let groups = "\(worse) of \(count(Int64(verdicts.count), "group")) worse, \(better) better"
    guard let figure = shown(comparison.all) else {
      return
        "\(sides.tag) \(sides.before) and \(sides.after) cannot be compared: \(comparison.all.why ?? "")"
    }
    let values = [figure.before, figure.after].map { FixedNumber.text($0, decimals: 2) }
    let definition =
      definitions.count > 1 ? " (\(figure.figure.key.definition ?? "one definition"))" : ""
    return
      "\((overall ?? .inconclusive).word): \(sides.tag) \(sides.after) after \(sides.before): \(groups); all groups at one mix \(comparison.all.verdict.word), \(figure.figure.name)\(definition) \(values[0]) → \(values[1]) \(figure.unit), \(Self.effect(figure.effect, figure)) \(Self.bounds(figure)) (\(ComparisonSentence.level))"
  }

  /// From which difference of the mix on it is said.
  private static let smallestMixChange = 0.05

  /// Where the mix of the sides differs so that plain means are no comparison.
  private func mixWarnings(_ comparison: FleetComparison) -> [String] {
    let groups = [comparison.all] + (fleet.groups.count > 1 ? comparison.groups : [])
    return groups.compactMap { group in
      guard let figure = shown(group), figure.mixChange >= Self.smallestMixChange else {
        return nil
      }
      let subject =
        group.values.map { values in values.map { $0 ?? "none" }.joined(separator: ", ") + ": " }
        ?? ""
      let kinds = mixed(group).joined(separator: " and ")
      return
        "\(subject)the mix of \(kinds) differs between the sides by \(FixedNumber.text(100 * figure.mixChange, decimals: 0)) %: plain means would say \(Self.effect(figure.plain, figure)), at one mix it is \(Self.effect(figure.effect, figure))"
    }
  }

  /// The tags whose mix is held of a group.
  private func mixed(_ group: FleetComparison.Group) -> [String] {
    let held = fleet.options.mix.filter {
      fleet.tags[$0] != nil && !tags.contains($0) && $0 != comparison?.sides.tag
    }
    let all = group.values == nil ? tags + held : held
    return all.isEmpty ? ["runs"] : all
  }

  private var method: [String] {
    let percent = FixedNumber.text(100 * fleet.options.level, decimals: 0)
    return [
      "method: t of \(unit)s within the kinds that both sides have, each kind weighted by its \(unit)s, of means without the ends from five a side on: one variance, beside Welch's where sides differ in number; tested against what is worth acting on",
      "of the groups called worse \(percent) % are so by chance, at most and on average, and of those called better (Benjamini and Hochberg)",
    ]
  }

  /// Where runs of a group measure different things under one name.
  private var definitions: [(key: TallyKey, value: RunTally.Values)] {
    let all = fleet.groups.reduce(into: RunTally.empty) { $0.merge($1.tally) }
    return all.values.filter { $0.key.metric == metric }.sorted { $0.key < $1.key }
  }

  private var definitionWarnings: [String] {
    let found = definitions
    guard found.count > 1 else { return [] }
    let words = found.map {
      "\($0.key.definition ?? "no definition"): \(count($0.value.runs, "run"))"
    }
    return [
      "\(metric) has \(found.count) definitions, of which each group shows the one most of its runs have: \(words.joined(separator: "; "))"
    ]
  }

  /// The most failures that people read; a script gets all.
  private static let mostFailures = 10

  private var failures: [String] {
    guard !fleet.failures.isEmpty else { return [] }
    let shown = fleet.failures.prefix(Self.mostFailures).map(\.reason)
    let rest = fleet.failures.count - shown.count
    return ["\(count(Int64(fleet.failures.count), "trace")) could not be read"] + shown
      + (rest > 0 ? ["and \(rest) more"] : [])
  }
}

extension FleetReport {
  // MARK: For scripts

  var record: FieldRecord {
    var record = FieldRecord()
    record.add("schema", "frametool.fleet/1")
    record.add("by", values: fleet.options.by)
    record.add("metric", fleet.options.metric)
    record.add("unit_that_repeats", fleet.options.unit ?? "run")
    record.add("runs", fleet.runs)
    record.add("groups", rows: fleet.groups) { group, record in
      record.add("tags") { Self.add(group.values, fleet.options.by, to: &$0) }
      record.add(Self.record(of: group.tally, fleet.options.metric))
    }
    if let comparison {
      record.add("comparison") { record in
        record.add("tag", comparison.sides.tag)
        record.add("before", comparison.sides.before)
        record.add("after", comparison.sides.after)
        record.add("overall", (overall ?? .inconclusive).rawValue)
        record.add("state", (overall ?? .inconclusive).word)
        record.add("reason", headline(comparison))
        record.add("false_discovery_rate", fleet.options.level)
        record.add("all", Self.record(of: comparison.all, []))
        record.add("groups", rows: comparison.groups) { group, record in
          record = Self.record(of: group, fleet.options.by)
        }
      }
    }
    record.add("failed", rows: fleet.failures) { failure, record in
      record.add("file", failure.file)
      record.add("reason", failure.reason)
    }
    return record
  }

  private static func add(_ values: [String?], _ tags: [String], to record: inout FieldRecord) {
    for (tag, value) in zip(tags, values) {
      record.add(tag, value, else: "the runs have no \(tag)")
    }
  }

  private static func record(of tally: RunTally, _ metric: String) -> FieldRecord {
    var record = FieldRecord()
    record.add("runs", tally.runs)
    record.add("frames", tally.frames.count)
    record.add("never_shown", tally.frames.neverShown)
    record.add(
      "never_shown_share", tally.frames.neverShownShare,
      else: "no frame's display time is known")
    let found = tally.values(of: metric)
    record.add("unit", (found?.key ?? TallyKey(metric: metric, definition: nil)).unit)
    record.add("definition", found?.key.definition, else: "\(metric) has only one")
    record.add("n", found?.values.counts.count ?? 0)
    record.add("relative_error", ValueCounts.relativeError)
    for (name, value) in statistics(found?.values.counts) {
      record.add(name, value, else: "no run has values")
    }
    record.add(
      "dropped_share", tally.drops?.share, else: "no run shows which refreshes were dropped")
    if let drops = tally.drops {
      record.add("dropped") { record in
        for stage in PipelineStage.allCases {
          record.add(stage.rawValue, drops.byStage[stage] ?? 0)
        }
      }
    }
    record.add("hitch_ratio", tally.hitches?.ratio, else: "no run shows hitches")
    return record
  }

  /// In the metric's unit.
  private static func statistics(_ counts: ValueCounts?) -> [(String, Double?)] {
    let scaled = { (value: Double?) in value.map { $0 / 1e6 } }
    return [
      ("min", counts?.low.map { Double($0) / 1e6 }), ("mean", scaled(counts?.mean)),
      ("p50", scaled(counts?.quantile(0.5))), ("p90", scaled(counts?.quantile(0.9))),
      ("p95", scaled(counts?.quantile(0.95))), ("p99", scaled(counts?.quantile(0.99))),
      ("max", counts?.high.map { Double($0) / 1e6 }),
    ]
  }

  private static func record(of group: FleetComparison.Group, _ tags: [String]) -> FieldRecord {
    var record = FieldRecord()
    if let values = group.values { record.add("tags") { add(values, tags, to: &$0) } }
    record.add("verdict", group.why == nil ? group.verdict.rawValue : nil, else: group.why)
    record.addIfAny("decisive", group.decisive?.figure.name)
    record.add("figures", rows: group.figures) { figure, record in
      record.add("name", figure.figure.name)
      record.addIfAny("definition", figure.figure.key.definition)
      record.add("deciding", figure.isDeciding)
      record.add("unit", figure.unit)
      record.add("n_before", figure.counts.before)
      record.add("n_after", figure.counts.after)
      record.add("before", figure.before)
      record.add("after", figure.after)
      record.add("effect", figure.effect)
      record.add("effect_unit", figure.effectUnit)
      record.add("ci95", values: [figure.interval.lowerBound, figure.interval.upperBound])
      record.add("plain_effect", figure.plain)
      record.add("mix_change", figure.mixChange)
      record.add("threshold", figure.threshold)
      record.add("p_worse", figure.worse)
      record.add("p_better", figure.better)
    }
    return record
  }

  /// A row for each group, and with a comparison one for each figure of a group.
  var rows: [[String]] {
    guard let comparison else {
      let names = [
        "runs", "frames", "never_shown", "n", "min", "mean", "p50", "p90", "p95", "p99", "max",
        "dropped_share", "hitch_ratio",
      ]
      return [fleet.options.by + ["metric", "definition", "unit"] + names]
        + fleet.groups.map { group in
          let tally = group.tally
          let found = tally.values(of: fleet.options.metric)
          let figures =
            Self.statistics(found?.values.counts).map(\.1) + [
              tally.drops?.share, tally.hitches?.ratio,
            ]
          let key = found?.key ?? TallyKey(metric: fleet.options.metric, definition: nil)
          return group.values.map { $0 ?? "" } + [key.metric, key.definition ?? "", key.unit]
            + [
              tally.runs, tally.frames.count, tally.frames.neverShown,
              found?.values.counts.count ?? 0,
            ].map { "\($0)" }
            + figures.map { $0.map { "\($0)" } ?? "" }
        }
    }
    let names = [
      "figure", "definition", "unit", "n_before", "n_after", "before", "after", "effect",
      "effect_unit", "low",
      "high", "plain_effect",
      "mix_change", "p_worse", "p_better", "verdict", "why",
    ]
    return [fleet.options.by + names]
      + comparison.groups.flatMap { group -> [[String]] in
        let tags = (group.values ?? []).map { $0 ?? "" }
        guard group.why == nil else {
          return [tags + [String](repeating: "", count: names.count - 1) + [group.why ?? ""]]
        }
        return group.figures.map { figure in
          tags + [
            figure.figure.name, figure.figure.key.definition ?? "", figure.unit,
            "\(figure.counts.before)", "\(figure.counts.after)",
          ]
            + ["\(figure.before)", "\(figure.after)", "\(figure.effect)", figure.effectUnit]
            + [
              figure.interval.lowerBound, figure.interval.upperBound, figure.plain,
              figure.mixChange,
            ].map { "\($0)" }
            + ["\(figure.worse)", "\(figure.better)", group.verdict.rawValue, ""]
        }
      }
  }
}
