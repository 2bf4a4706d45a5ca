import Testing

@testable import FrameAnalysis
@testable import FrameImporters
@testable import FrameTrace

/// Tables for which no real export is available, written according to their grammar.
@Suite struct XctraceTableTests {
  private static func read(_ exports: [String]) throws -> Trace {
    try Importers.read(
      recording: exports.enumerated().map {
        try InputFile(bytes: Array($1.utf8), path: "\($0).xml")
      })
  }

  private static func table(
    _ name: String, _ columns: String, _ rows: [[Any?]], run: Int = 1
  ) -> String {
    XctraceText.export(
      name, columns.split(separator: " ").map(String.init),
      rows.map(XctraceText.row).joined(), run: run)
  }

  private static let stage = "start duration swap-id display"

  // MARK: frames

  /// The table names of iOS 26, and those of iOS 18.
  @Test(arguments: [
    ["hitches-updates", "hitches-renders", "hitches-gpu", "hitches-frame-lifetimes"],
    [
      "hitches-commit-interval", "hitches-render-interval", "hitches-gpu-interval",
      "hitches-lifetime-interval",
    ],
    [
      "hitches-ca-commit-interval", "hitches-render-interval", "hitches-gpu-interval",
      "hitches-lifetime-interval",
    ],
  ])
  func stagesAreReadUnderAllTheirNames(_ names: [String]) throws {
    let spans = [[100, 70], [180, 20], [205, 30], [100, 400]]
    let trace = try Self.read(
      zip(names, spans).map { Self.table($0, Self.stage, [[$1[0], $1[1], 7, "A"]]) })
    let frames = trace.surfaces[0].frames
    let columns: [FrameColumn] = [
      .identifier, .appStart, .appEnd, .compositorStart, .compositorEnd, .gpuStart, .gpuEnd,
      .displayed,
    ]
    #expect(frames.count == 1 && trace.issues.isEmpty)
    #expect(columns.map { frames[0, $0] } == [7, 100, 170, 180, 200, 205, 235, 500])
  }

  /// A wait shows when a frame was queued, but only if it ends when its frame was displayed.
  @Test func aWaitForTheDisplayIsChecked() throws {
    let trace = try Self.read([
      Self.table(
        "hitches-frame-lifetimes", Self.stage,
        [[0, 40_000_000, 1, "A"], [16_000_000, 40_000_000, 2, "A"]]),
      Self.table(
        "hitches-framewait", Self.stage,
        [[25_000_000, 15_000_000, 1, "A"], [30_000_000, 5_000_000, 2, "A"], [1, 1, 3, "A"]]),
    ])
    let frames = trace.surfaces[0].frames
    #expect((0..<2).map { frames[$0, .queued] } == [25_000_000, nil])
    #expect(trace.issues.map(\.kind) == [.joinAssumed, .joinAssumed])
    #expect(trace.issues.map(\.count) == [1, 2])
    #expect(trace.issues.map(\.severity) == [.info, .dataLoss])
  }

  /// An app that draws without the compositor: its frames are identified by the app's own numbers.
  @Test func framesOfAnAppHaveItsGPUWork() throws {
    let game = "<process fmt=\"Game (2) (77)\"><pid>77</pid></process>"
    func work(_ start: Int, _ duration: Int, _ channel: String, _ frame: String) -> String {
      "<row><a>\(start)</a><b>\(duration)</b><c>\(channel)</c>\(frame)\(game)</row>"
    }
    let columns = ["start", "duration", "channel-name", "frame-number", "process"]
    let trace = try Self.read([
      XctraceText.export(
        "metal-gpu-intervals", columns,
        work(100, 10, "Vertex", "<f>5</f>") + work(105, 30, "Fragment", "<f>5</f>")
          + work(120, 10, "Vertex", "<f>6</f>") + work(1, 1, "Vertex", "<sentinel/>")),
      Self.table(
        "displayed-surfaces-interval", "start duration display-name surface-id event-label",
        [[500, 50, "A", 9, "Game (2) (77):Frame 5"], [550, 50, "A", 1, "Surface 1"]]),
    ])
    #expect(trace.surfaces.map(\.id) == ["Game (2) (77)", "A"])
    #expect(trace.surfaces[0].process == "Game (2)" && trace.surfaces[0].processID == 77)
    #expect(trace.surfaces.map(\.bufferOwner) == [.app, .compositor])
    let frames = trace.surfaces[0].frames
    let columnsOfFrame: [FrameColumn] = [
      .identifier, .gpuStart, .gpuEnd, .vertexEnd, .fragmentStart, .displayed, .replaced, .buffer,
    ]
    #expect(columnsOfFrame.map { frames[1, $0] } == [6, 120, 130, 130, nil, nil, nil, nil])
    #expect(columnsOfFrame.map { frames[0, $0] } == [5, 100, 135, 110, 105, 500, 550, 9])
    #expect(trace.issues.map(\.kind) == [.joinAssumed, .unknownRecord])
  }

