import Fixtures
import Foundation
import Testing

@testable import FrameAnalysis
@testable import FrameImporters
@testable import FrameReport
@testable import FrameTrace

/// What a source itself states about late frames is shown next to what is rebuilt from their times.
@Suite("Charges that a source states")
struct StatedChargeTests {
  /// An Android app that is itself the cause of its late frames, with SurfaceFlinger's verdict on
  /// each, through a Perfetto trace.
  private static func findings(
    without columns: [FrameColumn] = [], verdict: FrameColumn.StatedVerdict = .app
  ) throws -> (drops: DropFindings, analysis: TraceAnalysis) {
    let scenario = try #require(Scenarios.all.first { $0.name == "layer-app-overrun" })
    var trace = scenario.play(.init(frames: 200)).trace
    let late = Set(
      try #require(TraceAnalysis(of: trace).surfaces[0].drops.value).drops.map(\.refreshes.frame))
    var verdicts = IntegerColumn()
    for row in 0..<200 {
      verdicts.append((late.contains(row) ? verdict : FrameColumn.StatedVerdict.onTime).rawValue)
    }
    trace.surfaces[0].frames.setStored(.verdict, verdicts)
    var read = try Importers.read(InputFile(bytes: PerfettoEncoder().encode(trace)))
    for column in columns where read.surfaces[0].frames.has(column) {
      read.surfaces[0].frames.setStored(column, IntegerColumn(missing: 200))
    }
    let analysis = TraceAnalysis(of: read)
    return (try #require(analysis.surfaces[0].drops.value), analysis)
  }

  @Test("both name the app")
  func agreement() throws {
    let (drops, analysis) = try Self.findings()
    let stated = try #require(drops.stated)
    #expect(drops.refreshes > 0 && stated.byStage == [.app: drops.refreshes])
    #expect(stated.agreement == 1 && stated.ofUnknown.isEmpty && stated.lateWithoutDrop == 0)
    let line = try #require(FindingLines(analysis.surfaces[0], of: analysis)[.stated])
    #expect(
      line.hasPrefix("the source's own verdict: \(drops.refreshes) by the app; the same stage"))
  }

  @Test("where they differ both are counted")
  func difference() throws {
    let (drops, _) = try Self.findings(verdict: .compositor)
    let stated = try #require(drops.stated)
    #expect(stated.agreement == 0 && stated.differing == drops.refreshes)
    let (vague, _) = try Self.findings(verdict: .late)
    #expect(vague.stated?.byStage == [:] && vague.stated?.onTime == 0)
    let (calm, _) = try Self.findings(verdict: .onTime)
    #expect(calm.stated?.onTime == calm.refreshes)
  }

  @Test("what is unknown here the source may know")
  func unknown() throws {
    let (drops, analysis) = try Self.findings(without: [
      .queued, .fenceSignaled, .gpuEnd, .appEnd, .commit,
    ])
    let stated = try #require(drops.stated)
    #expect(drops.byStage[.unknown] ?? 0 > 0)
    #expect(stated.ofUnknown == [.app: drops.byStage[.unknown] ?? 0])
    let line = try #require(FindingLines(analysis.surfaces[0], of: analysis)[.stated])
    #expect(line.contains("of those of unknown stage here"))
  }

  @Test("a frame at which the present mode changes is the display's")
  func presentMode() throws {
    let header =
      "Application,ProcessID,SwapChainAddress,PresentRuntime,SyncInterval,PresentFlags,AllowsTearing,PresentMode,FrameType,TimeInMs,MsBetweenPresents,MsBetweenDisplayChange,MsInPresentAPI,MsRenderPresentLatency,MsUntilDisplayed,CPUStartTimeInMs,MsBetweenAppStart,MsCPUBusy,MsCPUWait\n"
    var text = header
    var (before, shown) = (984.0, 1020.0)
    for index in 0..<120 {
      // The call before the change returns late.
      let busy = index == 60 ? 66.0 : 16.0
      let commit = before + busy
      let interval = 1000.0 / 60
      shown += index == 60 ? 4 * interval : interval
      let mode = index < 60 ? "Composed: Flip" : "Hardware: Independent Flip"
      let number = { (value: Double) in FixedNumber.text(value, decimals: 4) }
      text +=
        "game.exe,7,0x1,DXGI,1,0,0,\(mode),Application,\(number(commit)),\(number(busy + 0.67)),\(number(interval)),0.6667,2,\(number(shown - commit)),\(number(before)),\(number(busy + 0.67)),\(number(busy)),0.6667\n"
      before = commit + 0.6667
    }
    let analysis = TraceAnalysis(of: try TestData.read(text: text, path: "game.csv"))
    let drops = try #require(analysis.surfaces[0].drops.value)
    #expect(drops.byStage.filter { $0.value > 0 } == [.display: 3])
    #expect(drops.drops.map(\.changedMode) == [true])
    let line = try #require(FindingLines(analysis.surfaces[0], of: analysis)[.worstDrop])
    #expect(line.contains("as the present mode changed"))
    // Without the change, the same frame is the app's or the GPU's, whose work is not recorded.
    let same = text.replacing("Composed: Flip", with: "Hardware: Independent Flip")
    let other = TraceAnalysis(of: try TestData.read(text: same, path: "game.csv"))
    #expect(other.surfaces[0].drops.value?.byStage[.unknown] == 3)
  }

  /// Four dropped frames of a page, three of them in a row and one of these invisible.
  @Test func droppedFramesOfAPageAreItsOwn() throws {
    var events: [String] = []
    func report(_ frame: Int, _ state: String, isSmooth: Bool = true) {
      let start = frame * 16_667
      let facts =
        "\"state\":\"\(state)\",\"affects_smoothness\":\(isSmooth),\"frame_sequence\":\(frame),\"frame_source\":1,\"layer_tree_host_id\":1"
      events.append(
        "{\"cat\":\"cc,benchmark\",\"name\":\"PipelineReporter\",\"ph\":\"b\",\"pid\":7,\"tid\":1,\"ts\":\(start),\"id2\":{\"local\":\"0x\(String(frame, radix: 16))\"},\"args\":{\"chrome_frame_reporter\":{\(facts)}}}"
      )
      events.append(
        "{\"cat\":\"cc,benchmark\",\"name\":\"PipelineReporter\",\"ph\":\"e\",\"pid\":7,\"tid\":1,\"ts\":\(start + 30_000),\"id2\":{\"local\":\"0x\(String(frame, radix: 16))\"}}"
      )
    }
    for frame in 1...40 {
      switch frame {
      case 10, 20, 21: report(frame, "STATE_DROPPED")
      case 22: report(frame, "STATE_DROPPED", isSmooth: false)
      default: report(frame, "STATE_PRESENTED_ALL")
      }
    }
    let text = "{\"traceEvents\":[\(events.joined(separator: ","))]}"
    let trace = try TestData.read(text: text, path: "page.json")
    let analysis = TraceAnalysis(of: trace)
    let verdicts = try #require(analysis.surfaces[0].verdicts)
    #expect(verdicts.dropped == 3 && verdicts.droppedInvisibly == 1 && verdicts.judged == 4)
    let run = try #require(verdicts.longestRun)
    #expect(run.frames == 2 && run.start.nanoseconds == 20 * 16_667_000)
    #expect(run.length.count == 3 * 16_667_000)
    let line = try #require(FindingLines(analysis.surfaces[0], of: analysis)[.stated])
    #expect(
      line.contains(
        "3 frames dropped; 1 frame dropped without an effect on smoothness; the longest run has 2 frames from 0.317 s on, 50.0 ms"
      ))
    var native: [UInt8] = []
    var writer = NativeWriter(trace) { native += $0 }
    writer.write()
    let again = try TestData.read(text: String(decoding: native, as: UTF8.self), path: "page.jsonl")
    #expect(again.surfaces[0].statedDrops == trace.surfaces[0].statedDrops)
  }

  @Test(
    "Chromium's own counts are kept",
    .enabled(if: TestData.isPresent, Comment(rawValue: TestData.absence)))
  func chromium() throws {
    let figures = { (name: String) throws -> [String: Double] in
      let path = TestData.folder.appending(path: "captured/chrome-trace/\(name)").path
      let trace = try TestData.read(path)
      return StatedFigures.all(trace).reduce(into: [:]) { $0[$1.metric] = $1.values.first }
    }
    #expect(try figures("headless-drag.json")["droppedFrames.smoothness"] == 67)
    #expect(try figures("headless-scroll.json")["jankCount.scroll"] == 37)
  }
}
