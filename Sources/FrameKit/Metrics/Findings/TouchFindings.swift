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

/// The newest sample that a displayed frame shows.
struct FrameInputs {
  let row: Int
  /// S0 of the newest sample that it or a frame it replaced consumed.
  fileprivate(set) var newest: Int64
  /// The newest scan that the predictions it uses look ahead to; `nil` without predictions.
  fileprivate(set) var newestPredicted: Int64?
  private var delivered: Int64

  /// The inputs of all frames that show any, in order. Predictions of a delivery are void
  /// once a newer one is consumed.
  static func all(_ touches: SurfaceTouches, _ samples: [TouchSample]) -> [FrameInputs] {
    var inputs: [Int: FrameInputs] = [:]
    for sample in samples where sample.kind != .predicted {
      guard let row = sample.shownBy else { continue }
      let delivered = sample.delivered ?? sample.scanStart
      var frame =
        inputs[row] ?? FrameInputs(row: row, newest: sample.scanStart, delivered: delivered)
      frame.newest = max(frame.newest, sample.scanStart)
      frame.delivered = max(frame.delivered, delivered)
      inputs[row] = frame
    }
    for sample in samples where sample.kind == .predicted {
      guard let row = sample.shownBy, var frame = inputs[row] else { continue }
      let main = sample.main.map { touches.samples[$0] }
      guard sample.delivered ?? main?.delivered ?? main?.scanStart == frame.delivered else {
        continue
      }
      frame.newestPredicted = max(frame.newestPredicted ?? .min, sample.scanStart)
      inputs[row] = frame
    }
    return inputs.keys.sorted().compactMap { inputs[$0] }
  }

  private init(row: Int, newest: Int64, delivered: Int64) {
    self.row = row
    self.newest = newest
    self.delivered = delivered
  }
}

/// The ways of fingers, as their scans tell them.
struct FingerPaths {
  private var paths: [Int64: [(time: Int64, location: TouchSample.Location?)]] = [:]

  init(_ samples: [TouchSample]) {
    for sample in samples where sample.kind != .predicted && !sample.isCopy {
      paths[sample.finger ?? 0, default: []].append((sample.scanStart, sample.location))
    }
    for finger in paths.keys { paths[finger]?.sort { $0.time < $1.time } }
  }

  /// Where a finger was at a time, between the two scans around it; `nil` before the first
  /// and behind the last.
  func location(of finger: Int64?, at time: Int64) -> TouchSample.Location? {
    guard let path = paths[finger ?? 0], let next = path.place(of: time)
    else { return nil }
    if path[next].time == time { return path[next].location }
    guard next > 0, let from = path[next - 1].location, let to = path[next].location else {
      return nil
    }
    let share = Double(time - path[next - 1].time) / Double(path[next].time - path[next - 1].time)
    return TouchSample.Location(
      x: from.x + share * (to.x - from.x), y: from.y + share * (to.y - from.y))
  }

  /// By how much each step between scans of a finger differs from the median step.
  var jitter: [Int64] {
    var jitter: [Int64] = []
    for finger in paths.keys.sorted() {
      let times = (paths[finger] ?? []).map(\.time)
      let steps = zip(times.dropFirst(), times).map { $0 - $1 }.filter { $0 > 0 }
      guard steps.count > 1 else { continue }
      let median = steps.sorted()[steps.count / 2]
      // A finger that was lifted makes no step.
      jitter += steps.filter { $0 < 4 * median }.map { abs($0 - median) }
    }
    return jitter
  }
}

extension [(time: Int64, location: TouchSample.Location?)] {
  /// The place of the first scan at a time or later; `nil` when there is none.
  fileprivate func place(of time: Int64) -> Int? {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if self[middle].time < time { low = middle + 1 } else { high = middle }
    }
    return low < count ? low : nil
  }
}
