import Foundation
import Testing

@testable import FrameAnalysis
@testable import FrameImporters
@testable import FrameReport
@testable import FrameStatistics
@testable import FrameTrace

/// Exports of Instruments recordings, real ones where available.
@Suite struct XctraceTests {
  private static let prefix = "sforteln_xctrace-query-mcp-server__schema-table__"

  private static func file(_ table: String) -> String {
    TestData.folder.appending(path: "xctrace/\(prefix)\(table).xml").path
  }

  private static func recording(_ tables: [String]) throws -> Trace {
    try Importers.read(recording: tables.map { try InputFile(path: file($0)) })
  }

  private static let display = [
    "display-surface-swap", "hitches-renders", "displayed-surfaces-interval",
    "display-vsyncs-interval",
  ]

  // MARK: real exports

  /// Hangs are counted and listed with their lengths; the counts are from `grep -c '<row>'`.
  @Test(
    .enabled(if: TestData.isPresent, Comment(rawValue: TestData.absence)),
    arguments: [
      ("sforteln_xctrace-query-mcp-server__schema-table__potential-hangs.xml", 23, 236.65),
      ("carloshpdoc_memorydetective__tests__fixtures__example-potential-hangs.xml", 35, 1164.32),
    ])
  func hangsAreThoseOfTheTable(_ name: String, _ count: Int, _ longest: Double) throws {
    let trace = try TestData.read(TestData.folder.appending(path: "xctrace/\(name)").path)
    let analysis = TraceAnalysis(of: trace)
    #expect(analysis.hangs.hangs.count == count && analysis.hangs.missing == 0)
    #expect(abs((analysis.hangs.longest?.milliseconds ?? 0) - longest) < 0.01)
    let json = Writers.write([analysis], as: .json)
    #expect(json.contains("\"hangs\": {") && json.contains("\"count\": \(count)"))
  }

  /// The four display tables of one recording at 60 Hz: a complete triple buffering.
  @Test(.enabled(if: TestData.isPresent, Comment(rawValue: TestData.absence)))
  func theDisplayTablesAreOneTripleBuffering() throws {
    let trace = try Self.recording(Self.display)
    let frames = trace.surfaces[0].frames
    #expect(trace.surfaces.count == 1 && frames.count == 15)
    #expect(frames.valueCount(.displayed) == 12 && frames.valueCount(.compositorStart) == 12)
    // Nine frames were both drawn and swapped in within the recording.
    let both = (0..<frames.count).filter {
      frames[$0, .displayed] != nil && frames[$0, .compositorStart] != nil
    }
    #expect(both.count == 9)
    let row = try #require((0..<frames.count).first { frames[$0, .identifier] == 4_685_388 })
    let buffer = try #require(frames[row, .buffer])
    let own = (0..<frames.count).filter { frames[$0, .buffer] == buffer }
    let before = try #require(own.last { $0 < row })
    let after = try #require(own.first { $0 > row })
    // The cycle of a buffer: free, drawn, handed over, queued, on the display.
    let cycle = [
      frames[before, .replaced], frames[row, .compositorStart], frames[row, .compositorEnd],
      frames[row, .queued], frames[row, .displayed], frames[row, .replaced],
    ].compactMap { $0 }
    let parts = zip(cycle.dropFirst(), cycle).map { Double($0 - $1) / 1e6 }
    let wanted = [0.53, 5.97, 0.61, 26.22, 16.67]
    #expect(zip(parts, wanted).allSatisfy { abs($0 - $1) < 0.01 }, "\(parts)")
    #expect(abs(parts.reduce(0, +) - 50) < 0.01)
    #expect(try #require(frames[after, .compositorStart]) > cycle[5])
  }

  /// The panel shows each frame 2.584 ms after the requested time, which is not late; the table of
  /// displays states 120 Hz, while the refreshes show 60.
  @Test(.enabled(if: TestData.isPresent, Comment(rawValue: TestData.absence)))
  func aConstantOffsetOfThePanelIsNotLate() throws {
    let trace = try Self.recording(Self.display)
    let frames = trace.surfaces[0].frames
    let offsets = (0..<frames.count).compactMap { row in
      frames[row, .displayed].flatMap { shown in
        frames[row, .expectedDisplay].map { Double(shown - $0) / 1e6 }
      }
    }
    #expect(offsets.count == 12 && offsets.allSatisfy { abs($0 - 2.584) < 0.001 })
    let analysis = TraceAnalysis(of: trace)
    let surface = try #require(analysis.surfaces.first)
    #expect(surface.drops.value?.refreshes == 0)
    #expect(surface.refreshes?.source == .measured)
    #expect(abs((surface.refreshes?.interval?.milliseconds ?? 0) - 16.667) < 0.001)
    #expect(surface.buffers.value?.count == 3)
    // Buffers of frames that were in progress when the recording began are in use, too.
    #expect(surface.buffers.value?.depthShares == [0, 0, 1, 0])
    // The first swaps are of frames that were drawn before the recording: nothing changed.
    #expect(surface.buffers.value?.changes == [])
  }

