/// How the time from a touch to its photons splits into the stages; the parts sum to the
/// whole.
struct LatencyBreakdown {
  /// A part of the time.
  enum Part: String, CaseIterable, Sendable {
    case scan, delivery, app
    case compositorWait = "compositor_wait"
    case compositor, gpu, queue
    case scanOut = "scanout"
  }

  /// A length of time with the parts it covers: more than one where the trace does not tell
  /// where one ends and the next begins.
  struct Length: Hashable, Sendable {
    let parts: [Part]
    let nanoseconds: Int64
  }

  let lengths: [Length]

  /// - Parameters:
  ///   - times: The stages of the frame that consumed the sample.
  ///   - displayed: D of the frame that shows it.
  init(_ sample: TouchSample, _ times: StageTimes, displayed: Int64, photon: Int64) {
    var cuts: [(end: Int64?, part: Part)] = [(sample.scanEnd, .scan), (times.appStart, .delivery)]
    if times.isFilledByApp {
      cuts += [
        (times.commit, .app), (times.queued, .gpu), (times.compositorStart, .compositorWait),
        (times.compositorEnd, .compositor), (displayed, .queue),
      ]
    } else {
      cuts += [
        (times.commit, .app), (times.compositorStart, .compositorWait),
        (times.compositorEnd, .compositor), (times.queued, .gpu), (displayed, .queue),
      ]
    }
    var lengths: [Length] = []
    var parts: [Part] = []
    var last = sample.scanStart
    for cut in cuts {
      parts.append(cut.part)
      guard let end = cut.end else { continue }
      let moved = min(max(end, last), max(displayed, last))
      lengths.append(Length(parts: parts, nanoseconds: moved - last))
      parts = []
      last = moved
    }
    lengths.append(Length(parts: [.scanOut], nanoseconds: photon - last))
    self.lengths = lengths
  }
}
