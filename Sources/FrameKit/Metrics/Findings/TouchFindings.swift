/// The touches of a surface, and how long it took until they were seen.
///
/// Lengths are in nanoseconds, or in millionths of a display interval where they are called
/// frames.
struct TouchFindings {
  /// How many samples there are of each kind, and what became of the main ones.
  struct Counts: Hashable {
    var main = 0
    var coalesced = 0
    var predicted = 0
    var undelivered = 0
    var cancelled = 0
    var unresolved = 0
    /// Copies of main samples in lists of coalesced ones, which count nowhere.
    var copies = 0
  }

  private(set) var counts = Counts()
  /// From S0 to the photons, of main samples and of coalesced ones.
  private(set) var touchToPhoton: [Int64] = []
  private(set) var touchToPhotonFrames: [Int64] = []
  private(set) var touchToPhotonCoalesced: [Int64] = []
  /// For frames that show a sample: from the newest one's S0 to the photons.
  private(set) var inputAge: [Int64] = []
  private(set) var inputAgeFrames: [Int64] = []
  /// The same from the newest scan that is predicted.
  private(set) var effective: [Int64] = []
  private(set) var effectiveFrames: [Int64] = []
  /// The parts of the main samples' latencies, by the parts that could not be told apart.
  private(set) var breakdown: [[LatencyBreakdown.Part]: [Int64]] = [:]
  /// How far predictions missed, in millionths of a point, by their horizon in nanoseconds.
  private(set) var predictionErrors: [Int64: [Int64]] = [:]
  /// How far the steps between scans of a finger are from the usual one.
  private(set) var scanJitter: [Int64] = []
  /// The most and the usual number of coalesced samples of a delivery that had any.
  private(set) var coalescedPerDelivery: [Int64] = []
  /// Whether any frame that consumed a sample was inferred.
  private(set) var isInferred = false

  init(_ surface: RebuiltSurface, _ touches: SurfaceTouches, _ options: AnalysisOptions) {
    let range = options.region?.range ?? Int64.min..<Int64.max
    let samples = touches.samples.filter { sample in
      range.contains(sample.delivered ?? sample.scanEnd ?? sample.scanStart)
    }
    let photons = PhotonTimes(surface, scanOutShare: options.scanOutShare)
    let offset = options.deviceOffset.count
    count(samples)
    isInferred = samples.contains { $0.isInferred && $0.shownBy != nil }
    measureSamples(samples, photons, surface.timeline, offset)
    let frames = FrameInputs.all(touches, samples)
    measureFrames(frames, photons, offset)
    let paths = FingerPaths(touches.samples)
    measurePredictions(samples, touches, paths)
    scanJitter = paths.jitter
  }

  private mutating func count(_ samples: [TouchSample]) {
    var perDelivery: [Int: Int64] = [:]
    for sample in samples {
      switch sample.kind {
      case .main:
        counts.main += 1
        switch sample.outcome {
        case .shown: break
        case .undelivered: counts.undelivered += 1
        case .cancelled: counts.cancelled += 1
        case .unresolved: counts.unresolved += 1
        }
      case .coalesced:
        if sample.isCopy {
          counts.copies += 1
        } else {
          counts.coalesced += 1
          if let main = sample.main { perDelivery[main, default: 0] += 1_000_000 }
        }
      case .predicted: counts.predicted += 1
      }
    }
    coalescedPerDelivery = perDelivery.keys.sorted().compactMap { perDelivery[$0] }
  }

  private mutating func measureSamples(
    _ samples: [TouchSample], _ photons: PhotonTimes, _ timeline: SurfaceTimeline, _ offset: Int64
  ) {
    for sample in samples where sample.kind != .predicted && !sample.isCopy {
      guard let row = sample.shownBy, let photon = photons.photon(row),
        let frame = sample.frame, let displayed = timeline.schedule.shownTime(row)
      else { continue }
      let latency = photon - sample.scanStart + offset
      guard sample.kind == .main else {
        touchToPhotonCoalesced.append(latency)
        continue
      }
      touchToPhoton.append(latency)
      let frames = photons.frames(from: sample.scanStart, to: photon + offset)
      touchToPhotonFrames.append(Self.millionths(frames))
      let parts = LatencyBreakdown(
        sample, timeline.stages[frame], displayed: displayed, photon: photon + offset)
      for length in parts.lengths {
        breakdown[length.parts, default: []].append(length.nanoseconds)
      }
    }
  }

  private mutating func measureFrames(
    _ frames: [FrameInputs], _ photons: PhotonTimes, _ offset: Int64
  ) {
    for frame in frames {
      guard let photon = photons.photon(frame.row) else { continue }
      inputAge.append(photon - frame.newest + offset)
      let age = photons.frames(from: frame.newest, to: photon + offset)
      inputAgeFrames.append(Self.millionths(age))
      let stamp = frame.newestPredicted ?? frame.newest
      effective.append(photon - stamp + offset)
      let left = photons.frames(from: stamp, to: photon + offset)
      effectiveFrames.append(Self.millionths(left))
    }
  }

  private mutating func measurePredictions(
    _ samples: [TouchSample], _ touches: SurfaceTouches, _ paths: FingerPaths
  ) {
    for sample in samples where sample.kind == .predicted {
      guard let main = sample.main, let predicted = sample.location,
        let actual = paths.location(of: sample.finger, at: sample.scanStart)
      else { continue }
      let horizon = sample.scanStart - touches.samples[main].scanStart
      // Horizons that differ by less than a tenth of a millisecond are the same one.
      let rounded = (horizon + 50_000) / 100_000 * 100_000
      predictionErrors[rounded, default: []].append(
        Self.millionths(predicted.distance(to: actual)))
    }
  }

  private static func millionths(_ value: Double) -> Int64 { Int64((value * 1e6).rounded()) }
}