  /// 11 hitches of 37 refreshes, 616.67 ms; ten of them are due to the app alone.
  @Test(.enabled(if: TestData.isPresent, Comment(rawValue: TestData.absence)))
  func theRecordersOwnHitchesAreStated() throws {
    let trace = try TestData.read(Self.file("hitches"))
    let hitches = trace.statedHitches
    let lengths = (0..<hitches.count).compactMap { hitches[$0, .duration] }
    #expect(lengths.count == 11)
    let refreshes = lengths.map { Int((Double($0) / 16_666_667).rounded()) }
    #expect(refreshes == [13, 1, 12, 1, 1, 1, 1, 1, 2, 1, 3])
    #expect(abs(Double(lengths.reduce(0, +)) / 1e6 - 616.67) < 0.01)
    #expect(trace.surfaces.map(\.id) == ["Display 2"])
    // 616.67 ms within 31.95 s: Apple's two scales disagree.
    let found = try #require(TraceAnalysis(of: trace).surfaces.first?.hitches.value)
    #expect(found.source == .stated && found.ratioSpan == .hitches)
    let ratio = try #require(found.ratio)
    #expect(abs(ratio - 19.3) < 0.05)
    #expect(HitchFindings.Scale.wwdc20.grade(ratio) == "critical")
    #expect(HitchFindings.Scale.organizer.grade(ratio) == "warning")
    let kinds = (0..<hitches.count).compactMap { hitches[$0, .kind] }
    #expect(kinds.count { $0 == HitchColumn.Kind.commit.rawValue } >= 9)
  }

  /// Rows counted with `grep -o '<row>' FILE | wc -l`; refusals are named.
  @Test(
    .enabled(if: TestData.isPresent, Comment(rawValue: TestData.absence)),
    arguments: [
      ("potential-hangs", 23), ("OSSignpostIntervals", 2), ("display-surface-swap", 12),
      ("display-vsyncs-interval", 10), ("displayed-surfaces-interval", 12),
      ("hitches-renders", 12), ("hitches", 11), ("device-display-info", nil),
      ("hang-risks", nil), ("runloop-intervals", nil), ("time-sample", 4),
    ] as [(String, Int?)])
  func everyTableIsReadOrNamed(_ table: String, _ rows: Int?) throws {
    do {
      let trace = try TestData.read(Self.file(table))
      let found =
        trace.frameCount + trace.statedHitches.count + trace.markers.count
        + trace.threadStates.count + trace.displays.reduce(0) { $0 + $1.refreshes.count }
      #expect(found == rows && trace.issues.allSatisfy { $0.severity == .info })
    } catch let error as ParseError {
      #expect(rows == nil && error.problem.contains(table), "\(error)")
    }
  }

