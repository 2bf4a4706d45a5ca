import FrameAnalysis
import FrameStatistics
import FrameTrace
public import FrameVerdicts

/// A report on a fleet: its groups, and the comparison of each if one was requested.
public struct FleetReport {
  let fleet: Fleet
  let comparison: FleetComparison?

  /// The report on a fleet.
  public init(_ fleet: Fleet) {
    self.fleet = fleet
    comparison = FleetComparison(fleet)
  }

  /// The overall verdict of the comparison: the worst of any group, or the verdict on all groups together; `nil`
  /// without a comparison.
  public var overall: Verdict? {
    guard let comparison else { return nil }
    let verdicts = (comparison.groups + [comparison.all]).filter { $0.why == nil }.map(\.verdict)
    return [.regressed, .inconclusive, .improved].first { verdicts.contains($0) }
      ?? (verdicts.isEmpty ? .inconclusive : .noChange)
  }

  private var tags: [String] { fleet.options.by }
  private var metric: String { fleet.options.metric }

  /// The unit of repetition: runs, or the unit named by a tag.
  private var unit: String { fleet.options.unit ?? "run" }

  /// The finding as a sentence: the result of the comparison, or else the number of runs.
  var finding: String { comparison.map(headline) ?? title }

  private var title: String {
    let by = tags.isEmpty ? "" : " by \(tags.joined(separator: ", "))"
    let groups = count(Int64(fleet.groups.count), "group")
    return "\(count(fleet.runs, "run")) in \(groups)\(by)"
  }

  private func count(_ number: Int64, _ one: String) -> String {
    "\(number) \(one)\(number == 1 ? "" : "s")"
  }

  // MARK: For people

  /// A plot of the groups' distributions.
  public func plot() throws(PlotRefusal) -> Plot { try FleetPlot(fleet, comparison).plot() }

  /// The groups, the worst first: by their verdicts if sides are compared, or else by the share of dropped refreshes,
  /// then by the 99th percentile of the metric.
  var worstFirst: [Fleet.Group] {
    if let comparison {
      let byValues = Dictionary(fleet.groups.map { ($0.values, $0) }) { first, _ in first }
      return comparison.groups.compactMap { $0.values.flatMap { byValues[$0] } }
    }
    let ranked = fleet.groups.map { group -> (group: Fleet.Group, share: Double, high: Double) in
      let tally = group.tally
      let high = tally.values(of: metric)?.values.counts.quantile(0.99)
      return (group, tally.drops?.share ?? -1, high ?? -1)
    }
    return ranked.sorted { ($1.share, $1.high) < ($0.share, $0.high) }.map(\.group)
  }

  /// A page with the plot and the complete text, the worst groups first.
  public func page() throws(PlotRefusal) -> Document {
    var page = document(of: worstFirst)
    page.add(.heading("Distributions", level: 2))
    page.add(try plot())
    return page
  }

  var document: Document { document(of: fleet.groups) }

  private func document(of groups: [Fleet.Group]) -> Document {
    var document = Document()
    document.add(.title(title))
    if let comparison {
      document.add(sentence: headline(comparison))
      document.add(comparisonTable(comparison), "Each group before and after")
      document.add(Document.Block.warnings, mixWarnings(comparison))
      document.add(.remarks(method))
    }
    document.add(table(of: groups), "The groups")
    document.add(
      .remarks(["\(metric) over all runs of each group; percentiles are accurate to 0.2 %"]))
    document.add(Document.Block.warnings, definitionWarnings + failures)
    return document
  }

  /// All groups as rows: the numbers of runs and values, percentiles, and drops.
  private func table(of groups: [Fleet.Group]) -> TextTable {
    let unit = TallyKey(metric: metric, definition: nil).unit
    var table = rows(of: groups).table
    table.expendable = ["never shown", "hitches", "mean, \(unit)"]
    return table
  }

  private var groupRows: ResultRows<FleetGroupRow> { rows(of: fleet.groups) }

  private func rows(of groups: [Fleet.Group]) -> ResultRows<FleetGroupRow> {
    ResultRows(
      columns: FleetGroupRow.columns(fleet.options, hasDefinitions: definitions.count > 1),
      rows: groups.map { FleetGroupRow($0, fleet.options.metric) })
  }

  private func comparisonTable(_ comparison: FleetComparison) -> TextTable {
    let columns = FleetFigureRow.tags(tags) + FleetFigureRow.columns(comparison.sides, unit: unit)
    let rows = comparison.groups.map { FleetFigureRow($0, shown($0)) }
    return ResultRows(columns: columns, rows: rows).table
  }

  /// The figure shown for a group: the deciding figure, or else the first.
  private func shown(_ group: FleetComparison.Group) -> FleetComparison.Figure? {
    group.decisive ?? group.figures.first
  }

