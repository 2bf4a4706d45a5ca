import Fixtures
import Foundation
import Testing

@testable import FrameAnalysis
@testable import FrameImporters
@testable import FrameTrace

/// Frame times that contradict the times of their rows, in each format with both.
@Suite struct ImpossibleFrameTests {
  /// A row of a table, in ms.
  struct Row: Hashable {
    let number: Int
    var time: Double
    var length: Double
  }

  /// A format, written as text.
  struct Format: Sendable, CustomTestStringConvertible {
    let name: String
    /// The lines before the first row.
    let head: String
    /// Whether frames end at the time of their row, begin there, or neither.
    var reach = LongFrames.Reach.before
    var columns = ""
    let row: @Sendable (Row) -> String

    var testDescription: String { name }

    func read(_ rows: [Row], _ parallelism: Parallelism = .none) throws -> Trace {
      let text = head + rows.map { row($0) + "\n" }.joined()
      let input = try InputFile(bytes: Array(text.utf8), path: "log.csv")
      input.parallelism = parallelism
      var choice = ImportChoice()
      if !columns.isEmpty { #expect(choice.columns.add(columns) == nil) }
      return try Importers.read(input, as: choice)
    }

    /// Whether the first frame time is used.
    var usesFirst: Bool { !name.hasPrefix("MangoHud") }

    func line(_ index: Int) -> Position { .line(head.count { $0 == "\n" } + 1 + index) }
  }

  private static let machine = "os,cpu,gpu,ram,kernel,driver\nLinux,CPU,,1,6,Mesa\n"
  private static let presents = PresentMonTests.presents
  private static let presentRow: @Sendable (Row) -> String = {
    "\(PresentMonTests.owner),0,\($0.time / 1000),\($0.length),16,0.1,2,20"
  }
  private static let presentHeader = String(presents.dropLast())
  private static let both =
    "Application,ProcessID,SwapChainAddress,PresentRuntime,SyncInterval,PresentFlags,AllowsTearing,"
    + "PresentMode,TimeInMs,MsBetweenPresents,CPUStartTimeInMs,MsBetweenAppStart,MsCPUBusy,MsCPUWait,"
    + "MsUntilDisplayed\n"
  private static let steamVR =
    "FrameIndex,NumFramePresents,NumMisPresented,NumDroppedFrames,ReprojectionFlags,"
    + "SystemTimeInSeconds,PreSubmitGpuMs,PostSubmitGpuMs,ClientFrameIntervalMs\n"

  static let formats = [
    Format(name: "MangoHud, µs", head: machine + "fps,frametime,cpu_load,elapsed\n") {
      "\(1000 / $0.length),\($0.length * 1000),5,\(Int(($0.time + 10) * 1e6))"
    },
    Format(name: "MangoHud, ms", head: "v1\n\(machine)fps,frametime,cpu_load,elapsed\n") {
      "\(1000 / $0.length),\($0.length),5,\(Int(($0.time + 10) * 1e6))"
    },
    Format(name: "MangoHud, rates", head: machine + "fps,cpu_load,gpu_load,elapsed\n") {
      "\(1000 / $0.length),5,6,\(Int(($0.time + 10) * 1000))"
    },
    Format(name: "PresentMon 1", head: presents, row: presentRow),
    Format(name: "PresentMon 2", head: PresentMonTests.frames, reach: .after) {
      "\(PresentMonTests.owner),Application,\($0.time),\($0.length),5,9,2,4,4,0,20,16,31.5"
    },
    Format(
      name: "PresentMon 2.0", head: PresentMonTests.frames.replacing("FrameTime,", with: ""),
      reach: .after
    ) {
      "\(PresentMonTests.owner),Application,\($0.time),5,\($0.length - 5),2,4,4,0,20,16,31.5"
    },
    Format(name: "PresentMon 2.3.1, between presents", head: both) {
      "\(PresentMonTests.owner),\($0.time),\($0.length),\($0.time - 5),16,5,9,20"
    },
    Format(name: "PresentMon 2.3.1, between starts", head: both, reach: .around) {
      "\(PresentMonTests.owner),\($0.time),16,\($0.time - 5),\($0.length),5,9,20"
    },
    Format(
      name: "OCAT", head: presentHeader + ",Motherboard,OS\n", row: presentRow),
    Format(
      name: "FrameView", head: presentHeader + ",Render Queue Depth\n",
      row: { presentRow($0) + ",1" }),
    Format(name: "CapFrameX, CSV", head: "//GameName=Example\n" + presents, row: presentRow),
    Format(
      name: "XRFrameTools",
      head: "Time (µs),Frame Interval (µs),Count,App CPU (µs),Render CPU (µs)\n"
    ) {
      "\(Int($0.time * 1000)),\(Int($0.length * 1000)),1,4000,1000"
    },
    Format(
      name: "Unity",
      head: "Frame Offset, Frame Index, Frame Time (ms), Time from first frame (ms)\n",
      reach: .after
    ) { "\($0.number),\($0.number + 1500),\($0.length),\($0.time)" },
    Format(name: "SteamVR", head: steamVR, reach: .around) {
      "\($0.number),1,1,0,0,\(418 + $0.time / 1000),7,1,\($0.length)"
    },
    Format(
      name: "named columns, frame time", head: "when;took\n", columns: "time=when,frameTime=took"
    ) { "\($0.time);\($0.length)" },
    Format(
      name: "named columns, frame rate", head: "when;fps\n",
      columns: "displayed=when,frameRate=fps"
    ) { "\($0.time);\(1000 / $0.length)" },
  ]