  @Test(.enabled(if: TestData.isPresent, Comment(rawValue: TestData.absence)))
  func aTracksDetailIsNamed() throws {
    let path = TestData.folder.appending(
      path: "xctrace/sforteln_xctrace-query-mcp-server__track-detail__VM-Tracker__Regions-Map.xml"
    ).path
    #expect {
      try TestData.read(path)
    } throws: { ($0 as? ParseError)?.problem.contains("a track's detail") ?? false }
  }

  /// Cut anywhere, an export gives the complete rows and one issue, or is refused.
  @Test(
    .enabled(if: TestData.isPresent, Comment(rawValue: TestData.absence)),
    arguments: display + ["hitches", "potential-hangs"])
  func aCutExportGivesWhatWasWhole(_ table: String) throws {
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: Self.file(table))))
    var random = SplitMix64(seed: 7)
    for _ in 0..<200 {
      let end = Int.random(in: 1..<bytes.count, using: &random)
      let part = Array(bytes[..<end])
      let whole = String(decoding: part, as: UTF8.self).components(separatedBy: "</row>").count - 1
      do {
        let trace = try Importers.read(InputFile(bytes: part, path: "cut.xml"))
        let found =
          trace.frameCount + trace.statedHitches.count + trace.markers.count
          + trace.displays.reduce(0) { $0 + $1.refreshes.count }
        #expect(found == whole, "\(end)")
        // After the last element, nothing is missing.
        let issues = trace.issues.filter { $0.severity != .info }
        #expect(issues.count == 1 || end > bytes.count - 30)
        #expect(issues.allSatisfy { $0.kind == .cutOff })
      } catch {
        #expect(whole == 0, "\(end): \(error)")
      }
    }
  }

  // MARK: the grammar

  private static let renders = ["start", "duration", "display", "swap-id", "surface-id"]

  @Test func valuesAreKeptAcrossRowsAndSentinelsAreNone() throws {
    let trace = try TestData.read(
      text: XctraceText.export(
        "hitches-renders", Self.renders,
        """
        <row><start-time id="1" fmt="x">1000</start-time><duration id="2">500</duration><display-name id="3" fmt="A &amp; B">A &amp; B</display-name><uint32 id="4">7</uint32><uint32 id="5">9</uint32></row>
        <row><start-time id="6">2000</start-time><duration ref="2"/><display-name ref="3"/><sentinel/><uint32 ref="5"/></row>
        <row><start-time id="7">3000</start-time><duration ref="99"/><display-name ref="3"/><sentinel/><uint32 ref="5"/></row>
        <row><start-time id="8">1125899906842623</start-time><duration ref="2"/><display-name ref="3"/><uint32 id="9">4294967295</uint32><uint32 ref="5"/></row>
        """))
    let frames = trace.surfaces[0].frames
    #expect(trace.surfaces.map(\.id) == ["A & B"] && frames.count == 2)
    #expect((0..<2).map { frames[$0, .compositorEnd] } == [1500, 2500])
    #expect((0..<2).map { frames[$0, .identifier] } == [7, nil])
    #expect(trace.issues.map(\.kind) == [.brokenReference, .malformedValue])
    #expect(trace.issues.map(\.count) == [1, 2])
  }

  /// Stages of frames are joined by their swap id, and each row counts once, whatever its colors
  /// and levels.
  @Test func stagesAreJoinedBySwap() throws {
    let stage = ["start", "duration", "swap-id", "display", "frame-color", "containment-level"]
    func row(_ start: Int, _ duration: Int, _ swap: Int) -> String {
      "<row><a>\(start)</a><b>\(duration)</b><c>\(swap)</c><d>A</d><e>red</e><f>0</f></row>"
    }
    let exports = [
      XctraceText.export(
        "hitches-updates", stage, row(100, 20, 7) + row(130, 40, 7) + row(300, 10, 8)),
      XctraceText.export(
        "hitches-renders", Self.renders,
        String(
          repeating: "<row><a>180</a><b>20</b><c>A</c><d>7</d><e>1</e></row>", count: 2)),
      XctraceText.export("hitches-gpu", stage, row(205, 30, 7)),
      XctraceText.export("hitches-frame-lifetimes", stage, row(100, 400, 7) + row(300, 600, 8)),
    ]
    let inputs = try exports.enumerated().map {
      try InputFile(bytes: Array($1.utf8), path: "\($0).xml")
    }
    let trace = try Importers.read(recording: inputs)
    let frames = trace.surfaces[0].frames
    #expect(trace.surfaces.count == 1 && frames.count == 2 && trace.issues.isEmpty)
    let columns: [FrameColumn] = [
      .identifier, .appStart, .appEnd, .compositorStart, .compositorEnd, .gpuStart, .gpuEnd,
      .displayed,
    ]
    #expect(columns.map { frames[0, $0] } == [7, 100, 170, 180, 200, 205, 235, 500])
    #expect(columns.map { frames[1, $0] } == [8, 300, 310, nil, nil, nil, nil, 900])
  }

  @Test(arguments: [
    ("hitch A", HitchColumn.Kind.unknown), ("Potentially expensive app update(s)", .commit),
    (
      "Potentially expensive render, 64 offscreen passes), Potentially expensive GPU work",
      .render
    ), ("Potentially expensive app update(s), Potentially expensive render", .unknown),
    ("", .unknown), ("Pre-Commit(s) latency", .commit), ("Commit to Render latency", .unknown),
    ("Expensive Commit(s)", .commit),
  ])
  func aHitchIsOfTheSideThatIsNamed(_ narrative: String, _ kind: HitchColumn.Kind) {
    #expect(XctraceJoin.kind(narrative) == kind)
  }

  @Test func partsOfOtherFormatsAreNotJoined() throws {
    let export = XctraceText.export(
      "hitches-renders", Self.renders, "<row><a>1</a><b>2</b><c>d</c><d>1</d><e>1</e></row>")
    let native = "{\"schema\": \"frametool.trace/1\"}\n{\"type\": \"frame\", \"displayed\": 5}\n"
    let inputs = try [export, native].enumerated().map {
      try InputFile(bytes: Array($1.utf8), path: "\($0)")
    }
    #expect {
      try Importers.read(recording: inputs)
    } throws: {
      ($0 as? ParseError)?.problem.contains("another xctrace export of the recording") ?? false
    }
    let two = try ["a", "b"].map { try InputFile(bytes: Array(native.utf8), path: $0) }
    #expect {
      try Importers.read(recording: two)
    } throws: { ($0 as? ParseError)?.problem.contains("expected parts of one recording") ?? false }
    #expect {
      try Importers.read(recording: [inputs[0], inputs[0]])
    } throws: { ($0 as? ParseError)?.problem.contains("found this one twice") ?? false }
  }
}
