import Foundation
import Testing

@testable import FrameImporters
@testable import FrameTrace

/// Marks and frames of OpenHarmony's `hitrace`.
@Suite struct OpenHarmonyTests {
  private static func line(
    _ task: String, _ thread: Int, _ process: Int, _ microseconds: Int, _ mark: String
  ) -> String {
    let fraction = String(microseconds % 1_000_000)
    let time =
      "\(microseconds / 1_000_000)." + String(repeating: "0", count: 6 - fraction.count) + fraction
    return " \(task)-\(thread)  ( \(process)) [001] .... \(time): tracing_mark_write: \(mark)"
  }

  /// Frames whose times are known, with a wake-up without a frame after each.
  private static func log(frames: Int, level: String) -> String {
    var lines: [String] = []
    for frame in 0..<frames {
      let t = 5_000_000 + frame * 16_667
      let now = 90_000_000_000 + frame * 16_667_000
      func app(_ time: Int, _ mark: String) { lines.append(line("app", 900, 900, time, mark)) }
      func service(_ time: Int, _ mark: String) {
        lines.append(line("render_service", 600, 600, time, mark))
      }
      app(
        t,
        "B|900|H:ReceiveVsync dataCount:24bytes now:\(now) expectedEnd:\(now + 16_667_000) vsyncId:\(frame + 7)\(level)"
      )
      app(
        t + 4_000,
        "B|900|H:MarshRSTransactionData cmdCount:20 transactionFlag:[900,\(frame)] isUni:1\(level)"
      )
      app(t + 4_100, "E|900|")
      app(t + 4_500, "E|900|")
      service(t + 6_000, "B|600|H:RSMainThread::ProcessCommandUni[900,\(frame)]\(level)")
      service(t + 6_100, "E|600|")
      service(t + 7_000, "B|600|H:RSMainThread::DoComposition\(level)")
      service(t + 9_000, "E|600|")
      app(t + 10_000, "B|900|H:ReceiveVsync dataCount:24bytes now:1 expectedEnd:2\(level)")
      app(t + 10_100, "E|900|")
    }
    return "# tracer: nop\n#\n" + lines.joined(separator: "\n") + "\n"
  }

  @Test(arguments: ["", "|M62"])
  func framesGoFromTheirWakeUpToTheComposition(_ level: String) throws {
    let trace = try TestData.read(text: Self.log(frames: 20, level: level))
    #expect(trace.surfaces.count == 1)
    let frames = try #require(trace.surfaces.first).frames
    #expect(frames.count == 20)
    for row in 0..<frames.count {
      let start = Int64(5_000_000 + row * 16_667) * 1000
      let expected: [(FrameColumn, Int64)] = [
        (.identifier, Int64(row + 7)), (.appStart, start), (.appEnd, start + 4_500_000),
        (.commit, start + 4_000_000), (.deadline, start + 16_667_000),
        (.compositorStart, start + 6_000_000), (.compositorEnd, start + 9_000_000),
      ]
      for (column, value) in expected { #expect(frames[row, column] == value, "\(column)") }
    }
  }

  /// The last blank separates a cookie or a value, not a bar.
  @Test func cookiesAndValuesAreAfterTheLastBlank() throws {
    let text = [
      Self.line("a", 532, 532, 1_000_000, "S|532|H:open the app 7"),
      Self.line("a", 532, 532, 1_000_500, "C|532|H:frames in queue 3"),
      Self.line("a", 532, 532, 1_001_000, "F|532|H:open the app 7|M62"),
      Self.line("a", 532, 532, 1_002_000, "C|532|H:frames in queue 4|M62"),
    ].joined(separator: "\n")
    let trace = try TestData.read(text: "# tracer: nop\n\(text)\n")
    #expect(trace.markers.count == 1 && trace.markers.text(0, .name) == "open the app")
    #expect(trace.markers[0, .end] == 1_001_000_000)
    #expect(trace.telemetry.map(\.values) == [[3, 4]])
    #expect(trace.issues.allSatisfy { $0.severity == .info }, "\(trace.issues)")
  }

  /// A real log in zlib's form; in it, no mark is malformed.
  @Test(.enabled(if: TestData.hasCases, Comment(rawValue: TestData.absenceOfCases)))
  func aCompressedLogIsRead() throws {
    let path = TestData.cases.appending(path: "formats/openharmony/zlib.htrace").path
    let trace = try TestData.read(path)
    #expect(trace.provenance.compression == .zlib)
    #expect(trace.markers.count > 3000)
    #expect(!trace.issues.contains { $0.message.contains("malformed") }, "\(trace.issues)")
  }

  /// A hand-over after its wake-up has ended answers no refresh, and a second one in it is not another frame.
  @Test func handOversOutsideOfAWakeUpAreCounted() throws {
    let wake = "B|900|H:ReceiveVsync dataCount:24bytes now:1 expectedEnd:2 vsyncId:7"
    let handOver = { (number: Int) in
      "B|900|H:MarshRSTransactionData cmdCount:20 transactionFlag:[900,\(number)] isUni:1"
    }
    let marks = [
      (0, wake), (4_000, handOver(1)), (4_100, "E|900|"), (4_200, handOver(2)), (4_300, "E|900|"),
      (4_500, "E|900|"), (16_000, wake), (16_500, "E|900|"), (500_000, handOver(3)),
      (500_100, "E|900|"),
    ]
    let lines = marks.map { Self.line("app", 900, 900, 5_000_000 + $0, $1) }
    let trace = try TestData.read(text: "# tracer: nop\n" + lines.joined(separator: "\n") + "\n")
    #expect(trace.surfaces.first?.frames.count == 1)
    #expect(trace.issues.first { $0.message.contains("hand-overs") }?.count == 2)
  }

  /// Both sides of the longest time to a deadline that is believed, and of none.
  @Test(arguments: [(0, false), (1, true), (999_999_999, true), (1_000_000_000, false)])
  func aDeadlineIsWithinASecond(_ budget: Int, _ isBelieved: Bool) throws {
    let marks = [
      (0, "B|900|H:ReceiveVsync dataCount:24bytes now:5 expectedEnd:\(5 + budget) vsyncId:7"),
      (4_000, "B|900|H:MarshRSTransactionData cmdCount:20 transactionFlag:[900,1] isUni:1"),
      (4_100, "E|900|"), (4_500, "E|900|"),
    ]
    let lines = marks.map { Self.line("app", 900, 900, 5_000_000 + $0, $1) }
    let trace = try TestData.read(text: "# tracer: nop\n" + lines.joined(separator: "\n") + "\n")
    let deadline = trace.surfaces[0].frames[0, .deadline]
    #expect(deadline == (isBelieved ? 5_000_000_000 + Int64(budget) : nil))
  }
}
