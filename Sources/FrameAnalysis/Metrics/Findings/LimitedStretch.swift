import FrameStatistics
import FrameTrace

/// Neighboring frames that are judged together. A stretch can show what one frame cannot, such as a limiter's pace.
struct LimitedStretch {
  /// Whether the frames usually come at the display's rate.
  private let keepsDisplayRate: Bool
  /// The pace of a limiter; `nil` where the stretch shows none.
  private let pace: LimiterPace?
  /// What limits a frame whose time the source counts as work of the CPU.
  private let ofCPU: FrameLimits.Limit

  /// The number of frames in a stretch, about a second of a game. The last stretch of a surface can be up to half
  /// shorter or longer.
  static let size = 60

  init(_ frames: ArraySlice<LimitTimes>, _ schedule: FrameSchedule) {
    let usual = frames.map(\.length).median ?? .zero
    let refresh: Nanoseconds? = frames.first.flatMap { first in
      guard schedule.hasInterval else { return nil }
      return schedule.isVariable
        ? schedule.shortestInterval : schedule.grid.interval(at: first.start)
    }
    keepsDisplayRate = refresh.map { Self.keepsRate(frames, usual, $0) } ?? false
    pace = schedule.evidence.measuresStarts ? nil : Self.pace(frames, usual)
    ofCPU = Self.ofCPU(schedule)
  }

  /// A source that takes the end of a frame for the start of the next one counts sleep as work.
  private static func ofCPU(_ schedule: FrameSchedule) -> FrameLimits.Limit {
    guard schedule.evidence.statesDerivation else { return .cpu }
    if schedule.unjudged != nil { return .unknown }
    return schedule.cadenceRows.count * 2 > schedule.order.rows.count ? .limited : .cpu
  }

  private static func keepsRate(
    _ frames: ArraySlice<LimitTimes>, _ usual: Nanoseconds, _ refresh: Nanoseconds
  ) -> Bool {
    let refreshes = RankSelection.select([frames.count / 2], of: frames.map(\.refreshes))[0]
    return (usual - refresh * refreshes).magnitude * 16 <= refresh * refreshes
  }

  /// The pace that the frames keep although the GPU has time to spare; `nil` where they keep none.
  private static func pace(
    _ frames: ArraySlice<LimitTimes>, _ usual: Nanoseconds
  ) -> LimiterPace? {
    var pace = LimiterPace(usual)
    var (counted, kept) = (0, 0)
    for frame in frames where pace.counts(frame.length) {
      counted += 1
      if pace.isKept(by: frame.length) { kept += 1 }
    }
    guard LimiterPace.isShown(by: kept, of: counted, among: frames.count) else { return nil }
    let loads = frames.compactMap { $0.gpuBusy ?? $0.gpuTime }
    guard loads.count * 2 > frames.count, let load = loads.median,
      LimiterPace.isLight(load, at: usual)
    else { return nil }
    return LimiterPace(usual)
  }

  /// What limits one frame of the stretch.
  func limit(_ frame: LimitTimes) -> FrameLimits.Limit {
    if let busy = frame.gpuBusy {
      if Self.isBusy(busy, frame) { return .gpu }
    } else if frame.gpuTime.map({ Self.isBusy($0, frame) }) ?? true {
      // The GPU may have been idle between its first and last work.
      return .unknown
    }
    if keepsDisplayRate, frame.isNextShown { return .display }
    guard let cpu = frame.cpuBusy else { return .unknown }
    if Self.isBusy(cpu, frame) {
      return pace?.isKept(by: frame.length) ?? false ? .limited : ofCPU
    }
    if (frame.gpuBusy ?? frame.gpuTime).map({ missesRefreshes($0, frame) }) ?? false { return .gpu }
    return missesRefreshes(cpu, frame) ? ofCPU : .limited
  }

  /// Whether work takes longer than all refreshes before the one at which the frame was shown, so
  /// that the display only rounds it up.
  private func missesRefreshes(_ work: Nanoseconds, _ frame: LimitTimes) -> Bool {
    frame.missed.map { work > $0 } ?? false
  }

  /// Whether work fills at least nine tenths of a frame time.
  private static func isBusy(_ work: Nanoseconds, _ frame: LimitTimes) -> Bool {
    work * 10 >= frame.length * 9
  }
}
