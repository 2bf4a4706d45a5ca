import Fixtures
import Foundation
import Testing

@testable import FrameAnalysis
@testable import FrameImporters
@testable import FrameStatistics
@testable import FrameTrace

/// Recordings of touch devices, in the formats of all their tools.
@Suite struct TouchRecordingTests {
  /// Contacts are the tracking ids that begin (`grep -c ' 0003 0039'` minus those of -1). For the
  /// device that reports all contacts each time, the names of its tests give the count.
  /// A damaged coordinate ends at the largest that the format has.
  @Test func coordinatesBeyondTheFormatAreItsLargest() throws {
    let text =
      #"{"schema":"frametool.trace/1","unit":"ns"}"# + "\n" + #"{"type":"surface","id":"w"}"# + "\n"
      + #"{"type":"touch","kind":"main","phase":"began","device":"touch","finger":3,"scanStart":1000,"x":1e30,"y":-1e30}"#
      + "\n"
    let trace = try TestData.read(text: text, path: "t.jsonl")
    let lines = String(decoding: EvemuEncoder().encode(trace), as: UTF8.self)
    #expect(lines.contains("0035 2147483647\n") && lines.contains("0036 -2147483647\n"), "\(lines)")
  }

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
    // A device described in a separate file has its name from there.
    #expect(trace.surfaces.map(\.id) != ["device"])
  }

  private static func golden(_ format: String, _ file: String) throws -> Trace {
    try TestData.read(
      TestData.root.appending(path: "Tests/Golden/\(format)/drag/input.\(file)").path)
  }

  /// The same touches in every format: positions, phases and times of the same contacts.
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

  /// The device's time is regular even if the kernel's is not, and never later than the kernel's.
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

  /// A contact that is reported again in every report continues.
  @Test func contactsWithoutSlotsGoOn() {
    var contacts = EvdevContacts()
    func report(_ time: Int64, _ positions: [Int64]) {
      for position in positions {
        contacts.consume(EvdevEvent(time: time, type: 3, code: 0x35, value: position))
        contacts.consume(EvdevEvent(time: time, type: 0, code: 2, value: 0))
      }
      if positions.isEmpty { contacts.consume(EvdevEvent(time: time, type: 0, code: 2, value: 0)) }
      contacts.consume(EvdevEvent(time: time, type: 0, code: 0, value: 0))
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
    #expect(20...45 ~= latency.p50)
    #expect(JoinedTouches.Offset("soon") == nil && JoinedTouches.Offset("-1.5") != nil)
    #expect(throws: ParseError.self) { try JoinedTouches(trace, offset) }
  }
}

/// One test for each defect that a review of these importers found.
@Suite struct TouchRecordingDefectTests {
  /// A finger's collection: tip, id, x and y of 16 bits.
  private static let finger =
    "09 22 a1 02 09 42 15 00 25 01 75 01 95 01 81 02 95 07 81 03 09 51 75 08 95 01 81 02 05 01 "
    + "09 30 75 10 81 02 09 31 81 02 05 0d c0 "

  private static func recording(_ descriptor: String, _ reports: [String]) -> String {
    let bytes = descriptor.split(separator: " ")
    let lines = reports.enumerated().map { index, report in
      let cells = report.split(separator: " ")
      return "E: 000000.\(String(index * 10_000 + 100_000)) \(cells.count) \(report)"
    }
    return "R: \(bytes.count) \(bytes.joined(separator: " "))\nN: Example\n"
      + lines.joined(separator: "\n") + "\n"
  }

  private static func phases(_ trace: Trace) -> [String] {
    (0..<trace.touches.count).map { row in
      "\(trace.touches[row, .finger] ?? -1) \(trace.touches.text(row, .phase) ?? "")"
    }
  }

  /// Of three fingers' fields, only two count: the zeros of the third are not a lifted finger 0.
  @Test func fieldsThatDoNotCountAreNoFinger() throws {
    let descriptor =
      "05 0d 09 04 a1 01 85 01 " + Self.finger + Self.finger + Self.finger
      + "09 54 75 08 95 01 81 02 c0"
    let zeros = "00 00 00 00 00 00"
    let report = "01 01 00 10 00 10 00 01 01 20 00 20 00 \(zeros) 02"
    let trace = try TestData.read(text: Self.recording(descriptor, [report, report]))
    #expect(Self.phases(trace) == ["0 began", "1 began", "0 moved", "1 moved"])
  }