  @Test(arguments: [
    ("Game (7):Frame 12", "Game", 7, 12), ("A (b) (7):Frame 1", "A (b)", 7, 1),
  ])
  func aLabelNamesAFrame(_ label: String, _ name: String, _ process: Int64, _ number: Int64) {
    let frame = XctraceRecording.appFrame(label)
    #expect(frame?.process == XctraceProcess(name: name, identifier: process))
    #expect(frame?.number == number)
  }

  @Test(arguments: ["Surface 9", "", ":Frame ", "x:Frame 1", "x ():Frame 1", "x (1):Frame z"])
  func otherLabelsNameNone(_ label: String) { #expect(XctraceRecording.appFrame(label) == nil) }

  /// An input is one touch, whichever table reports it.
  @Test func inputsAreTakenOnce() throws {
    let trace = try Self.read([
      Self.table(
        "display-surface-swap", "timestamp delay display-name surface-id swap-id hid-time",
        [[50_000, 20_000, "A", 1, 7, 10_000], [66_000, 20_000, "A", 2, 8, 0]]),
      Self.table(
        "hitches-hid-input", "start swap-id", [[10_000, 7], [30_000, 8], [31_000, nil]]),
    ])
    let touches = trace.touches
    #expect(touches.count == 3)
    #expect((0..<3).map { touches[$0, .scanStart] } == [10_000, 30_000, 31_000])
    #expect((0..<3).map { touches[$0, .frame] } == [0, 1, nil])
  }

  // MARK: threads

  private static let main =
    "<thread id=\"1\" fmt=\"Main Thread (0x1e) (An (odd) App, pid: 7)\"><tid id=\"2\">30</tid><process id=\"3\" fmt=\"An (odd) App (7)\"><pid id=\"4\">7</pid></process></thread>"

  @Test func statesOfThreadsHaveTheirWords() throws {
    let states = ["Running", "Runnable", "Preempted", "Interrupted", "Blocked", "Strange"]
    let rows = states.enumerated().map { number, state in
      "<row><a>\(number * 10)</a>\(number == 0 ? Self.main : "<thread ref=\"1\"/>")<s>\(state)</s><d>10</d><p>31</p><n></n></row>"
    }
    let trace = try Self.read([
      XctraceText.export(
        "thread-state", ["start", "thread", "state", "duration", "priority", "note"], rows.joined())
    ])
    #expect(
      (0..<6).map { trace.threadStates[$0, .state].flatMap(ThreadStateColumn.State.init) }
        == [.running, .runnable, .preempted, .preempted, .blocked, nil])
    #expect((0..<6).allSatisfy { trace.threadStates[$0, .thread] == 30 })
    #expect(trace.threads.count == 1 && trace.threads[0, .main] == 1)
    #expect(trace.threads.text(0, .name) == "Main Thread")
    #expect(trace.threads.text(0, .process) == "An (odd) App")
    #expect(trace.issues.map(\.kind) == [.malformedValue])
  }

  /// Two samples of one function are one call, a gap between samples ends it.
  @Test func samplesBecomeCalls() throws {
    let stack =
      "<tagged-backtrace id=\"20\"><backtrace id=\"21\"><frame id=\"22\" name=\"parse\" addr=\"0x1\"><binary id=\"23\" name=\"App\" path=\"/private/App.app/App\"/></frame><frame id=\"24\" name=\"main\" addr=\"0x2\"><binary ref=\"23\"/></frame></backtrace></tagged-backtrace>"
    let other =
      "<tagged-backtrace id=\"30\"><backtrace id=\"31\"><frame id=\"32\" name=\"read\" addr=\"0x1\"><binary id=\"33\" name=\"libc\" path=\"/usr/lib/libc.dylib\"/></frame><frame ref=\"24\"/></backtrace></tagged-backtrace>"
    func row(_ time: Int, _ thread: String, _ stack: String) -> String {
      "<row><t>\(time)</t>\(thread)<s>Running</s><w>1000000</w>\(stack)</row>"
    }
    let trace = try Self.read([
      XctraceText.export(
        "time-profile", ["time", "thread", "thread-state", "weight", "stack"],
        row(5_000_000, Self.main, stack)
          + row(6_000_000, "<thread ref=\"1\"/>", "<tagged-backtrace ref=\"20\"/>")
          + row(7_000_000, "<thread ref=\"1\"/>", other)
          + row(20_000_000, "<thread ref=\"1\"/>", "<tagged-backtrace ref=\"20\"/>"))
    ])
    let calls = trace.calls
    let found = (0..<calls.count).map { row in
      "\(calls.text(row, .function) ?? "?") \((calls[row, .start] ?? 0) / 1_000_000)-\((calls[row, .end] ?? 0) / 1_000_000) \((calls[row, .cpu] ?? 0) / 1_000_000) \(calls[row, .own] ?? -1)"
    }
    #expect(
      found == [
        "main 4-7 3 1", "parse 4-6 2 1", "read 6-7 1 0", "main 19-20 1 1", "parse 19-20 1 1",
      ]
    )
    #expect(trace.issues.map(\.kind) == [.timeRebuilt, .timeRebuilt])
    #expect(trace.issues.map(\.count) == [4, 4])
  }

  // MARK: launches

  /// A launch of an app as Callstack, "The Ultimate Guide to React Native Optimization" (2022),
  /// shows it: 70.6 ms from the creation of its process to its first frame.
  @Test func periodsAreALaunch() throws {
    let periods: [(Int, Int, String)] = [
      (0, 26_660_000, "Initializing - Process Creation"),
      (26_659_000, 10_210_000, "Initializing - System Interface Initialization"),
      (36_869_000, 5_990_000, "Initializing - Static Runtime Initialization"),
      (42_931_000, 16_970_000, "Launching - UIKit Initialization"),
      (59_902_000, 309_710, "Launching - UIKit Scene Creation"),
      (60_212_000, 841_370, "Launching - UIKit Scene Creation"),
      (61_053_000, 8_960_000, "Launching - didFinishLaunchingWithOptions()"),
      (70_013_000, 239_170, "Launching - UIKit Scene Creation"),
      (70_252_000, 382_000, "Launching - Initial Frame Rendering"),
      (70_634_000, 3_000_000, "Launching - Something New"),
      (73_682_000, 1_140_000_000, "Foreground - Active"),
    ]
    let rows = periods.map {
      "<row><a>\($0.0)</a><b>\($0.1)</b><process fmt=\"App (7)\"><pid>7</pid></process><p>\($0.2)</p></row>"
    }
    let trace = try Self.read([
      XctraceText.export(
        "life-cycle-period", ["start", "duration", "process", "period"], rows.joined())
    ])
    let launches = LaunchAnalysis([trace]).all
    let launch = try #require(launches.first)
    #expect(launches.count == 1 && launch.process == "App" && launch.isProfiled)
    #expect(launch.total == Nanoseconds(70_634_000) && launch.isFromTap)
    let phases: [PhaseColumn.Name] = [
      .systemInterface, .staticInitialization, .frameworkInitialization,
      .applicationInitialization, .applicationInitialization, .applicationInitialization,
      .applicationInitialization, .firstFrame,
    ]
    #expect(launch.phases.map(\.name) == phases)
    #expect(trace.issues.map(\.kind) == [.unknownRecord])
  }

  @Test func loadsAreCallsOfTheirThread() throws {
    let trace = try Self.read([
      XctraceText.export(
        "dyld-library-load", ["start", "duration", "thread", "path"],
        "<row><a>5</a><b>10</b>\(Self.main)<p>/private/App.app/Frameworks/Big.framework/Big</p></row>"
      )
    ])
    #expect(trace.calls.count == 1 && trace.calls.text(0, .function) == "load Big")
    #expect(trace.calls[0, .own] == 1 && trace.calls[0, .thread] == 30)
  }

  // MARK: marks

  /// Begin and end of one interval are paired; intervals that are also exported count once.
  @Test func signpostsArePaired() throws {
    let columns = "time event-type name identifier subsystem category process thread scope"
    func post(_ time: Int, _ kind: String, _ name: String, _ id: Int = 1) -> [Any?] {
      [time, kind, name, id, "s", "c", nil, nil, "Process"]
    }
    let trace = try Self.read([
      Self.table(
        "os-signpost", columns,
        [
          post(10, "Begin", "load"), post(15, "Begin", "load", 2), post(20, "Event", "tick"),
          post(30, "End", "load"), post(35, "End", "load", 2), post(40, "End", "other"),
          post(50, "Begin", "open"),
        ]),
      Self.table("OSSignpostIntervals", "start duration name", [[10, 20, "load"]]),
      Self.table("hang-risks", "time message", [[60, "Do not wait here"]]),
    ])
    let marks = trace.markers
    let found = (0..<marks.count).map { row in
      "\(marks.text(row, .name) ?? "?") \(marks[row, .start] ?? -1) \(marks[row, .end] ?? -1)"
    }
    #expect(
      found == [
        "load 10 30", "load 15 35", "tick 20 -1", "open 50 -1", "Do not wait here 60 -1",
      ])
    #expect(trace.issues.map(\.kind) == [.brokenReference, .cutOff])
  }

  /// The pairs do not depend on the order of the list, and never end before they begin.
  @Test func signpostsArePairedByTheirTimes() throws {
    func post(_ time: Int, _ kind: String) -> [Any?] { [time, kind, "load", 1] }
    let trace = try Self.read([
      Self.table(
        "os-signpost", "time event-type name identifier",
        [post(60, "End"), post(50, "Begin"), post(110, "End"), post(100, "Begin"), post(5, "End")])
    ])
    let marks = trace.markers
    #expect(
      (0..<marks.count).map { [marks[$0, .start], marks[$0, .end]] } == [[50, 60], [100, 110]])
    #expect(trace.issues.map(\.kind) == [.brokenReference])
  }

  /// A scene that is created later is not part of the launch.
  @Test func aLaunchEndsWithItsFirstFrame() throws {
    let periods = [
      (0, 100, "Initializing - Process Creation"),
      (100, 100, "Launching - Initial Frame Rendering"),
      (60_000, 100, "Launching - Initial Frame Rendering"),
    ]
    let rows = periods.map {
      "<row><a>\($0.0 * 1_000_000)</a><b>\($0.1 * 1_000_000)</b><process fmt=\"App (7)\"><pid>7</pid></process><p>\($0.2)</p></row>"
    }
    let trace = try Self.read([
      XctraceText.export(
        "life-cycle-period", ["start", "duration", "process", "period"], rows.joined())
    ])
    #expect(LaunchAnalysis([trace]).all.map { $0.total?.milliseconds } == [200])
    #expect(trace.issues.map(\.count) == [1])
  }

  // MARK: several displays, and what is not there

  /// Swap ids are separate for each of two displays.
  @Test func framesOfTwoDisplaysAreNotMixed() throws {
    func rows(_ display: String, _ start: Int) -> [[Any?]] {
      (0..<3).map { [start + $0 * 100, 50, 100 + $0, display] }
    }
    let swaps = { (display: String, start: Int) in
      (0..<3).map { [start + $0 * 100, 20, display, $0, 100 + $0] as [Any?] }
    }
    let trace = try Self.read([
      Self.table(
        "display-surface-swap", "timestamp delay display-name surface-id swap-id",
        swaps("A", 2000) + swaps("B", 9000)),
      Self.table("hitches-updates", Self.stage, rows("A", 1000) + rows("B", 8000)),
    ])
    #expect(trace.surfaces.map(\.id) == ["A", "B"])
    for (surface, start) in zip(trace.surfaces, [1000, 8000] as [Int64]) {
      #expect((0..<3).map { surface.frames[$0, .appStart] } == [start, start + 100, start + 200])
    }
  }

  /// An empty table of hitches, or a file of something else, does not stop the others.
  @Test func filesWithoutRowsAreSaid() throws {
    let trace = try Self.read([
      Self.table("hitches", "start duration display", []),
      Self.table("hitches-gpu", Self.stage, [[1, 2, 7, "A"]]),
      Self.table("cpu-state", "start", [[1]]),
    ])
    #expect(trace.frameCount == 1 && trace.issues.map(\.kind) == [.unknownRecord, .unknownRecord])
    #expect {
      try Self.read([
        Self.table("hitches", "start duration display", []),
        Self.table("cpu-state", "start", [[1]]),
      ])
    } throws: { ($0 as? ParseError)?.problem.contains("export of hitches, found none") ?? false }
  }

  /// The GPU work of an app that the compositor draws is not a frame of a separate surface.
  @Test func workOfAComposedAppIsNoFrame() throws {
    let trace = try Self.read([
      Self.table(
        "display-surface-swap", "timestamp display-name swap-id", [[100, "A", 1], [200, "A", 2]]),
      XctraceText.export(
        "metal-gpu-intervals", ["start", "duration", "channel-name", "frame-number", "process"],
        "<row><a>1</a><b>2</b><c>Vertex</c><f>5</f><process fmt=\"App (7)\"><pid>7</pid></process></row>"
      ),
    ])
    #expect(trace.surfaces.count == 1 && trace.frameCount == 2)
    #expect(trace.issues.map(\.kind) == [.unknownRecord])
  }

  /// Hitches from long before the recorded frames are not counted against the frames' time.
  @Test func hitchesOutsideOfTheFramesHaveATimeOfTheirOwn() throws {
    let trace = try Self.read([
      Self.table(
        "hitches", "start duration display",
        (1...29).map { [$0 * 1_000_000_000, 16_666_667, "A"] }),
      Self.table(
        "display-surface-swap", "timestamp display-name swap-id",
        (0..<60).map { [20_000_000_000 + $0 * 16_666_667, "A", $0] }),
    ])
    let found = try #require(TraceAnalysis(of: trace).surfaces.first?.hitches.value)
    #expect(found.ratioSpan == .hitches && abs((found.ratio ?? 0) - 17.25) < 0.05)
  }

  @Test func aHitchIsCountedOnce() throws {
    let row: [Any?] = [1_000_000, 16_666_667, "A"]
    let trace = try Self.read([
      Self.table("hitches", "start duration display", [row, row]),
      Self.table("hitches-summary", "start duration display", [row]),
    ])
    #expect(trace.statedHitches.count == 1 && trace.issues.map(\.count) == [2])
  }

  @Test func elementsWithinElementsEndSomewhere() {
    let deep =
      String(repeating: "<a>", count: 100_000) + "x" + String(repeating: "</a>", count: 100_000)
    let text = XctraceText.export(
      "hitches", ["start", "duration", "display"], "<row><v>1</v><v>2</v>\(deep)</row>")
    #expect(TestData.error(text: text)?.problem.contains("at most 256 levels of elements") ?? false)
  }

  // MARK: documents

  @Test func aTableOfContentsTellsTheConditions() throws {
    let contents = """
      <?xml version="1.0"?>

      <trace-toc><run number="1"><info><target><device platform="iOS" model="iPhone 15" os-version="26.1"/><process name="Scroller" pid="812"/></target><summary><duration>93.275372</duration><template-name>Animation Hitches</template-name></summary></info><processes><process name="kernel" pid="0"/></processes><data><table schema="hitches"/></data></run></trace-toc>
      """
    let info = Self.table(
      "device-display-info", "device-name max-refresh-rate", [["Built-in Display", 120]])
    let trace = try Self.read([
      contents, info, Self.table("display-vsyncs-interval", "timestamp display-name", [[5, "A"]]),
    ])
    #expect(trace.issues.map(\.kind) == [.conditions, .conditions])
    #expect(
      trace.issues.map(\.message) == [
        "recorded on iPhone 15, with iOS 26.1, of Scroller, with the template Animation Hitches, for 93.275372 s",
        "Built-in Display can refresh at up to 120 Hz",
      ])
    #expect(trace.displays.map(\.interval) == [nil])
    #expect(
      TestData.error(text: info)?.problem.contains("found only device-display-info")
        ?? false)
    #expect(TestData.error(text: contents)?.help?.contains("tables: hitches;") ?? false)
  }

  @Test func runsAreNotMixedInSilence() throws {
    let trace = try Self.read([
      Self.table("hitches-gpu", Self.stage, [[1, 2, 7, "A"]]),
      Self.table("hitches-updates", Self.stage, [[1, 2, 7, "A"]], run: 3),
    ])
    #expect(trace.issues.map(\.kind) == [.joinAssumed])
    #expect(trace.issues.map(\.severity) == [.repaired])
  }

  /// A later node may omit the columns that the first one stated.
  @Test func rowsOfALaterNodeHaveTheColumnsOfTheOneBefore() throws {
    let first = Self.table("hitches-gpu", Self.stage, [[1, 2, 7, "A"]])
    let second = "<node xpath='//x'>\(XctraceText.row([5, 2, 8, "A"]))</node>"
    let trace = try TestData.read(
      text: first.replacing("</node>", with: "</node>\(second)"))
    #expect(trace.frameCount == 2 && trace.issues.map(\.kind) == [.joinAssumed])
    let stray = first.replacing("<schema", with: "\(XctraceText.row([1, 2]))<schema")
    #expect(try TestData.read(text: stray).issues.map(\.kind) == [.unknownRecord])
  }
}
