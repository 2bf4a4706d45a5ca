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
