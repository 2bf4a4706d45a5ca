import FrameAnalysis
import FrameStatistics
import FrameTrace

/// What was measured of many frames or inputs, or why it was not, as results keep it.
///
/// As JSON it has its unit and `n`, and then its statistics, or one `value`, or one `why`.
struct MeasuredField {
  let unit: String
  /// How many had no value.
  let missing: Int
  let figures: MetricResult.Figures
  var isInferred = false
  var definition: String?
  /// Why a better definition was passed over.
  var passedOver: String?
  var exclusions: [Measurement.Exclusion] = []

  init(_ metric: MetricResult) {
    unit = metric.unit.rawValue
    figures = metric.figures
    missing = metric.missing
    isInferred = metric.isInferred
    definition = metric.definition
    passedOver = metric.passedOver
    exclusions = metric.exclusions
  }

  /// - Parameter why: Why there is no summary, where there is none.
  init(
    _ summary: Summary?, missing: Int = 0, unit: String = "ms", isInferred: Bool = false,
    else why: String
  ) {
    self.unit = unit
    self.missing = missing
    self.isInferred = isInferred
    figures = summary.map { .summary($0) } ?? .unavailable(why)
  }

  /// How many values it was made of.
  var n: Int {
    switch figures {
    case .summary(let summary): summary.n
    case .figure(_, let n): n
    case .unavailable: 0
    }
  }

  /// The members of its JSON object.
  var record: FieldRecord {
    var record = FieldRecord()
    record.add(Key.unit, unit)
    record.add(Key.n, n)
    switch figures {
    case .unavailable(let why):
      record.add(Key.why, why)
      return record
    case .summary(let summary):
      record.add(Key.missing, missing)
      for (name, figure) in zip(Summary.names, summary.figures) { record.add(name, figure / 1e6) }
    case .figure(let figure, _):
      record.add(Key.missing, missing)
      record.add(Key.value, figure)
    }
    record.add(Key.inferred, isInferred)
    record.addIfAny("definition", definition)
    record.addIfAny("passed_over", passedOver)
    if !exclusions.isEmpty {
      record.add("excluded", rows: exclusions) { exclusion, record in
        record.add("reason", exclusion.reason)
        record.add("count", exclusion.count)
      }
    }
    return record
  }

  private enum Key {
    static let unit = "unit"
    static let n = "n"
    static let missing = "missing"
    static let value = "value"
    static let inferred = "inferred"
    static let why = "why"
  }

  /// The statistics in a JSON object that `record` was written to, by their names: one without a
  /// name for one figure.
  /// - Returns: `nil` for an object that has none.
  static func read(
    _ node: JSONNode
  ) -> (unit: String, n: Int, statistics: [(name: String?, value: Double)])? {
    guard let unit = node[Key.unit]?.text, let n = node[Key.n]?.count else { return nil }
    // A ratio of nothing that happened is 0, and measured.
    if let value = node[Key.value]?.number { return (unit, n, [(nil, value)]) }
    let statistics = Summary.names.compactMap { name in
      node[name]?.number.map { (name: name as String?, value: $0) }
    }
    return statistics.isEmpty ? nil : (unit, n, statistics)
  }
}
