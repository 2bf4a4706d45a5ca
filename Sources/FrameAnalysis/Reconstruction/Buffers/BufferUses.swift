import FrameTrace

/// When the buffers of a surface were in use, in order of their first write.
///
/// There is one use for each frame of a trace; a use usually takes about ten bytes.
package struct BufferUses: RandomAccessCollection, Sendable {
  /// The row of each use's frame; most uses are in order of their frames.
  private var rows = IntegerColumn()
  /// The first writes, relative to the reference times of the rows.
  private var writes = IntegerColumn()
  /// How long the buffers were in use; missing if they did not become free before the trace ended.
  private var lengths = IntegerColumn()
  /// What is unusual about each use; 0 if nothing is unusual.
  private var flags = IntegerColumn()
  private let references: [Int64]
  /// The earliest first write, and the one appended last.
  private var first = Timestamp.latest
  private var last = Timestamp.earliest
  /// Whether each first write is at or after those appended before it.
  private var isInOrder = true

  private static let inferred: Int64 = 1
  private static let underWay: Int64 = 2

  private init(_ references: [Int64]) { self.references = references }

  package var startIndex: Int { 0 }
  package var endIndex: Int { rows.count }

  package subscript(position: Int) -> BufferUse {
    let row = position &+ Int(rows.raw(position))
    let write = Timestamp(nanoseconds: references[row] &+ writes.raw(position))
    let flags = flags.raw(position)
    return BufferUse(
      row: row, firstWrite: write, isInferred: flags & Self.inferred != 0,
      isUnderWay: flags & Self.underWay != 0,
      free: free(lengths.raw(position), write))
  }

  private func free(_ length: Int64, _ write: Timestamp) -> Timestamp? {
    length == IntegerColumn.missing
      ? nil : Timestamp(nanoseconds: write.nanoseconds &+ length)
  }

  private mutating func append(_ use: BufferUse) {
    rows.append(Int64(use.row &- count))
    writes.append(use.firstWrite.nanoseconds &- references[use.row])
    flags.append((use.isInferred ? Self.inferred : 0) | (use.isUnderWay ? Self.underWay : 0))
    lengths.append(
      use.free.map { $0.nanoseconds &- use.firstWrite.nanoseconds } ?? IntegerColumn.missing)
    if use.firstWrite < last { isInOrder = false }
    last = use.firstWrite
    first = Swift.min(first, last)
  }

  private mutating func reserve(_ count: Int) {
    rows.reserve(count)
    writes.reserve(count)
    lengths.reserve(count)
    flags.reserve(count)
  }

  /// Ends a use by a time, unless it has ended before.
  private mutating func end(_ position: Int, by time: Timestamp) {
    let use = self[position]
    guard time < (use.free ?? .latest) else { return }
    lengths.replace(position, with: time.nanoseconds &- use.firstWrite.nanoseconds)
  }
}

extension BufferUses {
  /// The uses of a surface's buffers.
  init(
    _ frames: Table<FrameColumn>, _ timeline: SurfaceTimeline, _ events: BufferEvents
  ) {
    let writes = FirstWrites(frames, timeline.stages)
    let releases = BufferReleases(frames, timeline, events)
    self.init(frames.references)
    reserve(frames.count)
    let fates = frames.stored(.fate)
    let recordsFinish = frames.has(.queued)
    for row in 0..<frames.count {
      // Avoids closures, which would copy the data that they read for each row.
      let attached = events.attached.isEmpty ? nil : events.attached[row]
      var begin = attached.map { (time: $0, isInferred: false) }
      if begin == nil { begin = writes[row] }
      guard let (write, isInferred) = begin else { continue }
      // If the source records finished buffers, nothing shows that an unfinished frame of unknown fate held one.
      if isInferred, recordsFinish, fates?[row] == FrameColumn.Fate.unknown.rawValue,
        timeline.stages.queued(row) == nil
      {
        continue
      }
      let free = releases.time(row).map { Swift.max($0, write) }
      append(BufferUse(row: row, firstWrite: write, isInferred: isInferred, free: free))
    }
    for use in usesUnderWay(timeline, releases) { append(use) }
    sort()
  }

  /// Whether a trace shows for any frame when its buffer was written to.
  static func areKnown(_ trace: Trace, _ timeline: SurfaceTimeline) -> Bool {
    let frames = trace.surfaces[timeline.surface].frames
    let writes = FirstWrites(frames, timeline.stages)
    return (0..<frames.count).contains { writes[$0] != nil }
      || !BufferUses(frames, timeline, BufferEvents(trace, timeline)).isEmpty
  }

