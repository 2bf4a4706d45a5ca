public import FrameTrace

/// A frame that took a long time to reach the display, with the times of its stages.
public struct WorstFrame: Hashable, Sendable {
  /// The frame's row in its surface.
  public let row: Int
  /// The frame's number in the source; `nil` when it has none.
  public let identifier: Int64?
  /// When the frame was shown, or first seen if it was never shown.
  public let time: Timestamp
  /// The time since the previous frame, based on the stage times that `frameTime` uses; `nil` where it has none.
  public let frameTime: Nanoseconds?
  /// The time from the previous display change to the one that this frame caused, not counting a rest in between; `nil`
  /// for a frame that was not shown.
  public let displayChange: Nanoseconds?
  /// How long each stage took; `nil` where the trace does not say.
  public let app, compositor, gpu, queueWait: Nanoseconds?
  /// How many dropped refreshes the frame was due at; `nil` if the trace does not say.
  public let dropped: Int?
}

extension WorstFrame {
  /// The worst frames of a surface, worst first: those with the longest time since the previous display
  /// change, or, where nothing was displayed, since the previous frame; then those that dropped the most refreshes.
  static func list(_ surface: MeasuredSurface, count: Int) -> [WorstFrame] {
    guard count > 0, let rebuilt = surface.rebuilt else { return [] }
    let drops = surface.drops
    var dropped: [Int: Int] = [:]
    for drop in drops?.drops ?? [] {
      dropped[drop.refreshes.frame, default: 0] += Int(drop.refreshes.count)
    }
    let lengths = lengths(surface, rebuilt)
    let worst = lengths.indices.sorted { one, other in
      let (first, second) = (lengths[one], lengths[other])
      let key = (second.length, dropped[second.row] ?? 0, first.row)
      return key < (first.length, dropped[first.row] ?? 0, second.row)
    }
    return worst.prefix(count).map { position in
      WorstFrame(
        surface, rebuilt, lengths[position].row, length: lengths[position].length,
        dropped: drops == nil ? nil : dropped[lengths[position].row] ?? 0)
    }
  }

  /// How long each measured frame took to arrive. The complete trace is used to find the previous frame.
  private static func lengths(
    _ surface: MeasuredSurface, _ rebuilt: RebuiltSurface
  ) -> [(row: Int, length: Nanoseconds)] {
    let frames = surface.surface.frames
    guard frames.has(.displayed) else {
      return surface.rows.compactMap { row in frameTime(frames, row).map { (row, $0) } }
    }
    let rests = surface.rests
    var lengths: [(row: Int, length: Nanoseconds)] = []
    var before: Timestamp?
    for row in 0..<frames.count {
      guard let time = frames.time(row, .displayed) else { continue }
      // After a rest, the time since the previous frame says nothing.
      let start = rests.isBefore(row) ? rebuilt.timeline.stages[row].earliest : before
      if surface.rows.contains(row), let start { lengths.append((row, time - start)) }
      before = time
    }
    return lengths
  }

  private init(
    _ surface: MeasuredSurface, _ rebuilt: RebuiltSurface, _ row: Int,
    length: Nanoseconds, dropped: Int?
  ) {
    let frames = surface.surface.frames
    self.row = row
    identifier = frames[row, .identifier]
    let shown = frames.time(row, .displayed)
    time = shown ?? frames.reference(row)
    displayChange = shown == nil ? nil : length
    frameTime = Self.frameTime(frames, row)
    let times = rebuilt.timeline.stages[row]
    app = times.appTime
    compositor = times.compositorTime
    gpu = times.gpuTime
    queueWait = shown.flatMap { shown in times.queued.map { shown - $0 } }
    self.dropped = dropped
  }

  static func frameTime(_ frames: Table<FrameColumn>, _ row: Int) -> Nanoseconds? {
    for column in [FrameColumn.presentInterval, .startInterval] where frames.has(column) {
      return frames.duration(row, column)
    }
    guard row > 0 else { return nil }
    for column in [FrameColumn.commit, .appStart, .queued, .displayed] where frames.has(column) {
      guard let own = frames.time(row, column), let before = frames.time(row - 1, column) else {
        return nil
      }
      return own - before
    }
    return nil
  }
}
