import FrameTrace
import FrameVerdicts

/// A figure for each version of an app on each device: the median, with the range of 90 % of the
/// values.
struct VersionsPlot {
  private let versions: [HistoryVersion]

  private static let most = 40

  init(_ versions: [HistoryVersion]) throws(PlotRefusal) {
    guard let first = versions.first else { throw PlotRefusal("no job has values to draw") }
    guard versions.allSatisfy({ $0.key.metric == first.key.metric }) else {
      throw PlotRefusal("history shows one metric", help: "choose one with --metric")
    }
    guard versions.count <= Self.most else {
      throw PlotRefusal(
        "expected at most \(Self.most) versions, found \(versions.count)",
        help: "choose fewer with --scene or --device")
    }
    self.versions = versions
  }

  func plot(_ options: PlotOptions) -> Plot {
    let metric = versions[0].key.metric
    let owners = versions.reduce(into: [String]()) { owners, version in
      if !owners.contains(version.key.owner) { owners.append(version.key.owner) }
    }
    var y = PlotAxis("", naming: versions.map { $0.version ?? "no version" })
    y.isReversed = true
    let high = versions.map(\.high).max() ?? 1
    let widest = versions.map { "n \($0.n)" }.max { $0.count < $1.count } ?? ""
    let layers = owners.enumerated().map { number, owner in
      let rows = versions.enumerated().filter { $0.element.key.owner == owner }.map {
        [$1.median, Double($0), $1.low, $1.high]
      }
      return PlotLayer(.ranges, owner, .series(number), rows).with(.strong)
    }
    var panel = PlotPanel(
      x: PlotAxis(
        "\(metric.words) in \(metric.unit): median, and p5 to p95",
        min(0, versions.map(\.low).min() ?? 0)...options.end(of: high, with: widest)), y: y,
      layers: layers)
    panel.labels = versions.enumerated().map { position, version in
      PlotLabel(
        x: version.high + high * 0.01, y: Double(position), text: "n \(version.n)", alignment: .left
      )
    }
    let words = versions.map { version in
      "\(version.version ?? "no version") \(version.key.owner) \(FixedNumber.text(version.median, decimals: 1)) \(metric.unit)"
    }
    var plot = Plot(
      "history", title: "By version: \(metric.words)",
      subtitle: PlotText.line([
        owners.count == 1 ? owners[0] : "\(owners.count) scenes and devices",
        PlotText.count(versions.count, "version", "versions"),
        "n \(versions.reduce(0) { $0 + $1.n })",
      ]), description: PlotText.line(words) + ".", panels: [panel])
    plot.tallness = max(0.6, Double(versions.count) / 16)
    return plot
  }
}
