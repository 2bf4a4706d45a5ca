package import FrameKit

/// Writes version 1 of FrameRecorder's files, which has less room for names: events of 32 bytes after a header and
/// names.
package struct FrameRecordingEncoder: TraceEncoder {
  package let name = "frame-recorder"
  package let importer = "frame-recorder"
  package let carries: Set<Carried> = [.frames, .displays, .touches]

  package init() {}

  package func whyNot(_ trace: Trace) -> String? {
    let touches = trace.touches
    let areTouches = (0..<touches.count).allSatisfy { row in
      let isMain = touches[row, .kind] == TouchColumn.Kind.main.rawValue
      return !Self.isTouch(row, touches) || (isMain && touches[row, .frame] != nil)
    }
    guard areTouches else { return "every touch must be a main sample that a frame shows" }
    guard trace.surfaces.count == 1, let surface = trace.surfaces.first, surface.frames.count > 0
    else { return "the format needs exactly one surface, with frames" }
    guard Self.foreign.allSatisfy({ !surface.frames.has($0) }) else {
      return "the format records times, not durations, modes or kinds of frames"
    }
    let modes = (0..<surface.frames.count).compactMap { surface.frames[$0, .mode] }
    guard modes.allSatisfy({ $0 == FrameColumn.Mode.classic.rawValue }) else {
      return "the format does not record whether low latency was on"
    }
    guard trace.displays.allSatisfy({ $0.isVariable != true }) else {
      return "the format cannot represent a display with a variable refresh rate"
    }
    if trace.layers.count + trace.passes.count + trace.launches.count > 0
      || trace.commits.count > surface.frames.count
    {
      return "the format has no events for layers, passes, launches or several commits per frame"
    }
    return surface.targetInterval == nil ? nil : "the format cannot state a target frame rate"
  }

  /// Whether an input is a touch that was delivered; other inputs are left out.
  private static func isTouch(_ row: Int, _ touches: Table<TouchColumn>) -> Bool {
    touches[row, .device] ?? TouchColumn.Device.touch.rawValue
      == TouchColumn.Device.touch.rawValue && touches[row, .delivered] != nil
  }

  /// Frame columns that have no event but change what is measured.
  private static let foreign: [FrameColumn] = [
    .animating, .presentInterval, .startInterval, .displayInterval, .gpuTime, .gpuWait,
    .videoBusy, .animationTime, .animationError, .fenceSignaled, .expectedDisplay, .deadline,
    .compositorFrame, .displayedRefresh, .startRefresh,
  ]

  private struct Event {
    let kind: UInt16
    let time: Int64
    let frame: UInt64
    var name: UInt16 = 1
  }

  /// The kinds of events of a frame's times, as in `frame_recorder.h`.
  private static let kinds: [(column: FrameColumn, kind: UInt16)] = [
    (.appStart, 1), (.appEnd, 2), (.commit, 3), (.compositorStart, 4), (.compositorEnd, 5),
    (.gpuStart, 6), (.gpuEnd, 7), (.queued, 8), (.displayed, 9), (.bufferWaitStart, 11),
    (.bufferWaitEnd, 12), (.buffer, 19), (.threadRan, 25), (.threadStarved, 26),
  ]

  package func encode(_ trace: Trace) -> [UInt8] {
    guard let surface = trace.surfaces.first else { return [] }
    var events: [(order: Int64, event: Event)] = []
    let frames = surface.frames
    for row in 0..<frames.count {
      let order = frames[row, .commit] ?? frames[row, .appStart] ?? 0
      for (column, kind) in Self.kinds {
        guard let time = frames[row, column] else { continue }
        // Numbers are not times, so their events are sorted by the frame's commit or start.
        let isNumber = [.buffer, .threadRan, .threadStarved].contains(column)
        let position = isNumber ? order : time
        events.append((position, Event(kind: kind, time: time, frame: UInt64(row))))
      }
      if frames[row, .kind] == FrameColumn.Kind.generated.rawValue {
        events.append((order, Event(kind: 22, time: order, frame: UInt64(row))))
      }
      if frames[row, .fate] == FrameColumn.Fate.discarded.rawValue {
        events.append((order, Event(kind: 10, time: order, frame: UInt64(row))))
      }
    }
    for display in trace.displays {
      for row in 0..<display.refreshes.count {
        guard let time = display.refreshes[row, .time] else { continue }
        let number = UInt64(clamping: display.refreshes[row, .number] ?? Int64(row))
        events.append((time, Event(kind: 15, time: time, frame: number, name: 0)))
      }
    }
    events.sort { ($0.order, $0.event.kind) < ($1.order, $1.event.kind) }
    var all = events.map(\.event)
    let touches = trace.touches
    for row in 0..<touches.count {
      guard Self.isTouch(row, touches), let made = touches[row, .scanStart],
        let delivered = touches[row, .delivered],
        let frame = touches[row, .frame]
      else { continue }
      all.append(Event(kind: 13, time: made, frame: UInt64(frame)))
      all.append(Event(kind: 14, time: delivered, frame: UInt64(frame)))
    }
    return file(all, surface)
  }

  private func file(_ events: [Event], _ surface: Surface) -> [UInt8] {
    let capacity = max(1024, events.count)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(256 * 57 + capacity * 32)
    func append(_ number: some FixedWidthInteger) {
      for position in 0..<number.bitWidth / 8 {
        bytes.append(UInt8(truncatingIfNeeded: number >> (8 * position)))
      }
    }
    func append(_ text: String, size: Int) {
      var part = Array(text.utf8.prefix(size - 1))
      part += [UInt8](repeating: 0, count: size - part.count)
      bytes += part
    }
    bytes += Array("FRAMEREC".utf8)
    append(UInt32(1))
    append(UInt32(32))
    append(UInt64(capacity))
    append(UInt64(events.count))
    append(UInt64(256 + 256 * 56))
    append(Int64(0))
    append(Int64(0))
    append(UInt64(surface.processID ?? 4242))
    append(surface.process ?? "", size: 64)
    append("", size: 256 - 128)
    append(surface.id, size: 56)
    append("", size: 255 * 56)
    for (position, event) in events.enumerated() {
      append(UInt64(position + 1))
      append(event.time)
      append(event.frame)
      append(event.kind)
      append(event.name)
      append(UInt32(1))
    }
    bytes += [UInt8](repeating: 0, count: (capacity - events.count) * 32)
    return bytes
  }
}
