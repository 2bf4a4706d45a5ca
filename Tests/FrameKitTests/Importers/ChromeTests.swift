import Fixtures
import Foundation
import Testing

@testable import FrameAnalysis
@testable import FrameImporters
@testable import FrameTrace

/// Frames as Chromium reports them, from recordings in which the slow part is known.
@Suite struct ChromeTests {
  private static func trace(_ name: String) throws -> Trace {
    try TestData.read(
      TestData.folder.appending(path: "captured/chrome-trace/headless-\(name).pftrace").path)
  }

  /// A reporter begins at a refresh, however late the main thread is, and no frame starts between refreshes.
  @Test func writtenReportersBeginAtRefreshes() throws {
    var late = 0
    for number in 0..<JankFamily.allCases.count * 24 {
      let trace = JankTrace(number: number, of: 5).trace
      let encoder = ChromeTraceEncoder()
      guard encoder.whyNot(trace) == nil, encoder.whyMisread(trace) == nil,
        let display = trace.displays.first, display.refreshes.count > 0
      else { continue }
      let read = try TestData.read(bytes: encoder.encode(trace))
      let first = trace.timeRange?.lowerBound.nanoseconds ?? 0
      let known = Set((0..<display.refreshes.count).compactMap { display.refreshes[$0, .time] })
      let begun = read.displays[0].refreshes
      let starts = (0..<begun.count).compactMap { begun[$0, .time] }.map {
        $0 - 1_000_000_000 + first
      }
      // An app may start a little before its refresh; no refresh is known of what began before the first one.
      let earliest = known.min() ?? first
      let isAtRefresh = { (start: Int64) in known.contains { abs($0 - start) < 1_000_000 } }
      #expect(starts.allSatisfy { $0 < earliest || isAtRefresh($0) }, "\(number)")
      let frames = trace.surfaces[0].frames
      late += (0..<frames.count).count {
        frames[$0, .appStart].map { !known.contains($0) } ?? false
      }
    }
    #expect(late > 0)
  }

  /// Of frames that start between refreshes, as no frame of Chromium does, one in ten is let pass.
  @Test(arguments: [(0, true), (10, true), (11, false)])
  func framesThatStartBetweenRefreshesAreNotWritten(_ count: Int, _ isWritten: Bool) throws {
    let interval = 16_667_000
    var lines = [
      #"{"schema":"frametool.trace/1","unit":"ns"}"#,
      #"{"type":"display","id":"d","interval":\#(interval)}"#,
      #"{"type":"surface","id":"s","display":"d"}"#,
    ]
    for frame in 0..<100 {
      let refresh = frame * interval
      let start = refresh + (frame >= 40 && frame < 40 + count ? interval / 2 : 0)
      lines.append(
        #"{"type":"frame","surface":"s","appStart":\#(start),"commit":\#(start + 3_000_000),"displayed":\#(refresh + 2 * interval)}"#
      )
    }
    let trace = try TestData.read(text: lines.joined(separator: "\n") + "\n")
    #expect((ChromeTraceEncoder().whyNot(trace) == nil) == isWritten)
  }

  /// Before Chromium had a separate message, Perfetto's message had the same field numbers. Both
  /// tags have equally many bytes, so a recording can be rewritten in the old form.
  @Test(.enabled(if: TestData.isPresent, Comment(rawValue: TestData.absence)))
  func reportersOfOlderVersionsAreRead() throws {
    let path = TestData.folder.appending(path: "captured/chrome-trace/headless-app.pftrace")
    var bytes = Array(try Data(contentsOf: path))
    var count = 0
    for position in bytes.indices.dropLast()
    where bytes[position] == 0x9a && bytes[position + 1] == 0x43 {
      (bytes[position], bytes[position + 1]) = (0x82, 0x02)
      count += 1
    }
    let older = try Importers.read(InputFile(bytes: bytes))
    let newer = try Self.trace("app")
    #expect(count > 100 && newer.frameCount > 20 && older.frameCount == newer.frameCount)
  }

