import FrameTrace
import FrameVerdicts

/// The figures of one run as a script reads them from a line of a summary: the statistics of metrics, and metrics with one
/// figure for a run, in millionths of their units.
///
/// They do not state by which definition a metric was measured. The values of the metric do; for metrics without
/// values, the definitions are stored separately.
struct NamedFigures {
  /// The metrics with statistics, in order.
  private(set) var statistics: [(metric: String, values: [(statistic: String, value: Int64)])] = []
  /// The metrics with one figure, in order.
  private(set) var figures: [(metric: String, value: Int64)] = []
  /// The definitions of metrics without values.
  private(set) var definitions: [String: String] = [:]

  /// The maximum number of metrics whose definitions are read: several times the number of metrics.
  private static let most = 1024

  /// - Returns: `nil` for a tally of several runs, or with several definitions of a metric.
  init?(_ tally: RunTally) {
    guard tally.runs == 1, var known = Self.definitions(of: tally) else { return nil }
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

  /// The definition of each metric that has values; `nil` if a metric has several definitions.
  private static func definitions(of tally: RunTally) -> [String: String?]? {
    var definitions: [String: String?] = [:]
    for key in tally.values.keys {
      guard definitions.updateValue(key.definition, forKey: key.metric) == nil else { return nil }
    }
    return definitions
  }

  /// Adds the figures of a line to its tally, which already has its values.
  /// - Parameter definitions: The definitions of metrics without values.
  static func read(
    statistics: JSONNode, figures: JSONNode, definitions: JSONNode?, to tally: inout RunTally
  ) throws(JSONScanner.Problem) {
    guard let known = self.definitions(of: tally) else {
      throw JSONScanner.Problem(
        offset: statistics.offset, expected: "one definition for each metric of a run")
    }
    var others: [String: String] = [:]
    if let definitions {
      guard let members = definitions.members(atMost: most) else {
        throw JSONScanner.Problem(
          offset: definitions.offset, expected: "definitions of at most \(most) metrics")
      }
      for (metric, node) in members { others[metric] = node.text }
    }
    let key = { (metric: String) in
      TallyKey(metric: metric, definition: known[metric] ?? others[metric])
    }
    for (metric, node) in try members(statistics) {
      let key = key(metric)
      for (name, member) in try members(node) {
        guard let statistic = RunFigure.Statistic(rawValue: name) else {
          throw JSONScanner.Problem(
            offset: member.offset, expected: "a statistic: mean, p50, p95, p99")
        }
        tally.figures[RunFigure(key: key, statistic: statistic)] = try value(member)
      }
    }
    for (metric, member) in try members(figures) {
      tally.figures[RunFigure(key: key(metric), statistic: nil)] = try value(member)
    }
  }

  private static func value(_ node: JSONNode) throws(JSONScanner.Problem) -> FigureValues {
    guard let values = node.integer.flatMap({ FigureValues(each: [$0]) }) else {
      throw JSONScanner.Problem(
        offset: node.offset, expected: "a whole number below 2^62 as a figure")
    }
    return values
  }

  private static func members(
    _ node: JSONNode
  ) throws(JSONScanner.Problem) -> [(key: String, value: JSONNode)] {
    guard node.isObject else {
      throw JSONScanner.Problem(offset: node.offset, expected: "figures by their names")
    }
    return node.members
  }
}
