import FrameTrace
import FrameVerdicts

/// A comparison in a sentence that begins with its verdict. The sentence shows a change, rules one out, or does neither
/// and states what would be needed.
struct ComparisonSentence {
  /// What the bounds of an effect represent.
  static let level = "95 % bounds"

  private let comparison: Comparison

  init(_ comparison: Comparison) { self.comparison = comparison }

  /// The verdict and its reason.
  var text: String { "\(comparison.overall.word): \(reason)" }

  /// The sentence without the verdict, including the number of runs on which it is based.
  var reason: String {
    switch comparison.overall {
    case .noChange: "\(ruledOut); \(runs)"
    case .inconclusive: "\(open); \(runs)"
    default: decisive.map { "\(shown($0)); \(runs)" } ?? runs
    }
  }

  private var deciding: [MetricComparison] { comparison.metrics.filter(\.isGating) }

  // MARK: A change is shown

  /// The figure that supports the verdict most clearly.
  private var decisive: MetricComparison? {
    let figures = deciding.filter { $0.verdict == comparison.overall }
    return figures.min { isBetter ? $0.pBetter < $1.pBetter : $0.p < $1.p }
  }

  private var isBetter: Bool { [.improved, .suspectedImprovement].contains(comparison.overall) }

  /// Which side is slower, with the values of the deciding figure on both sides, and which other
  /// figures agree.
  private func shown(_ metric: MetricComparison) -> String {
    let others = deciding.filter { $0.verdict == metric.verdict && $0.name != metric.name }
    let also = others.isEmpty ? "" : ", also \(others.map(\.name).joined(separator: ", "))"
    let values = [metric.before, metric.after].map { FixedNumber.text($0, decimals: 2) }
    let word = metric.word(isBetter: isBetter)
    return
      "\(comparison.names.after) is \(word): \(metric.name) \(values[0]) → \(values[1]) \(metric.unit), \(change(metric))\(also)\(trade)\(rates)"
  }

  /// The largest change the other way among the deciding figures, relative to the threshold for acting on it.
  private var trade: String {
    let opposite: [Verdict] =
      isBetter ? [.regressed, .suspected] : [.improved, .suspectedImprovement]
    let others = deciding.filter { opposite.contains($0.verdict) }
    return others.max { abs($0.effect) / $0.threshold < abs($1.effect) / $1.threshold }
      .map { metric in
        let values = [metric.before, metric.after].map { FixedNumber.text($0, decimals: 2) }
        return
          ", but \(metric.word(isBetter: !isBetter)) by \(metric.name) \(values[0]) → \(values[1]) \(metric.unit), \(metric.effectText) \(metric.intervalText)"
      } ?? ""
  }

  /// The change of a figure, with its bounds and their meaning.
  private func change(_ metric: MetricComparison) -> String {
    "\(metric.effectText) \(metric.intervalText) (\(Self.level))"
  }

  /// The frame rates that players know, if they are not bound to refreshes.
  private var rates: String {
    let words = RunSummary.spokenRates.compactMap { name, word in
      comparison.beside.first { $0.name == name }.map { figure in
        let values = [figure.before, figure.after].map { FixedNumber.text($0, decimals: 1) }
        return "\(word) \(values[0]) → \(values[1]) \(figure.unit)"
      }
    }
    let isBound = (comparison.before + comparison.after).contains(where: \.isQuantized)
    return isBound || words.isEmpty ? "" : "; \(words.joined(separator: ", "))"
  }

  // MARK: A change is ruled out

