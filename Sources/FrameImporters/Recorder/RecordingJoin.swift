import FrameTrace

/// Assembles the events of a recording into frames and touches.
struct RecordingJoin {
  private var builder: TraceBuilder
  private let header: RecordingHeader
  private let names: [String]
  /// The rows of frames, by surface and number, in order of appearance.
  private var rows: [(key: FrameKey, frame: RecordedFrame)] = []
  private var positions: [FrameKey: Int] = [:]
  private var touches: [(key: FrameKey, row: Table<TouchColumn>.Row)] = []
  /// The newest touch of each thread that has not been received yet.
  private var made: [Int64: Int] = [:]
  /// Signposts that have begun, by their names and numbers.
  private var begun: [FrameKey: [RecordedEvent]] = [:]
  /// The number of buffers of each surface.
  private var bufferCounts: [Int: Int] = [:]
  private var unknown = 0
  private var unmatched = 0

  private struct FrameKey: Hashable {
    let name: Int
    let frame: UInt64
  }

  init(_ builder: TraceBuilder, _ header: RecordingHeader, names: [String]) {
    self.builder = builder
    self.header = header
    self.names = names
    self.builder.trace.clocks = [
      ClockDomain(name: "monotonic", join: .traceClock, offset: nil, resolution: Nanoseconds(1))
    ]
  }

  mutating func consume(_ event: RecordedEvent) {
    guard let kind = event.kind else {
      unknown += 1
      return
    }
    let key = FrameKey(name: event.name, frame: event.frame)
    switch kind {
    case .touch:
      var row = Table<TouchColumn>.Row()
      row[.kind] = TouchColumn.Kind.main.rawValue
      row[.device] = TouchColumn.Device.touch.rawValue
      row[.scanStart] = event.time
      made[event.thread] = touches.count
      touches.append((key, row))
    case .touchDelivered:
      guard let position = made.removeValue(forKey: event.thread) else {
        unmatched += 1
        return
      }
      touches[position].row[.delivered] = event.time
      // Which frame shows a touch is often known only once it is received.
      touches[position].key = key
    case .refresh: addRefresh(event)
    case .signpostBegin: begun[key, default: []].append(event)
    case .signpostEnd:
      guard let start = begun[key]?.popLast() else {
        unmatched += 1
        return
      }
      addMark(event, from: start.time, to: event.time)
    case .mark: addMark(event, from: event.time, to: nil)
    case .bufferCount: bufferCounts[event.name] = Int(exactly: event.time)
    case .refreshInterval:
      guard 1..<Timestamp.bound ~= event.time else { return }
      let display = builder.display("display")
      builder.trace.displays[display].interval = Nanoseconds(event.time)
    case .setting:
      guard let (condition, value) = name(event.name).flatMap(RecordedEvent.condition) else {
        return
      }
      builder.trace.setting.add(value, as: condition)
    case .note:
      guard let words = name(event.name) else { return }
      builder.log.note(.conditions, .info, words)
    default: rows[position(of: key)].frame.consume(event)
    }
  }

  /// The index of a frame's row, which is added if the frame has no row yet.
  private mutating func position(of key: FrameKey) -> Int {
    if let position = positions[key] { return position }
    positions[key] = rows.count
    rows.append((key, RecordedFrame(number: Int64(exactly: key.frame))))
    return rows.count - 1
  }

  private mutating func addRefresh(_ event: RecordedEvent) {
    var row = Table<RefreshColumn>.Row()
    row[.time] = event.time
    row[.number] = Int64(exactly: event.frame)
    let display = builder.display("display")
    builder.trace.displays[display].refreshes.append(row)
  }

  private mutating func addMark(_ event: RecordedEvent, from start: Int64, to end: Int64?) {
    var row = Table<MarkerColumn>.Row()
    row[.name] = builder.trace.markers.texts.number(of: name(event.name) ?? "mark")
    row[.start] = start
    row[.end] = end
    row[.process] = header.process.map { builder.trace.markers.texts.number(of: $0) }
    row[.thread] = event.thread
    builder.trace.markers.append(row)
  }

  private func name(_ number: Int) -> String? {
    let name = names.indices.contains(number - 1) ? names[number - 1] : ""
    return name.isEmpty ? nil : name
  }

  private mutating func surface(_ number: Int) -> Int {
    let id = name(number) ?? "surface"
    let (process, processID) = (header.process, header.processID)
    let display = builder.trace.displays.isEmpty ? nil : builder.display("display")
    return builder.surface(id) {
      Surface(
        id: id, process: process, processID: processID, display: display, bufferOwner: .app,
        isComposited: RecordedLines.isComposited(id),
        allocatedBuffers: bufferCounts[number].flatMap { $0 > 0 ? $0 : nil })
    }
  }

  /// Whether the GPU draws what the compositor has prepared: on most frames, the GPU starts after the compositor.
  private func drawnByCompositor(_ frames: Table<FrameColumn>) -> Bool {
    var balance = 0
    for row in 0..<frames.count {
      guard let compositor = frames[row, .compositorStart], let gpu = frames[row, .gpuStart] else {
        continue
      }
      balance += compositor <= gpu ? 1 : -1
    }
    return balance > 0
  }

  /// - Parameters:
  ///   - unfinished: The number of events that were not finished.
  ///   - isCut: Whether the file ends early.
  consuming func finish(unfinished: Int, isCut: Bool) -> TraceBuilder {
    for (key, frame) in rows {
      builder.trace.surfaces[surface(key.name)].frames.append(frame.finished)
    }
    for position in builder.trace.surfaces.indices {
      if drawnByCompositor(builder.trace.surfaces[position].frames) {
        builder.trace.surfaces[position].bufferOwner = .compositor
      }
    }
    var counts: [Int: Int64] = [:]
    var framePositions: [FrameKey: Int64] = [:]
    for (key, _) in rows {
      framePositions[key] = counts[key.name] ?? 0
      counts[key.name, default: 0] += 1
    }
    for (key, touch) in touches {
      var row = touch
      row[.surface] = Int64(surface(key.name))
      row[.frame] = framePositions[key]
      builder.trace.touches.append(row)
    }
    let left = begun.values.reduce(0) { $0 + $1.count }
    note(unfinished: unfinished, left: left, isCut: isCut)
    return builder
  }

  private mutating func note(unfinished: Int, left: Int, isCut: Bool) {
    let given = max(0, header.count - header.capacity)
    builder.log.note(
      .cutOff, .info,
      "events overwritten by newer ones: the file had room for \(header.capacity)",
      count: given)
    builder.log.note(
      .cutOff, .dataLoss, "events that were not finished when the program ended, left out",
      count: unfinished)
    if isCut { builder.log.note(.cutOff, .dataLoss, "the file ends before its last event") }
    builder.log.note(
      .unknownRecord, .dataLoss, "events of kinds unknown to this version", count: unknown)
    builder.log.note(
      .brokenReference, .dataLoss, "ends without a beginning, left out", count: unmatched)
    builder.log.note(
      .brokenReference, .info, "signposts that had not ended, left out", count: left)
    builder.log.note(
      .brokenReference, .dataLoss,
      "names of surfaces or signposts that the file had no room for: they cannot be distinguished",
      count: header.missedNames)
  }
}
