import Foundation
import Testing

@testable import FrameKit

/// Recordings of touch devices, in all the grammars of their tools.
@Suite struct TouchRecordingTests {
  /// Contacts are the tracking ids that begin (`grep -c ' 0003 0039'` less those of -1), or for the device
  /// that tells all contacts in each report, what its tests are called.
  @Test(
    .enabled(if: TestData.isPresent, Comment(rawValue: TestData.absence)),
    arguments: [
      ("Atmel_maXTouch_Touchscreen.1-finger-drag-up-down", 1),
      ("Atmel_maXTouch_Touchscreen.1-finger-fast-taps", 9),
      ("Atmel_maXTouch_Touchscreen.2-fingers-touch-release", 2),
      ("Atmel_maXTouch_Touchscreen.4-finger-drag-down", 4),
      ("ELAN_CANDO_Windows7.1-finger-drag-up-down", 1), ("EP0430M09.1-finger-drag-up-down", 1),
      ("EP0430M09.2-finger-scroll-down", 2), ("EP0430M09.2-fingers-touch-release", 2),
      ("EP0430M09.4-finger-drag-down", 4), ("N-Trig_MultiTouch.1-finger-drag-NW-SE", 1),
      ("N-Trig_MultiTouch.2-fingers-touch-release", 2), ("QUANTA_OpticalTouchScreen", 9),
      ("QUANTA_OpticalTouchScreen.touch-hover", 1), ("QUANTA_OpticalTouchScreen.touch-on-left", 1),
    ])
  func contactsAreCounted(_ name: String, _ contacts: Int) throws {
    let path = TestData.folder.appending(
      path: "evemu/whot_evemu-devices__touchscreens__\(name).events")
    let trace = try TestData.read(path.path)
    let phase = { (row: Int) in trace.touches[row, .phase] }
    let rows = 0..<trace.touches.count
    #expect(rows.count { phase($0) == TouchColumn.Phase.began.rawValue } == contacts)
    #expect(rows.count { phase($0) == TouchColumn.Phase.ended.rawValue } == contacts)
    // A device that is described in a file of its own has its name from there.
    #expect(trace.surfaces.map(\.id) != ["device"])
  }

  private static func golden(_ format: String, _ file: String) throws -> Trace {
    try TestData.read(
      TestData.root.appending(path: "Tests/Golden/\(format)/drag/input.\(file)").path)
  }

  /// The same touches through every grammar: positions, phases and times of the same contacts.
  @Test(arguments: [("libinput-record", "yml"), ("getevent", "txt"), ("evtest", "txt")])
  func everyGrammarTellsTheSame(_ format: String, _ file: String) throws {
    let expected = try Self.golden("evemu", "events").touches
    let found = try Self.golden(format, file).touches
    #expect(found.count == expected.count && expected.count > 15)
    for row in 0..<min(found.count, expected.count) {
      for column in [TouchColumn.scanStart, .delivered, .phase, .finger, .x, .y] {
        #expect(found[row, column] == expected[row, column])
      }
    }
  }

  /// The device's time is even where the kernel's is not, and never behind it.
  @Test(arguments: [("evemu", "events"), ("hid-recorder", "hid")])
  func theDevicesTimeIsUsed(_ format: String, _ file: String) throws {
    let touches = try Self.golden(format, file).touches
    let first = (0..<touches.count).filter { touches[$0, .finger] == touches[0, .finger] }
    let made = first.compactMap { touches[$0, .scanStart] }
    let steps = zip(made.dropFirst(), made).map { $0 - $1 }.filter { $0 < 10_000_000 }
    #expect(steps.count >= 7 && steps.allSatisfy { $0 == 7_300_000 })
    let delays = first.compactMap { row -> Int64? in
      guard let made = touches[row, .scanStart], let given = touches[row, .delivered] else {
        return nil
      }
      return given - made
    }
    #expect(delays.min() == 0 && delays.max() == 240_000)
  }

  /// A contact that is told anew in every report goes on.
  @Test func contactsWithoutSlotsGoOn() {
    var contacts = EvdevContacts()
    func report(_ time: Int64, _ positions: [Int64]) {
      for position in positions {
        contacts.take(EvdevEvent(time: time, type: 3, code: 0x35, value: position))
        contacts.take(EvdevEvent(time: time, type: 0, code: 2, value: 0))
      }
      if positions.isEmpty { contacts.take(EvdevEvent(time: time, type: 0, code: 2, value: 0)) }
      contacts.take(EvdevEvent(time: time, type: 0, code: 0, value: 0))
    }
    report(1, [10])
    report(2, [11, 50])
    report(3, [12])
    report(4, [])
    #expect(contacts.contactCount == 2)
    #expect(
      contacts.scans.map { "\($0.time) \($0.finger) \($0.phase) \($0.x ?? -1)" } == [
        "1 0 began 10", "2 0 moved 11", "2 1 began 50", "3 0 moved 12", "3 1 ended 50",
        "4 0 ended 12",
      ])
  }

  /// Touches that were recorded beside frames, on a clock that is 5 s behind theirs.
  @Test func touchesAreJoinedByAnOffset() throws {
    let frames = (0..<20).map { row in
      "{\"type\": \"frame\", \"appStart\": \(6000 + row * 10), \"commit\": \(6004 + row * 10), \"displayed\": \(6020 + row * 10)}"
    }
    let trace = try TestData.read(
      text: "{\"schema\": \"frametool.trace/1\", \"unit\": \"ms\"}\n"
        + frames.joined(separator: "\n") + "\n")
    let touches = try Self.golden("evemu", "events")
    let offset = try #require(JoinedTouches.Offset("panel=5000"))
    let joined = try JoinedTouches(touches, offset).joined(to: trace)
    #expect(joined.touches.count == touches.touches.count)
    #expect(joined.clocks.contains { $0.name == "panel" && $0.join == .stated })
    #expect(joined.issues.contains { $0.kind == .joinAssumed && $0.severity == .repaired })
    let surface = try #require(TraceAnalysis(of: joined).surfaces.first)
    guard case .summary(let latency) = surface["touchToPhoton"]?.figures else {
      Issue.record("there is no latency")
      return
    }
    #expect(latency.n > 10)
    #expect(20...45 ~= latency.p50 / 1e6)
    #expect(JoinedTouches.Offset("soon") == nil && JoinedTouches.Offset("-1.5") != nil)
    #expect(throws: ParseError.self) { try JoinedTouches(trace, offset) }
  }
}
