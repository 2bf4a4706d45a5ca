import Foundation
import Testing

@testable import frametool

/// Launches as users and scripts see them.
@Suite struct LaunchCommandTests {
  private static let trace = Array(Run(["generate", "star-searcher-before"]).output.utf8)

  private static func json(_ arguments: [String], _ input: [UInt8]) throws -> [String: Any] {
    let run = Run(arguments, input: input)
    #expect(run.status == .success && run.errors == "")
    let json = try JSONSerialization.jsonObject(with: Data(run.output.utf8))
    return try #require(json as? [String: Any])
  }

  @Test func theAnalysisHasTheKeysOfTheContract() throws {
    let json = try Self.json(["analyze", "-", "--format", "json"], Self.trace)
    let launch = try #require((json["launches"] as? [[String: Any]])?.last)
    #expect(launch["kind"] as? String == "warm" && launch["throwaway"] as? Bool == false)
    #expect(launch["total_ms"] as? Double == 2294 && launch["goal_ms"] as? Double == 400)
    let phase = try #require((launch["phases"] as? [[String: Any]])?[3])
    #expect(phase["name"] as? String == "applicationInitialization")
    #expect(phase["wall_ms"] as? Double == 791 && phase["blocked_ms"] as? Double == 754)
    #expect(phase["cpu_ms"] as? Double == 37)
    let inversion = try #require((launch["inversions"] as? [[String: Any]])?.first)
    #expect(inversion["waiter"] as? String == "main thread")
    #expect(inversion["holder"] as? String == "StarDataProvider 0x12253")
    #expect(inversion["waiter_priority"] as? Int == 47)
    #expect(inversion["holder_priority"] as? Int == 4 && inversion["ms"] as? Double == 754)
  }

  @Test(arguments: ["launches", "star-searcher-before", "star-searcher-after"])
  func everyNullHasItsReason(_ name: String) throws {
    let input = Array(Run(["generate", name]).output.utf8)
    ContractTests.check(try Self.json(["launch", "-", "--format", "json"], input), name)
  }

  @Test func nothingKnownIsNothingClaimed() throws {
    let input = Array(
      """
      {"schema": "frametool.trace/1", "unit": "ms"}
      {"type": "launch"}
      """.utf8)
    let json = try Self.json(["launch", "-", "--format", "json"], input)
    ContractTests.check(json, "")
    #expect((json["groups"] as? [Any])?.isEmpty == true)
    #expect((json["left_out"] as? [String: Int])?["unfinished"] == 1)
    #expect(Run(["launch", "-"], input: input).output.contains("1 unfinished"))
  }

  @Test func theFormsSayTheSame() throws {
    let text = Run(["launch", "-"], input: Self.trace).output
    let markdown = Run(["launch", "-", "--format", "markdown"], input: Self.trace).output
    for words in ["754.0", "882.0", "370.0", "prioritize", "left out of the figures: 1 throwaway"] {
      #expect(text.contains(words) && markdown.contains(words), "\(words)")
    }
    let rows = Run(["launch", "-", "--format", "csv"], input: Self.trace).output
      .replacing("\"dyld, libSystem\"", with: "dyld")
      .split(separator: "\n").map { $0.split(separator: ",", omittingEmptySubsequences: false) }
    #expect(Set(rows.map(\.count)).count == 1)
    #expect(rows.count == 1 + 7 + 5)
    #expect(rows.last?.contains("951.0") == true)
  }

  @Test func aTraceWithoutLaunchesIsRefused() {
    let frames = Array(Run(["generate", "steady-60", "--frames", "5"]).output.utf8)
    let run = Run(["launch", "-"], input: frames)
    #expect(run.status == .badData && run.errors.hasPrefix("error: -: there are no launches"))
  }

  @Test func theReportShowsPhasesWaitsAndWhatToLookAtFirst() throws {
    let folder = try TemporaryFolder()
    try Data(Self.trace).write(to: URL(filePath: folder.path("t.jsonl")))
    let run = Run(["report", folder.path("t.jsonl"), "-o", "-", "--no-plots"])
    #expect(run.status == .success)
    for words in ["priority inversions", "what to look at first", "SLSuperfastLogger"] {
      #expect(run.output.contains(words), "\(words)")
    }
  }

  @Test func commandsOfTwoWordsAreFoundAndMissingOnesNamed() {
    #expect(Run(["help", "launch", "run"]).output.hasPrefix("usage: frametool launch run"))
    #expect(Run(["help", "launch"]).output.hasPrefix("usage: frametool launch TRACE…"))
    #expect(Run(["help", "launch", "walk"]).errors.contains("unexpected argument walk"))
  }
}