  /// The verdict on all groups together, and how many groups are worse.
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
      "\((overall ?? .inconclusive).word): \(sides.tag) \(sides.after) against \(sides.before): \(groups); all groups at the same mix \(comparison.all.verdict.word), \(figure.figure.name)\(definition) \(values[0]) → \(values[1]) \(figure.unit), \(figure.text(of: figure.effect)) \(figure.boundsText) (\(ComparisonSentence.level))"
  }

  /// The smallest difference between the mixes that is reported.
  private static let smallestMixChange = 0.05

  /// Warnings for groups in which the mixes of the sides differ so much that plain means are not comparable.
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
        "\(subject)the mix of \(kinds) differs between the sides by \(FixedNumber.text(100 * figure.mixChange, decimals: 0)) %: plain means would show \(figure.text(of: figure.plain)); at the same mix it is \(figure.text(of: figure.effect))"
    }
  }

  /// The tags whose mix is held constant for a group.
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
      "method: t-test of \(unit)s within the kinds that both sides have, each kind weighted by its \(unit)s; trimmed means from five per side on; pooled variance, and Welch's test too if the sides differ in number; tested against the smallest change worth acting on",
      "of the groups called worse, at most \(percent) % on average are false alarms, and as many of those called better (Benjamini–Hochberg)",
    ]
  }

  /// The definitions by which the runs of a group measured the metric.
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
      "\(metric) has \(found.count) definitions; each group shows the one that most of its runs have: \(words.joined(separator: "; "))"
    ]
  }

  /// The maximum number of failures in the text; scripts receive all.
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

  /// The schema name, with its version.
  static let schema = "frametool.fleet/2"

  var record: FieldRecord { FieldRecord(Self.fields, of: self) }

  static let fields: [ResultColumn<FleetReport>] = [
    .schema(schema), .texts("by", "the tags by which runs are grouped", \.fleet.options.by),
    .text("metric", "the metric whose values are described", \.fleet.options.metric),
    .text("unit_that_repeats", "what repeats: runs, or the values of a tag") {
      $0.fleet.options.unit ?? "run"
    },
    .integer("runs", "how many runs there are", \.fleet.runs),
    .rows("groups", groupFields, "each group") { report in
      report.fleet.groups.map { (group: $0, options: report.fleet.options) }
    },
    .object(
      "comparison",
      [
        .text("tag", "the tag that distinguishes the sides", \.comparison.sides.tag),
        .text("before", "its value on the first side", \.comparison.sides.before),
        .text("after", "its value on the other side", \.comparison.sides.after),
        .verdict("overall", "the verdict on all groups") { $0.report.overall ?? .inconclusive },
        .state { $0.report.overall ?? .inconclusive },
        .text("reason", "why that is the verdict") { $0.report.headline($0.comparison) },
        .real("false_discovery_rate", "the accepted share of false positives") {
          $0.report.fleet.options.level
        },
        .object("all", comparedFields, "all groups at the same mix") {
          (group: $0.comparison.all, tags: [])
        },
        .rows("groups", comparedFields, "each group") { row in
          row.comparison.groups.map { (group: $0, tags: row.report.fleet.options.by) }
        },
      ], "the comparison of two values of a tag"
    ) { report in report.comparison.map { (comparison: $0, report: report) } }.ifAny,
    .rows(
      "failed",
      [
        .text("file", "the trace", \.file), .text("reason", "why it could not be read", \.reason),
      ], "traces that could not be read", \.fleet.failures),
  ]

  private typealias GroupRow = (group: Fleet.Group, options: Fleet.Options)

  private static let groupFields: [ResultColumn<GroupRow>] =
    [groupTags] + FleetGroupRow.dataColumns(Fleet.Options()).map(ofGroup) + [dropped]

  private static let groupTags: ResultColumn<GroupRow> = tagField {
    tagRecord($0.options.by, $0.group.values)
  }

  private static func ofGroup(_ column: ResultColumn<FleetGroupRow>) -> ResultColumn<GroupRow> {
    column.on { FleetGroupRow($0.group, $0.options.metric) }
  }

  private static let dropped = ResultColumn<GroupRow>.stages(
    "dropped", of: "dropped refreshes", "dropped refreshes by stage",
    { $0.group.tally.drops?.byStage.mapValues { Int(clamping: $0) } }
  ).ifAny

  private static let comparedFields:
    [ResultColumn<(group: FleetComparison.Group, tags: [String])>] = [
      tagField { row in row.group.values.map { tagRecord(row.tags, $0) } }.ifAny,
      .verdict("verdict", "the verdict on the group") {
        $0.group.why == nil ? $0.group.verdict : nil
      }.otherwise(\.group.why),
      .text("decisive", "the figure that decides", \.group.decisive?.figure.name).ifAny,
      .rows("figures", FleetFigureRow.figureColumns(), "each figure") { row in
        row.group.figures.map { FleetFigureRow(row.group, $0) }
      },
    ]

  /// The values of tags: `null` if runs lack a tag, with the reason.
  private static func tagField<Row>(
    _ values: @escaping @Sendable (Row) -> FieldRecord?
  ) -> ResultColumn<Row> {
    .map("tags", .either([.text, .map(.text), .null]), "the values of its tags", values)
  }

  private static func tagRecord(_ names: [String], _ values: [String?]) -> FieldRecord {
    FieldRecord(tagColumns(names), of: values)
  }

  /// Columns with the values of tags, by tag name.
  private static func tagColumns(_ tags: [String]) -> [ResultColumn<[String?]>] {
    tags.enumerated().map { index, tag in
      .text(tag, "the value of the tag") { $0[index] }.otherwise("the runs have no \(tag)")
    }
  }

  /// One row per group, or with a comparison, one row per figure of a group.
  var rows: [[String]] {
    guard let comparison else { return groupRows.cells() }
    let columns =
      FleetFigureRow.tags(tags) + FleetFigureRow.columns(comparison.sides, unit: unit)
    let rows = comparison.groups.flatMap { group in
      group.why == nil
        ? group.figures.map { FleetFigureRow(group, $0) } : [FleetFigureRow(group, nil)]
    }
    return ResultRows(columns: columns, rows: rows).cells()
  }
}