  /// A damaged value from a real log: more than a day.
  private static let absurd = 99_673_900.0
  private static let count = 120

  private static func steady() -> [Row] {
    (0..<count).map { Row(number: $0, time: Double($0) * 16, length: 16) }
  }

  private static func issue(_ trace: Trace) -> TraceIssue? {
    trace.issues.first { $0.message.contains("longer than the log's own times allow") }
  }

  /// A trace without its issues.
  private static func bytes(_ trace: Trace) -> [UInt8] {
    var trace = trace
    trace.issues = []
    return NativeEncoder().encode(trace)
  }

  @Test(arguments: formats, [0, 1, 60, count - 1])
  func aDamagedRowIsLeftOut(_ format: Format, _ position: Int) throws {
    var rows = Self.steady()
    let usual = try format.read(rows)
    rows[position].length = Self.absurd
    let trace = try format.read(rows)
    if position == 0, !format.usesFirst {
      #expect(Self.bytes(trace) == Self.bytes(usual) && Self.issue(trace) == nil)
      return
    }
    #expect(trace.frameCount == Self.count - 1)
    let issue = try #require(Self.issue(trace))
    #expect(issue.count == 1 && issue.severity == .dataLoss && issue.first == format.line(position))
    rows.remove(at: position)
    let without = try format.read(rows)
    #expect(Self.issue(without) == nil)
    #expect(Self.bytes(trace) == Self.bytes(without))
  }

  @Test(arguments: formats)
  func severalAreCountedTogether(_ format: Format) throws {
    var rows = Self.steady()
    for position in [7, 8, 90] { rows[position].length = Self.absurd }
    let trace = try format.read(rows)
    #expect(trace.frameCount == Self.count - 3)
    let issue = try #require(Self.issue(trace))
    #expect(issue.count == 3 && issue.first == format.line(7))
  }

  /// A frame may take twice the time between its rows, and a second.
  @Test(arguments: formats)
  func neighborsSetTheBound(_ format: Format) throws {
    let bound = format.reach == .around ? 1064.0 : 1032
    for (length, isLeftOut) in [(bound - 1, false), (bound + 1, true)] {
      var rows = Self.steady()
      rows[60].length = length
      let trace = try format.read(rows)
      #expect(trace.frameCount == Self.count - (isLeftOut ? 1 : 0))
      #expect((Self.issue(trace) != nil) == isLeftOut)
    }
  }

  /// Where the log begins or ends within a frame, only its whole length sets a bound.
  @Test(arguments: formats.filter(\.usesFirst))
  func theLogSetsTheBoundOfFramesAtItsEnds(_ format: Format) throws {
    let span = Double(Self.count - 1) * 16
    for (length, isLeftOut) in [(span + 999, false), (span + 1001, true)] {
      var rows = Self.steady()
      rows[format.reach == .after ? Self.count - 1 : 0].length = length
      #expect((Self.issue(try format.read(rows)) != nil) == isLeftOut)
    }
  }

