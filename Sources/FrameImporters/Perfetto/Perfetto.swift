import FrameTrace

/// Traces of Perfetto: protocol buffers, as `perfetto` writes them on Android and Linux.
///
/// Documentation: https://perfetto.dev/docs. The file is a `Trace` message, `packet` after `packet`; a
/// packet of FrameTimeline
///
///     timestamp: 21  frame_timeline_event { actual_surface_frame_start { cookie: 3 token: 1
///       display_frame_token: 4 pid: 1000 layer_name: "Layer1" } }
///
/// begins a frame of the layer. The frame ends with the packet that has its cookie, and is
/// displayed when the display's frame 4 ends.
struct Perfetto: TraceImporter {
  let name = "perfetto"
  let title = "Perfetto trace"
  let versions = "protocol buffers, Android 10 to 16"
  let documentation = "https://perfetto.dev/docs/reference/trace-packet-proto"
  let platform: Platform? = .android
  let framesAdvice: String? =
    "for frames, record with the data source android.surfaceflinger.frametimeline, or Chromium with cc,benchmark,input and disabled-by-default-devtools.timeline.frame"

  func advice(_ fact: RecordedFact) -> String? {
    switch fact {
    case .displayTimes:
      "record with the data source android.surfaceflinger.frametimeline"
    case .gpuTimes:
      "record with the data source gpu.renderstages, where the device has it"
    case .touches:
      "also record touches with 'adb shell getevent -lt', and analyze both with --touches"
    }
  }

  func recognize(_ head: FileHead) -> Recognition? {
    guard PerfettoHead.isTrace(head.bytes) else { return nil }
    return Recognition(format: "Perfetto trace", reason: "it begins with packets of a trace")
  }

  func read(
    _ input: InputFile, _ provenance: Provenance, _ demand: TraceDemand
  ) throws(ParseError) -> TraceBuilder {
    var reading = PerfettoReading()
    var packets = PerfettoPackets(input)
    while let range = try packets.next() { reading.consume(packets.bytes, range) }
    if let cutOff = packets.cutOff {
      reading.recording.log.note(
        .cutOff, .dataLoss, "the trace ends within a packet: \(cutOff.problem)",
        at: .byte(cutOff.position))
    }
    return reading.finish(provenance)
  }
}

/// Recognizes a trace by its first packets, because the format has no signature.
enum PerfettoHead {
  /// The number of packets examined.
  private static let wanted = 4

  static func isTrace(_ bytes: [UInt8]) -> Bool {
    guard bytes.first == 0x0a else { return false }
    var position = 0
    var count = 0
    while position < bytes.count, count < wanted {
      guard bytes[position] == 0x0a, let (length, start) = length(bytes, position + 1) else {
        return false
      }
      let end = start + length
      // A packet that extends beyond the available bytes is judged by its available part.
      let isWhole = end <= bytes.count
      guard isPacket(bytes, start..<min(end, bytes.count), isWhole: isWhole) else { return false }
      count += 1
      if !isWhole { break }
      position = end
    }
    return count > 0
  }

  private static func length(_ bytes: [UInt8], _ start: Int) -> (Int, Int)? {
    var value = 0
    var position = start
    for shift in stride(from: 0, to: 35, by: 7) {
      guard position < bytes.count else { return nil }
      value |= Int(bytes[position] & 0x7f) << shift
      position += 1
      if bytes[position - 1] < 0x80 { return (value, position) }
    }
    return nil
  }

  private static func isPacket(_ bytes: [UInt8], _ range: Range<Int>, isWhole: Bool) -> Bool {
    var fields = ProtobufFields(range)
    var count = 0
    while fields.next(bytes.span) != nil {
      // The field numbers of packets, including extensions, are below this.
      guard fields.number < 3000 else { return false }
      count += 1
    }
    return fields.isBroken ? !isWhole && count > 0 : true
  }
}

/// Reads a trace packet by packet.
struct PerfettoReading {
  private typealias Packet = PerfettoSchema.TracePacket

  var recording = PerfettoRecording()
  private var clocks = PerfettoClocks()
  private var sequences = PerfettoSequences()
  private var ftrace = PerfettoFtrace()
  private var tracks = PerfettoTracks()
  private var spare = PerfettoPacket()
  private var broken = 0
  private var unjoined = 0
  private var brokenCompression = 0
  /// The number of packets that are not read, by the field of their contents.
  private var unread: [Int: Int] = [:]

