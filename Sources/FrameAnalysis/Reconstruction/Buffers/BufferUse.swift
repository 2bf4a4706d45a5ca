package import FrameTrace

/// When the buffer of one frame was in use, in 24 bytes, as there is one for each frame.
package struct BufferUse {
  /// The time of the first work on the buffer.
  package let firstWrite: Timestamp
  /// `latest` if it was not free before the trace ended.
  private var end: Timestamp
  private let frame: Int32
  /// Whether the first time is the start of the app's work because the trace has no time for the buffer
  /// itself.
  let isInferred: Bool
  /// Whether the buffer was already in use before that time because the frame was under way when
  /// the recording began.
  let isUnderWay: Bool

  init(
    row: Int, firstWrite: Timestamp, isInferred: Bool, isUnderWay: Bool = false, free: Timestamp?
  ) {
    (self.firstWrite, end, frame) = (firstWrite, free ?? .latest, Int32(row))
    (self.isInferred, self.isUnderWay) = (isInferred, isUnderWay)
  }

  /// The frame, by its row.
  var row: Int { Int(frame) }

  /// When the buffer was free again; `nil` when it was not before the trace ended.
  package var free: Timestamp? {
    get { end == .latest ? nil : end }
    set { end = newValue ?? .latest }
  }
}

extension BufferUse {
  /// The uses of a surface's buffers, in order of their first write.
  static func all(
    _ frames: Table<FrameColumn>, _ timeline: SurfaceTimeline, _ events: BufferEvents
  ) -> [BufferUse] {
    let releases = BufferReleases(frames, timeline, events)
    var uses: [BufferUse] = []
    uses.reserveCapacity(frames.count)
    for row in 0..<frames.count {
      let attached = events.attached[row]
      guard
        let write = attached.map({ ($0, false) }) ?? firstWrite(row, frames, timeline.stages[row])
      else { continue }
      let free = releases.time(row).map { max($0, write.0) }
      uses.append(
        BufferUse(row: row, firstWrite: write.0, isInferred: write.1, free: free))
    }
    uses += underWay(
      before: uses.lazy.map(\.firstWrite).min(), besides: uses, timeline, releases)
    let isInOrder = zip(uses, uses.dropFirst()).allSatisfy { $0.firstWrite <= $1.firstWrite }
    if !isInOrder { uses.sort { ($0.firstWrite, $0.row) < ($1.firstWrite, $1.row) } }
    return uses
  }

  /// Whether a trace shows of any frame when its buffer was written to.
  static func areKnown(_ trace: Trace, _ timeline: SurfaceTimeline) -> Bool {
    let frames = trace.surfaces[timeline.surface].frames
    let isSeen = (0..<frames.count).contains {
      firstWrite($0, frames, timeline.stages[$0]) != nil
    }
    return isSeen || !all(frames, timeline, BufferEvents(trace, timeline)).isEmpty
  }

  /// When the buffer of each frame was in use, by its row.
  static func ranges(_ trace: Trace, _ timeline: SurfaceTimeline) -> [Int: Range<Timestamp>] {
    let frames = trace.surfaces[timeline.surface].frames
    let uses = all(frames, timeline, BufferEvents(trace, timeline))
    return Dictionary(
      uses.map { ($0.row, $0.firstWrite..<($0.free ?? .latest)) },
      uniquingKeysWith: { first, _ in first })
  }

  /// The uses of buffers that were under way when the first one was seen to begin: of frames that
  /// had been queued by then, or were on the display.
  private static func underWay(
    before first: Timestamp?, besides known: [BufferUse], _ timeline: SurfaceTimeline,
    _ releases: BufferReleases
  ) -> [BufferUse] {
    guard let first else { return [] }
    var uses: [BufferUse] = []
    var next = 0
    for row in timeline.schedule.displayed.indices {
      // Both are in order of rows.
      if next < known.count, known[next].row == row {
        next += 1
        continue
      }
      let times = timeline.stages[row]
      guard let shown = timeline.schedule.shownTime(row), times.compositorStart == nil,
        times.earliest == nil || times.earliest == times.queued
      else { break }
      let held = min(times.queued ?? shown, shown)
      if held > first { break }
      uses.append(
        BufferUse(
          row: row, firstWrite: held, isInferred: false, isUnderWay: true,
          free: releases.time(row).map { max($0, held) }))
    }
    return uses
  }

  /// When the frame's buffer was first written to; `nil` when no stage is known.
  private static func firstWrite(
    _ row: Int, _ frames: Table<FrameColumn>, _ times: StageTimes
  ) -> (Timestamp, Bool)? {
    if let time = frames.time(row, .firstWrite) ?? times.blocked?.upperBound {
      return (time, false)
    }
    if !times.isFilledByApp, let start = times.compositorStart, start <= times.queued ?? .latest {
      return (start, false)
    }
    // Where the compositor draws, the app's work says nothing of a buffer.
    guard times.isFilledByApp || times.compositorStart != nil else { return nil }
    return times.earliest.map { ($0, true) }
  }
}

/// When buffers became free.
private struct BufferReleases {
  private let frames: Table<FrameColumn>
  private let timeline: SurfaceTimeline
  private let events: BufferEvents
  /// How many following frames are searched for the one that replaced a frame.
  private static let farthest = 64

  init(_ frames: Table<FrameColumn>, _ timeline: SurfaceTimeline, _ events: BufferEvents) {
    self.frames = frames
    self.events = events
    self.timeline = timeline
  }

  /// When the buffer of a frame was released, swapped out, or replaced unseen; `nil` when
  /// none of it happened.
  func time(_ row: Int) -> Timestamp? {
    if let released = timeline.released(row) ?? events.released[row] { return released }
    let schedule = timeline.schedule
    if schedule.displayed[row] == nil {
      // The next buffer that is finished takes its place, whether that one is shown or not.
      guard let shownBy = schedule.shownBy[row], shownBy > row else { return nil }
      for other in row + 1...min(shownBy, row + Self.farthest) {
        if let queued = timeline.stages[other].queued { return queued }
      }
      return schedule.shownTime(row)
    }
    if let replaced = frames.time(row, .replaced) {
      // The recorded time stands for a refresh, as a display time does.
      return schedule.grid.time(schedule.refresh(displayedAt: replaced))
    }
    return schedule.order.after[row].flatMap(schedule.shownTime)
  }
}
