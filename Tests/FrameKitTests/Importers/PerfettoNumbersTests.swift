import Testing

@testable import FrameImporters
@testable import FrameTrace

/// A frame timeline whose bytes are written here by the numbers of the public schema
/// (`perfetto/trace/trace_packet.proto`, `android/frame_timeline_event.proto`), and not by the table that the importer
/// and the encoder of recordings share.
@Suite struct PerfettoNumbersTests {
  /// A message of protocol buffers.
  private struct Message {
    var bytes: [UInt8] = []

    private mutating func varint(_ value: UInt64) {
      var rest = value
      while rest >= 0x80 {
        bytes.append(UInt8(rest & 0x7f) | 0x80)
        rest >>= 7
      }
      bytes.append(UInt8(rest))
    }

    mutating func number(_ field: UInt64, _ value: UInt64) {
      varint(field << 3)
      varint(value)
    }

    mutating func content(_ field: UInt64, _ content: [UInt8]) {
      varint(field << 3 | 2)
      varint(UInt64(content.count))
      bytes += content
    }

    static func of(_ numbers: [(UInt64, UInt64)], text: (UInt64, String)? = nil) -> [UInt8] {
      var message = Message()
      for (field, value) in numbers { message.number(field, value) }
      if let text { message.content(text.0, Array(text.1.utf8)) }
      return message.bytes
    }
  }

  /// A packet with an event of the frame timeline.
  private static func packet(at time: UInt64, _ event: UInt64, _ content: [UInt8]) -> [UInt8] {
    var timeline = Message()
    timeline.content(event, content)
    var packet = Message()
    packet.number(8, time)  // TracePacket.timestamp
    packet.content(76, timeline.bytes)  // TracePacket.frame_timeline_event
    var trace = Message()
    trace.content(1, packet.bytes)  // Trace.packet
    return trace.bytes
  }

  @Test func aFrameTimelineIsReadByItsPublishedNumbers() throws {
    let refresh: UInt64 = 16_666_667
    var bytes: [UInt8] = []
    for frame in UInt64(1)...3 {
      let start = 1_000_000_000 + frame * refresh
      // The second frame misses its deadline by a refresh.
      let late = frame == 2 ? refresh : 0
      let (token, shown) = (100 + frame, 200 + frame)
      for (cookie, event, numbers, end) in [
        // ExpectedDisplayFrameStart = 1: cookie 1, token 2, pid 3
        (frame * 10, 1, [(2, shown), (3, 500)], start + 2 * refresh),
        // ActualDisplayFrameStart = 2: present_type 4, on_time_finish 5, jank_type 7
        (
          frame * 10 + 1, 2, [(2, shown), (3, 500), (4, 1), (5, 1), (7, 1)],
          start + 2 * refresh + late
        ),
        // ExpectedSurfaceFrameStart = 3: display_frame_token 3, pid 4, layer_name 5
        (frame * 10 + 2, 3, [(2, token), (3, shown), (4, 700)], start + refresh),
        // ActualSurfaceFrameStart = 4: present_type 6, on_time_finish 7, jank_type 9
        (
          frame * 10 + 3, 4,
          [
            (2, token), (3, shown), (4, 700), (6, frame == 2 ? 2 : 1), (7, frame == 2 ? 0 : 1),
            (9, frame == 2 ? 64 : 1),
          ], start + refresh + late
        ),
      ] as [(UInt64, UInt64, [(UInt64, UInt64)], UInt64)] {
        bytes += Self.packet(
          at: start, event,
          Message.of([(1, cookie)] + numbers, text: event > 2 ? (5, "TX - layer#1") : nil))
        bytes += Self.packet(at: end, 5, Message.of([(1, cookie)]))  // FrameEnd
      }
    }
    let trace = try Importers.read(InputFile(bytes: bytes, path: "numbers"))
    #expect(trace.provenance.importer == "perfetto")
    let surface = try #require(trace.surfaces.first)
    #expect(surface.processID == 700 && surface.frames.count == 3, "\(surface.id)")
    #expect(surface.id.contains("layer#1"))
    let app = FrameColumn.StatedVerdict.app.rawValue
    #expect((0..<3).map { surface.frames[$0, .verdict] == app } == [false, true, false])
    let starts = (0..<3).map { surface.frames.time($0, .appStart)?.nanoseconds }
    #expect(starts == (1...3).map { 1_000_000_000 + $0 * 16_666_667 })
    let shown = (0..<3).compactMap { surface.frames.time($0, .displayed)?.nanoseconds }
    #expect(shown.count == 3 && shown[1] - shown[0] > shown[2] - shown[1], "\(shown)")
  }
}
