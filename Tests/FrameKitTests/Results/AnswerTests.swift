import Fixtures
import Testing

@testable import FrameAnalysis
@testable import FrameImporters
@testable import FrameReport
@testable import FrameTrace

/// The part of an analysis that people read first.
@Suite struct AnswerTests {
  private static func analysis(of scenario: String) throws -> TraceAnalysis {
    let scenario = try #require(Scenarios.all.first { $0.name == scenario })
    return TraceAnalysis(of: scenario.play(.init(frames: scenario.frames)).trace)
  }

  private static func lines(_ analysis: TraceAnalysis, _ detail: AnalysisDetail) -> [Substring] {
    Writers.write([analysis], as: .text, detail).split(
      separator: "\n", omittingEmptySubsequences: false)
  }

  /// Holds for any number of surfaces, whatever happened to them.
  @Test(arguments: Scenarios.all.map(\.name))
  func anAnswerIsOneScreen(_ name: String) throws {
    let analysis = try Self.analysis(of: name)
    let answer = Self.lines(analysis, .answer)
    #expect(answer.count <= 40 * max(1, min(3, analysis.surfaces.count)))
    #expect(answer.count <= Self.lines(analysis, .all).count)
    for surface in analysis.surfaces {
      let tables = AnalysisTables(surface, for: SurfaceFocus(surface, on: analysis.platform))
      var copy = tables
      #expect((copy.distributions()?.rows.count ?? 0) <= AnalysisDetail.mostMetrics)
    }
  }

  @Test func gamesAreAboutRatesAndInterfacesAboutDrops() throws {
    let game = Self.lines(try Self.analysis(of: "uncapped-game"), .answer)
    #expect(game[3].contains("fps on average; 1 % low"))
    let touches = Self.lines(try Self.analysis(of: "triple-switch"), .answer)
    #expect(touches[3].contains("refreshes dropped"))
  }

  /// One number under several names is printed once.
  @Test(arguments: ["uncapped-game", "triple-switch", "talk-coalesced"])
  func noTwoRowsAreTheSame(_ name: String) throws {
    let analysis = try Self.analysis(of: name)
    for surface in analysis.surfaces {
      var tables = AnalysisTables(surface, for: SurfaceFocus(surface, on: analysis.platform))
      let figures = (tables.distributions()?.rows ?? []).map { $0.dropFirst(2) }
      #expect(Set(figures).count == figures.count)
    }
  }

  @Test func surfacesAreShownByTheirFramesAndSmallOnesNamed() throws {
    let counts = [3, 40, 200, 12, 100, 1, 60]
    let lines = counts.enumerated().flatMap { index, count in
      ["{\"type\": \"surface\", \"id\": \"s\(index)\"}\n"]
        + (0..<count).map { row in
          "{\"type\": \"frame\", \"surface\": \"s\(index)\", \"displayed\": \(row * 20 + index)}\n"
        }
    }
    let trace = try TestData.read(
      text: "{\"schema\": \"frametool.trace/1\", \"unit\": \"ms\"}\n" + lines.joined())
    let analysis = TraceAnalysis(of: trace)
    let shown = ShownSurfaces(analysis, .answer)
    #expect(shown.whole.map(\.id) == ["s2", "s4", "s6"])
    #expect(shown.others.count == 3)
    #expect(shown.others[0].hasPrefix("s1: ") && shown.others[1].hasPrefix("s3: "))
    #expect(
      shown.others[2] == "2 more surfaces of fewer than 10 frames: s0 (3 frames), s5 (1 frame)")
    let all = ShownSurfaces(analysis, .all)
    #expect(
      all.whole.map(\.id) == ["s2", "s4", "s6", "s1", "s3", "s0", "s5"] && all.others.isEmpty)
  }

  @Test(arguments: [
    ("iOS 17.4", Platform.apple), ("iPadOS 18", .apple), ("Android 14", .android),
    ("Windows 11", .windows), ("Debian GNU/Linux 12", .linux),
  ])
  func aSystemTellsItsPlatform(_ system: String, _ platform: Platform) {
    #expect(Platform(system: system) == platform)
  }

  /// A platform's grading scales apply only to recordings of that platform.
  @Test func gradesAreApplesAlone() throws {
    var analysis = try Self.analysis(of: "app-overrun")
    #expect(analysis.platform == nil)
    #expect(!Self.lines(analysis, .answer).contains { $0.contains("wwdc20") })
    var trace = analysis.trace
    trace.setting.system = "iOS 17.4"
    analysis = TraceAnalysis(of: trace)
    #expect(Self.lines(analysis, .answer).contains { $0.contains("wwdc20") })
  }

  @Test func whatAFileLacksIsSaidWithHowToRecordIt() throws {
    let trace = try TestData.read(
      text: """
        Application,ProcessID,SwapChainAddress,Runtime,SyncInterval,PresentFlags,Dropped,TimeInSeconds,msInPresentAPI,msBetweenPresents
        game.exe,1,0x1,DXGI,1,0,0,1.0,0.1,16.0
        game.exe,1,0x1,DXGI,1,0,0,1.016,0.1,16.0

        """)
    let advice = trace.recordingAdvice
    #expect(advice.count == 3)
    #expect(advice[0] == "no display times in the file: record without --no_track_display")
  }
}
