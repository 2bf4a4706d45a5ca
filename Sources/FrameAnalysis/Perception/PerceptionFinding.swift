import FrameTrace

/// A published model of what people see or how they rate it, computable from the contents of a trace.
///
/// The models are listed side by side, each with its range, and are never merged: none of the predictions is measured
/// here, and the models do not describe the same thing.
public enum PerceptionModel: String, CaseIterable, Sendable {
  case steadyRate = "steady_rate"
  case flicker

  /// The model's name.
  public var name: String {
    switch self {
    case .steadyRate: "preference between two steady rates"
    case .flicker: "flicker of a variable-refresh panel"
    }
  }

  /// Who published it.
  public var source: String {
    switch self {
    case .steadyRate: "Denes et al., ACM TOG 39(4), 2020"
    case .flicker: "elaTCSF, Cai et al., SIGGRAPH Asia 2024"
    }
  }

  /// The range for which the model is valid.
  public var range: String {
    switch self {
    case .steadyRate:
      "steady rates of 50 to 165 Hz, motion of 15 to 45 degrees per second, a display that holds each picture, two versions compared directly; ±1 JOD"
    case .flicker:
      "variable refresh, 1 to 20 Hz; assumed: 100 cd/m², a screen of 63 by 38 degrees"
    }
  }
}

/// What a model predicts for a surface, or why it makes no prediction.
public struct PerceptionFinding: Sendable {
  /// The model.
  public let model: PerceptionModel
  /// The model's predictions; empty if it makes none.
  public let predictions: [Prediction]
  /// Why the model makes no prediction, or no further one; `nil` if there is nothing to add.
  public let why: String?

  /// A figure that a model predicts.
  public struct Prediction: Sendable {
    /// What the figure describes.
    public let what: String
    /// The lowest and highest value of the figure over what the trace does not show.
    public let low, high: Double
    /// The unit of both: `share` or `percent`.
    public let unit: String
    /// The prediction as a sentence, with its assumptions.
    public let sentence: String
  }
}

extension PerceptionFinding {
  /// What each model predicts for a surface.
  static func all(_ measured: MeasuredSurface) -> [PerceptionFinding] {
    let shown = Result { () throws(ShownSteps.Unknown) in try ShownSteps(measured) }
    return [steadyRate(shown), flicker(shown)]
  }

  private init(_ model: PerceptionModel, why: String) {
    (self.model, predictions, self.why) = (model, [], why)
  }

  // MARK: - Steady rates

  /// The maximum number of a surface's rates that are compared, and the minimum difference between two rates.
  private static let mostRates = 3
  private static let sameRate = 0.01

  private static func steadyRate(_ shown: Result<ShownSteps, ShownSteps.Unknown>)
    -> PerceptionFinding
  {
    let none = { PerceptionFinding(.steadyRate, why: $0) }
    let steps: ShownSteps
    switch shown {
    case .success(let found): steps = found
    case .failure(let unknown): return none(unknown.why)
    }
    let rates = merged(steps.steady)
    let longest = steps.interruptions
    let aside =
      longest.isEmpty
      ? nil
      : "it says nothing about \(longest.count == 1 ? "one longer picture" : "\(longest.count) longer pictures"), of "
        + longest.prefix(3).map { "\($0.milliseconds.tenths) ms" }.joined(separator: ", ")
        + (longest.count > 3 ? " and less" : "")
    guard !rates.isEmpty else {
      return none(
        (["no second was shown at a steady rate"] + [aside].compactMap { $0 }).joined(
          separator: "; "))
    }
    let display = (steps.interval ?? steps.shortest).map { 1 / $0.seconds }
    var pairs = rates.indices.flatMap { position in
      rates[(position + 1)...].map { (rates[position], $0, "") }
    }
    if let display {
      pairs = rates.filter { !isSame($0, display) }.map { ($0, display, "the display's ") } + pairs
    }
    guard !pairs.isEmpty else {
      let own = display == nil ? "" : ", the display's own,"
      return none(
        ([
          "all steady seconds had \(rates[0].tenths) Hz\(own) so there is no second rate to compare with"
        ]
          + [aside].compactMap { $0 }).joined(separator: "; "))
    }
    let known = SteadyRatePreference.rates
    let inside = { (rate: Double) in
      rate >= known.lowerBound * (1 - sameRate) && rate <= known.upperBound * (1 + sameRate)
    }
    let predictions = pairs.filter { inside($0.0) && inside($0.1) }.map {
      prediction($0.0, $0.1, whose: $0.2)
    }
    let outside = pairs.flatMap { [$0.0, $0.1] }.filter { !inside($0) }
    let refused = outside.first.map { "\($0.tenths) Hz is outside the model's 50 to 165 Hz" }
    let why = [refused, aside].compactMap { $0 }
    return PerceptionFinding(
      model: .steadyRate, predictions: predictions,
      why: why.isEmpty ? nil : why.joined(separator: "; "))
  }