  /// Consumes the packet at a range of bytes.
  mutating func consume(_ bytes: [UInt8], _ range: Range<Int>, depth: Int = 0) {
    var packet = PerfettoPacket()
    // Reuses the memory of the previous packet, unless this packet is within that one.
    swap(&packet, &spare)
    packet.read(bytes.span, range)
    defer { swap(&packet, &spare) }
    if packet.isBroken { broken += 1 }
    guard sequences.consume(packet, bytes) else { return }
    var isRead = false
    for (field, range) in packet.contents {
      switch field {
      case Packet.clockSnapshot:
        clocks.add(ProtobufMessage(bytes, range), sequence: packet.sequence)
      case Packet.compressedPackets: takeCompressed(bytes, range, depth: depth)
      default: isRead = isRead || Self.reads(field)
      }
    }
    guard isRead else {
      for (field, _) in packet.contents
      where field != Packet.clockSnapshot && field != Packet.compressedPackets {
        unread[field, default: 0] += 1
      }
      return
    }
    let state = sequences.state(of: packet.sequence)
    var time: Int64?
    if let timestamp = packet.timestamp {
      let clock = (packet.clock ?? state.clock).map {
        PerfettoClocks.Clock($0, of: packet.sequence)
      }
      time = clock.map { clocks.time(timestamp, on: $0) } ?? timestamp
      guard let time, time.magnitude <= Timestamp.bound else {
        unjoined += 1
        return
      }
    }
    for (field, range) in packet.contents where Self.reads(field) {
      let context = PerfettoRecording.Context(
        bytes: bytes, range: range, time: time, state: state)
      switch field {
      case Packet.ftraceEvents:
        ftrace.consume(
          context, boottime: clocks.convert(0, from: .boottime), into: &recording)
      case Packet.trackEvent: tracks.takeEvent(context, sequence: packet.sequence)
      case Packet.trackDescriptor: tracks.takeDescriptor(context.message)
      default: recording.consume(field, context)
      }
    }
  }

  private static func reads(_ field: Int) -> Bool {
    field == Packet.ftraceEvents || field == Packet.trackEvent
      || field == Packet.trackDescriptor || PerfettoRecording.reads(field)
  }

  /// Reads compressed packets. Packets within packets occur; deeper nesting has not been seen.
  private mutating func takeCompressed(_ bytes: [UInt8], _ range: Range<Int>, depth: Int) {
    guard depth == 0, var inner = Inflated.all(bytes, range) else {
      brokenCompression += 1
      return
    }
    var fields = ProtobufFields(0..<inner.count)
    inner += [UInt8](repeating: 0, count: PerfettoPackets.padding)
    while let value = fields.next(inner.span) {
      if fields.number == PerfettoSchema.Trace.packet, let range = value.range {
        consume(inner, range, depth: 1)
      }
    }
    if fields.isBroken { brokenCompression += 1 }
  }

  /// Assembles the trace from all packets.
  consuming func finish(_ provenance: Provenance) -> TraceBuilder {
    var ftrace = ftrace
    ftrace.finish(into: &recording)
    var log = recording.log
    log.note(.malformedLine, .dataLoss, "packets with a malformed end", count: broken)
    log.note(
      .clockAssumed, .dataLoss,
      "packets on a clock that cannot be aligned with the others, or at a time out of range, left out",
      count: unjoined)
    log.note(
      .brokenReference, .dataLoss, "packets that depend on lost ones, left out",
      count: sequences.unknown)
    log.note(
      .brokenCompression, .dataLoss, "corrupt compressed packets", count: brokenCompression)
    log.note(
      .malformedLine, .dataLoss, "kernel events without a time or a subject",
      count: ftrace.broken)
    log.note(
      .clockAssumed, .dataLoss, "bundles of kernel events on a clock that cannot be aligned",
      count: ftrace.unknownClock)
    log.note(
      .brokenReference, .dataLoss, "gaps where the kernel lost events", count: ftrace.lossCount)
    log.note(
      .brokenReference, .dataLoss,
      "kernel events that come so long after later ones that slices and waits may be matched "
        + "wrongly", count: ftrace.lateCount)
    recording.log = log
    tracks.finish()
    var builder = PerfettoJoin.trace(recording, tracks, clocks, provenance)
    for (field, count) in unread {
      let kind = PerfettoPacket.kinds[field] ?? "of field \(field)"
      builder.unread.note("packets \(kind)", count: count)
    }
    builder.unread.note("track events that are not read", count: tracks.unreadCount)
    builder.unread.note("kernel events that are not read", count: ftrace.unreadCount)
    return builder
  }
}
