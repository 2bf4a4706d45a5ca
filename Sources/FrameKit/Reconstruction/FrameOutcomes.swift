/// What became of the frames of a surface.
///
/// A frame that was never displayed is *replaced* when a later one of its surface was, else
/// *discarded* when the source says that it was not shown, else *unresolved*: still on its
/// way when the trace ended, or displayed in a way the source does not record.
public struct FrameOutcomes: Hashable, Sendable {
  /// All frames, generated ones included.
  public internal(set) var count = 0
  public internal(set) var displayed = 0
  public internal(set) var replaced = 0
  public internal(set) var discarded = 0
  public internal(set) var unresolved = 0
  /// How many of `count` a driver made between the application's own.
  public internal(set) var generated = 0

  /// Frames never shown: what PresentMon calls dropped.
  public var dropped: Int { replaced + discarded }
}

extension FrameOutcomes {
  /// Tells the outcomes of frames in order of time.
  init(of frames: Table<FrameColumn>) {
    count = frames.count
    let missing = IntegerColumn(missing: frames.count)
    let shown = frames.stored(.displayed) ?? missing
    let fates = frames.stored(.fate) ?? missing
    let states = shown.combined(with: fates, Self.state)
    let last = (0..<count).last { states.raw($0) == State.displayed } ?? -1
    for row in 0..<count {
      switch states.raw(row) {
      case State.displayed: displayed += 1
      case _ where row < last: replaced += 1
      case State.discarded: discarded += 1
      default: unresolved += 1
      }
    }
    let generatedKind = FrameColumn.Kind.generated.rawValue
    generated = frames.stored(.kind)?.count(with: missing) { kind, _ in kind == generatedKind } ?? 0
  }

  /// What one frame's own columns say.
  private enum State {
    static let displayed: Int64 = 0
    static let discarded: Int64 = 1
    static let open: Int64 = 2
  }

  private static func state(_ shown: Int64, _ fate: Int64) -> Int64 {
    if shown != IntegerColumn.missing || fate == FrameColumn.Fate.displayed.rawValue {
      return State.displayed
    }
    return fate == FrameColumn.Fate.discarded.rawValue ? State.discarded : State.open
  }
}
