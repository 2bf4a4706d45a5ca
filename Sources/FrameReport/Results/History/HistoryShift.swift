import FrameTrace
import FrameVerdicts

/// How far a series moved: the common data of a change of level, the newest jobs, a creep and a
/// standing change.
struct HistoryShift: Sendable {
  let before, after: Double
  let effect: Double
  let effectUnit: String
  /// The effect's bounds; `nil` if unknown.
  let interval: ClosedRange<Double>?
  /// The probability of such a large shift without a change; `nil` if unknown.
  let p: Double?
  /// The verdict; `nil` if neither direction is better.
  let verdict: Verdict?

  init(_ newest: HistoryCheck.Newest, in check: HistoryCheck) {
    (before, after) = (newest.before, newest.after)
    (effect, interval) = (newest.effect.size, newest.effect.interval)
    (effectUnit, p, verdict) = (check.effectUnit, newest.p, newest.verdict)
  }

  init(_ change: HistoryCheck.Change, in check: HistoryCheck) {
    (before, after) = (change.before, change.after)
    (effect, interval) = (change.effect.size, change.effect.interval)
    (effectUnit, p) = (check.effectUnit, nil)
    verdict = change.isWorse.map { $0 ? .regressed : .improved }
  }

  init(_ standing: HistoryCheck.Standing, in check: HistoryCheck) {
    (before, after) = (standing.before, standing.after)
    (effect, interval) = (standing.effect.size, standing.effect.interval)
    (effectUnit, p, verdict) = (check.effectUnit, standing.p, .regressed)
  }

  init(_ creep: HistoryCheck.Slow, in check: HistoryCheck) {
    (before, after) = (creep.before, creep.after)
    (effect, interval) = (creep.effect, nil)
    (effectUnit, p, verdict) = (check.effectUnit, creep.p, nil)
  }

  static let columns: [ResultColumn<HistoryShift>] = [
    .real("before", "the typical value before, in the metric's unit", \.before),
    .real("after", "the typical value after", \.after),
    .real("effect", "the change, in the unit of effects", \.effect),
    .text("effect_unit", "the unit of effects", \.effectUnit),
    .interval(
      "ci95", "bounds of the change: with 95 % confidence for a change of level, 90 % otherwise",
      \.interval
    ).ifAny,
    .real("p", "the probability of a shift as large without a change", \.p).ifAny,
    .text("verdict", "what it means: regressed, improved and so on") { $0.verdict?.rawValue }
      .ifAny,
  ]
}

extension HistoryCheck {
  /// The shift on which the verdict is based: the shift of the newest jobs, of a change of level, or of a creep.
  func judged(_ recent: Int) -> HistoryShift? {
    switch judgment(recent: recent).reason {
    case .level(let change): HistoryShift(change, in: self)
    case .creep(let creep): HistoryShift(creep, in: self)
    case .standing(let standing): HistoryShift(standing, in: self)
    default: newest.map { HistoryShift($0, in: self) }
    }
  }
}

/// A shift of a series, as a row of results.
struct HistoryShiftRow: Sendable {
  private let check: HistoryCheck
  /// Which part of the series shifted: the newest jobs or a change.
  private let kind: String
  /// The jobs around the shift: the last one before it and the first one after it.
  private let last, first: HistoryJob?
  private let shift: HistoryShift

  private var key: HistorySeries.Key { check.series.key }

  /// The findings of a check: a row for the newest job, and one for each change of level.
  static func found(_ check: HistoryCheck) -> [HistoryShiftRow] {
    let newest = check.newest.map { newest in
      HistoryShiftRow(
        check: check, kind: "newest", last: nil, first: newest.job,
        shift: HistoryShift(newest, in: check))
    }
    return [newest].compactMap(\.self) + changes(check)
  }

  private static func changes(
    _ check: HistoryCheck, where isShown: (HistoryCheck.Change) -> Bool = { _ in true }
  ) -> [HistoryShiftRow] {
    check.changes.filter(isShown).map { change in
      HistoryShiftRow(
        check: check, kind: "change", last: change.last, first: change.first,
        shift: HistoryShift(change, in: check))
    }
  }

  static let columns: [ResultColumn<HistoryShiftRow>] =
    HistorySeries.Key.columns.map { $0.on(\.key).forScripts }
    + [
      .integer("jobs", "how many jobs the series has", \.check.series.points.count),
      .text("kind", "newest for the newest jobs, change for a change of level", \.kind),
      .text("last_commit", "the last commit before a change of level", \.last?.commit),
      .text("first_commit", "the first one after it, or the newest", \.first?.commit),
      .text("date", "when the job of that one ran", \.first?.date.text),
    ] + HistoryShift.columns.map { $0.on(\.shift) }

  /// The changes of level as a table for people.
  static func changes(_ checks: [HistoryCheck], _ recent: Int, listsAll: Bool) -> TextTable {
    let rows = checks.flatMap { check in
      let latest = listsAll ? 0 : check.series.points.count - recent
      return changes(check) { $0.position >= latest }
    }
    var table = TextTable([
      ("level changed", .left), ("metric", .left), ("series", .left), ("between commits", .left),
      ("before", .right), ("after", .right), ("unit", .left), ("effect", .right),
      ("95 % interval", .right),
    ])
    for row in rows {
      let (key, shift) = (row.key, row.shift)
      table.append([
        row.first?.date.dayText ?? "", key.metric.name, key.owner,
        "\(row.last?.name ?? "")..\(row.first?.name ?? "")",
        HistoryReport.number(shift.before), HistoryReport.number(shift.after), key.metric.unit,
        "\(HistoryReport.signed(shift.effect)) \(shift.effectUnit)",
        shift.interval.map(HistoryReport.bounds) ?? "",
      ])
    }
    return table
  }

  /// The newest jobs of each series, with the verdict on them, as a table for people.
  static func newest(_ checks: [HistoryCheck], _ recent: Int) -> TextTable {
    var table = TextTable([
      ("series", .left), ("metric", .left), ("jobs", .right), ("before", .right),
      ("after", .right), ("unit", .left), ("effect", .right), ("bounds", .right),
      ("verdict", .left), ("because", .left),
    ])
    table.expendable = ["jobs", "bounds", "because"]
    for check in checks {
      let series = check.series
      let shift = check.judged(recent)
      let last = series.points.indices.last.map { HistoryReport.number(series.value($0)) } ?? ""
      table.append([
        series.key.owner, series.key.metric.name, "\(series.points.count)",
        shift.map { HistoryReport.number($0.before) } ?? "",
        shift.map { HistoryReport.number($0.after) } ?? last, series.key.metric.unit,
        shift.map { "\(HistoryReport.signed($0.effect)) \($0.effectUnit)" } ?? "",
        shift?.interval.map(HistoryReport.bounds) ?? "", check.verdict(recent: recent).word,
        check.reason(recent),
      ])
    }
    return table
  }
}
