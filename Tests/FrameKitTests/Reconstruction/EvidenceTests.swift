import Foundation
import Testing

@testable import FrameAnalysis
@testable import FrameReport
@testable import FrameTrace

/// Drops are judged only where the source shows that frames were due.
@Suite(.enabled(if: TestData.hasCases, Comment(rawValue: TestData.absenceOfCases)))
struct EvidenceTests {
  private static func surface(_ name: String) throws -> SurfaceAnalysis {
    let trace = try TestData.read(TestData.cases.appending(path: name).path)
    return try #require(TraceAnalysis(of: trace).surfaces.first)
  }

  /// The end of the GPU's work is no load: the answer is the same with it and without.
  @Test(arguments: ["cap30-on-60", "cap30-on-60-norender"])
  func aRateWithoutALoadIsNotJudged(_ name: String) throws {
    let surface = try Self.surface("desktop/\(name).presentmon1.csv")
    #expect(surface.drops.value == nil)
    let why = try #require(surface.unjudgedDrops?.words)
    #expect(
      why.hasPrefix("drops cannot be judged: 30.0 fps may be a limit or an overload"), "\(why)")
    #expect(why.contains("at most 49.9 % dropped"), "\(why)")
  }

  @Test func aLightLoadIsALimiters() throws {
    let surface = try Self.surface("desktop/cap30-on-60-gpu5ms.presentmon1.csv")
    #expect(surface.drops.value?.refreshes == 0)
  }

  @Test func aPartialFrameIsNotLate() throws {
    let verdicts = try #require(
      try Self.surface("mobile/chrome-partial-called-late.json").verdicts)
    #expect(verdicts.late == 0 && verdicts.partial == 20)
  }

  @Test func aPageComesBeforeItsBrowser() throws {
    let trace = try TestData.read(
      TestData.cases.appending(path: "mobile/chrome-browser-ui-first.json").path)
    let surfaces = TraceAnalysis(of: trace).surfaces
    let first = SurfaceChoice.ranked(
      surfaces, frames: { $0.outcomes.count }, process: \.process
    ).first
    #expect(surfaces.count == 2 && first?.process == "Renderer")
  }
}