  /// A recording can pause, and a frame can take as long.
  @Test(arguments: formats, [16.0, 60_000])
  func pausesAreNoDamage(_ format: Format, _ length: Double) throws {
    var rows = Self.steady()
    for position in 60..<Self.count { rows[position].time += 60_000 - 16 }
    // The frame of 60 s, and its neighbor, which also lies between those rows in some formats.
    rows[format.reach == .before ? 60 : 59].length = length
    let trace = try format.read(rows)
    // Where frames cover little of the time, some logs have readings.
    #expect(trace.frameCount + trace.figures.count == Self.count && Self.issue(trace) == nil)
  }

  /// A damaged time does not make frame times impossible, not even that of a long frame next to it.
  @Test(arguments: formats, [1_000_000.0, -700])
  func damagedTimesLeaveFramesIn(_ format: Format, _ error: Double) throws {
    for position in [58, 59, 60, 61] {
      var rows = Self.steady()
      for later in 60..<Self.count { rows[later].time += 5_000 - 16 }
      rows[format.reach == .before ? 60 : 59].length = 5_000
      rows[position].time += error
      #expect(Self.issue(try format.read(rows)) == nil, "row \(position)")
    }
  }

  /// Rows in the order in which frames were finished say the same.
  @Test(arguments: formats)
  func orderIsOfNoMatter(_ format: Format) throws {
    var rows = Self.steady()
    for later in 60..<Self.count { rows[later].time += 5_000 - 16 }
    rows[format.reach == .before ? 60 : 59].length = 5_000
    rows.swapAt(60, 63)
    rows.swapAt(59, 62)
    #expect(Self.issue(try format.read(rows)) == nil)
    rows[20].length = 5_000
    #expect(Self.issue(try format.read(rows))?.first == format.line(20))
  }
}

extension ImpossibleFrameTests {
  /// Without times of rows, nothing contradicts their sum.
  @Test func sumsOfFrameTimesContradictNone() throws {
    var rows = Self.steady()
    rows[60].length = Self.absurd
    let generic = Format(name: "", head: "took\n", columns: "frameTime=took") { "\($0.length)" }
    let presents = Format(name: "", head: Self.presents.replacing("TimeInSeconds,", with: "")) {
      "\(PresentMonTests.owner),0,\($0.length),16,0.1,2,20"
    }
    for format in [generic, presents] {
      let trace = try format.read(rows)
      #expect(trace.frameCount == Self.count && Self.issue(trace) == nil)
    }
  }

  /// A CapFrameX record is JSON, in which rows have no lines.
  @Test func runsOfARecordLoseTheirDamagedRows() throws {
    func record(_ rows: [Row]) throws -> Trace {
      let times = rows.map { "\($0.time / 1000)" }.joined(separator: ",")
      let lengths = rows.map { "\($0.length)" }.joined(separator: ",")
      let calls = rows.map { "\(Double($0.number) / 100)" }.joined(separator: ",")
      let data =
        "{\"TimeInSeconds\":[\(times)],\"MsBetweenPresents\":[\(lengths)],\"MsInPresentAPI\":[\(calls)]}"
      return try TestData.read(
        text:
          "{\"Hash\":\"h\",\"Info\":{},\"Runs\":[{\"CaptureData\":\(data)},{\"CaptureData\":\(data)}]}"
      )
    }
    for position in [0, 60, Self.count - 1] {
      var rows = Self.steady()
      rows[position].length = Self.absurd
      let trace = try record(rows)
      #expect(trace.surfaces.map(\.frames.count) == [Self.count - 1, Self.count - 1])
      #expect(Self.issue(trace)?.count == 2)
      if position == 60 {
        rows.remove(at: position)
        #expect(Self.bytes(trace) == Self.bytes(try record(rows)))
      }
    }
  }

  /// Each log in a file has separate lines and times.
  @Test func logsAfterAnotherAreJudgedAlone() throws {
    let format = Self.formats[0]
    var rows = Self.steady()
    rows[40].length = Self.absurd
    let again = format.head + rows.map { format.row($0) + "\n" }.joined()
    let trace = try TestData.read(text: again + "\n" + again)
    #expect(trace.surfaces.map(\.frames.count) == [Self.count - 1, Self.count - 1])
    let issue = try #require(Self.issue(trace))
    #expect(issue.count == 2 && issue.first == format.line(40))
  }

