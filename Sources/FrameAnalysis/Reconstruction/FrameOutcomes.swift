import FrameTrace

/// The outcomes of the frames of a surface.
///
/// A frame that was never displayed is *replaced* if a later frame of its surface was displayed, otherwise *discarded*
/// if the source says that it was not shown, otherwise *unresolved*: still in progress when the trace ended, or
/// displayed in a way that the source does not record. A frame whose outcome the source calls unknown stays
/// *unresolved*, regardless of later frames.
public struct FrameOutcomes: Hashable, Sendable {
  /// The number of frames, generated ones included.
  public internal(set) var count = 0
  /// How many frames were displayed.
  public internal(set) var displayed = 0
  /// How many frames were replaced by a newer one before they could be displayed.
  public internal(set) var replaced = 0
  /// How many frames were thrown away.
  public internal(set) var discarded = 0
  /// How many frames have no known outcome.
  public internal(set) var unresolved = 0
  /// How many of `unresolved` have an outcome that the source calls unknown.
  private var unknown = 0
  /// How many of the `count` frames a driver generated between the application's frames.
  public internal(set) var generated = 0

  /// Frames never shown: what PresentMon calls dropped.
  public var dropped: Int { replaced + discarded }
}

extension FrameOutcomes {
  /// Determines the outcomes of the frames of a surface. If frames were made in a stop that is not judged, and were not
  /// shown, their outcome is unknown.
  /// - Parameter stops: The surface's stops, which matter only if a frame was not shown.
  init(of surface: Surface, stops: () -> SurfaceStops) {
    self.init(of: surface.frames)
    guard replaced + discarded > 0 else { return }
    hide(stops().unshown.count)
  }

  /// Determines the outcomes of some of a surface's frames.
  /// - Parameter stops: The surface's stops, which matter only where a frame was not shown.
  init(of surface: Surface, _ rows: Range<Int>, stops: () -> SurfaceStops) {
    self.init(of: surface.frames, rows)
    guard replaced + discarded > 0 else { return }
    hide(stops().unshown.count { rows.contains(Int($0)) })
  }

  private mutating func hide(_ count: Int) {
    let hidden = min(count, replaced)
    replaced -= hidden
    unresolved += hidden
    unknown += hidden
  }

  /// Determines the outcomes of frames in order of time.
  init(of frames: Table<FrameColumn>) {
    let none = IntegerColumn(missing: frames.count)
    generated = frames.stored(.kind).map(Self.generated) ?? 0
    let shown = frames.stored(.displayed) ?? none
    if shown.valueCount == frames.count {
      (count, displayed) = (frames.count, frames.count)
      return
    }
    shown.forEachBlock(with: frames.stored(.fate) ?? none) { times, fates, count in
      for index in 0..<count { add(isTimed: times[index] != IntegerColumn.missing, fates[index]) }
    }
  }

  private static func generated(_ kinds: IntegerColumn) -> Int {
    let generated = FrameColumn.Kind.generated.rawValue
    if let only = kinds.constantValue { return only == generated ? kinds.count : 0 }
    return kinds.count(with: kinds) { kind, _ in kind == generated }
  }

  /// Determines the outcomes of some frames, which a later frame may have replaced.
  init(of frames: Table<FrameColumn>, _ rows: Range<Int>) {
    for row in rows {
      add(isTimed: frames[row, .displayed] != nil, frames[row, .fate] ?? IntegerColumn.missing)
      if frames[row, .kind] == FrameColumn.Kind.generated.rawValue { generated += 1 }
    }
    let isReplaced = (rows.upperBound..<frames.count).contains { row in
      frames[row, .displayed] != nil || frames[row, .fate] == FrameColumn.Fate.displayed.rawValue
    }
    if isReplaced {
      replaceWaiting()
    }
  }

  /// Adds the next frame. Frames that were not shown are counted under `discarded` and `unresolved` until a later frame
  /// is shown, which replaces them all.
  private mutating func add(isTimed: Bool, _ fate: Int64) {
    count += 1
    if isTimed || fate == FrameColumn.Fate.displayed.rawValue {
      displayed += 1
      replaceWaiting()
    } else if fate == FrameColumn.Fate.discarded.rawValue {
      discarded += 1
    } else {
      unresolved += 1
      if fate == FrameColumn.Fate.unknown.rawValue { unknown += 1 }
    }
  }

  /// Counts the waiting frames as replaced when a frame is shown.
  private mutating func replaceWaiting() {
    replaced += discarded + unresolved - unknown
    discarded = 0
    unresolved = unknown
  }
}