  /// When the buffer of each frame was in use, by its row.
  static func ranges(_ trace: Trace, _ timeline: SurfaceTimeline) -> [Int: Range<Timestamp>] {
    let frames = trace.surfaces[timeline.surface].frames
    let uses = BufferUses(frames, timeline, BufferEvents(trace, timeline))
    return Dictionary(
      uses.lazy.map { ($0.row, $0.firstWrite..<($0.free ?? .latest)) },
      uniquingKeysWith: { first, _ in first })
  }

  /// Ends each use of a named buffer at its next use: a buffer that is written to again was free by then.
  /// - Parameter names: The name for each use; `nil` where the trace has none.
  mutating func endAtNextUse(_ names: [BufferName?]) {
    var last: [BufferName: Int] = [:]
    for (position, name) in names.enumerated() {
      guard let name else { continue }
      if let before = last[name] { end(before, by: self[position].firstWrite) }
      last[name] = position
    }
  }

  private mutating func sort() {
    guard !isInOrder else { return }
    let keys = map { ($0.firstWrite, $0.row) }
    var sorted = BufferUses(references)
    sorted.reserve(count)
    for position in indices.sorted(by: { keys[$0] < keys[$1] }) { sorted.append(self[position]) }
    self = sorted
  }

  /// The uses of buffers that were in progress when the first use was seen to begin: uses of frames that had been
  /// queued by then, or were on the display.
  private func usesUnderWay(
    _ timeline: SurfaceTimeline, _ releases: BufferReleases
  ) -> [BufferUse] {
    guard !isEmpty else { return [] }
    var uses: [BufferUse] = []
    var next = 0
    for row in timeline.schedule.displayed.indices {
      // Both lists are in row order.
      if next < count, self[next].row == row {
        next += 1
        continue
      }
      let times = timeline.stages[row]
      guard let shown = timeline.schedule.shownTime(row), times.compositorStart == nil,
        times.earliest == nil || times.earliest == times.queued
      else { break }
      let held = Swift.min(times.queued ?? shown, shown)
      if held > first { break }
      uses.append(
        BufferUse(
          row: row, firstWrite: held, isInferred: false, isUnderWay: true,
          free: releases.time(row).map { Swift.max($0, held) }))
    }
    return uses
  }
}

/// When buffers were first written to.
private struct FirstWrites {
  private let stages: FrameStages
  /// The times that the trace states.
  private let stated: ColumnTimes

  init(_ frames: Table<FrameColumn>, _ stages: FrameStages) {
    self.stages = stages
    stated = ColumnTimes(frames, .firstWrite)
  }

  /// When the buffer of the frame in a row was first written to, and whether that is inferred; `nil` when
  /// no stage is known.
  subscript(row: Int) -> (time: Timestamp, isInferred: Bool)? {
    if let time = stated[row] { return (time, false) }
    if let wait = stages.blocked(row) { return (wait.upperBound, false) }
    guard stages.isFilledByApp else { return byCompositor(stages[row]) }
    return stages.earliest(row).map { ($0, true) }
  }

  /// Where the compositor draws, the app's work says nothing about a buffer.
  private func byCompositor(_ times: StageTimes) -> (time: Timestamp, isInferred: Bool)? {
    guard let start = times.compositorStart else { return nil }
    if start <= times.queued ?? .latest { return (start, false) }
    return times.earliest.map { ($0, true) }
  }
}

/// When buffers became free.
private struct BufferReleases {
  private let timeline: SurfaceTimeline
  private let schedule: FrameSchedule
  private let events: BufferEvents
  /// When frames were swapped out, if the trace states that.
  private let replaced: ColumnTimes
  /// How many following frames are searched for the one that replaced a frame.
  private static let farthest = 64

  init(_ frames: Table<FrameColumn>, _ timeline: SurfaceTimeline, _ events: BufferEvents) {
    self.events = events
    self.timeline = timeline
    schedule = timeline.schedule
    replaced = ColumnTimes(frames, .replaced)
  }

  /// When the buffer of a frame was released, swapped out, or replaced unseen; `nil` if none of these happened.
  func time(_ row: Int) -> Timestamp? {
    if let released = timeline.released(row) { return released }
    if !events.released.isEmpty, let released = events.released[row] { return released }
    if schedule.displayed[row] == nil {
      // The next buffer that is finished replaces it, whether or not that one is shown.
      guard let shownBy = schedule.shownBy[row], shownBy > row else { return nil }
      for other in row + 1...min(shownBy, row + Self.farthest) {
        if let queued = timeline.stages[other].queued { return queued }
      }
      return schedule.shownTime(row)
    }
    if let time = replaced[row] {
      // The recorded time represents a refresh, as a display time does.
      return schedule.grid.time(schedule.refresh(displayedAt: time))
    }
    guard let after = schedule.order.after[row] else { return nil }
    return schedule.shownTime(after)
  }
}
