import FrameAnalysis
import FrameStatistics
import FrameTrace

/// The measured values of many frames or inputs, or the reason why there are none, in the form in which results store
/// them.
///
/// In JSON it has a unit and `n`, followed by its statistics, one `value`, or one `why`.
struct MeasuredField {
  let unit: String
  /// The number of items without a value.
  let missing: Int
  let figures: MetricResult.Figures
  var isInferred = false
  var definition: String?
  /// The reason why a better definition was not used.
  var passedOver: String?
  var exclusions: [Measurement.Exclusion] = []
  /// How many durations of more than 10 s count as 10 s.
  var shortened = 0

  init(_ metric: MetricResult) {
    unit = metric.unit.rawValue
    figures = metric.figures
    missing = metric.missing
    isInferred = metric.isInferred
    definition = metric.definition
    passedOver = metric.passedOver
    exclusions = metric.exclusions
    shortened = metric.shortened
  }

  /// - Parameter why: The reason, if there is no summary.
  init(
    _ summary: Summary?, missing: Int = 0, unit: String = "ms", isInferred: Bool = false,
    else why: String
  ) {
    self.unit = unit
    self.missing = missing
    self.isInferred = isInferred
    figures = summary.map { .summary($0) } ?? .unavailable(why)
  }

  /// The number of values from which the field was computed.
  var n: Int {
    switch figures {
    case .summary(let summary): summary.n
    case .figure(_, let n): n
    case .unavailable: 0
    }
  }

  /// The members of the field's JSON object.
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
      for (name, figure) in zip(Summary.names, summary.figures) { record.add(name, figure) }
    case .figure(let figure, _):
      record.add(Key.missing, missing)
      record.add(Key.value, figure)
    }
    record.add(Key.inferred, isInferred)
    record.addIfAny("definition", definition)
    record.addIfAny("passed_over", passedOver)
    if shortened > 0 { record.add("counted_as_10_s", shortened) }
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

  /// The statistics in a JSON object written from `record`, by name; a single figure has no name.
  /// - Returns: `nil` if the object has none.
  static func read(
    _ node: JSONNode
  ) -> (unit: String, n: Int, statistics: [(name: String?, value: Double)])? {
    guard let unit = node[Key.unit]?.text, let n = node[Key.n]?.count else { return nil }
    // The ratio is 0 if nothing happened, and counts as measured.
    if let value = node[Key.value]?.number { return (unit, n, [(nil, value)]) }
    let statistics = Summary.names.compactMap { name in
      node[name]?.number.map { (name: name as String?, value: $0) }
    }
    return statistics.isEmpty ? nil : (unit, n, statistics)
  }
}

extension MeasuredField {
  /// The shape of a measured value: its statistics, its single value, or why there is none.
  static let shape: JSONShape = {
    let unit = JSONMember.text("unit", "the unit of the values")
    let known: [JSONMember] = [
      .integer("missing", "how many items have no value")
    ]
    let about: [JSONMember] = [
      .flag("inferred", "whether it rests on something that the trace does not state"),
      .text("definition", "which of the metric's definitions it is").ifAny,
      .text("passed_over", "why a better definition was not used").ifAny,
      .rows(
        "excluded",
        [.text("reason", "why values were left out"), .integer("count", "how many")],
        "values that were left out"
      ).ifAny,
    ]
    let statistics = Summary.names.map { JSONMember.number($0, "the \($0) of the values") }
    let n = JSONMember.integer("n", "how many values there are")
    return .either([
      .object([unit, n] + known + statistics + about),
      .object([unit, n] + known + [.number("value", "the one value")] + about),
      .object([unit, n, .text("why", "why it was not measured")]),
    ])
  }()
}
