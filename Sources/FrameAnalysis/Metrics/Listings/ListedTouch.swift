package import FrameTrace

/// A touch sample of a surface, with its outcome.
package struct ListedTouch: Sendable {
  /// The sample's row in the trace.
  package let row: Int
  package let kind: TouchColumn.Kind
  package let phase: TouchColumn.Phase?
  package let finger: Int64?
  /// S0 and S1; for a predicted sample, S0 is the scan that it predicts.
  package let scanStart, scanEnd, delivered: Timestamp?
  /// The row of the frame that consumed the sample, and of the frame that shows it.
  package let frame, shownBy: Int?
  /// Whether the frame that consumed the sample was inferred.
  package let isInferred: Bool
  /// The outcome, as one word.
  package let outcome: String
  /// When the light of the frame that shows the sample is emitted.
  package let photon: Timestamp?
  /// The time from the scan to the photons, including a device constant; `nil` for predicted samples, and where the
  /// frame named was shown before the sample was made.
  package let latency: Nanoseconds?

  /// The samples of a surface in order of time; empty if the trace has no touches for it.
  package static func all(_ surface: MeasuredSurface) -> [ListedTouch] {
    guard let rebuilt = surface.rebuilt else { return [] }
    let trace = surface.pipeline.trace
    let touches = SurfaceTouches(trace, rebuilt.timeline, end: surface.pipeline.end)
    let photons = PhotonTimes(rebuilt, scanOutShare: surface.options.scanOutShare)
    let offset = surface.options.deviceOffset
    return touches.samples.filter { !$0.isCopy }.map { sample in
      let displayed = sample.shownBy.flatMap(rebuilt.timeline.schedule.shownTime)
      // A frame shown before the sample was made cannot show it.
      let isPossible = (displayed ?? .earliest) >= (sample.scanStart ?? .earliest)
      let photon = isPossible ? sample.shownBy.flatMap { photons?.photon($0) } : nil
      return ListedTouch(sample, photon: photon, offset: offset)
    }.sorted { ($0.time ?? .latest, $0.row) < ($1.time ?? .latest, $1.row) }
  }

  /// The first known time of the sample.
  package var time: Timestamp? { delivered ?? scanEnd ?? scanStart }

  private init(_ sample: TouchSample, photon: Timestamp?, offset: Nanoseconds) {
    row = sample.row
    kind = sample.kind
    phase = sample.phase
    finger = sample.finger
    scanStart = sample.scanStart
    scanEnd = sample.scanEnd
    delivered = sample.delivered
    frame = sample.frame
    shownBy = sample.shownBy
    isInferred = sample.isInferred
    outcome = Self.word(sample.outcome)
    self.photon = photon
    let start = sample.kind == .predicted ? nil : sample.scanStart
    latency = photon.flatMap { photon in start.map { photon - $0 + offset } }
  }

  private static func word(_ outcome: TouchSample.Outcome) -> String {
    switch outcome {
    case .shown: "shown"
    case .unresolved: "unresolved"
    case .undelivered: "undelivered"
    case .cancelled: "cancelled"
    case .unknown: "unknown"
    }
  }
}