  /// A scan whose contacts take two reports, of which only the first has the count.
  @Test func contactsOfOneScanComeInSeveralReports() throws {
    let descriptor =
      "05 0d 09 04 a1 01 85 01 " + Self.finger + "09 54 75 08 95 01 81 02 c0"
    let trace = try TestData.read(
      text: Self.recording(descriptor, ["01 01 05 10 00 10 00 02", "01 01 06 20 00 20 00 00"]))
    #expect(Self.phases(trace) == ["5 began", "6 began"])
  }

  /// A device clock that is half a percent fast does not drift away from the kernel's.
  @Test func aClockThatDriftsIsFollowed() {
    let scans = (0..<3000).map { index in
      EvdevContacts.Scan(
        time: Int64(index) * 10_000_000, finger: 0, phase: .moved, device: .touch,
        hardware: Int64(index) * 10_050_000)
    }
    let times = EvdevScanTimes(scans).times.compactMap { $0 }
    let delays = zip(scans, times).map { $0.time - $1 }
    #expect(times.count == 3000)
    #expect((delays.max() ?? .max) < 100_000 && (delays.min() ?? -1) >= 0)
  }

  /// A finger that touches and lifts within one report has both events.
  @Test func aTapWithinOneReportEnds() {
    var contacts = EvdevContacts()
    for (type, code, value) in [(3, 0x39, 7), (3, 0x35, 5), (3, 0x39, -1), (0, 0, 0)]
      as [(Int64, Int64, Int64)]
    {
      contacts.consume(EvdevEvent(time: 1, type: type, code: code, value: value))
    }
    #expect(contacts.scans.map(\.phase) == [.began, .ended])
  }

  /// Absurdly large numbers do no harm.
  @Test(arguments: [
    "R: 9223372036854775807 00\n", "E: 1e-9223372036854775808 0003 0039 1\n",
    "R: 4 05 0d 09 04\nE: 2305843009.0 1 00\nE: 0.0 1 00\n",
    "os,cpu,gpu,ram,kernel,driver\n,,,,,\nfps,frametime,elapsed\n60,1e13,1\n60,16.667,20000000\n",
    "os,cpu,gpu,ram,kernel,driver\n,,,,,\n1e-10,1,1,1\n60,1,1,16667\n",
  ])
  func absurdNumbersDoNoHarm(_ text: String) {
    _ = try? TestData.read(text: text)
  }

  /// A log that is appended to an existing file has a separate surface.
  @Test func aLogBegunAnewIsASurfaceOfItsOwn() throws {
    let header = "os,cpu,gpu,ram,kernel,driver\n,,,,,\nfps,frametime,elapsed\n"
    let rows = (1...5).map { "60,16.667,\($0 * 16_667_000)\n" }.joined()
    let trace = try TestData.read(text: header + rows + header + rows)
    #expect(trace.surfaces.map(\.frames.count) == [5, 5])
  }

  /// If the only row of a chain has no time, only that row is lost.
  @Test func aChainWithoutATimeIsNoHarm() throws {
    let trace = try TestData.read(
      text: "Application,ProcessID,SwapChainAddress,Runtime,SyncInterval,PresentFlags,Dropped,"
        + "TimeInSeconds,msInPresentAPI,msBetweenPresents\n"
        + "g.exe,1,0x1,DXGI,1,0,0,1.0,0.1,16.7\ng.exe,1,0x2,DXGI,1,0,0,NA,0.1,16.7\n")
    #expect(trace.frameCount == 1)
  }

  /// A quoted header names the columns of its rows.
  @Test func aQuotedHeaderIsOne() throws {
    var choice = ImportChoice()
    #expect(choice.columns.add("time=time") == nil)
    let input = try InputFile(
      bytes: Array("\"a,b\",time,ft\n\"x,y\",10,16\n\"x,y\",26,16\n".utf8), path: "t")
    let frames = try Importers.read(input, as: choice).surfaces[0].frames
    let first: Int64? = 10_000_000
    #expect(frames[0, .commit] == first)
    #expect(choice.columns.add("time=#0") != nil)
  }
}
