import Foundation
import Testing

@testable import FrameAnalysis
@testable import FrameImporters
@testable import FrameStatistics
@testable import FrameTrace

/// Chromium traces in JSON, from all versions, with counts of events by name and the figures of an
/// independent decoder.
@Suite struct ChromeJSONTests {
  private static func trace(_ name: String) throws -> Trace {
    try TestData.read(TestData.folder.appending(path: name).path)
  }

  private static func count(_ trace: Trace, _ text: String) -> Int {
    trace.issues.first { $0.message == text }?.count ?? 0
  }

  /// Chromium's own verdicts on the frames of a scroll, as counted in the events of the recordings: none is lost
  /// although no drop can be judged.
  @Test(
    .enabled(if: TestData.isPresent, Comment(rawValue: TestData.absence)),
    arguments: [
      ("headless-scroll.json", 134, 39, [36.0, 32, 2, 1]),
      ("headless-scroll.pftrace", 151, 12, [10, 4, 1, 1]),
    ])
  func scrollVerdictsAreKept(
    _ name: String, _ frames: Int, _ janky: Int, _ reasons: [Double]
  ) throws {
    let trace = try Self.trace("captured/chrome-trace/" + name)
    let figures = StatedFigures.all(trace).filter { $0.scene == "scrolls" }
    let value = { (metric: String) in figures.first { $0.metric == metric }?.values.first }
    #expect(value("frames") == Double(frames) && value("jankCount") == Double(janky))
    let counts = figures.filter { $0.metric.hasPrefix("jankCount.") }.flatMap(\.values)
    #expect(counts.sorted(by: >) == reasons)
    let surface = try #require(TraceAnalysis(of: trace).surfaces.first { $0.verdicts != nil })
    let verdicts = try #require(surface.verdicts)
    #expect(verdicts.judged >= frames - 1 && verdicts.late >= janky - 1)
  }

  /// A verdict belongs to the frame of its process that was displayed at the time that the events of its number state.
  @Test func aScrollsVerdictIsItsFrames() throws {
    let report = { (id: Int, time: Int) in
      let name = "SubmitCompositorFrameToPresentationCompositorFrame"
      let rest = "\"cat\":\"cc,benchmark\",\"id2\":{\"local\":\"\(id)\"},\"pid\":7,\"tid\":1"
      let facts =
        "{\"frame_reporter\":{\"state\":\"STATE_PRESENTED_ALL\",\"frame_sequence\":\(id)}}"
      return [
        "{\"name\":\"PipelineReporter\",\"ph\":\"b\",\"ts\":\(time - 3000),\(rest),\"args\":\(facts)}",
        "{\"name\":\"\(name)\",\"ph\":\"b\",\"ts\":\(time - 1000),\(rest),\"args\":{}}",
        "{\"name\":\"\(name)\",\"ph\":\"e\",\"ts\":\(time),\(rest),\"args\":{}}",
        "{\"name\":\"PipelineReporter\",\"ph\":\"e\",\"ts\":\(time),\(rest),\"args\":{}}",
      ]
    }
    let jank = { (id: Int, time: Int, process: Int, reasons: String) in
      let rest = "\"cat\":\"cc,input\",\"id2\":{\"local\":\"9\"},\"pid\":\(process),\"tid\":1"
      let verdict = "\"result_id\":\(id),\"is_janky\":\(!reasons.isEmpty)"
      return [
        "{\"name\":\"ScrollJankV4\",\"ph\":\"b\",\"ts\":\(time - 5),\(rest),\"args\":{\"scroll_jank_v4\":{\(verdict),\"missed_vsyncs_per_jank_reason\":[\(reasons)]}}}",
        "{\"name\":\"Presentation\",\"ph\":\"n\",\"ts\":\(time),\(rest),\"args\":{\"scroll_jank_v4\":{\"result_id\":\(id)}}}",
        "{\"name\":\"ScrollJankV4\",\"ph\":\"e\",\"ts\":\(time + 1),\(rest),\"args\":{}}",
      ]
    }
    let reason =
      "{\"jank_reason\":\"MISSED_VSYNC_DURING_FLING\",\"missed_vsyncs\":3},{\"jank_reason\":\"NEW\",\"missed_vsyncs\":1}"
    let events =
      (1...12).flatMap { report($0, $0 * 16_667) } + jank(1, 16_667, 7, "")
      + jank(2, 2 * 16_667, 7, reason)
      // One of another process, and one whose frame is not in the trace.
      + jank(3, 3 * 16_667, 8, reason) + jank(4, 1_000_000, 7, reason)
    let trace = try TestData.read(text: "[" + events.joined(separator: ",") + "]")
    let frames = trace.surfaces[0].frames
    let late = FrameColumn.StatedVerdict.late.rawValue
    let onTime = FrameColumn.StatedVerdict.onTime.rawValue
    #expect((0..<4).map { frames[$0, .verdict] } == [onTime, late, nil, nil])
    let figures = StatedFigures.all(trace)
    let value = { (metric: String) in figures.first { $0.metric == metric }?.values.first }
    #expect(value("frames") == 4 && value("jankCount") == 3 && value("jankShare") == 75)
    #expect(value("missedRefreshes.MISSED_VSYNC_DURING_FLING") == 9)
    #expect(!trace.issues.contains { $0.message.contains("ends of reports") })
    #expect(TraceAnalysis(of: trace).surfaces[0].verdicts?.judged == 2)
  }

