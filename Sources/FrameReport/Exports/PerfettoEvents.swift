import FrameAnalysis
import FrameImporters
import FrameTrace

/// Writes tracks as Perfetto's track events, packet by packet.
///
/// https://github.com/google/perfetto/tree/main/protos/perfetto/trace/track_event. Tracks are nested by their
/// descriptors: the tracks of a surface or a display are under a track named after it. Viewers order packets by time,
/// so slices are written in the order they arrive.
struct PerfettoEvents: TrackWriter {
  private typealias Proto = PerfettoSchema

  private var file = ProtobufText()
  private let sink: ([UInt8]) -> Void
  /// The offset added to times, because a packet cannot have a time before the clock's zero.
  let shift: Int64
  /// The tracks of counters, by process and name.
  private var counters: [String: UInt64] = [:]
  private var isFirst = true

  /// The values of a track event's type.
  private enum Kind {
    static let begin: Int64 = 1
    static let end: Int64 = 2
    static let instant: Int64 = 3
    static let counter: Int64 = 4
  }

  init(to sink: @escaping ([UInt8]) -> Void, shift: Int64) {
    self.sink = sink
    self.shift = shift
  }

  mutating func end() { sink(file.takeBytes()) }

  /// Writes a packet.
  mutating func packet(at time: Timestamp?, _ body: (inout ProtobufText) -> Void) {
    let begins = isFirst
    isFirst = false
    file.add(Proto.Trace.packet) { packet in
      if let time { packet.add(Proto.TracePacket.timestamp, max(0, time.nanoseconds &+ shift)) }
      // All packets are of one sequence, and none depends on the packets before it.
      packet.add(Proto.TracePacket.trustedPacketSequenceID, 1)
      if begins { packet.add(Proto.TracePacket.sequenceFlags, 1) }
      body(&packet)
    }
    if file.bytes.count > 1 << 16 { sink(file.takeBytes()) }
  }

  /// The refreshes of a display in the form of the kernel's log, in bundles.
  mutating func vblanks(_ refreshes: [(number: RefreshNumber, time: Timestamp)], display: Int) {
    let size = 256
    for start in stride(from: 0, to: refreshes.count, by: size) {
      let part = refreshes[start..<min(start + size, refreshes.count)]
      let shift = shift
      packet(at: nil) { packet in
        packet.add(Proto.TracePacket.ftraceEvents) { bundle in
          bundle.add(Proto.FtraceEventBundle.cpu, 0)
          for refresh in part {
            bundle.add(Proto.FtraceEventBundle.event) { event in
              event.add(Proto.FtraceEvent.timestamp, max(0, refresh.time.nanoseconds &+ shift))
              event.add(Proto.FtraceEvent.pid, 0)
              event.add(Proto.FtraceEvent.drmVblankEvent) { vblank in
                vblank.add(Proto.DrmVblankEventFtraceEvent.crtc, Int64(display))
                vblank.add(
                  Proto.DrmVblankEventFtraceEvent.seq,
                  refresh.number.number & Int64(UInt32.max))
              }
            }
          }
        }
      }
    }
  }

  private static func identifier(_ process: Int) -> UInt64 { UInt64(process + 1) << 32 }
  private static func identifier(_ track: EventTrack) -> UInt64 {
    identifier(track.process) | UInt64(track.thread + 1)
  }

  mutating func describe(
    _ identifier: UInt64, _ body: (inout ProtobufText) -> Void
  ) {
    packet(at: nil) { packet in
      packet.add(Proto.TracePacket.trackDescriptor) { track in
        track.add(Proto.TrackDescriptor.uuid, Int64(bitPattern: identifier))
        body(&track)
      }
    }
  }

  mutating func name(process: Int, _ name: String) {
    describe(Self.identifier(process)) { track in
      track.add(Proto.TrackDescriptor.name, name)
      // Its tracks are ordered by their ranks.
      track.add(Proto.TrackDescriptor.childOrdering, 3)
    }
  }

  mutating func name(_ track: EventTrack, _ name: String) {
    describe(Self.identifier(track)) { described in
      described.add(Proto.TrackDescriptor.name, name)
      described.add(
        Proto.TrackDescriptor.parentUUID, Int64(bitPattern: Self.identifier(track.process)))
      described.add(Proto.TrackDescriptor.siblingOrderRank, Int64(track.thread))
    }
  }

  private mutating func event(
    _ kind: Int64, on track: UInt64, at time: Timestamp, _ body: (inout ProtobufText) -> Void
  ) {
    packet(at: time) { packet in
      packet.add(Proto.TracePacket.trackEvent) { event in
        event.add(Proto.TrackEvent.type, kind)
        event.add(Proto.TrackEvent.trackUUID, Int64(bitPattern: track))
        body(&event)
      }
    }
  }

  mutating func slice(
    _ name: String, _ track: EventTrack, _ span: Range<Timestamp>, category: String,
    flow: EventFlow?, _ arguments: [EventArgument]
  ) {
    slice(name, on: Self.identifier(track), span, category: category) { event in
      if let flow {
        event.add(
          Proto.TrackEvent.flowIDs,
          fixed64: UInt64(flow.process + 1) << 40 | UInt64(flow.frame + 1))
      }
      for argument in arguments {
        event.add(Proto.TrackEvent.debugAnnotations) { $0.add(argument) }
      }
    }
  }

  /// A slice on any track.
  mutating func slice(
    _ name: String, on track: UInt64, _ span: Range<Timestamp>, category: String,
    _ body: (inout ProtobufText) -> Void = { _ in }
  ) {
    event(Kind.begin, on: track, at: span.lowerBound) { event in
      event.add(Proto.TrackEvent.categories, category)
      event.add(Proto.TrackEvent.name, name)
      body(&event)
    }
    event(Kind.end, on: track, at: span.upperBound) { _ in }
  }

  mutating func instant(
    _ name: String, _ track: EventTrack, at time: Timestamp, category: String
  ) {
    event(Kind.instant, on: Self.identifier(track), at: time) { event in
      event.add(Proto.TrackEvent.categories, category)
      event.add(Proto.TrackEvent.name, name)
    }
  }

  mutating func counter(_ name: String, process: Int, at time: Timestamp, _ value: Int) {
    let key = "\(process) \(name)"
    let isNew = counters[key] == nil
    let track =
      counters[key] ?? Self.identifier(process) | 1 << 31 | UInt64(counters.count)
    if isNew {
      counters[key] = track
      describe(track) { described in
        described.add(Proto.TrackDescriptor.name, name)
        described.add(
          Proto.TrackDescriptor.parentUUID, Int64(bitPattern: Self.identifier(process)))
        described.add(Proto.TrackDescriptor.counter) { _ in }
      }
    }
    event(Kind.counter, on: track, at: time) {
      $0.add(Proto.TrackEvent.counterValue, Int64(value))
    }
  }

  /// The slices of a frame share a flow, which viewers draw as arrows.
  mutating func flow(_ flow: EventFlow, _ positions: [(track: EventTrack, time: Timestamp)]) {}
}

extension ProtobufText {
  fileprivate mutating func add(_ argument: EventArgument) {
    add(PerfettoSchema.DebugAnnotation.name, argument.key)
    switch argument.value {
    case .integer(let number): add(PerfettoSchema.DebugAnnotation.intValue, number)
    case .text(let text): add(PerfettoSchema.DebugAnnotation.stringValue, text)
    case .flag(let flag): add(PerfettoSchema.DebugAnnotation.boolValue, flag ? 1 : 0)
    }
  }
}
