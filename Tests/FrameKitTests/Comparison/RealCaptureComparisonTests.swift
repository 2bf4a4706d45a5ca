import Foundation
import Testing

@testable import FrameAnalysis
@testable import FrameTrace
@testable import FrameVerdicts

/// Real captures of games, uncapped and with limiters, compared with copies of themselves that take
/// a tenth longer.
@Suite(.enabled(if: TestData.isPresent, Comment(rawValue: TestData.absence)))
struct RealCaptureComparisonTests {
  static let captures = [
    "presentmon/CXWorld_CapFrameX__InvalidColumnFile.csv",
    "presentmon/CarHol_PresentMonAnalysis__csgo.csv",
    "presentmon/GameTechDev_PresentMon__HEAD_test_case_5.csv",
    "presentmon/GameTechDev_PresentMon__HEAD_test_case_5_v1.csv",
    "capframex/CXWorld_CapFrameX__CapFrameXFileWithHeader.csv",
    "ocat/CXWorld_CapFrameX__OCAT-MetroExodus.exe-2019-02-20T101522.csv",
  ]

  @Test(arguments: captures)
  func aSlowedCopyIsSuspectedAndNeverRefused(_ name: String) throws {
    let trace = try TestData.read(TestData.folder.appending(path: name).path)
    let before = try RunTimes.of(Study(of: trace)).summary
    let after = try RunTimes.of(Study(of: trace.slowed(by: 0.1))).summary
    #expect(try Comparison([before], [after]).overall == .suspected)
    #expect(try Comparison([after], [before]).overall == .suspectedImprovement)
  }

  @Test(arguments: captures)
  func threeRunsCutFromOneAreFoundSlower(_ name: String) throws {
    let trace = try TestData.read(TestData.folder.appending(path: name).path)
    let before = try Self.thirds(of: trace)
    let after = try Self.thirds(of: trace.slowed(by: 0.1))
    guard before.allSatisfy({ $0.count >= RunSummary.fewestFrames }) else {
      print("skipped: \(name) is too short to cut into three runs")
      return
    }
    #expect(try Comparison(before, after).overall == .regressed)
    #expect(try Comparison(after, before).overall == .improved)
  }

  /// The frame times of a trace, split into three runs.
  private static func thirds(of trace: Trace) throws -> [RunSummary] {
    let whole = try RunTimes.of(Study(of: trace))
    return (0..<3).map { third in
      var part = whole
      part.file += " \(third)"
      part.times = Array(
        whole.times[third * whole.times.count / 3..<(third + 1) * whole.times.count / 3])
      return part.summary
    }
  }
}
