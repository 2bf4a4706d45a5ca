public import FrameStatistics
public import FrameTrace

/// A summary of the touches of a surface: counts, and figures of their latencies.
public struct TouchSummary: Sendable {
  /// How many samples there are of each kind, and the outcomes of the main samples.
  public let main, coalesced, predicted, undelivered, cancelled, unresolved: Int
  /// Main samples for which the trace shows neither a frame nor when the app worked.
  public let unknown: Int
  /// Copies of main samples at the end of lists of coalesced ones. These copies are not counted anywhere else.
  public let copies: Int
  /// Samples left out because the frame they name was shown before they were made.
  public let impossible: Int
  /// The time from the scan to the photons, in milliseconds; `nil` without any values.
  public let touchToPhoton, touchToPhotonCoalesced, inputAge, effective: Summary?
  /// The latencies in display intervals.
  public let touchToPhotonFrames, inputAgeFrames, effectiveFrames: Summary?
  /// How many frames used a prediction.
  public let predictedFrames: Int
  /// The parts of the main samples' latencies in order of time. Each part has the names of the stages that it covers;
  /// there are several names if the trace cannot separate the stages.
  public let breakdown: [Part]
  /// The latencies that the parts sum to.
  public let brokenDown: Summary?
  /// How far predictions missed, in points, by their horizon.
  public let predictionErrors: [PredictionError]
  /// Whether any frame that consumed a sample was inferred.
  public let isInferred: Bool
  /// Why there are no latencies; `nil` when there are.
  public let whyNoLatency: String?

  /// A part of the latencies of main samples.
  public struct Part: Sendable {
    /// The names of the stages that the part covers; several if the trace cannot separate them.
    public let parts: [String]
    /// The duration of the part, in milliseconds.
    public let lengths: Summary
  }

  /// How far predictions of one horizon missed.
  public struct PredictionError: Sendable {
    /// How far ahead the predictions are.
    public let horizon: Nanoseconds
    /// The distances between the predicted and the actual points, in points.
    public let error: Summary
  }

  /// The name of the constant for the device, which is part of a latency if the user stated it.
  public static let deviceOffset = LatencyBreakdown.Part.deviceOffset.rawValue

  /// The names of the parts of a latency that are measured, in the order of a pipeline whose compositor draws.
  public static let parts = LatencyBreakdown.Part.allCases.filter { $0 != .deviceOffset }
    .map(\.rawValue)

  init(_ touches: TouchFindings) {
    let counts = touches.counts
    (main, coalesced, predicted) = (counts.main, counts.coalesced, counts.predicted)
    (undelivered, cancelled) = (counts.undelivered, counts.cancelled)
    (unresolved, unknown) = (counts.unresolved, counts.unknown)
    (copies, impossible) = (counts.copies, counts.impossible)
    touchToPhoton = Summary(millionths: Sample(touches.touchToPhoton))
    touchToPhotonCoalesced = Summary(millionths: Sample(touches.touchToPhotonCoalesced))
    inputAge = Summary(millionths: Sample(touches.inputAge))
    effective = Summary(millionths: Sample(touches.effective))
    touchToPhotonFrames = Summary(millionths: Sample(touches.touchToPhotonFrames))
    inputAgeFrames = Summary(millionths: Sample(touches.inputAgeFrames))
    effectiveFrames = Summary(millionths: Sample(touches.effectiveFrames))
    predictedFrames = touches.predictedFrames
    breakdown = touches.breakdown.parts.compactMap { part in
      Summary(millionths: Sample(part.lengths)).map {
        Part(parts: part.names.map(\.rawValue), lengths: $0)
      }
    }
    brokenDown = Summary(millionths: Sample(touches.breakdown.whole))
    predictionErrors = touches.predictionErrors.compactMap { horizon, errors in
      Summary(millionths: Sample(errors)).map { PredictionError(horizon: horizon, error: $0) }
    }
    isInferred = touches.isInferred
    whyNoLatency = Self.why(touches)
  }

  private static func why(_ touches: TouchFindings) -> String? {
    if let why = touches.whyNoPhotons { return why }
    guard touches.touchToPhoton.isEmpty else { return nil }
    if touches.counts.unknown > 0 {
      return "the trace shows neither which frames used the touches nor when the app worked"
    }
    return "no displayed frame shows a main touch sample with a scan time"
  }
}

/// The parts of many latencies, split the same way in each, so that the means of the parts sum to the mean of the
/// total.
package struct BreakdownSums {
  /// The lengths of each part in order, with the names of the stages that it covers; several if most traces cannot
  /// separate them.
  package private(set) var parts: [(names: [LatencyBreakdown.Part], lengths: [Int64])] = []
  /// How many latencies are included, and how many are excluded because they lack a split point that most have.
  package private(set) var count = 0
  package private(set) var missing = 0
  /// The total latencies that are included.
  package private(set) var whole: [Int64] = []

  init() {}

  /// - Parameter offset: A constant that is added to each latency.
  init(_ breakdowns: [LatencyBreakdown], offset: Nanoseconds) {
    var votes: [Set<LatencyBreakdown.Part>: Int] = [:]
    for breakdown in breakdowns { votes[breakdown.knownEnds, default: 0] += 1 }
    let order = { (ends: Set<LatencyBreakdown.Part>) in ends.map(\.rawValue).sorted().joined() }
    let most = votes.max { ($0.value, order($1.key)) < ($1.value, order($0.key)) }
    guard let ends = most?.key else { return }
    for breakdown in breakdowns {
      guard breakdown.knownEnds.isSuperset(of: ends) else {
        missing += 1
        continue
      }
      add(breakdown.lengths(cutAt: ends), offset: offset)
    }
  }

  private mutating func add(_ lengths: [LatencyBreakdown.Length], offset: Nanoseconds) {
    let own =
      offset == .zero ? [] : [LatencyBreakdown.Length(parts: [.deviceOffset], length: offset)]
    for (position, length) in (lengths + own).enumerated() {
      if position == parts.count { parts.append((length.parts, [])) }
      parts[position].lengths.append(length.length.count)
    }
    whole.append(lengths.reduce(offset) { $0 + $1.length }.count)
    count += 1
  }
}