  /// The rates, those that were shown longest first; rates that hardly differ are merged.
  private static func merged(_ steady: [ShownSteps.Steady]) -> [Double] {
    var sums: [(rate: Double, length: Double)] = []
    for part in steady.sorted(by: { $0.length > $1.length }) {
      if let position = sums.firstIndex(where: { isSame($0.rate, part.rate) }) {
        sums[position].length += part.length.seconds
      } else {
        sums.append((part.rate, part.length.seconds))
      }
    }
    return sums.sorted { ($1.length, $0.rate) < ($0.length, $1.rate) }.prefix(mostRates).map(\.rate)
  }

  private static func isSame(_ one: Double, _ other: Double) -> Bool {
    abs(one - other) <= sameRate * max(one, other)
  }

  private static func prediction(_ rate: Double, _ other: Double, whose: String) -> Prediction {
    let share = SteadyRatePreference.share(rate, over: other)
    let speeds = SteadyRatePreference.speeds
    let differences = [speeds.lowerBound, speeds.upperBound].map {
      abs(SteadyRatePreference.difference(rate, other, speed: $0))
    }
    let (low, high) = (share.lowerBound * 100, share.upperBound * 100)
    let percent = low.whole == high.whole ? "\(low.whole)" : "\(low.whole) to \(high.whole)"
    let isUnclear = (differences.max() ?? 0) < SteadyRatePreference.uncertainty
    let caveat = isUnclear ? "; under 1 JOD, so this model cannot distinguish them" : ""
    return Prediction(
      what: "viewers who choose \(rate.tenths) Hz over \(other.tenths) Hz", low: share.lowerBound,
      high: share.upperBound, unit: "share",
      sentence:
        "\(percent) % of viewers who can compare directly would choose the \(rate.tenths) Hz over \(whose)\(other.tenths) Hz\(caveat)"
    )
  }

  // MARK: - Flicker

  private static let luminance = 100.0

  private static func flicker(_ shown: Result<ShownSteps, ShownSteps.Unknown>)
    -> PerceptionFinding
  {
    let none = { PerceptionFinding(.flicker, why: $0) }
    let steps: ShownSteps
    switch shown {
    case .success(let found): steps = found
    case .failure(let unknown): return none(unknown.why)
    }
    guard steps.isVariable else {
      return none("the trace does not say that the display's refresh varies")
    }
    guard let swing = RateSwing(steps) else {
      return none("too little was shown without a rest: five seconds are needed")
    }
    guard swing.rates.upperBound >= RateSwing.smallestRatio * swing.rates.lowerBound else {
      return none("frame times hardly differ")
    }
    guard swing.share >= RateSwing.clear else {
      return none(
        "frame times do not swing regularly: the strongest line of their spectrum, at \(swing.frequency.tenths) Hz, has \((swing.share * 100).whole) % of their changes"
      )
    }
    let difference = FlickerSensitivity.visibleDifference(at: swing.frequency, luminance: luminance)
    let percent = (difference * 100).hundredths
    return PerceptionFinding(
      model: .flicker,
      predictions: [
        Prediction(
          what: "difference of light between the rates that half of viewers see",
          low: difference * 100,
          high: difference * 100, unit: "percent",
          sentence:
            "frame times swing at \(swing.frequency.tenths) Hz between \(swing.rates.lowerBound.whole) and \(swing.rates.upperBound.whole) fps; on a variable-refresh panel half of viewers see flicker if its light differs by more than \(percent) % between these rates"
        )
      ], why: nil)
  }
}

extension Double {
  fileprivate var whole: String { FixedNumber.text(self, decimals: 0) }
  fileprivate var tenths: String {
    let text = FixedNumber.text(self, decimals: 1)
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
  fileprivate var hundredths: String { FixedNumber.text(self, decimals: 2) }
}