  /// Readings at intervals stay readings, although a damaged one is longer than the log.
  @Test func aDamagedReadingIsLeftOut() throws {
    var rows = (0..<Self.count).map { Row(number: $0, time: Double($0) * 100, length: 16) }
    (rows[0].length, rows[60].length) = (Self.absurd, Self.absurd)
    let trace = try Self.formats[0].read(rows)
    #expect(trace.frameCount == 0 && trace.figures.count == Self.count - 2)
    #expect(Self.issue(trace)?.first == Self.formats[0].line(60))
    rows.remove(at: 60)
    #expect(Self.bytes(trace) == Self.bytes(try Self.formats[0].read(rows)))
  }

  /// Frames of other swap chains stay, and inputs stay with their frames. Several threads read the same.
  @Test func aLongFileLosesOnlyTheDamagedRows() throws {
    let format = Format(name: "", head: PresentMonTests.frames, reach: .after) { row in
      let owner = PresentMonTests.owner.replacing("0x00AB", with: "0x\(1 + row.number % 3)")
      let click = row.number % 50 == 7 ? "31.5" : "NA"
      return
        "\(owner),Application,\(row.time),\(row.length),5,9,2,4,\(row.number % 7),0,20,16,\(click)"
    }
    var rows = (0..<24_000).map { Row(number: $0, time: Double($0) * 5.5, length: 16.5) }
    let damaged = [5, 19_007, 23_990]
    for position in damaged { rows[position].length = Self.absurd }
    let trace = try format.read(rows)
    #expect(trace.frameCount == rows.count - damaged.count)
    let issue = try #require(Self.issue(trace))
    #expect(issue.count == damaged.count && issue.first == format.line(5))
    #expect(Self.bytes(try format.read(rows, .threads {})) == Self.bytes(trace))
    for position in damaged.reversed() { rows.remove(at: position) }
    #expect(Self.bytes(trace) == Self.bytes(try format.read(rows)))
    #expect(trace.touches.count == 479)
  }

  @Test(.enabled(if: TestData.hasCases, Comment(rawValue: TestData.absenceOfCases)))
  func aRealDamagedLineIsLeftOut() throws {
    let path = TestData.cases.appending(path: "wild/mangohud-corrupt-line.csv").path
    let trace = try TestData.read(path)
    let issue = try #require(Self.issue(trace))
    #expect(issue.count == 1 && issue.first == .line(185))
    let rate = try #require(TraceAnalysis(of: trace).surfaces.first?["averageFrameRate"])
    guard case .figure(let value, _) = rate.figures else {
      Issue.record("a rate is missing")
      return
    }
    #expect(abs(value - 60) < 1)
  }
}

extension ImpossibleFrameTests {
  private static func fraps(_ times: [Double]) -> String {
    "Frame, Time (ms)\n" + times.enumerated().map { "\($0 + 1), \($1)\n" }.joined()
  }

  /// Lengths instead of times go back often; rows in another order do so a few times.
  @Test func lengthsAreNotReadAsTimes() throws {
    let lengths = (0..<200).map { 3.4 + Double($0 * 7 % 11) / 20 }
    let text = Self.fraps(lengths)
    let error = try #require(TestData.error(text: text))
    #expect(error.problem.contains("times that go back in 126 of 200 rows"))
    #expect(error.help?.contains("--columns 'frameTime=#2'") == true)
    var choice = ImportChoice()
    #expect(choice.columns.add("frameTime=#2") == nil)
    let trace = try Importers.read(InputFile(bytes: Array(text.utf8), path: "log.csv"), as: choice)
    #expect(trace.frameCount == 200 && trace.surfaces[0].frames[0, .presentInterval] == 3_400_000)
    var times = (0..<200).map { Double($0) * 3.5 }
    for position in stride(from: 0, to: 160, by: 8) { times.swapAt(position, position + 1) }
    #expect(try TestData.read(text: Self.fraps(times)).frameCount == 200)
  }
}