  /// The surface of each recording's page, which has the most frames; the other surface is the
  /// blank page before it.
  private static func page(_ trace: Trace) throws -> Int {
    try #require(
      trace.surfaces.indices.max {
        trace.surfaces[$0].frames.count < trace.surfaces[$1].frames.count
      })
  }

  /// Compared with an independent decoder: begun frames by number, dropped reporters by kind
  /// (forked, backfilled, neither), inputs of fingers, and the moves among them that were shown,
  /// with their median latency.
  @Test(
    .enabled(if: TestData.isPresent, Comment(rawValue: TestData.absence)),
    arguments: [
      ("app", refreshes: 157, dropped: [26, 16, 52], inputs: 147, shown: 33, latency: 178.00),
      ("gpu", refreshes: 184, dropped: [7, 148, 6], inputs: 146, shown: 16, latency: 657.26),
      ("scroll", refreshes: 190, dropped: [0, 0, 4], inputs: 9, shown: 0, latency: 0),
    ])
  func reportsAreRead(
    _ name: String, refreshes: Int, dropped: [Int], inputs: Int, shown: Int, latency: Double
  ) throws {
    let trace = try Self.trace(name)
    #expect(trace.displays.map(\.refreshes.count) == [refreshes])
    let texts = [
      "main-thread updates that missed the frame shown by the compositor",
      "frames that Chromium reports as dropped and never begun",
      "frames that Chromium reports as dropped",
    ]
    let counts = texts.map { text in trace.issues.first { $0.message == text }?.count ?? 0 }
    #expect(counts == dropped)
    #expect(trace.touches.count == inputs)
    let frames = trace.surfaces[try Self.page(trace)].frames
    let latencies = (0..<trace.touches.count).compactMap { row -> Double? in
      guard trace.touches[row, .phase] == TouchColumn.Phase.moved.rawValue,
        let made = trace.touches[row, .scanStart], let frame = trace.touches[row, .frame],
        let displayed = frames[Int(frame), .displayed]
      else { return nil }
      return Double(displayed - made) / 1e6
    }.sorted()
    #expect(latencies.count == shown)
    guard shown > 0 else { return }
    let median = (latencies[(shown - 1) / 2] + latencies[shown / 2]) / 2
    #expect(abs(median - latency) < 0.005)
  }

  /// A browser without a screen shows frames whenever they are ready, so it is unknown which
  /// refresh a frame missed.
  @Test(
    .enabled(if: TestData.isPresent, Comment(rawValue: TestData.absence)),
    arguments: ["app", "gpu", "scroll"])
  func framesOfABrowserWithoutAScreenAreNotJudged(_ name: String) throws {
    let trace = try Self.trace(name)
    let surface = TraceAnalysis(of: trace).surfaces[try Self.page(trace)]
    #expect(surface.drops.whyMissing?.hasPrefix("drops cannot be judged: only ") ?? false)
    #expect(surface.hitches.value == nil)
  }

  private static func reporter(
    _ sequence: Int64, _ outcome: ChromeReporter.Outcome, _ kind: ChromeReporter.Kind? = nil,
    at start: Int64, _ stages: [(ChromeStageName, Int64, Int64)]
  ) -> ChromeReporter {
    ChromeReporter(
      facts: .init(
        outcome: outcome, kind: kind, sequence: sequence, source: 1, host: 3,
        surfaceFrame: UInt64(sequence)),
      process: 9, start: start, end: stages.last?.2,
      stages: Self.stages(stages))
  }

  private static func stages(_ list: [(ChromeStageName, Int64, Int64)]) -> ChromeStages {
    ChromeStages(all: list.map { .init(name: $0.0.rawValue, start: $0.1, end: $0.2) }[...])
  }

  /// A page without a number comes in the order of its frames beside one with the number that stands for none.
  @Test func pagesHaveOneOrder() {
    let reporters = [(100, nil), (110, -1), (120, nil)].map { (start: Int64, host: Int64?) in
      ChromeReporter(
        facts: .init(outcome: .presented, sequence: start, host: host), process: 9, start: start,
        end: start + 5, stages: Self.stages([]))
    }
    for _ in 0..<8 {
      var builder = TraceBuilder(
        Provenance(file: "-", importer: "chrome", format: "Chromium trace", reason: "a test"))
      ChromeFrames.add(ChromeReportList(frames: reporters), judged: [:], to: &builder) { _ in nil }
      #expect(builder.trace.surfaces.map(\.id) == ["page 0 of 9", "page -1 of 9"])
    }
  }

  /// A refresh that reporters give several times is one, as the last of them has it.
  @Test func aRefreshIsListedOnce() throws {
    let reporters = [(1, 100), (2, 130), (1, 120), (3, 115), (2, 110)].map { number, start in
      Self.reporter(Int64(number), .noUpdate, at: Int64(start), [])
    }
    var builder = TraceBuilder(
      Provenance(file: "-", importer: "chrome", format: "Chromium trace", reason: "a test"))
    ChromeFrames.add(ChromeReportList(frames: reporters), judged: [:], to: &builder) { _ in nil }
    let refreshes = builder.trace.displays[0].refreshes
    let listed = (0..<refreshes.count).map { [refreshes[$0, .number], refreshes[$0, .time]] }
    #expect(listed == [[2, 110], [3, 115], [1, 120]])
  }

  /// A frame that the compositor drew with the main thread's update from an earlier one is one row:
  /// app times from the earlier frame, drawing times from the later. A frame without an update, a
  /// fork, and one that never began are not frames.
  @Test func updatesOfOneDisplayTimeAreOneFrame() throws {
    let show = ChromeStageName.presentation
    let reporters = [
      Self.reporter(
        1, .presented, at: 100,
        [(.beginMainFrame, 110, 290), (.commit, 290, 300), (show, 320, 400)]),
      Self.reporter(
        2, .presentedPartly, .forked, at: 200,
        [(show, 320, 400), (.draw, 330, 340), (.swap, 340, 390)]),
      Self.reporter(2, .dropped, .forked, at: 200, []),
      Self.reporter(3, .dropped, .backfilled, at: 300, []),
      Self.reporter(4, .noUpdate, at: 400, []),
    ]
    let input = ChromeEvent(
      facts: .init(type: 8, surfaceFrame: 1), start: 50,
      stages: Self.stages([(.delivery, 60, 70)]))
    var builder = TraceBuilder(
      Provenance(file: "-", importer: "perfetto", format: "Perfetto trace", reason: "a test"))
    ChromeFrames.add(
      ChromeReportList(frames: reporters, inputs: [input]), judged: [:], to: &builder
    ) { _ in "renderer" }
    let trace = builder.trace
    let frames = try #require(trace.surfaces.first?.frames)
    #expect(trace.surfaces.count == 1 && frames.count == 1)
    let columns: [FrameColumn] = [
      .identifier, .appStart, .commit, .compositorStart, .compositorEnd, .gpuEnd, .displayed,
    ]
    let values: [Int64?] = columns.map { frames[0, $0] }
    #expect(values == [2, 110, 300, 330, 340, 390, 400])
    let times: [Int64?] = (0..<4).map { trace.displays[0].refreshes[$0, .time] }
    #expect(times == [100, 200, 300, 400])
    #expect(trace.touches[0, .frame] == Int64(0))
    #expect(trace.touches[0, .delivered] == Int64(70))
  }
}
