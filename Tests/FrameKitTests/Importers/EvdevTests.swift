import Testing

@testable import Fixtures
@testable import FrameImporters
@testable import FrameTrace

/// Contacts assembled from the kernel's input events.
@Suite struct EvdevTests {
  /// Reports by time, each with events of type, code and value.
  private static func samples(_ reports: [(Int64, [(Int64, Int64, Int64)])]) -> [String] {
    var contacts = EvdevContacts()
    for (time, events) in reports {
      for event in events + [(0, 0, 0)] {
        contacts.consume(EvdevEvent(time: time, type: event.0, code: event.1, value: event.2))
      }
    }
    return contacts.scans.map { "\($0.time) \($0.finger) \($0.phase) \($0.device)" }
  }

  /// Slots: slot 0 is selected at first, values that are not sent have not changed, and −1 ends a
  /// contact.
  @Test func contactsAreThoseOfTheirSlots() {
    let found = Self.samples([
      (10, [(3, 0x39, 7), (3, 0x35, 100), (3, 0x36, 200)]),
      (20, [(3, 0x2f, 1), (3, 0x39, 8), (3, 0x35, 300)]),
      (30, [(3, 0x35, 310)]),
      (40, [(3, 0x2f, 0), (3, 0x39, -1)]),
      (50, [(3, 0x35, 5)]),
      (60, [(3, 0x2f, 1), (3, 0x39, -1)]),
    ])
    #expect(
      found == [
        "10 0 began touch", "20 1 began touch", "30 1 moved touch", "40 0 ended touch",
        "60 1 ended touch",
      ])
  }

  /// Devices without slots have one contact; mice and keyboards have keys.
  @Test func devicesWithoutSlotsHaveOneContact() {
    let found = Self.samples([
      (10, [(1, 0x14a, 1), (3, 0, 4)]), (20, [(3, 0, 5)]), (30, [(1, 0x14a, 0)]), (40, [(3, 0, 6)]),
      (50, [(1, 0x110, 1)]), (60, [(1, 30, 1)]), (70, [(1, 30, 2)]), (80, [(1, 30, 0)]),
    ])
    #expect(
      found == [
        "10 0 began touch", "20 0 moved touch", "30 0 ended touch", "50 272 began click",
        "60 30 began key", "80 30 ended key",
      ])
  }

  /// When the kernel loses events, the contacts that are down become unknown.
  @Test func lossesEndContacts() {
    let found = Self.samples([
      (10, [(3, 0x39, 7)]), (20, [(0, 3, 0), (3, 0x35, 5)]), (30, [(3, 0x35, 6)]),
    ])
    #expect(found == ["10 0 began touch"])
  }

  /// Perfetto packets: an omitted time equals that of the event before, values have their sign in
  /// the lowest bit, and an instant that Android's dispatcher also reports appears only once.
  @Test func packetsOfPerfettoAreRead() throws {
    var file = ProtobufText()
    file.add(1) { packet in
      packet.add(6) { snapshot in
        for clock in [3, 6] as [Int64] {
          snapshot.add(1) {
            $0.add(1, clock)
            $0.add(2, clock == 3 ? 1000 : 5000)
          }
        }
      }
    }
    let add = { (file: inout ProtobufText, time: Int64?, type: Int64, code: Int64, value: Int64) in
      file.add(1) { packet in
        packet.add(121) { event in
          event.add(1, 4)
          event.add(2) { input in
            if let time { input.add(1, time) }
            input.add(2, type)
            input.add(3, code)
            input.add(4, value << 1 ^ value >> 63)
          }
        }
      }
    }
    add(&file, 1_000_000, 3, 0x39, 7)
    add(&file, nil, 0, 0, 0)
    add(&file, 2_000_000, 3, 0x35, 7)
    add(&file, nil, 0, 0, 0)
    add(&file, 3_000_000, 3, 0x39, -1)
    add(&file, nil, 0, 0, 0)
    file.add(1) { packet in
      packet.add(112) { extensions in
        extensions.add(5) { event in
          event.add(1) { motion in
            motion.add(1, fixed: 9)
            motion.add(2, 2_000_000)
            motion.add(3, 0x1002)
          }
        }
      }
    }
    let touches = try Importers.read(InputFile(bytes: file.bytes)).touches
    let times: [Int64?] = (0..<touches.count).map { touches[$0, .scanStart] }
    #expect(times == [1_004_000, 2_004_000, 3_004_000])
    let phases: [Int64?] = (0..<touches.count).map { touches[$0, .phase] }
    #expect(
      phases == [TouchColumn.Phase.began.rawValue, nil, TouchColumn.Phase.ended.rawValue])
  }

  /// android_input_event.proto: events of secret windows have separate fields, without positions.
  @Test(arguments: [(1, 5), (2, 6)])
  func inputsAreReadRedactedToo(_ motion: Int, _ dispatch: Int) throws {
    var file = ProtobufText()
    let add = { (file: inout ProtobufText, body: (inout ProtobufText) -> Void) in
      file.add(PerfettoSchema.Trace.packet) { packet in
        packet.add(PerfettoSchema.TracePacket.timestamp, 2_000_000)
        packet.add(PerfettoSchema.TracePacket.winscopeExtensions) { extensions in
          extensions.add(PerfettoSchema.WinscopeExtensions.androidInputEvent, body)
        }
      }
    }
    file.add(PerfettoSchema.Trace.packet) { packet in
      packet.add(PerfettoSchema.TracePacket.clockSnapshot) { snapshot in
        for clock in [3, 6] as [Int64] {
          snapshot.add(PerfettoSchema.ClockSnapshot.clocks) {
            $0.add(PerfettoSchema.ClockSnapshot.Clock.clockID, clock)
            $0.add(PerfettoSchema.ClockSnapshot.Clock.timestamp, 1000)
          }
        }
      }
    }
    add(&file) { event in
      event.add(motion) { motion in
        motion.add(1, fixed: 9)
        motion.add(2, 1_500_000)
        motion.add(3, 0x1002)
        motion.add(4, 2)
      }
    }
    add(&file) { event in
      event.add(dispatch) { dispatch in
        dispatch.add(1, fixed: 9)
        dispatch.add(2, 77)
      }
    }
    let touches = try Importers.read(InputFile(bytes: file.bytes)).touches
    #expect(touches.count == 1 && touches[0, .scanStart] == 1_500_000)
    #expect(touches[0, .phase] == TouchColumn.Phase.moved.rawValue)
  }
}
