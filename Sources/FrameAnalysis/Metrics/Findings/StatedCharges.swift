public import FrameTrace

/// The source's own verdicts on the frames of a surface, as in SurfaceFlinger's frame timeline,
/// compared with the charges rebuilt from their times.
public struct StatedCharges: Hashable, Sendable {
  /// The number of dropped refreshes of frames that the source calls late because of a stage, by that stage.
  public let byStage: [PipelineStage: Int]
  /// How many of these refreshes are charged to the same stage here, and how many to a different stage.
  public let agreeing, differing: Int
  /// The number of refreshes that the source charges to a stage although the rebuilt stage is unknown, by stage.
  public let ofUnknown: [PipelineStage: Int]
  /// How many dropped refreshes belong to a frame that the source calls on time.
  public let onTime: Int
  /// How many frames the source calls late although they dropped no rebuilt refresh.
  public let lateWithoutDrop: Int

  /// The share of agreement among the refreshes that both charge to a stage; `nil` where there are
  /// none.
  public var agreement: Double? {
    agreeing + differing > 0 ? Double(agreeing) / Double(agreeing + differing) : nil
  }

  /// - Parameter hasDropped: For each frame, whether the display repeated an earlier frame because of it.
  /// - Returns: `nil` where the source judges no frame.
  init?(
    _ drops: [DropFindings.Drop], _ frames: Table<FrameColumn>, rows: Range<Int>,
    hasDropped: [Bool]
  ) {
    guard frames.has(.verdict) else { return nil }
    var (byStage, ofUnknown) = ([PipelineStage: Int](), [PipelineStage: Int]())
    var (agreeing, differing, onTime) = (0, 0, 0)
    for drop in drops {
      let count = Int(drop.refreshes.count)
      if drop.verdict == .onTime { onTime += count }
      guard let stage = drop.verdict?.stage else { continue }
      byStage[stage, default: 0] += count
      switch drop.refreshes.stage {
      case .unknown: ofUnknown[stage, default: 0] += count
      case stage: agreeing += count
      default: differing += count
      }
    }
    lateWithoutDrop = rows.count { row in
      !hasDropped[row]
        && frames[row, .verdict].flatMap(FrameColumn.StatedVerdict.init)?.isLate ?? false
    }
    (self.byStage, self.ofUnknown) = (byStage, ofUnknown)
    (self.agreeing, self.differing, self.onTime) = (agreeing, differing, onTime)
  }
}

extension FrameColumn.StatedVerdict {
  /// The stage that the verdict names; `nil` where it names none.
  public var stage: PipelineStage? {
    switch self {
    case .onTime, .late, .partial, .dropped: nil
    case .app: .app
    case .compositor: .compositor
    case .gpu: .gpu
    case .display: .display
    }
  }

  /// Whether the verdict calls a frame late.
  package var isLate: Bool { self != .onTime && self != .partial && self != .dropped }

  /// The verdict in words.
  package var words: String {
    switch self {
    case .onTime: "on time"
    case .late: "late"
    case .partial: "shown without the app's update"
    case .dropped: "dropped"
    default: stage.map { "late by \($0.words)" } ?? "late"
    }
  }
}