  /// The worsening that is ruled out for all deciding figures: the largest bound of each kind.
  private var ruledOut: String {
    var kinds: [String] = []
    for metric in deciding where !kinds.contains(metric.worsening) {
      kinds.append(metric.worsening)
    }
    let bounds = kinds.compactMap { words -> (bound: Double, text: String)? in
      let own = deciding.filter { $0.worsening == words }
      guard let highest = own.map(\.interval.upperBound).max(), let unit = own.first?.effectUnit
      else {
        return nil
      }
      let decimals = unit == "pp" ? 2 : 1
      return (highest, "\(FixedNumber.roundedUp(highest, decimals: decimals)) \(unit) \(words)")
    }
    let each = deciding.count == 1 ? "with 95 % confidence" : "each with 95 % confidence"
    let whom =
      deciding.count == 1 ? "for \(deciding[0].name)" : "for every deciding figure"
    guard bounds.contains(where: { $0.bound > 0 }) else {
      return "any regression is ruled out \(whom), \(each)"
    }
    let texts = bounds.filter { $0.bound > 0 }.map(\.text)
    let list =
      texts.count < 2
      ? texts.joined()
      : "\(texts.dropLast().joined(separator: ", ")) or \(texts[texts.count - 1])"
    return "more than \(list) is ruled out \(whom), \(each)"
  }

  // MARK: Neither is the case

  /// The direction in which the figures lean, and what would decide the comparison.
  private var open: String {
    guard let lean else { return "\(noLean); \(needed(undecided))" }
    return
      "leans \(lean.metric.word(isBetter: lean.isBetter)), \(lean.metric.name) \(change(lean.metric)); \(needed(undecided))"
  }

  private var undecided: [MetricComparison] { deciding.filter { $0.verdict == .inconclusive } }

  /// The figure whose change is least likely to be random, if any change is unlikely to be.
  private var lean: (metric: MetricComparison, isBetter: Bool)? {
    let all =
      deciding.map { (metric: $0, isBetter: false, p: $0.p) }
      + undecided.map { (metric: $0, isBetter: true, p: $0.pBetter) }
    let least = all.filter { $0.metric.contradictedBy == nil && !$0.metric.isEqual }
      .min { $0.p < $1.p }
    return least.flatMap { $0.p < ComparisonConstants.lean ? ($0.metric, $0.isBetter) : nil }
  }

  /// The figure with the largest change that is not ruled out, relative to the threshold for acting
  /// on it.
  private var noLean: String {
    let isEqual = deciding.allSatisfy(\.isEqual)
    let widest = undecided.max {
      $0.interval.upperBound / $0.threshold < $1.interval.upperBound / $1.threshold
    }
    guard let widest else { return "no difference seen" }
    // If most pairs have the same difference, a bound alone rules nothing out.
    if widest.interval.upperBound < widest.threshold {
      return
        "no difference seen, but these pairs are too few to rule out a change of \(widest.name), which is the same in most of them"
    }
    return
      "\(isEqual ? "no difference seen" : "no difference shown"), but \(widest.name) \(widest.boundText) is not ruled out (95 % confidence)"
  }

  /// How many more runs per side would most likely decide all undecided figures.
  private func needed(_ metrics: [MetricComparison]) -> String {
    let mayDrift = comparison.warnings.contains { warning in
      if case .driftInUnknownOrder = warning { true } else { false }
    }
    if comparison.design == .blocks || mayDrift {
      return "runs in turns would decide, as 'frametool bench' makes them"
    }
    let isLaunch = isOfLaunches
    let present =
      isLaunch ? counts.min() ?? 0 : min(comparison.before.count, comparison.after.count)
    let (one, many) = unit
    let sizes = metrics.map(\.runsToDecide)
    guard let most = sizes.compactMap(\.self).max(), !sizes.contains(nil) else {
      return "more than 200 \(many) per side would be needed to decide"
    }
    let more = max(1, most - present)
    return "about \(more) more \(more == 1 ? one : many) per side would decide"
  }

  // MARK: The number of runs

  /// Whether each launch, not each run, counts individually.
  private var isOfLaunches: Bool { comparison.kind == .launch && !comparison.isSequential }

  private var counts: [Int] {
    [comparison.before, comparison.after].map { runs in
      isOfLaunches ? runs.reduce(0) { $0 + $1.launches.count } : runs.count
    }
  }