  /// A part of a damaged trace has more frames and drops than refreshes, although the whole trace has not: its drops and
  /// the hitches that follow from them are unknown.
  @Test func aPartIsJudgedByItsOwnRefreshes() throws {
    let path = TestData.root.appending(path: "Tests/Broken/chrome/part-does-not-fit.json").path
    let trace = try TestData.read(path)
    let origin = TraceAnalysis(of: trace).origin
    for (start, isKnown) in [(nil, true), (50, false)] as [(Int64?, Bool)] {
      var options = AnalysisOptions()
      if let start {
        options.region = TraceRegion(start: origin + .milliseconds(Double(start)), end: nil)
      }
      let surface = TraceAnalysis(of: trace, options: options).surfaces[0]
      #expect((surface.drops.value != nil) == isKnown)
      #expect((surface.drops.value?.excess ?? 0) <= 1)
      #expect((surface["hitchRatio"]?.figure != nil) == isKnown)
      let why = surface.drops.whyMissing ?? ""
      #expect(isKnown || why.contains("do not fit into 24 refreshes"), "\(why)")
    }
  }

  /// Display updates are the distinct times of presented reporters; `DrawFrame` marks count if
  /// there are no reports.
  @Test(
    .enabled(if: TestData.isPresent, Comment(rawValue: TestData.absence)),
    arguments: [
      ("GoogleChrome_lighthouse__artifacts--animation--trace.json.gz", 280),
      ("GoogleChrome_lighthouse__traces--load.json", 27),
      ("catapult-project_catapult__lthi_cats.json.gz", 105),
    ])
  func everyUpdateIsAFrame(_ name: String, _ frames: Int) throws {
    let trace = try Self.trace("chrome/" + name)
    #expect(trace.surfaces.map(\.frames.count).max() == frames)
  }

  @Test(.enabled(if: TestData.isPresent, Comment(rawValue: TestData.absence)))
  func everyDrawIsAFrame() throws {
    // 110 `DrawFrame` marks in two pages, and 253 ends of `InputLatency`.
    let trace = try Self.trace("chrome/catapult-project_catapult__lthi_cats.json.gz")
    #expect(trace.frameCount == 110)
    #expect(trace.touches.count == 253)
    let timings = try Self.trace(
      "chrome/GoogleChrome_lighthouse__traces--timespan-responsiveness-m103.trace.json")
    let ofPages = (0..<timings.markers.count).count { timings.markers[$0, .thread] == nil }
    #expect(ofPages == 99 && timings.markers.count > 99)
  }

