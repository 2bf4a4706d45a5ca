/// The touches of a surface described: counts, and figures of their latencies.
public struct TouchSummary: Sendable {
  /// How many samples there are of each kind, and what became of the main ones.
  public let main, coalesced, predicted, undelivered, cancelled, unresolved: Int
  /// Copies of main samples at the end of lists of coalesced ones, which count nowhere.
  public let copies: Int
  /// From the scan to the photons, in nanoseconds; `nil` without any.
  public let touchToPhoton, touchToPhotonCoalesced, inputAge, effective: Summary?
  /// Of the same in millionths of a display interval.
  public let touchToPhotonFrames, inputAgeFrames, effectiveFrames: Summary?
  /// The parts of main samples' latencies in order, each with the names of the stages that it
  /// covers: more than one where the trace does not tell them apart.
  public let breakdown: [(parts: [String], lengths: Summary)]
  /// How far predictions missed, in millionths of a point, by how far they looked ahead.
  public let predictionErrors: [(horizon: Nanoseconds, error: Summary)]
  /// Whether any frame that consumed a sample was inferred.
  public let isInferred: Bool

  /// The names of the parts of a latency, in the order of a pipeline whose compositor draws.
  public static let parts = LatencyBreakdown.Part.allCases.map(\.rawValue)

  init(_ touches: TouchFindings) {
    let counts = touches.counts
    (main, coalesced, predicted) = (counts.main, counts.coalesced, counts.predicted)
    (undelivered, cancelled) = (counts.undelivered, counts.cancelled)
    (unresolved, copies) = (counts.unresolved, counts.copies)
    touchToPhoton = Summary(Sample(touches.touchToPhoton))
    touchToPhotonCoalesced = Summary(Sample(touches.touchToPhotonCoalesced))
    inputAge = Summary(Sample(touches.inputAge))
    effective = Summary(Sample(touches.effective))
    touchToPhotonFrames = Summary(Sample(touches.touchToPhotonFrames))
    inputAgeFrames = Summary(Sample(touches.inputAgeFrames))
    effectiveFrames = Summary(Sample(touches.effectiveFrames))
    breakdown = Self.breakdown(touches)
    predictionErrors = touches.predictionErrors.keys.sorted().compactMap { horizon in
      Summary(Sample(touches.predictionErrors[horizon] ?? [])).map { (Nanoseconds(horizon), $0) }
    }
    isInferred = touches.isInferred
  }

  private static func breakdown(
    _ touches: TouchFindings
  ) -> [(parts: [String], lengths: Summary)] {
    let all = LatencyBreakdown.Part.allCases
    let place = { (parts: [LatencyBreakdown.Part]) in
      parts.map { all.firstIndex(of: $0) ?? 0 }
    }
    let keys = touches.breakdown.keys.sorted { place($0).lexicographicallyPrecedes(place($1)) }
    return keys.compactMap { parts in
      Summary(Sample(touches.breakdown[parts] ?? [])).map { (parts.map(\.rawValue), $0) }
    }
  }
}
