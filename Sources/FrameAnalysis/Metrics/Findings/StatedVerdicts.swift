import FrameTrace

/// How many of a surface's frames the source itself calls late, whatever can be rebuilt of them.
public struct StatedVerdicts: Hashable, Sendable {
  /// How many frames the source judges, and how many of those it calls late.
  public let judged, late: Int
  /// How many it calls shown without an update that the app was still working on.
  public let partial: Int
  /// Of the late ones, those that it charges to a stage, by stage.
  public let byStage: [PipelineStage: Int]

  /// - Returns: `nil` where the source judges no frame.
  init?(_ frames: Table<FrameColumn>) {
    guard frames.has(.verdict) else { return nil }
    var (judged, late, partial, byStage) = (0, 0, 0, [PipelineStage: Int]())
    for row in 0..<frames.count {
      guard let verdict = frames[row, .verdict].flatMap(FrameColumn.StatedVerdict.init) else {
        continue
      }
      judged += 1
      if verdict.isLate { late += 1 }
      if verdict == .partial { partial += 1 }
      if let stage = verdict.stage { byStage[stage, default: 0] += 1 }
    }
    guard judged > 0 else { return nil }
    (self.judged, self.late, self.partial, self.byStage) = (judged, late, partial, byStage)
  }
}
