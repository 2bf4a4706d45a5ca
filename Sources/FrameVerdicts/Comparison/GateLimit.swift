public import FrameAnalysis
import FrameStatistics
import FrameTrace

/// A limit on a figure of a surface, such as `p95(frameTime)<=20ms`.
public struct GateLimit: Hashable, Sendable {
  /// The relation between the figure and the limit.
  enum Relation: String, CaseIterable {
    case atMost = "<="
    case atLeast = ">="
    case below = "<"
    case above = ">"

    func holds(_ value: Double, _ limit: Double) -> Bool {
      switch self {
      case .atMost: value <= limit
      case .atLeast: value >= limit
      case .below: value < limit
      case .above: value > limit
      }
    }

    /// Whether this is an upper limit, so that larger values are worse.
    var isUpper: Bool { self == .atMost || self == .below }
  }

  /// The limit as the user wrote it.
  public let text: String
  let statistic: String?
  let metric: String
  let relation: Relation
  let value: Double
  /// Whether the limit applies to launch times.
  let isOfLaunches: Bool

  /// The limited figure, such as `p95(frameTime)`.
  var figure: String { statistic.map { "\($0)(\(metric))" } ?? metric }

  /// Whether a figure that a source reports belongs to the metric: one of its values, or the statistic itself.
  func names(_ reported: String) -> Bool { reported == metric || reported == figure }

  /// How far a value is past the limit, in words; `nil` if it is within the limit.
  package func excess(of value: Double, _ unit: String) -> String? {
    guard !relation.holds(value, self.value) else { return nil }
    let distance = FixedNumber.text(abs(value - self.value), decimals: 3)
    return "\(relation.isUpper ? "over" : "short") by \(distance) \(unit)"
  }

  /// Reads a limit.
  /// - Throws: If the text is not a limit; the error says what was expected.
  public init(_ text: String) throws(ComparisonRefusal) {
    self.text = text
    let compact = text.filter { $0 != " " }
    guard let relation = Relation.allCases.first(where: { compact.contains($0.rawValue) }),
      let range = compact.range(of: relation.rawValue)
    else { throw Self.refusal(text, "a relation <=, >=, < or >") }
    self.relation = relation
    let left = String(compact[..<range.lowerBound])
    var right = String(compact[range.upperBound...])
    let figure = FigureName(left)
    statistic = figure.statistic
    metric = Metrics.name(figure.base) ?? figure.base
    if let statistic, !Summary.names.contains(statistic) {
      throw Self.refusal(text, "one of \(Summary.names.joined(separator: ", ")) before (")
    }
    let name = metric
    isOfLaunches = LaunchMeasure(named: name) != nil
    let known =
      isOfLaunches
      ? MetricUnit.milliseconds : Metrics.entries.first { $0.name == name }?.unit
    guard let unit = known?.rawValue ?? StatedMetric(ofFigure: name)?.unit else {
      throw ComparisonRefusal.unknownLimit(text, metric: metric)
    }
    if right.hasSuffix(unit) { right.removeLast(unit.count) }
    guard let value = Double(right), value.isFinite else {
      throw Self.refusal(text, "a number in \(unit)")
    }
    self.value = value
  }

  private static func refusal(_ text: String, _ expected: String) -> ComparisonRefusal {
    .badLimit(text, expected: expected)
  }

  /// The result for a trace without surfaces.
  /// - Parameter isStated: Whether the source states other figures.
  func checkWithoutSurface(isStated: Bool) -> GateResult {
    let why = isStated ? "the source does not state \(metric)" : "the trace has no surface"
    return GateResult(limit: self, value: nil, unit: "", why: why)
  }

  /// The result for a source that counts no frames.
  var checkWithoutFrames: GateResult {
    GateResult(limit: self, value: nil, unit: "", why: "the source counts no frames")
  }

