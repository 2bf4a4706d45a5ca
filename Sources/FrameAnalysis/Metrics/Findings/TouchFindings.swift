import FrameStatistics
import FrameTrace

/// The touches of a surface, and the time until they were visible.
///
/// Lengths are in nanoseconds, or in millionths of a display interval if they are named frames.
package struct TouchFindings {
  /// How many samples there are of each kind, and the outcomes of the main samples.
  struct Counts: Hashable {
    var main = 0
    var coalesced = 0
    var predicted = 0
    var undelivered = 0
    var cancelled = 0
    var unresolved = 0
    /// Main samples whose outcome the trace does not show.
    var unknown = 0
    /// Copies of main samples in lists of coalesced ones. These copies are not counted anywhere else.
    var copies = 0
    /// Samples that name a frame which was shown before they were made.
    var impossible = 0
  }

  private(set) var counts = Counts()
  /// The time from S0 to the photons, for main samples and coalesced ones.
  package private(set) var touchToPhoton: [Int64] = []
  private(set) var touchToPhotonFrames: [Int64] = []
  private(set) var touchToPhotonCoalesced: [Int64] = []
  /// For frames that show a sample, the time from the newest sample's S0 to the photons.
  private(set) var inputAge: [Int64] = []
  private(set) var inputAgeFrames: [Int64] = []
  /// The input age measured from the newest predicted scan.
  private(set) var effective: [Int64] = []
  private(set) var effectiveFrames: [Int64] = []
  /// How many frames used a prediction.
  private(set) var predictedFrames = 0
  /// The parts of the main samples' latencies.
  package private(set) var breakdown = BreakdownSums()
  /// How far predictions missed, in millionths of a point, by their horizon.
  private(set) var predictionErrors: [(horizon: Nanoseconds, errors: [Int64])] = []
  /// The steps between scans of a finger that is down.
  private(set) var scanIntervals: [Int64] = []
  /// The time from S0 to the delivery, for main samples.
  private(set) var scanDeliveries: [Int64] = []
  /// How far the steps between scans of a finger deviate from the usual step.
  private(set) var scanJitter: [Int64] = []
  /// How many coalesced samples came with each delivery that contained any, in millionths.
  private(set) var coalescedPerDelivery: [Int64] = []
  /// Whether any frame that consumed a sample, or the length of a scan-out, was inferred.
  package private(set) var isInferred = false
  /// Why no photon times are known; `nil` if they are known.
  package private(set) var whyNoPhotons: String?

  /// How many values of each kind are missing.
  var missingLatencies: Int { counts.main - touchToPhoton.count }
  var missingFrames: Int { counts.main - touchToPhotonFrames.count }
  var missingCoalesced: Int { counts.coalesced - touchToPhotonCoalesced.count }
  var missingErrors: Int {
    counts.predicted - predictionErrors.reduce(0) { $0 + $1.errors.count }
  }

  private let timeline: SurfaceTimeline
  private let options: AnalysisOptions

  init(_ surface: RebuiltSurface, _ touches: SurfaceTouches, _ options: AnalysisOptions) {
    timeline = surface.timeline
    self.options = options
    let range = options.region?.range ?? .always
    let samples = touches.samples.filter { $0.time.map(range.contains) ?? true }
    count(samples)
    let paths = FingerPaths(touches.samples)
    measurePredictions(samples, touches, paths, interval: surface.timeline.schedule.grid.interval)
    scanJitter = paths.jitter(within: range)
    scanIntervals = paths.steps(within: range).flatMap { $0 }
    scanDeliveries = samples.compactMap { sample in
      guard sample.kind == .main, let start = sample.scanStart, let delivered = sample.delivered
      else { return nil }
      return (delivered - start).count
    }
    guard surface.timeline.stages.count > 0 else {
      whyNoPhotons = "there are no frames"
      return
    }
    guard let photons = PhotonTimes(surface, scanOutShare: options.scanOutShare) else {
      let shown = surface.timeline.schedule.displayed
      whyNoPhotons =
        (0..<shown.count).contains { shown[$0] != nil }
        ? "the display times keep no fixed interval, so the length of a scan-out is unknown; --scan-out 0 measures to its start"
        : "the trace has no display times of these frames"
      return
    }
    isInferred =
      samples.contains { $0.isInferred && $0.shownBy != nil }
      || (surface.refreshes.isVariable && surface.refreshes.shortest == nil)
    measureSamples(samples, photons)
    measureFrames(FrameInputs.all(touches, samples), photons)
  }

  private mutating func count(_ samples: [TouchSample]) {
    var perDelivery: [Int: Int64] = [:]
    for sample in samples {
      switch sample.kind {
      case .main: countMain(sample)
      case .coalesced where sample.isCopy: counts.copies += 1
      case .coalesced:
        counts.coalesced += 1
        if let main = sample.main { perDelivery[main, default: 0] += 1_000_000 }
      case .predicted: counts.predicted += 1
      }
    }
    coalescedPerDelivery = perDelivery.keys.sorted().compactMap { perDelivery[$0] }
  }

  private mutating func countMain(_ sample: TouchSample) {
    counts.main += 1
    switch sample.outcome {
    case .shown: break
    case .undelivered: counts.undelivered += 1
    case .cancelled: counts.cancelled += 1
    case .unresolved: counts.unresolved += 1
    case .unknown: counts.unknown += 1
    }
  }

  private mutating func measureSamples(_ samples: [TouchSample], _ photons: PhotonTimes) {
    let offset = options.deviceOffset
    var breakdowns: [LatencyBreakdown] = []
    for sample in samples where sample.kind != .predicted && !sample.isCopy {
      guard let row = sample.shownBy, let photon = photons.photon(row),
        let start = sample.scanStart, let frame = sample.frame,
        let displayed = timeline.schedule.shownTime(row)
      else { continue }
      guard displayed >= start else {
        counts.impossible += 1
        continue
      }
      guard sample.kind == .main else {
        touchToPhotonCoalesced.append((photon - start + offset).count)
        continue
      }
      touchToPhoton.append((photon - start + offset).count)
      if let frames = photons.frames(from: start, to: photon + offset) {
        touchToPhotonFrames.append(Self.millionths(frames))
      }
      breakdowns +=
        LatencyBreakdown(
          sample, timeline.stages[frame], displayed: displayed, photon: photon
        ).map { [$0] } ?? []
    }
    breakdown = BreakdownSums(breakdowns, offset: offset)
  }

  private mutating func measureFrames(_ frames: [FrameInputs], _ photons: PhotonTimes) {
    let offset = options.deviceOffset
    for frame in frames {
      guard let photon = photons.photon(frame.row), photon >= frame.newest else { continue }
      let stamp = frame.newestPredicted ?? frame.newest
      inputAge.append((photon - frame.newest + offset).count)
      effective.append((photon - stamp + offset).count)
      if frame.newestPredicted != nil { predictedFrames += 1 }
      guard let age = photons.frames(from: frame.newest, to: photon + offset),
        let left = photons.frames(from: stamp, to: photon + offset)
      else { continue }
      inputAgeFrames.append(Self.millionths(age))
      effectiveFrames.append(Self.millionths(left))
    }
  }

  private mutating func measurePredictions(
    _ samples: [TouchSample], _ touches: SurfaceTouches, _ paths: FingerPaths,
    interval: Nanoseconds
  ) {
    var found: [(horizon: Nanoseconds, error: Int64)] = []
    for sample in samples where sample.kind == .predicted {
      guard let main = sample.main.map({ touches.samples[$0] }), let start = main.scanStart,
        let predicted = sample.location, let time = sample.scanStart,
        let actual = paths.location(of: sample.finger ?? main.finger, at: time, after: start)
      else { continue }
      found.append((time - start, Self.millionths(predicted.distance(to: actual))))
    }
    found.sort { ($0.horizon, $0.error) < ($1.horizon, $1.error) }
    // Horizons less than a quarter of an interval apart count as one horizon that uneven scans have spread.
    for next in found {
      let last = predictionErrors.count - 1
      if last >= 0, next.horizon - predictionErrors[last].horizon <= interval / 4 {
        predictionErrors[last].errors.append(next.error)
      } else {
        predictionErrors.append((next.horizon, [next.error]))
      }
    }
  }

  /// Millionths of a value; for an absurdly large value, the largest representable number.
  private static func millionths(_ value: Double) -> Int64 {
    Int64(min(max(Millionths.of(value).rounded(), -9e15), 9e15))
  }
}
