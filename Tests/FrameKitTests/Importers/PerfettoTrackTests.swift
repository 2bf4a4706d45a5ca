import Testing

@testable import Fixtures
@testable import FrameImporters
@testable import FrameTrace

/// Program events on their tracks: the forms in older traces, and frames of Flutter's engine.
@Suite struct PerfettoTrackTests {
  /// A trace of events, each with a time in µs, a track and its contents.
  private static func trace(
    _ events: [(time: Int64, track: Int64, body: (inout ProtobufText) -> Void)]
  ) throws -> Trace {
    var file = ProtobufText()
    for (track, thread) in [(1, 11), (2, 12)] as [(Int64, Int64)] {
      file.add(1) { packet in
        packet.add(60) { descriptor in
          descriptor.add(1, track)
          descriptor.add(4) { owner in
            owner.add(1, 10)
            owner.add(2, thread)
          }
        }
      }
    }
    for event in events {
      file.add(1) { packet in
        packet.add(8, event.time * 1000)
        packet.add(11) { track in
          track.add(11, event.track)
          event.body(&track)
        }
      }
    }
    return try Importers.read(InputFile(bytes: file.bytes))
  }

  /// Instants, begins and ends, and slices with their length, by the phases of Chromium's JSON.
  @Test func eventsOfOlderTracesAreRead() throws {
    let event = { (name: String, phase: Character, length: Int64?) in
      { (track: inout ProtobufText) in
        track.add(23, name)
        track.add(6) { legacy in
          legacy.add(2, Int64(phase.asciiValue ?? 0))
          if let length { legacy.add(3, length) }
        }
      }
    }
    let trace = try Self.trace([
      (1000, 1, event("instant", "I", nil)), (2000, 1, event("other", "i", nil)),
      (2500, 1, event("mark", "R", nil)), (3000, 1, event("work", "B", nil)),
      (4000, 1, event("work", "E", nil)), (5000, 1, event("whole", "X", 700)),
      (6000, 1, event("counter", "C", nil)),
    ])
    #expect(
      SystraceTests.markers(trace) == [
        "instant 1000 0 11", "other 2000 0 11", "mark 2500 0 11", "work 3000 4000 11",
        "whole 5000 5700 11",
      ])
  }

  /// Asynchronous events are identified by number, and may overlap.
  @Test(arguments: [("b", "e"), ("S", "F")] as [(Character, Character)])
  func asynchronousEventsOfOlderTracesAreRead(_ begin: Character, _ end: Character) throws {
    let event = { (phase: Character, number: Int64, field: Int) in
      { (track: inout ProtobufText) in
        track.add(23, "load \(number)")
        track.add(6) { legacy in
          legacy.add(2, Int64(phase.asciiValue ?? 0))
          legacy.add(field, number)
        }
      }
    }
    let trace = try Self.trace([
      (1000, 1, event(begin, 7, 6)), (2000, 1, event(begin, 8, 10)),
      (3000, 2, event(end, 7, 6)), (4000, 2, event(end, 8, 10)),
    ])
    #expect(SystraceTests.markers(trace) == ["load 7 1000 3000 nil", "load 8 2000 4000 nil"])
  }

  /// A trace without readable data reports what is in it.
  @Test func whatIsNotReadIsNamed() {
    let refusal = #expect(throws: ParseError.self) {
      try Self.trace([
        (
          1000, 1,
          { track in
            track.add(23, "queue")
            track.add(6) { $0.add(2, Int64(Character("C").asciiValue ?? 0)) }
          }
        )
      ])
    }
    #expect(refusal?.problem.contains("1 × track events that are not read") == true)
  }

  private static func begin(_ name: String, frame: Int64?) -> (inout ProtobufText) -> Void {
    { track in
      track.add(9, 1)
      track.add(23, name)
      if let frame {
        track.add(4) { annotation in
          annotation.add(10, "frame_number")
          annotation.add(6, "\(frame)")
        }
      }
    }
  }

  private static func end(_ track: inout ProtobufText) { track.add(9, 2) }

  /// Frames are joined to their drawing by number, in any order; without numbers, by their order.
  @Test(arguments: [true, false])
  func framesOfFlutterAreJoinedToTheirDrawing(_ isNumbered: Bool) throws {
    let draw = isNumbered ? "Rasterizer::DoDraw" : "GPURasterizer::Draw"
    var events: [(time: Int64, track: Int64, body: (inout ProtobufText) -> Void)] = []
    for frame in 0..<30 as Range<Int64> {
      let start = 1000 + frame * 16_667
      let number = isNumbered ? 2 * frame + 1 : nil
      events.append((start, 1, Self.begin("Animator::BeginFrame", frame: number)))
      events.append((start + 5000, 1, Self.end))
      events.append((start + 4000, 2, Self.begin(draw, frame: number)))
      events.append((start + 12_000, 2, Self.end))
    }
    let trace = try Self.trace(events)
    #expect(trace.surfaces.count == 1 && trace.surfaces[0].processID == 10)
    let frames = trace.surfaces[0].frames
    #expect(frames.count == 30 && frames[7, .identifier] == (isNumbered ? 15 : nil))
    let start = try #require(frames[7, .appStart])
    let distances = [FrameColumn.commit, .appEnd, .gpuStart, .gpuEnd, .queued].map {
      (frames[7, $0] ?? 0) - start
    }
    #expect(distances == [4_000_000, 5_000_000, 4_000_000, 12_000_000, 12_000_000])
    #expect(trace.issues.contains { $0.message.contains("by order") } == !isNumbered)
  }

  /// Layers of several processes can share a name, and are separate surfaces.
  @Test func layersOfSeveralProcessesStayApart() throws {
    var file = ProtobufText()
    for process in 1...4 as ClosedRange<Int64> {
      for frame in 0..<3 as Range<Int64> {
        let cookie = process * 100 + frame
        let time = 1_000_000 + frame * 16_666_667 + process
        file.add(1) { packet in
          packet.add(8, time)
          packet.add(76) { event in
            event.add(4) { start in
              start.add(1, cookie)
              start.add(2, cookie)
              start.add(3, 500 + frame)
              start.add(4, process)
              start.add(5, "Splash#0")
            }
          }
        }
        file.add(1) { packet in
          packet.add(8, time + 5_000_000)
          packet.add(76) { event in event.add(5) { $0.add(1, cookie) } }
        }
      }
    }
    let trace = try Importers.read(InputFile(bytes: file.bytes))
    #expect(trace.surfaces.map(\.frames.count) == [3, 3, 3, 3])
    #expect(Set(trace.surfaces.map(\.processID)) == [1, 2, 3, 4])
    #expect(
      trace.surfaces.map(\.id).first == "Splash#0" && Set(trace.surfaces.map(\.id)).count == 4)
  }
}