  /// Checks the limit against the figures that the source reports for its metric in one scene.
  func check(_ figures: StatedFigures) -> GateResult {
    let unit = figures.unit
    guard let statistic, figures.metric == metric else {
      let (count, values) = (figures.values.count, figures.values.sorted())
      guard count == 1 || statistic != nil else {
        let why =
          "\(metric) has \(count) runs: name one of \(Summary.names.joined(separator: ", "))"
        return GateResult(limit: self, value: nil, unit: unit, why: why)
      }
      // The source states the statistic of each run, and the limit applies to each.
      let worst = relation.isUpper ? values[count - 1] : values[0]
      var result = GateResult(self, worst, unit, isLowerBound: figures.isLowerBound)
      if count > 1, result.isKept == true { result.remark = "the worst of \(count) runs" }
      return result
    }
    return GateResult(
      self, figures.statistic(statistic), unit, isLowerBound: figures.isLowerBound)
  }

  /// Checks the limit against a histogram that the source reports.
  func check(_ histogram: FieldHistogram) -> GateResult {
    guard let statistic, let value = histogram.statistic(statistic) else {
      let why = "\(metric) is a histogram: name one of p50, p90, p95, p99"
      return GateResult(limit: self, value: nil, unit: histogram.unit, why: why)
    }
    let isLowerBound = FieldHistogram.shares[statistic].map(histogram.isLowerBound) ?? false
    return GateResult(self, value, histogram.unit, isLowerBound: isLowerBound)
  }

  /// Checks the limit against the launches of the kind that the limit names.
  func check(_ group: LaunchGroup?) -> GateResult {
    let unit = MetricUnit.milliseconds.rawValue
    guard let group else {
      return GateResult(
        limit: self, value: nil, unit: unit, why: "no launch of this kind was measured")
    }
    guard let statistic, let value = group.total[statistic] else {
      let why = "\(metric) has many values: name one of \(Summary.names.joined(separator: ", "))"
      return GateResult(limit: self, value: nil, unit: unit, why: why)
    }
    return GateResult(limit: self, value: value, unit: unit, why: nil)
  }

  /// The metrics needed to check the limit and to show what it does not cover.
  var metricsNeeded: [String] {
    [metric] + [RunMetric(rawValue: metric)?.ofRun?.rawValue].compactMap(\.self)
  }

  /// What a kept limit does not cover: stretches at a lower rate.
  private func remark(_ surface: SurfaceAnalysis) -> String? {
    guard let whole = RunMetric(rawValue: metric)?.ofRun,
      let figure = surface[whole.rawValue]?.figure, !relation.holds(figure.value, value)
    else { return nil }
    let text = figure.text(decimals: 3)
    return "stretches at a lower rate are not counted; \(whole.rawValue) is \(text)"
  }

  /// The result for a value, which may be larger if frames were due in stops of unknown cause.
  private func gated(
    _ value: Double, _ surface: SurfaceAnalysis, _ unit: String, remark: @autoclosure () -> String?
  ) -> GateResult {
    if let most = surface.most(metric, from: value) {
      return GateResult(self, value, unit, most: most)
    }
    var result = GateResult(limit: self, value: value, unit: unit, why: nil)
    if result.isKept == true { result.remark = remark() }
    return result
  }

  /// Checks the limit against the analysis of a surface.
  public func check(_ surface: SurfaceAnalysis) -> GateResult {
    guard let result = surface[metric] else {
      return GateResult(limit: self, value: nil, unit: "", why: "\(metric) was not measured")
    }
    let unit = result.unit.rawValue
    switch result.figures {
    case .figure(let figure, _):
      guard statistic == nil else {
        let why = "\(metric) is a single value and has no \(statistic ?? "")"
        return GateResult(limit: self, value: nil, unit: unit, why: why)
      }
      return gated(figure, surface, unit, remark: remark(surface))
    case .summary(let summary):
      guard let statistic, let value = summary[statistic] else {
        let why =
          "\(metric) has many values: name one of \(Summary.names.joined(separator: ", "))"
        return GateResult(limit: self, value: nil, unit: unit, why: why)
      }
      let remark = result.isInferred ? result.definition.map { "measured \($0)" } : nil
      return gated(value, surface, unit, remark: remark)
    case .unavailable(let why):
      // The refreshes that freezes certainly dropped may already exceed the limit.
      if metric == "droppedShare", let least = surface.stops.leastDroppedShare {
        let bound = GateResult(self, 100 * least, unit, isLowerBound: true)
        if bound.isKept != nil { return bound }
      }
      return GateResult(limit: self, value: nil, unit: unit, why: why)
    }
  }
}

