import Fixtures
import Foundation
import FrameKit
import Testing

@testable import FrameAnalysis
@testable import FrameTrace

/// The causes of late frames against those that an independent script finds in the same events.
@Suite(.enabled(if: FileManager.default.isExecutableFile(atPath: Checker.python), "no Python"))
struct LateCauseCheckTests {
  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func aSecondComputationFindsTheSame(_ seed: UInt64) throws {
    let scenario = try #require(Scenarios.all.first { $0.name == "scheduling-faults" })
    let trace = scenario.play(.init(seed: seed, frames: 300)).trace
    let causes = try #require(TraceAnalysis(of: trace).surfaces[0].causes)
    let late = Dictionary(
      causes.byFrame.map { ($0.key.row, $0.value.kind.rawValue) },
      uniquingKeysWith: { one, _ in one })
    let folder = try TemporaryFolder()
    let log = folder.path("log.txt")
    try FtraceLogText(trace).text.write(toFile: log, atomically: true, encoding: .utf8)
    let frames = trace.surfaces[0].frames
    let rows = (0..<frames.count).map { row in
      "[\(frames[row, .appStart] ?? 0), \(frames[row, .commit] ?? 0), \(late[row] != nil)]"
    }
    let list = folder.path("frames.json")
    try "[\(rows.joined(separator: ","))]".write(toFile: list, atomically: true, encoding: .utf8)
    let script = Run.root.appending(path: "Tests/Causes/late_causes.py").path
    let answer = try Checker.run(Checker.python, [script, log, list])
    #expect(answer.status == 0, "\(answer.output)")
    let found = try JSONDecoder().decode([String: String].self, from: Data(answer.output.utf8))
    #expect(late.count == 20)
    let own = Dictionary(late.map { ("\($0.key)", $0.value) }, uniquingKeysWith: { one, _ in one })
    #expect(found == own)
  }
}
