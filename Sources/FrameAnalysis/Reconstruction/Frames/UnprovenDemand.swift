import FrameStatistics
package import FrameTrace

/// Why the frames of a surface were not necessarily due at each refresh: its source counts idle time as work and shows
/// no load that explains the time between frames.
///
/// A load is GPU work that usually takes more than fifteen sixteenths of an interval. The end of a frame's work is not
/// a load, and neither is the CPU time that such a source states, which contains sleep.
package enum UnprovenDemand: Hashable {
  /// The frames usually come at a rate below the display's, at this mean distance: a limiter or an overload. Also holds
  /// whether the app is known to wait in more than one present call in ten.
  case rate(Nanoseconds, isGPUKnown: Bool, waits: Bool)
  /// Less than half of the time is between frames that follow one another at the usual distance: they are drawn on
  /// demand, or late.
  case irregular
  /// Gaps of more than four refreshes, up to the length of a stop, take more than a twentieth of the time beyond the
  /// usual distance, and the GPU did not work in those gaps: rest or freezes.
  case gaps(FrameGaps)
  /// The app waited in the present call before this many frames, for a refresh or a limiter, and the number of drops
  /// depends on which of the two it was.
  case waits(Int)
  /// The source uses the ends of present calls as starts, and does not record actual starts.
  case unknownStarts

  /// - Parameter keepsRate: Whether the frames are known to keep a limiter's clock.
  /// - Returns: `nil` if the source shows a load, if it measures starts and the app did not wait between frames, or if
  ///   frames follow one another without a break.
  init?(
    _ starts: AppStarts, _ schedule: FrameSchedule, _ stages: FrameStages, keepsRate: Bool
  ) {
    guard !schedule.evidence.measuresStarts || (starts.mayKeepClock && !keepsRate),
      starts.stepCount >= KeptRate.fewestFrames, let usualStep = starts.usualStep
    else { return nil }
    var loads = GPULoads()
    var pace = FramePace(usualStep)
    var steps: [FrameStep] = []
    var loadBefore = Nanoseconds.zero
    for row in starts.steps.indices {
      let times = stages[row]
      let load = times.gpuLoad
      let longest = max(load ?? .zero, loadBefore)
      loadBefore = load ?? .zero
      guard let step = starts.steps[row], let start = stages.appStart(row) else { continue }
      let refresh = schedule.grid.interval(at: start)
      loads.add(load, refresh)
      pace.add(step, times, refresh)
      // A stop says nothing about the frames around it.
      if step <= SurfaceStops.shortest {
        steps.append(FrameStep(length: step, refresh: refresh, gpuLoad: longest))
      }
    }
    let isGPUKnown = loads.isKnown(of: starts.stepCount)
    if isGPUKnown, loads.areHeavy { return nil }
    let isEven =
      pace.isSteady || (schedule.evidence.statesDerivation && pace.isLocked)
    // A light load proves a limiter, or proves nothing.
    let isRate = isEven && (!isGPUKnown || (schedule.evidence.statesDerivation && !keepsRate))
    guard let distances = FrameDistances(steps) else { return nil }
    if schedule.evidence.statesDerivation, distances.isIrregular {
      self = .irregular
    } else if isRate {
      self = .rate(distances.mean, isGPUKnown: isGPUKnown, waits: !pace.isQuick)
    } else if schedule.evidence.statesDerivation, let gaps = distances.gaps {
      self = .gaps(gaps)
    } else {
      return nil
    }
  }
}

extension UnprovenDemand {
  var isRate: Bool {
    if case .rate = self { return true }
    return false
  }

  /// The reason, without the maximum number of refreshes that may have been dropped.
  var words: String {
    switch self {
    case .rate(let interval, isGPUKnown: true, _):
      "\(Self.rate(interval)) fps may be a limit or an overload; the GPU has time to spare, and the source counts an app's waits as work"
    case .rate(let interval, isGPUKnown: false, _):
      "\(Self.rate(interval)) fps may be a limit or an overload; GPU times would show which"
    case .irregular:
      "irregular frames, drawn on demand or late, and the source does not record when the app started"
    case .gaps(let gaps): "\(gaps.words), and the source does not record when the app started"
    case .waits(let frames):
      "before \(frames.frames), the app waited for a refresh or a limiter; GPU times would show which"
    case .unknownStarts: "the source does not record how long present calls took"
    }
  }

  /// The number of intervals in a second.
  static func rate(_ interval: Nanoseconds) -> String {
    FixedNumber.text(1000 / interval.milliseconds, decimals: 1)
  }
}