extension String {
  /// The first occurrence of a text in this string.
  fileprivate func range(of text: String) -> Range<String.Index>? {
    var start = startIndex
    while start < endIndex {
      if self[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
      start = index(after: start)
    }
    return nil
  }
}

/// The result of one limit on one surface.
public struct GateResult: Hashable, Sendable {
  /// The limit that was checked.
  public let limit: GateLimit
  /// The figure in its unit; `nil` if there is none.
  public let value: Double?
  /// The unit of the value and of the limit.
  public let unit: String
  /// Why there is no value, or why the limit cannot be decided.
  public internal(set) var why: String?

  /// What the limit does not cover, although it is kept.
  public internal(set) var remark: String?

  /// Whether the figure may be larger than the value, because the value is in a bin without an upper bound, or because
  /// the cause of a stop is unknown.
  public internal(set) var isLowerBound = false
  /// The maximum of such a figure; `nil` if there is no bound.
  public internal(set) var most: Double?

  /// Whether the limit is kept; `nil` if that cannot be decided.
  public var isKept: Bool? {
    guard let value else { return nil }
    let holds = limit.relation.holds(value, limit.value)
    guard isLowerBound else { return holds }
    // A larger figure may exceed an upper limit that the value keeps, or may keep a lower limit.
    let mayHold = most.map { limit.relation.holds($0, limit.value) } ?? !limit.relation.isUpper
    return holds == mayHold ? holds : nil
  }

  /// How far the figure exceeds the limit, such as `over by 0.886 ms`; `nil` if it is within the limit.
  package var excess: String? { value.flatMap { limit.excess(of: $0, unit) } }

  /// How far the figure is inside the limit, as a share of the limit; `nil` if there is no figure, if
  /// the limit fails, or if the limit is 0.
  public var margin: Double? {
    guard let value, isKept == true, limit.value != 0 else { return nil }
    return abs(limit.value - value) / abs(limit.value)
  }

  /// The margin in words, such as `49.4 % below the limit`.
  package var marginText: String? {
    margin.map {
      let percent = FixedNumber.text($0 * 100, decimals: 1)
      return "\(percent) % \(limit.relation.isUpper ? "below" : "above") the limit"
    }
  }
}

extension GateResult {
  /// The result for a figure that may be larger than its value.
  fileprivate init(_ limit: GateLimit, _ value: Double?, _ unit: String, isLowerBound: Bool) {
    self.init(limit: limit, value: value, unit: unit, why: nil)
    self.isLowerBound = isLowerBound
    guard let value, isKept == nil else { return }
    why =
      "the source states only that it is at least \(FixedNumber.text(value, decimals: 3)) \(unit)"
  }

  /// The result for a figure that lies between two values because the causes of stops are unknown.
  fileprivate init(_ limit: GateLimit, _ value: Double, _ unit: String, most: Double) {
    self.init(limit: limit, value: value, unit: unit, why: nil)
    (isLowerBound, self.most) = (true, most)
    guard isKept == nil else { return }
    let ends = [value, most].map { FixedNumber.text($0, decimals: 3) }
    why =
      "from \(ends[0]) to \(ends[1]) \(unit), because the source does not record whether stops are freezes or rest"
  }
}
