public import FrameTrace

/// The source's own verdicts on a surface's frames, whether or not drops can be judged.
public struct StatedVerdicts: Hashable, Sendable {
  /// How many frames the source judges, and how many of these it calls on time and late.
  public private(set) var judged = 0, onTime = 0, late = 0
  /// How many frames it calls shown without an update that the app was still working on.
  public private(set) var partial = 0
  /// How many frames it calls dropped, including those without a row.
  public private(set) var dropped = 0
  /// How many additional frames it calls dropped without an effect on smoothness.
  public private(set) var droppedInvisibly = 0
  /// The number of late frames that the source charges to a stage, by stage.
  public private(set) var byStage: [PipelineStage: Int] = [:]
  /// The longest run of late or dropped frames; `nil` without such frames, or without their times.
  public private(set) var longestRun: StatedRun?

  /// - Parameters:
  ///   - frames: The frames that are measured.
  ///   - drops: What the source says about frames without a row.
  /// - Returns: `nil` where the source judges no frame.
  init?(_ frames: Table<FrameColumn>, _ drops: StatedDrops?) {
    if frames.has(.verdict) { count(frames) }
    if let drops {
      judged += drops.visible + drops.invisible
      dropped += drops.visible
      droppedInvisibly = drops.invisible
      keep(drops.longest)
    }
    guard judged > 0 else { return nil }
  }

  private mutating func count(_ frames: Table<FrameColumn>) {
    var run: StatedRun?
    for row in 0..<frames.count {
      guard let verdict = frames[row, .verdict].flatMap(FrameColumn.StatedVerdict.init) else {
        continue
      }
      judged += 1
      switch verdict {
      case .onTime: onTime += 1
      case .partial: partial += 1
      case .dropped: dropped += 1
      default: late += 1
      }
      if let stage = verdict.stage { byStage[stage, default: 0] += 1 }
      let start = frames.time(row, .appStart) ?? frames.time(row, .displayed)
      if let known = run, let start { run?.length = max(known.length, start - known.start) }
      guard verdict.isLate || verdict == .dropped else {
        keep(run)
        run = nil
        continue
      }
      run = run ?? start.map { StatedRun(frames: 0, start: $0, length: .zero) }
      run?.frames += 1
      if let known = run, let end = frames.time(row, .displayed) {
        run?.length = max(known.length, end - known.start)
      }
    }
    keep(run)
  }

  private mutating func keep(_ run: StatedRun?) {
    guard let run, run.frames > longestRun?.frames ?? 0 else { return }
    longestRun = run
  }
}
