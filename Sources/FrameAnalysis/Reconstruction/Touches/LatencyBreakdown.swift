import FrameTrace

/// How the time from a touch to its photons splits into the stages; the parts sum to the total.
package struct LatencyBreakdown {
  /// A part of the time.
  package enum Part: String, CaseIterable, Sendable {
    case scan, delivery, app
    case compositorWait = "compositor_wait"
    case compositor, gpu, queue
    case scanOut = "scanout"
    /// A constant that the user added.
    case deviceOffset = "device_offset"
  }

  /// A duration with the parts that it covers; several parts if the trace does not say where one ends and the next
  /// begins.
  struct Length: Hashable, Sendable {
    let parts: [Part]
    let length: Nanoseconds
  }

  /// The known instants that separate the stages.
  private let cuts: [(part: Part, end: Timestamp?)]
  private let start: Timestamp
  private let displayed: Timestamp
  private let photon: Timestamp

  /// - Parameters:
  ///   - times: The stages of the frame that consumed the sample.
  ///   - displayed: D of the frame that shows the sample.
  init?(_ sample: TouchSample, _ times: StageTimes, displayed: Timestamp, photon: Timestamp) {
    guard let start = sample.scanStart else { return nil }
    let commit = sample.app?.commit ?? times.commit
    var cuts: [(part: Part, end: Timestamp?)] = [
      (.scan, sample.scanEnd), (.delivery, sample.app?.start ?? times.appStart), (.app, commit),
    ]
    if times.isFilledByApp {
      cuts += [
        (.gpu, times.queued), (.compositorWait, times.compositorStart),
        (.compositor, times.compositorEnd),
      ]
    } else {
      cuts += [
        (.compositorWait, times.compositorStart), (.compositor, times.compositorEnd),
        (.gpu, times.queued),
      ]
    }
    self.cuts = cuts
    self.start = start
    self.displayed = displayed
    self.photon = photon
  }

  /// The parts with ends that the trace records.
  var knownEnds: Set<Part> { Set(cuts.filter { $0.end != nil }.map(\.part)) }

  /// The parts in order, split only at `ends`.
  func lengths(cutAt ends: Set<Part>) -> [Length] {
    var lengths: [Length] = []
    var parts: [Part] = []
    var last = start
    for cut in cuts + [(.queue, displayed)] {
      parts.append(cut.part)
      guard let end = cut.end, cut.part == .queue || ends.contains(cut.part) else { continue }
      let moved = min(max(end, last), max(displayed, last))
      lengths.append(Length(parts: parts, length: moved - last))
      parts = []
      last = moved
    }
    lengths.append(Length(parts: [.scanOut], length: photon - last))
    return lengths
  }
}
