import FrameTrace
import FrameVerdicts

/// A figure of a group of a fleet on both sides, as a row of results.
struct FleetFigureRow: Sendable {
  private let group: FleetComparison.Group
  /// The figure; `nil` if the group's sides cannot be compared.
  private let figure: FleetComparison.Figure?

  init(_ group: FleetComparison.Group, _ figure: FleetComparison.Figure?) {
    (self.group, self.figure) = (group, figure)
  }

  /// The group's tags.
  static func tags(_ tags: [String]) -> [ResultColumn<FleetFigureRow>] {
    tags.enumerated().map { index, tag in
      .text(tag, "the value of the tag") { $0.group.values?[index] }
        .shown(tag) { row in row.group.values.map { $0[index] ?? "none" } ?? "" }
    }
  }

  /// The columns of a figure and its group.
  /// - Parameter unit: The unit of repetition, in the singular.
  static func columns(_ sides: Fleet.Sides, unit: String) -> [ResultColumn<FleetFigureRow>] {
    figureColumns(SideNames(before: sides.before, after: sides.after), unit: unit) + [
      .text("verdict", "the verdict on the group") {
        $0.group.why == nil ? $0.group.verdict.rawValue : nil
      }.shown("verdict") { $0.group.why ?? $0.group.verdict.word },
      .text("why", "why the group's sides cannot be compared", \.group.why),
    ]
  }

  /// The columns of a figure.
  static func figureColumns(
    _ names: SideNames = SideNames(), unit: String = "run"
  ) -> [ResultColumn<FleetFigureRow>] {
    [
      .integer("n_before", "how many values there are before") { $0.figure?.counts.before }
        .shown("\(unit)s", .right) { row in
          row.figure.map { "\($0.counts.before) + \($0.counts.after)" } ?? ""
        },
      .integer("n_after", "how many there are after") { $0.figure?.counts.after },
      .text("metric", "the figure") { $0.figure?.figure.name }.shown("figure"),
      .text("definition", "which of the metric's definitions it is") {
        $0.figure?.figure.key.definition
      }.ifAny,
      .flag("gating", "whether the group's verdict depends on it") { $0.figure?.isDeciding },
      .real("before", "the value before, at one mix") { $0.figure?.before }
        .shown(names.before, decimals: 2),
      .real("after", "the value after, at one mix") { $0.figure?.after }
        .shown(names.after, decimals: 2),
      .text("unit", "the unit of its values") { $0.figure?.unit }.shown(""),
      .real("effect", "the change, in the unit of effects") { $0.figure?.effect }
        .shown("effect", .right) { row in row.figure.map { $0.text(of: $0.effect) } ?? "" },
      .text("effect_unit", "the unit of effects") { $0.figure?.effectUnit },
      .interval("ci95", "the bounds of the change, each of 95 % confidence") {
        $0.figure?.interval
      }.shown("bounds", .right) { $0.figure?.boundsText ?? "" },
      .real("plain_effect", "the change of plain means, whatever the mix") { $0.figure?.plain },
      .real("mix_change", "how much the mix differs between the sides, from 0 to 1") {
        $0.figure?.mixChange
      },
      .real("threshold", "the smallest change worth acting on") { $0.figure?.threshold },
      .real("p", "the probability of a change as bad without one") { $0.figure?.worse },
      .real("p_better", "the probability of a change as good without one") {
        $0.figure?.better
      },
    ]
  }
}

extension FleetComparison.Figure {
  /// A change of the figure with its sign and unit.
  func text(of change: Double) -> String { "\(signed(change)) \(effectUnit)" }

  /// The bounds of the change.
  var boundsText: String {
    EffectText.bounds(signed(interval.lowerBound), signed(interval.upperBound))
  }

  private func signed(_ value: Double) -> String {
    let number = FixedNumber.text(value, decimals: effectUnit == "%" ? 1 : 2)
    // A value that rounds to 0 has no sign.
    let isNothing = number.allSatisfy { "-0.".contains($0) }
    return isNothing ? number.replacing("-", with: "") : value > 0 ? "+\(number)" : number
  }
}