  /// Begun frames, dropped reporters by kind, inputs of fingers, and the moves among them that were
  /// shown, with their median latency.
  @Test(
    .enabled(if: TestData.isPresent, Comment(rawValue: TestData.absence)),
    arguments: [
      ("chrome-trace/headless-drag.json", 77, 61.85),
      ("chrome-trace/headless-gpu.json", 16, 658.21),
      ("chrome-trace/headless-app-allcats.json.gz", 21, 214.50),
      ("chrome-wayland/mutter-touch-drag.json", 35, 29.34),
    ])
  func latenciesAreTheDecoders(_ name: String, _ shown: Int, _ median: Double) throws {
    let trace = try Self.trace("captured/" + name)
    let latencies = (0..<trace.touches.count).compactMap { row -> Double? in
      guard trace.touches[row, .phase] == TouchColumn.Phase.moved.rawValue,
        let made = trace.touches[row, .scanStart], let surface = trace.touches[row, .surface],
        let frame = trace.touches[row, .frame],
        let displayed = trace.surfaces[Int(surface)].frames[Int(frame), .displayed]
      else { return nil }
      return Double(displayed - made) / 1e6
    }.sorted()
    #expect(latencies.count == shown)
    let found = (latencies[(shown - 1) / 2] + latencies[shown / 2]) / 2
    #expect(abs(found - median) < 0.006)
  }

  /// A browser without a screen shows frames whenever they are ready, or states when only one of them was due, as during
  /// scrolling. The refreshes that they missed are not known.
  @Test(
    .enabled(if: TestData.isPresent, Comment(rawValue: TestData.absence)),
    arguments: [
      "headless-app-allcats.json.gz", "headless-gpu.json", "headless-gpu-allcats.json.gz",
      "headless-scroll.json",
    ])
  func onlyFramesThatComeAtRefreshesAreJudged(_ name: String) throws {
    let trace = try Self.trace("captured/chrome-trace/" + name)
    let page = try WaylandTests.window(trace)
    let surface = try #require(TraceAnalysis(of: trace).surfaces.first { $0.index == page })
    #expect(surface.drops.value == nil && surface.drops.whyMissing != nil)
  }