  /// The unit of which each side has several.
  private var unit: (one: String, many: String) {
    isOfLaunches ? ("launch", "launches") : ("run", "runs")
  }

  /// The number of runs or launches on each side, and how runs were made.
  private var runs: String {
    let counts = counts
    let (one, many) = unit
    guard let fewest = counts.min(), fewest > 1 else {
      return counts[0] == counts[1]
        ? "one \(one) each" : "\(counts[0]) and \(counts[1]) \(many)"
    }
    let text =
      counts[0] == counts[1]
      ? "\(counts[0]) \(many) each" : "\(counts[0]) and \(counts[1]) \(many)"
    guard comparison.kind != .launch, !comparison.isSequential else { return text }
    let days = comparison.warnings.contains { warning in
      if case .differentDays = warning { true } else { false }
    }
    let design =
      comparison.design == .pairs
      ? "\(fewest) pairs of runs" : "\(text), \(comparison.design.words(comparison))"
    return design + (days ? ", on different days" : "")
  }
}

extension RunDesign {
  /// How the runs were made, in words.
  fileprivate func words(_ comparison: Comparison) -> String {
    switch self {
    case .pairs: "in pairs"
    case .turns: "in turns"
    case .unknown: "in unknown order"
    case .blocks:
      "all of \((comparison.before.first?.start ?? 0) < (comparison.after.first?.start ?? 0) ? comparison.names.before : comparison.names.after) first"
    }
  }
}

extension MetricComparison {
  /// Whether both sides look the same: equal to within a tenth of the threshold for acting on it.
  var isEqual: Bool { abs(effect) * 10 <= threshold }

  /// The word for a side according to this figure.
  func word(isBetter: Bool) -> String {
    let isTime = effectUnit == "%"
    return isBetter ? (isTime ? "faster" : "smoother") : (isTime ? "slower" : "less smooth")
  }

  /// What an increase of the figure means.
  fileprivate var worsening: String {
    switch RunMetric(rawValue: name) {
    case .missedRefreshShare, .missedRefreshShareOfRun: "more missed refreshes"
    case .intervalHitchRatio, .intervalHitchRatioOfRun: "more hitches"
    case .stuttersPerMinute: "more stutters"
    case .stutterTimeShare: "more time lost to stutters"
    case .worstStutter: "longer stutters"
    case .stopsPerMinute: "more stops"
    case .stopTimeShare: "more time in stops"
    default:
      switch effectUnit {
      case "pp": "worse"
      case "ms/s": "more hitches"
      default: "slower"
      }
    }
  }

  /// The change with its sign and unit.
  var effectText: String { EffectText.text(effect, effectUnit) }

  /// The bounds of the change.
  var intervalText: String { EffectText.text(interval, effectUnit) }

  /// The upper bound with its sign and unit.
  var boundText: String { EffectText.text(interval.upperBound, effectUnit) }
}

/// Changes and their bounds, with signs.
enum EffectText {
  /// A change with its unit.
  static func text(_ effect: Double, _ unit: String) -> String { "\(signed(effect, unit)) \(unit)" }

  /// The bounds of a change.
  static func text(_ interval: ClosedRange<Double>, _ unit: String) -> String {
    bounds(signed(interval.lowerBound, unit), signed(interval.upperBound, unit))
  }

  /// Bounds as printed. Bounds that round to the same value would claim more than the runs show.
  static func bounds(_ low: String, _ high: String) -> String {
    low == high ? "[no spread]" : "[\(low), \(high)]"
  }

  private static func signed(_ value: Double, _ unit: String) -> String {
    // With few runs, an interval can be too wide for a table.
    if value > 9999 { return "> +9999" }
    let text = FixedNumber.text(value, decimals: unit == "pp" ? 2 : 1)
    return value > 0 && text.contains { $0 != "0" && $0 != "." } ? "+" + text : text
  }
}
