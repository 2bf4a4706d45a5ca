import Fixtures
import Foundation
import Testing

@testable import FrameAnalysis
@testable import FrameImporters
@testable import FrameStatistics
@testable import FrameTrace
@testable import FrameVerdicts

/// Output of Android's own tools, from real devices where available.
@Suite struct AndroidTests {
  private static func trace(_ path: String) throws -> Trace {
    try TestData.read(TestData.folder.appending(path: path).path)
  }

  // MARK: gfxinfo

  /// UTF-16 from PowerShell; 120 rows (`iconv -f UTF-16 | grep -c '^[0-9]*,[0-9]*,9993'`). The four
  /// newest rows have the display time of the frame that used the row before.
  @Test(.enabled(if: TestData.isPresent, Comment(rawValue: TestData.absence)))
  func rowsOfADumpAreFrames() throws {
    let trace = try Self.trace("gfxinfo/3hexV_LinkADB__data__frame_data.txt")
    #expect(trace.surfaces.count == 1 && trace.surfaces[0].process == "com.tencent.mobileqq")
    #expect(trace.surfaces[0].processID == 13893)
    let frames = trace.surfaces[0].frames
    #expect(frames.count == 120 && frames.valueCount(.displayed) == 116)
    #expect(trace.issues.map(\.count) == [4])
    // This build swaps the names of two columns: the interval is the one whose values are short
    // enough.
    #expect(
      trace.displays.map(\.interval) == [Nanoseconds(16_528_926)] || trace.displays.count == 1)
    #expect(abs((trace.displays[0].interval?.milliseconds ?? 0) - 16.53) < 0.01)
    // From the dump's own summary: 188 frames, 25 of them janky.
    let figures = Self.figures(trace)
    #expect(figures["frames"] == 188 && figures["jankShare"] == 13.30)
    #expect(figures["jankCount"] == 25 && figures["jankShare.legacy"] == 18.62)
    #expect(figures["jankCount.missed_vsync"] == 15 && figures["jankCount.slow_ui_thread"] == 22)
    #expect(figures["jankCount.high_input_latency"] == 265)
    #expect(figures["jankCount.slow_bitmap_uploads"] == 1)
    #expect(figures["jankCount.slow_issue_draw_commands"] == 4)
    #expect(figures["jankCount.frame_deadline_missed"] == 25)
    #expect(figures["jankCount.frame_deadline_missed_legacy"] == 19)
    #expect(figures["frameDuration.p50"] == 8 && figures["frameDuration.p99"] == 550)
    #expect(figures["gpuDuration.p95"] == 4 && figures["gpuDuration.p99"] == 8)
    let histograms = trace.bins.histograms
    #expect(histograms.map(\.metric) == ["frameDuration", "gpuDuration"])
    #expect(histograms.map(\.count) == [188, 188])
  }

  /// The figures stated in a dump, by name.
  private static func figures(_ trace: Trace) -> [String: Double] {
    Dictionary(
      StatedFigures.all(trace).map { ($0.metric, $0.values[0]) }, uniquingKeysWith: { $1 })
  }

  /// Lines of a summary, in Android's words; any other line is ignored.
  @Test func countersOfASummaryAreFigures() throws {
    let trace = try TestData.read(
      text: """
        Applications Graphics Acceleration Info:
        Uptime: 1 Realtime: 1

        ** Graphics info for pid 7 [com.example] **

        Total frames rendered: 12
        Janky frames: 3 (25.00%)
        90th percentile: 17ms
        95th gpu percentile: 4ms
        99th percentile: much
        Number Slow UI thread: 2
        Number Missed Vsync: none
        HISTOGRAM: 5ms=9 650ms=1 700ms=1 4950ms=1

        """)
    #expect(
      Self.figures(trace) == [
        "frames": 12, "jankCount": 3, "jankShare": 25, "frameDuration.p90": 17,
        "gpuDuration.p95": 4, "jankCount.slow_ui_thread": 2, "frozenFrames": 2,
      ])
  }

  /// Frames counted by the app itself: the sums of the histograms equal the totals of the dumps.
  @Test(
    .enabled(if: TestData.isPresent, Comment(rawValue: TestData.absence)),
    arguments: [
      (
        "gfxinfo/bamlab_flashlight__packages__commands__test__src__utils__test__sample-gfxinfo-output.txt",
        35360, 66.73, 120
      ),
      (
        "gfxinfo/bamlab_flashlight__packages__platforms__android__src__commands__gfxInfo____tests____GfxInfoSample.txt",
        21, 19.05, 0
      ),
    ])
  func summariesAreFigures(
    _ path: String, _ frames: Int64, _ share: Double, _ rows: Int
  ) throws {
    let trace = try Self.trace(path)
    let figures = Self.figures(trace)
    #expect(figures["frames"] == Double(frames) && figures["jankShare"] == share)
    #expect(trace.bins.histograms.first?.count == frames)
    #expect(trace.issues.map(\.count) == (rows > 0 ? [rows] : []))
  }

  /// A hidden window has no display times. When it is shown again, its frames have not been
  /// replaced: their outcome is unknown, and nothing was dropped in that time.
  @Test func framesOfAHiddenWindowAreUnknown() throws {
    let columns =
      "Flags,IntendedVsync,Vsync,HandleInputStart,SwapBuffers,FrameCompleted,DisplayPresentTime"
    let rows = (0..<60).map { number in
      let vsync = 1_000_000_000 + number * 16_666_667
      let isHidden = (20..<40).contains(number)
      let flags = number == 40 ? 1 : 0
      let shown = isHidden ? 0 : vsync + 33_333_334
      return
        "\(flags),\(vsync),\(vsync),\(vsync + 100_000),\(vsync + 4_000_000),\(vsync + 6_000_000),\(shown),"
    }
    let text = (["---PROFILEDATA---", columns + ","] + rows + ["---PROFILEDATA---", ""])
      .joined(separator: "\n")
    let trace = try Importers.read(InputFile(bytes: Array(text.utf8)))
    let analysis = TraceAnalysis(of: trace)
    let outcomes = try #require(analysis.surfaces.first?.outcomes)
    #expect(outcomes.displayed == 40 && outcomes.replaced == 0 && outcomes.unresolved == 20)
    #expect(analysis.surfaces.first?.drops.value?.refreshes == 0)
    // A single frame without a display time was replaced by the next one.
    let one = text.replacing("\(1_000_000_000 + 10 * 16_666_667 + 33_333_334),", with: "0,")
    let replaced = FrameOutcomes(
      of: try Importers.read(InputFile(bytes: Array(one.utf8))).surfaces[0].frames)
    #expect(replaced.replaced == 1 && replaced.unresolved == 20)
  }

  /// Dumps overlap: a later one can have what an earlier one lacks.
  @Test func aLaterDumpTellsWhenAFrameWasDisplayed() throws {
    let head =
      "---PROFILEDATA---\nFlags,IntendedVsync,Vsync,HandleInputStart,SwapBuffers,FrameCompleted,DisplayPresentTime,\n"
    let row = { (number: Int, isShown: Bool) in
      let vsync = 1_000_000_000 + number * 16_666_667
      return
        "0,\(vsync),\(vsync),\(vsync),\(vsync + 4_000_000),\(vsync + 6_000_000),\(isShown ? vsync + 33_333_334 : 0),\n"
    }
    let first = head + (0..<10).map { row($0, $0 < 8) }.joined() + "---PROFILEDATA---\n"
    let second = head + (5..<15).map { row($0, $0 < 13) }.joined() + "---PROFILEDATA---\n"
    let frames = try Importers.read(InputFile(bytes: Array((first + second).utf8))).surfaces[0]
      .frames
    #expect(frames.count == 15 && frames.valueCount(.displayed) == 13)
  }

  /// Late frames are charged to the stage that was late, in a dump's rows too; everything after the
  /// app's hand-over is charged to the compositor.
  @Test(arguments: ["layer-app-overrun", "layer-compositor-overrun", "layer-gpu-overrun"])
  func chargesAreTheSame(_ name: String) throws {
    let scenario = try #require(Scenarios.all.first { $0.name == name })
    let trace = scenario.play(.init(frames: scenario.frames)).trace
    try #require(GfxinfoEncoder().whyNot(trace) == nil)
    let found = try Importers.read(InputFile(bytes: GfxinfoEncoder().encode(trace)))
    let charges = try [trace, found].map {
      try #require(TraceAnalysis(of: $0).surfaces.first?.drops.value?.byStage)
    }
    #expect(charges[0] == charges[1] && charges[0].values.reduce(0, +) > 0)
  }

  /// Frames of an app whose UI thread is busy when they should start, from a given frame on.
  private static func blocked(by intervals: Int, of frame: Int = 30, lag: Int = 2) -> String {
    let interval = 16_666_667
    let rows = (0..<60).map { number -> String in
      let isBlocked = number == frame
      // Frames due meanwhile did not start.
      let position = number > frame ? number + intervals + 1 : number
      let intended = 1_000_000_000 + position * interval
      let vsync = intended + (isBlocked ? intervals * interval : 0)
      let end = vsync + 8_000_000
      let shown = vsync + lag * interval
      return
        "0,\(intended),\(vsync),\(vsync + 500_000),\(vsync + 6_000_000),\(end),\(end),\(end),\(shown),\(interval),\n"
    }
    return
      "---PROFILEDATA---\nFlags,IntendedVsync,Vsync,HandleInputStart,SwapBuffers,FrameCompleted,GpuCompleted,SwapBuffersCompleted,DisplayPresentTime,FrameInterval,\n"
      + rows.joined() + "---PROFILEDATA---\n"
  }

  /// A frame that its thread started late is late, however late, and is not a rest.
  @Test(arguments: [1, 3, 5, 12, 41, 200])
  func aBlockedThreadIsTheAppsFault(_ intervals: Int) throws {
    let trace = try Importers.read(InputFile(bytes: Array(Self.blocked(by: intervals).utf8)))
    let surface = TraceAnalysis(of: trace).surfaces[0]
    let drops = try #require(surface.drops.value)
    #expect(drops.byStage.filter { $0.value > 0 } == [.app: intervals])
    #expect(drops.restTime.count == 0)
    let blocked = try #require(drops.drops.first?.uiThreadBlocked)
    #expect(abs(blocked.milliseconds - (Double(intervals) * 16.6667 + 0.5)) < 0.01)
    guard case .summary(let summary) = surface["uiThreadBlocked"]?.figures else {
      Issue.record("no figures")
      return
    }
    #expect(summary.n == 60 && summary.maximum == blocked.milliseconds)
  }

  /// Display times that are unrelated to the refreshes that rows name: 60 Hz against 68.3 Hz.
  @Test func aBeatOfTwoRatesIsNobodysFault() throws {
    let (app, display) = (14_641_000, 16_666_667)
    let rows = (0..<140).map { number -> String in
      let shown = 1_000_000_000 + (number + 3) * display
      // The app's next vsync after the display's.
      let intended = 1_000_000_000 + (number * display + app - 1) / app * app
      let end = intended + 5_000_000
      return "0,\(intended),\(intended),\(intended),\(end),\(end),\(end),\(end),\(shown),\(app),\n"
    }
    let text =
      "---PROFILEDATA---\nFlags,IntendedVsync,Vsync,HandleInputStart,SwapBuffers,FrameCompleted,GpuCompleted,SwapBuffersCompleted,DisplayPresentTime,FrameInterval,\n"
      + rows.joined() + "---PROFILEDATA---\n"
    let surface = TraceAnalysis(of: try Importers.read(InputFile(bytes: Array(text.utf8))))
      .surfaces[0]
    #expect(surface.drops.value == nil)
    #expect(surface.unjudgedDrops?.words.contains("as expected at random") == true)
  }

  /// The line endings and encodings of dumps.
  @Test(arguments: ["\n", "\r\n", "\r\r\n"])
  func lineEndsMakeNoDifference(_ end: String) throws {
    let scenario = try #require(Scenarios.all.first { $0.name == "steady-60" })
    let bytes = GfxinfoEncoder().encode(scenario.play(.init(frames: 20)).trace)
    let text = String(decoding: bytes, as: UTF8.self).replacing("\n", with: end)
    let wide: [UInt8] =
      [0xff, 0xfe] + text.utf16.flatMap { [UInt8($0 & 0xff), UInt8($0 >> 8)] }
    for bytes in [Array(text.utf8), [0xef, 0xbb, 0xbf] + Array(text.utf8), wide] {
      #expect(try Importers.read(InputFile(bytes: bytes)).frameCount == 20)
    }
  }

  // MARK: SurfaceFlinger

  /// The unit test that the sample comes from expects these display times.
  @Test(.enabled(if: TestData.isPresent, Comment(rawValue: TestData.absence)))
  func theSecondColumnIsTheDisplay() throws {
    let trace = try Self.trace(
      "surfaceflinger/catapult-project_catapult__surface_stats_collector_test__withWarning.txt")
    let frames = trace.surfaces[0].frames
    #expect(
      (0..<frames.count).map { frames[$0, .displayed] } == [
        7_657_482_691_352, 7_657_499_645_964, 7_657_516_600_576,
      ])
    #expect(trace.displays.map(\.interval) == [Nanoseconds(16_954_612)])
    // Its third column is after the display time, when no frame can become ready.
    #expect(frames.has(.fenceSignaled) == false && trace.issues.map(\.count) == [3, 3])
    // The app sets no times, so the first column is the time of queueing.
    #expect(!frames.has(.expectedDisplay) && frames.has(.commit))
  }

  // MARK: results of benchmarks

  /// The values of `runs` in the files.
  @Test(
    .enabled(if: TestData.isPresent, Comment(rawValue: TestData.absence)),
    arguments: [
      (
        "com.example.macrobenchmark-benchmarkData.json", [347.881076], 0, "Pixel 3"
      ),
      ("functions__samples__sample_benchmark_result_1.json", [], 40, "Pixel 5"),
      ("functions__samples__sample_benchmark_result_2.json", [210, 196, 195], 0, "Pixel 5"),
    ])
  func runsOfBenchmarksAreRead(
    _ name: String, _ launches: [Double], _ figures: Int, _ device: String
  ) throws {
    let trace = try Self.trace(
      "macrobenchmark/android_performance-samples__MacrobenchmarkSample__\(name)")
    #expect(LaunchAnalysis([trace]).all.map { $0.total?.milliseconds } == launches)
    #expect(trace.figures.count == figures && trace.setting.device == device)
  }

  /// Samples of an iteration are one run, by their quantiles.
  @Test func samplesAreQuantilesOfTheirRun() throws {
    let text = """
      {"context": {}, "benchmarks": [{"name": "scroll", "className": "a.b.Scroll", "sampledMetrics": {
        "frameOverrunMs": {"runs": [[-4, -2, 0, 2, 4], [1, 3]]}}}]}
      """
    let trace = try TestData.read(text: text)
    let results = HistoryResult.results(of: Study(of: trace), nil)
    #expect(results.map(\.scene) == ["Scroll.scroll"])
    let runs = results[0].runs.map {
      $0.map { "\($0.metric) \(FixedNumber.text($0.value, decimals: 1)) \($0.n)" }
    }
    #expect(
      runs == [
        ["p50(frameOverrun) 0.0 5", "p95(frameOverrun) 3.6 5", "overrunShare 40.0 5"],
        ["p50(frameOverrun) 2.0 2", "p95(frameOverrun) 2.9 2", "overrunShare 100.0 2"],
      ])
    #expect(StatedFigures.all(trace).map(\.runs) == [[[-4, -2, 0, 2, 4], [1, 3]]])
  }
}
