public import FrameTrace

/// What a source itself says of the frames of a surface, as SurfaceFlinger does in its frame timeline, beside what was
/// rebuilt from their times.
public struct StatedCharges: Hashable, Sendable {
  /// How many dropped refreshes are of a frame that the source calls late by a stage, by that stage.
  public let byStage: [PipelineStage: Int]
  /// How many of them are charged to the same stage here, and how many to another one.
  public let agreeing, differing: Int
  /// How many of those whose stage is unknown here the source charges, by stage.
  public let ofUnknown: [PipelineStage: Int]
  /// How many dropped refreshes are of a frame that the source calls on time.
  public let onTime: Int
  /// How many frames it calls late that dropped no refresh here.
  public let lateWithoutDrop: Int

  /// The share of the refreshes that both charge in which they agree; `nil` where there is none.
  public var agreement: Double? {
    agreeing + differing > 0 ? Double(agreeing) / Double(agreeing + differing) : nil
  }

  /// - Parameter dropped: The rows of frames in whose place the display repeated an earlier one.
  /// - Returns: `nil` where the source judges no frame.
  init?(
    _ drops: [DropFindings.Drop], _ frames: Table<FrameColumn>, rows: Range<Int>, dropped: Set<Int>
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
    let onTimeValue = FrameColumn.StatedVerdict.onTime.rawValue
    lateWithoutDrop = rows.count { row in
      frames[row, .verdict].map { $0 != onTimeValue } ?? false && !dropped.contains(row)
    }
    (self.byStage, self.ofUnknown) = (byStage, ofUnknown)
    (self.agreeing, self.differing, self.onTime) = (agreeing, differing, onTime)
  }
}

extension FrameColumn.StatedVerdict {
  /// The stage that is named; `nil` where none is.
  public var stage: PipelineStage? {
    switch self {
    case .onTime, .late: nil
    case .app: .app
    case .compositor: .compositor
    case .gpu: .gpu
    case .display: .display
    }
  }

  /// The verdict as people read it.
  package var words: String {
    switch self {
    case .onTime: "on time"
    case .late: "late"
    default: stage.map { "late by \($0.words)" } ?? "late"
    }
  }
}
