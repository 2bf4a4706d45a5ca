import FrameAnalysis
import FrameTrace

/// The touches of a recording, assigned to replayed work: each app interval receives the touches that were available at
/// its start and that no earlier interval received.
struct ReplayTouches {
  /// A touch sample with its times in nanoseconds.
  struct Sample {
    var start: Int64
    var end: Int64?
    /// The earliest time at which the app can receive the sample.
    var ready: Int64
    var finger: Int64?
    var phase: Int64?
    var device: Int64?
    var isCancelled = false
  }

  /// The samples that an app interval received.
  struct Delivery {
    let time: Int64
    /// The index of the frame that the interval produced.
    let frame: Int
    /// The indices of the samples, newest last.
    let samples: [Int]
  }

  private(set) var samples: [Sample] = []
  private(set) var deliveries: [Delivery] = []
  /// The indices of samples not consumed by any frame.
  private(set) var rest: [Int] = []
  /// How far ahead the newest sample of each delivery is predicted, in nanoseconds.
  private(set) var predictions: [Int64] = []

  /// - Parameters:
  ///   - trace: The trace with the recorded touches.
  ///   - slack: How late after an app's start a touch may arrive and still be delivered to it.
  init(
    _ trace: Trace, _ timeline: SurfaceTimeline, _ end: Timestamp?, _ frames: [ReplayedFrame],
    _ conditions: ReplayConditions, slack: Int64
  ) {
    let recorded = SurfaceTouches(trace, timeline, end: end)
    guard !recorded.samples.isEmpty else { return }
    read(recorded, trace)
    predictions = Self.horizons(recorded)
    if let prediction = conditions.prediction {
      predictions = prediction > .zero ? [prediction.count] : []
    }
    if let interval = conditions.scanInterval?.count, interval > 0 { scan(every: interval) }
    deliver(to: frames, slack: slack)
  }

  private mutating func read(_ recorded: SurfaceTouches, _ trace: Trace) {
    for sample in recorded.samples where sample.kind != .predicted && !sample.isCopy {
      guard let start = sample.scanStart ?? sample.scanEnd ?? sample.delivered else { continue }
      let end = sample.scanEnd?.nanoseconds
      samples.append(
        Sample(
          start: start.nanoseconds, end: end,
          ready: end ?? sample.delivered?.nanoseconds ?? start.nanoseconds, finger: sample.finger,
          phase: sample.phase?.rawValue, device: trace.touches[sample.row, .device],
          isCancelled: sample.outcome == .cancelled))
    }
    samples.sort { ($0.ready, $0.start) < ($1.ready, $1.start) }
  }

  /// The distances between predictions and the present, in ascending order.
  private static func horizons(_ recorded: SurfaceTouches) -> [Int64] {
    var found: Set<Int64> = []
    for sample in recorded.samples where sample.kind == .predicted {
      guard let main = sample.main.flatMap({ recorded.samples[$0].scanStart }),
        let time = sample.scanStart
      else {
        continue
      }
      found.insert((time - main).count)
    }
    guard found.count > 8 else { return found.sorted() }
    // Measured clocks make the same horizon vary slightly, so horizons are rounded to half a
    // millisecond.
    let rounded = Set(found.map { ($0 + 250_000) / 500_000 * 500_000 })
    return rounded.count <= 8 ? rounded.sorted() : []
  }

  /// Replaces the scans while fingers are down with scans at another rate.
  private mutating func scan(every interval: Int64) {
    var byFinger: [Int64: [Sample]] = [:]
    for sample in samples { byFinger[sample.finger ?? 0, default: []].append(sample) }
    samples = byFinger.keys.sorted().flatMap { finger -> [Sample] in
      guard let own = byFinger[finger], let first = own.first, let last = own.last else {
        return []
      }
      let end = last.end ?? last.ready
      // The delay from a scan to its delivery stays the same.
      let lag = first.end == nil ? first.ready - first.start : nil
      return stride(from: first.start, through: max(first.start, end - interval), by: Int(interval))
        .map { start in
          var sample = first
          (sample.start, sample.end) = (start, lag == nil ? start + interval : nil)
          sample.ready = lag.map { start + $0 } ?? start + interval
          sample.phase = nil
          return sample
        }
    }
    samples.sort { ($0.ready, $0.start) < ($1.ready, $1.start) }
  }

  private mutating func deliver(to frames: [ReplayedFrame], slack: Int64) {
    var next = 0
    for position in frames.indices where next < samples.count {
      for start in [frames[position].appStart] + frames[position].more.map(\.start) {
        var given: [Int] = []
        while next < samples.count, samples[next].ready <= start + slack {
          if samples[next].isCancelled { rest.append(next) } else { given.append(next) }
          next += 1
        }
        if !given.isEmpty {
          deliveries.append(Delivery(time: start, frame: position, samples: given))
        }
      }
    }
    rest += Array(next..<samples.count)
  }
}
