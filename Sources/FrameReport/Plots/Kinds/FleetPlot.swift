import FrameStatistics
import FrameTrace
public import FrameVerdicts

/// The distribution of a metric in the groups of a fleet, with a panel for each group.
public struct FleetPlot {
  private let fleet: Fleet
  /// The groups that are drawn, in order.
  private let groups: [Fleet.Group]

  /// The maximum number of panels that fit.
  private static let most = 12
  /// The share of values that the axis covers; the slowest values lie beyond it.
  private static let shown = 0.999

  /// - Parameter comparison: A comparison that determines the order of the groups; `nil` for none.
  public init(_ fleet: Fleet, _ comparison: FleetComparison? = nil) throws(PlotRefusal) {
    self.fleet = fleet
    let order = comparison?.groups.compactMap(\.values) ?? fleet.groups.map(\.values)
    let metric = fleet.options.metric
    let all = order.compactMap { values in fleet.groups.first { $0.values == values } }
    groups = Array(all.filter { $0.tally.values(of: metric) != nil }.prefix(Self.most))
    guard !groups.isEmpty else { throw PlotRefusal("no run has values of \(metric)") }
  }

  private var metric: String { fleet.options.metric }

  /// The plot.
  public func plot() -> Plot {
    let high =
      groups.compactMap { $0.tally.values(of: metric)?.values.counts.quantile(Self.shown) }.max()
      ?? 1
    let low =
      groups.compactMap { $0.tally.values(of: metric)?.values.counts.quantile(0.001) }.min() ?? 0
    let panels = groups.enumerated().map { index, group in
      panel(group, low: low, high: high, isLast: index == groups.count - 1)
    }
    let left = fleet.groups.count - groups.count
    var plot = Plot(
      "fleet", title: "\(metric) of \(PlotText.count(Int(fleet.runs), "run", "runs"))",
      subtitle: PlotText.line([
        fleet.options.by.isEmpty ? nil : "by \(fleet.options.by.joined(separator: ", "))",
        PlotText.count(groups.count, "group", "groups"), left > 0 ? "\(left) more not drawn" : nil,
        "cumulative share of values",
      ]), description: description, panels: panels)
    plot.tallness = max(0.7, Double(groups.count) * 0.4)
    return plot
  }

  private func panel(_ group: Fleet.Group, low: Double, high: Double, isLast: Bool) -> PlotPanel {
    let unit = TallyKey(metric: metric, definition: nil).unit
    let room = max((high - low) * 0.04, 1e-3)
    let x = PlotAxis(
      isLast ? "\(metric) in \(unit)" : "",
      (low >= 0 ? max(0, low - room) : low - room)...(high + room))
    var y = PlotAxis("% of values", 0...104)
    y.ticks = [0, 50, 95].map { PlotAxis.Tick(position: Double($0), text: "\($0)") }
    let layers = sides.enumerated().compactMap { index, side in
      counts(group, side).map { counts in
        PlotLayer(
          .steps, (side ?? "all runs") + definition(group, side), .series(index),
          Self.shares(counts, in: x.range)
        )
        .with(.strong)
      }
    }
    var panel = PlotPanel(x: x, y: y, layers: layers)
    panel.hasLegend = group.values == groups.first?.values && sides.count > 1
    panel.labels = [
      PlotLabel(x: x.range.upperBound - room * 0.3, y: 12, text: words(group), alignment: .right)
    ]
    return panel
  }

  /// The compared values of a tag; a single `nil` without a comparison.
  private var sides: [String?] { fleet.options.comparing.map { [$0.before, $0.after] } ?? [nil] }

  private func counts(_ group: Fleet.Group, _ side: String?) -> ValueCounts? {
    values(group, side)?.values.counts
  }

  private func values(
    _ group: Fleet.Group, _ side: String?
  ) -> (key: TallyKey, values: RunTally.Values)? {
    let cells = group.cells.filter { side == nil || $0.key.side == side }.values
    let tally = cells.reduce(into: RunTally.empty) { $0.merge($1) }
    return tally.values(of: metric)
  }

  /// The number of steps of a curve that can be distinguished on each axis.
  private static let steps = 500.0

  /// The cumulative share of values in percent, up to the end of the axis. Steps too small to be seen are joined: noise
  /// has tens of thousands of them.
  private static func shares(_ counts: ValueCounts, in range: ClosedRange<Double>) -> [[Double]] {
    var rows = [[range.lowerBound, 0]]
    let (width, height) = ((range.upperBound - range.lowerBound) / steps, 100 / steps)
    var (last, before) = (rows[0], Int64(0))
    for (value, count) in counts.steps {
      before += count
      let row = [
        min(max(value, range.lowerBound), range.upperBound),
        100 * Double(before) / Double(counts.count),
      ]
      guard row[0] - last[0] >= width || row[1] - last[1] >= height || before == counts.count else {
        continue
      }
      rows.append(row)
      last = row
    }
    rows.append([range.upperBound, rows.last?[1] ?? 0])
    return rows
  }

  /// The definition of a side's values, if the fleet contains several definitions of the metric.
  private func definition(_ group: Fleet.Group, _ side: String?) -> String {
    let all = fleet.groups.flatMap { $0.tally.values.keys }.filter { $0.metric == metric }
    guard Set(all).count > 1 else { return "" }
    return values(group, side)?.key.definition.map { ", \($0)" } ?? ""
  }

  private func words(_ group: Fleet.Group) -> String {
    let names = group.values.map { $0 ?? "none" }.joined(separator: ", ")
    let counts = sides.compactMap { self.counts(group, $0)?.count }.map { "\($0)" }.joined(
      separator: " + ")
    return (names.isEmpty ? "" : "\(names): ") + "n \(counts)"
  }

  private var description: String {
    let parts = groups.map { group in
      let medians = sides.compactMap { side in
        counts(group, side)?.quantile(0.5).map { median in
          "\(side.map { "\($0) " } ?? "")\(FixedNumber.text(median, decimals: 2))"
        }
      }
      return "\(words(group)), median \(medians.joined(separator: ", "))"
    }
    return "The distribution of \(metric) in each group: \(parts.joined(separator: "; "))."
  }
}