  /// Dragging is smooth at half the rate: the refreshes that the main thread missed are counted,
  /// and almost none are dropped.
  @Test(.enabled(if: TestData.isPresent, Comment(rawValue: TestData.absence)))
  func aSmoothDragDropsNearlyNothing() throws {
    let trace = try Self.trace("captured/chrome-trace/headless-drag.json")
    #expect(
      Self.count(
        trace, "main-thread updates that missed the frame shown by the compositor") == 66)
    #expect(
      Self.count(trace, "frames that Chromium reports as dropped and never begun") == 1)
    let page = try WaylandTests.window(trace)
    let drops = try #require(
      TraceAnalysis(of: trace).surfaces.first { $0.index == page }?.drops.value)
    #expect(drops.refreshes * 10 < drops.activeRefreshes)
  }

  /// Cut anywhere, a trace gives all complete events.
  @Test(.enabled(if: TestData.isPresent, Comment(rawValue: TestData.absence)))
  func aCutTraceGivesWhatIsWhole() throws {
    let path = TestData.folder.appending(path: "captured/chrome-trace/trace-startup-nocdp.json")
    let bytes = [UInt8](try Data(contentsOf: path))
    let whole = try Importers.read(InputFile(bytes: bytes)).frameCount
    var counts: [Int] = []
    for part in 1...12 {
      let cut = Array(bytes.prefix(bytes.count * part / 13))
      counts.append((try? Importers.read(InputFile(bytes: cut)))?.frameCount ?? 0)
    }
    // Before the first report there are only marks.
    #expect(zip(counts.dropFirst(3), counts.dropFirst(2)).allSatisfy { $0 >= $1 })
    #expect(counts.last ?? 0 > whole / 2)
  }

  /// The elements of an array, whatever surrounds it and wherever it is cut.
  @Test(arguments: [
    (
      #"[{"a":1},{"b":"]}"},3,"x",[1,[2]],null]"#,
      ["{\"a\":1}", "{\"b\":\"]}\"}", "3", "\"x\"", "[1,[2]]", "null"], false
    ),
    (#" [ 1 , 2 "#, ["1", "2"], true),
    (#"{"x":{"list":[0]},"y":"\"list\":[","list":[1]}"#, ["1"], false),
    (#"[]"#, [], false), (#"[{"a":"\\"},{"b"#, [#"{"a":"\\"}"#], true), ("[", [], true),
  ])
  func elementsAreFound(_ text: String, _ expected: [String], _ isCut: Bool) throws {
    var elements = try JSONElements(InputFile(bytes: Array(text.utf8)), member: "list")
    var found: [String] = []
    while let element = try elements.next() {
      found.append(String(decoding: elements.bytes[element], as: UTF8.self))
    }
    #expect(found == expected)
    #expect(elements.isCut == isCut)
  }

  /// The list's own numbers: build, raster, and the total from the refresh.
  @Test(.enabled(if: TestData.isPresent, Comment(rawValue: TestData.absence)))
  func aSnapshotOfFlutterIsRead() throws {
    let trace = try Self.trace(
      "flutter/flutter_devtools__7674074__performance_data.converted.json")
    let frames = try #require(trace.surfaces.first?.frames)
    #expect(frames.count == 4)
    #expect(frames[0, .appStart] == 497_236_710_523_000)
    #expect(frames[0, .commit] == 497_236_725_541_000)
    let end: Int64? = 497_236_710_523_000 - 578_000 + 17_070_000
    #expect(frames[0, .gpuEnd] == end)
    let raster: Int64? = 1_376_000
    #expect(frames[0, .gpuEnd].flatMap { end in frames[0, .gpuStart].map { end - $0 } } == raster)
    #expect(trace.displays[0].interval == Nanoseconds(16_666_667))
  }

  /// A description of the recording that is longer than the start of the file is skipped.
  @Test func aLongDescriptionIsPassedOver() throws {
    let metadata = String(repeating: "x", count: 80_000)
    let event =
      #"{"name":"DrawFrame","ph":"I","pid":1,"tid":1,"ts":5,"args":{"layerTreeId":1}}"#
    let trace = try TestData.read(
      text: "{\"metadata\":{\"a\":\"\(metadata)\"},\"traceEvents\":[\(event)]}")
    #expect(trace.frameCount == 1)
  }

  /// Absurdly large numbers do no harm.
  @Test(arguments: [
    #"{"traceEvents":[{"name":"BeginFrame","ph":"I","pid":1,"ts":1e-9223372036854775808,"args":{"layerTreeId":1}}]}"#,
    #"{"devToolsSnapshot":true,"performance":{"flutterFrames":[{"startTime":-9223372036854775808,"build":1}]}}"#,
  ])
  func absurdNumbersDoNoHarm(_ text: String) {
    _ = try? TestData.read(text: text)
  }

  /// A file that ends inside an event has lost something; an array without its closing bracket has
  /// not.
  @Test func aCutIsToldByWhatItCost() throws {
    let event =
      #"{"name":"DrawFrame","ph":"I","pid":1,"tid":1,"ts":5,"args":{"layerTreeId":1}}"#
    let severity = { (text: String) in
      try TestData.read(text: text).issues.first { $0.kind == .cutOff }?.severity
    }
    #expect(try severity("[\(event),\n") == .info)
    #expect(try severity("[\(event),{\"name\"") == .dataLoss)
    #expect(try severity("{\"traceEvents\":[\(event),") == .dataLoss)
    #expect(try severity("[\(event)]") == nil)
  }

  /// A page has its own begin frames: those of another page in the same process keep their time.
  @Test func pagesOfOneProcessKeepTheirRefreshes() throws {
    var events: [String] = []
    for index in 0..<40 {
      for (tree, delay) in [(1, 0), (2, 1)] {
        for (name, length) in [("BeginFrame", 0), ("DrawFrame", 2000)] {
          let time = index * 16_667 + delay + length
          events.append(
            "{\"name\":\"\(name)\",\"ph\":\"I\",\"pid\":1,\"tid\":1,\"ts\":\(time),\"args\":{\"layerTreeId\":\(tree),\"frameSeqId\":\(index)}}"
          )
        }
      }
    }
    let trace = try TestData.read(text: "[" + events.joined(separator: ",") + "]")
    let displays = Pipeline(reconstructing: trace).displays
    #expect(displays.allSatisfy { $0.interval == Nanoseconds(16_667_000) })
  }

  /// Events are read as they are without the ones before, whatever those were.
  @Test(arguments: 0..<40) func eventsAreReadAloneAndOneAfterTheOther(_ seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let identifiers = [
      #"{"local":"0x1"}"#, #"{"local":"0x12"}"#, #"{"local":"0x123456789a"}"#,
      #"{"local":"0x123456789ab"}"#, #"{"global":"0x12"}"#, #"{"global":"0x13"}"#,
      #"{"local":12345678}"#, #"{"other":"0x12345"}"#, #"{"local":"0x12","local":"1"}"#,
      #"{"local": "0x12"}"#, #"{"local":"0x12",}"#, #"{"local":"0\u0031"}"#, "{}", "7", #""0x1""#,
    ]
    let processes = [
      "1", "12", "-1", "12345678", "123456789", "1.0", "1.5", "0", "\"1\"", "1e3",
      "99999999999999999999",
    ]
    var events = ChromeEventReader()
    for _ in 0..<200 {
      let text =
        String(repeating: " ", count: Int.random(in: 0..<9, using: &random))
        + "{\"pid\":\(processes.randomElement(using: &random) ?? "")"
        + ",\"id2\":\(identifiers.randomElement(using: &random) ?? "")}"
      let bytes = Array(text.utf8) + [UInt8](repeating: UInt8(ascii: "1"), count: 64)
      var members = JSONMembers()
      _ = try members.read(bytes.span, from: 0, before: text.utf8.count)
      var fresh = ChromeEventReader()
      events.read(bytes.span, members)
      fresh.read(bytes.span, members)
      #expect(events.event.process == fresh.event.process)
      #expect(events.event.identifier == fresh.event.identifier)
      #expect(events.event.isLocal == fresh.event.isLocal)
    }
  }

  /// What threads worked on, in whatever order it was written: by start, the longest first. The threads take turns, and
  /// only one of them is a main thread.
  @Test(arguments: [100, 5000], [false, true])
  func slicesOfMainThreadsAreSorted(_ count: Int, isMixed: Bool) throws {
    let slices = (0..<count).map { (start: $0 / 2 * 1000, length: 900 - $0 % 2 * 300) }
    var random = SplitMix64(seed: UInt64(count))
    let written = isMixed ? slices.shuffled(using: &random) : slices
    let event = { (name: String, thread: Int, slice: (start: Int, length: Int)) in
      "{\"name\":\"\(name)\",\"ph\":\"X\",\"pid\":7,\"tid\":\(thread),\"ts\":\(slice.start),\"dur\":\(slice.length)}"
    }
    var events = [
      "{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":7,\"tid\":3,\"ts\":0,\"args\":{\"name\":\"CrRendererMain\"}}",
      "{\"name\":\"DrawFrame\",\"ph\":\"I\",\"pid\":7,\"tid\":3,\"ts\":1,\"args\":{\"layerTreeId\":1}}",
    ]
    for (position, slice) in written.enumerated() {
      events.append(event("Task \(slice.start % 7000)", 3, slice))
      events.append(event("Other", 4, slice))
      if position % 3 == 0 { events.append(event("Another", 3 << 40, slice)) }
    }
    let trace = try TestData.read(text: "{\"traceEvents\":[\(events.joined(separator: ","))]}")
    let markers = trace.markers
    #expect(markers.count == count && trace.threads.count == 1)
    let ends = slices.map { Int64(($0.start + $0.length) * 1000) }
    #expect(
      (0..<markers.count).map { markers[$0, .start] } == slices.map { Int64($0.start * 1000) })
    #expect((0..<markers.count).map { markers[$0, .end] } == ends)
    #expect(
      (0..<markers.count).map { markers.text($0, .name) }
        == slices.map { "Task \($0.start % 7000)" })
    #expect((0..<markers.count).allSatisfy { markers[$0, .thread] == 3 })
  }

  /// Marks count only in a trace without reports, wherever its first report is.
  @Test(arguments: [0, 1, 2, 3]) func marksGiveWayToReports(_ position: Int) throws {
    let mark = { (time: Int) in
      "{\"name\":\"DrawFrame\",\"ph\":\"I\",\"pid\":7,\"tid\":3,\"ts\":\(time),\"args\":{\"layerTreeId\":1}}"
    }
    let lost =
      "{\"name\":\"DroppedFrame\",\"ph\":\"I\",\"pid\":7,\"tid\":3,\"ts\":5,\"args\":{\"layerTreeId\":1}}"
    var events = [mark(1000), lost, mark(17_000)]
    let text = { "{\"traceEvents\":[\(events.joined(separator: ","))]}" }
    let marked = try TestData.read(text: text())
    #expect(marked.frameCount == 2)
    #expect(Self.count(marked, "frames that Chromium reports as dropped") == 1)
    events.insert(
      """
      {"name":"PipelineReporter","cat":"cc,benchmark","ph":"b","id2":{"local":"0x1"},"pid":7,"tid":3,\
      "ts":1000,"args":{"chrome_frame_reporter":{"state":"STATE_PRESENTED_ALL","frame_sequence":1}}},\
      {"name":"PipelineReporter","cat":"cc,benchmark","ph":"e","id2":{"local":"0x1"},"pid":7,"tid":3,\
      "ts":9000}
      """, at: position)
    let reported = try TestData.read(text: text())
    #expect(reported.frameCount == 1 && reported.surfaces[0].frames[0, .displayed] == 9_000_000)
    #expect(Self.count(reported, "frames that Chromium reports as dropped") == 0)
  }

  /// As many reports and marks as there are begin events in the files.
  @Test(
    .enabled(if: TestData.isPresent, Comment(rawValue: TestData.absence)),
    arguments: [
      ("animation--trace.json.gz", 570, 287), ("lr--trace.json.gz", 142, 46),
      ("render-blocking--trace.json", 38, 17), ("video-embed--trace.json.gz", 644, 240),
    ])
  func everyReportIsCounted(_ name: String, _ reporters: Int, _ draws: Int) throws {
    let path = TestData.folder.appending(
      path: "chrome/GoogleChrome_lighthouse__artifacts--\(name)")
    var elements = try JSONElements(InputFile(path: path.path), member: "traceEvents")
    var reports = ChromeReports()
    var marks = ChromeMarks()
    var members = JSONMembers()
    var events = ChromeEventReader()
    var numbers = ChromeNumbers()
    while try elements.next(into: &members) != nil {
      let bytes = elements.bytes.span
      events.read(bytes, members)
      let event = events.event
      guard event.isComplete else { continue }
      if !reports.consume(event, bytes, &numbers) { marks.consume(event, bytes, &numbers) }
    }
    #expect(reports.finish().frames.count == reporters)
    #expect(marks.drawCount == draws)
  }

  /// Stages of touches, with the counts and medians in ms from an independent decoder.
  @Test(.enabled(if: TestData.isPresent, Comment(rawValue: TestData.absence)))
  func stagesOfInputsAreRead() throws {
    let trace = try Self.trace("captured/chrome-trace/headless-drag.json")
    let stages = StatedFigures.all(trace)
    for (name, count, median) in [
      ("EndActivateToSubmitCompositorFrame", 77, 5.17),
      ("SubmitCompositorFrameToPresentationCompositorFrame", 77, 7.01),
      ("RendererMainFinishedToBeginImplFrame", 62, 9.24),
      ("RendererMainFinishedToCommit", 15, 0.47),
      ("BeginImplFrameToSendBeginMainFrame", 62, 16.72),
    ] {
      let stage = try #require(stages.first { $0.metric == "inputStage.\(name)" })
      #expect(stage.values.count == count)
      #expect(abs((stage.statistic("p50") ?? 0) - median) < 0.006)
    }
    // 141 moves, 3 presses and 3 releases; gestures made from them are extra.
    let first = try #require(stages.first { $0.metric == "inputStage.GenerationToBrowserMain" })
    #expect(first.values.count == 147)
  }
}
