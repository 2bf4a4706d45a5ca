import FrameStatistics
import FrameTrace

/// Why the frames of a surface need not have been due at each refresh: its source counts idle time as work and shows no
/// load that explains the time between frames.
///
/// A load is GPU work that usually takes more than fifteen sixteenths of an interval. The end of a frame's work is not a
/// load, and neither is what such a source states as CPU time, which contains sleep.
enum UnprovenDemand: Hashable {
  /// The frames usually come at a rate below the display's, at this mean distance: a limiter or an overload.
  case rate(Nanoseconds, isGPUKnown: Bool)
  /// Less than half of the time is between frames that follow one another at the usual distance: drawn on demand, or
  /// late.
  case irregular
  /// Gaps of more than four refreshes, and up to a stop's length, take more than a twentieth of the time beyond the usual
  /// distance, and the GPU was not at work in them: rest or freezes.
  case gaps(FrameGaps)

  /// - Parameter keepsRate: Whether the frames are known to keep a rate on purpose.
  /// - Returns: `nil` where the source measures starts, shows a load, or the frames follow one another without a break.
  init?(
    _ starts: AppStarts, _ schedule: FrameSchedule, _ stages: FrameStages, keepsRate: Bool
  ) {
    guard !schedule.measuresStarts, starts.stepCount >= KeptRate.fewestFrames,
      let usualStep = starts.usualStep
    else { return nil }
    var loads: [Double] = []
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
      if let load { loads.append(load.seconds / refresh.seconds) }
      pace.add(step, times, refresh)
      // A stop says nothing about the frames around it.
      if step <= SurfaceStops.shortest {
        steps.append(FrameStep(length: step, refresh: refresh, gpuLoad: longest))
      }
    }
    let isGPUKnown = loads.count * 2 >= starts.stepCount
    if isGPUKnown, loads.sorted().medianOfSorted ?? 0 > 15 / 16 { return nil }
    let isRate =
      isGPUKnown
      ? stages.statesDerivation && pace.isLocked && !keepsRate
      : pace.isSteady || pace.isKept(schedule.grid.interval)
        || (stages.statesDerivation && pace.isLocked)
    guard let distances = FrameDistances(steps) else { return nil }
    if stages.statesDerivation, distances.isIrregular {
      self = .irregular
    } else if isRate {
      self = .rate(distances.mean, isGPUKnown: isGPUKnown)
    } else if stages.statesDerivation, let gaps = distances.gaps {
      self = .gaps(gaps)
    } else {
      return nil
    }
  }
}
