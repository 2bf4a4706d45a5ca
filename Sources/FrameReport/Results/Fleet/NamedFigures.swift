import FrameTrace
import FrameVerdicts

/// The figures of one run as a script reads them from a line of a summary: the statistics of metrics, and metrics with one
/// figure for a run, in millionths of their units.
///
/// They do not say by which definition a metric was measured. The values of the metric do; of metrics without values, the
/// definitions are kept beside.
struct NamedFigures {
  /// The metrics with statistics, in order.
  private(set) var statistics: [(metric: String, values: [(statistic: String, value: Int64)])] = []
  /// The metrics with one figure, in order.
  private(set) var figures: [(metric: String, value: Int64)] = []
  /// The definitions of metrics without values.
  private(set) var definitions: [String: String] = [:]

  /// - Returns: `nil` for a tally of several runs, or of several definitions of a metric.
  init?(_ tally: RunTally) {
    guard var known = Self.definitions(of: tally) else { return nil }
    for (figure, values) in tally.figures.sorted(by: { $0.key < $1.key }) {
      let (metric, definition) = (figure.key.metric, figure.key.definition)
      if known[metric] == nil {
        known.updateValue(definition, forKey: metric)
        definitions[metric] = definition
      }
      guard let value = values.exact, value.count == 1, known[metric] == .some(definition) else {
        return nil
      }
      guard let statistic = figure.statistic else {
        figures.append((metric, value[0]))
        continue
      }
      if statistics.last?.metric != metric { statistics.append((metric, [])) }
      statistics[statistics.count - 1].values.append((statistic.rawValue, value[0]))
    }
  }

  /// The definition of each metric that has values; `nil` if one has several.
  private static func definitions(of tally: RunTally) -> [String: String?]? {
    var definitions: [String: String?] = [:]
    for key in tally.values.keys {
      guard definitions.updateValue(key.definition, forKey: key.metric) == nil else { return nil }
    }
    return definitions
  }

  /// Adds the figures that a line names to its tally, which has its values already.
  /// - Parameter definitions: The definitions of metrics without values.
  static func read(
    statistics: JSONNode, figures: JSONNode?, definitions: JSONNode?, to tally: inout RunTally
  ) throws(JSONScanner.Problem) {
    guard let known = self.definitions(of: tally) else {
      throw JSONScanner.Problem(
        offset: statistics.offset, expected: "one definition for each metric of a run")
    }
    let others = (definitions?.membersByKey ?? [:]).compactMapValues(\.text)
    let key = { (metric: String) in
      TallyKey(metric: metric, definition: known[metric] ?? others[metric])
    }
    for (metric, node) in statistics.members {
      let key = key(metric)
      for (name, member) in node.members {
        guard let statistic = RunFigure.Statistic(rawValue: name) else {
          throw JSONScanner.Problem(
            offset: member.offset, expected: "a statistic: mean, p50, p95, p99")
        }
        tally.figures[RunFigure(key: key, statistic: statistic)] = try value(member)
      }
    }
    for (metric, member) in figures?.members ?? [] {
      tally.figures[RunFigure(key: key(metric), statistic: nil)] = try value(member)
    }
  }

  private static func value(_ node: JSONNode) throws(JSONScanner.Problem) -> FigureValues {
    guard let value = node.integer, value != .min else {
      throw JSONScanner.Problem(offset: node.offset, expected: "a whole number as a figure")
    }
    return FigureValues(value)
  }
}
