import Foundation
import Testing

@testable import frametool

/// A tool that is ended in the middle of its work leaves nothing behind.
@Suite struct InterruptionTests {
  /// The tool that was built with the tests, in the same folder.
  private static let tool = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
    .appending(path: "frametool")

  @Test(
    .enabled(
      if: FileManager.default.isExecutableFile(atPath: tool.path), "no frametool beside the tests"),
    arguments: [SIGTERM, SIGINT, SIGHUP])
  func halfAFileGoesAway(_ number: Int32) throws {
    let folder = try TemporaryFolder()
    let trace = folder.path("t.jsonl")
    #expect(
      Run(["generate", "uncapped-game", "--frames", "30000", "-o", trace]).status == .success)
    let process = Process()
    process.executableURL = Self.tool
    process.arguments = ["convert", trace, folder.path("out.json")]
    try process.run()
    let isBegun = { folder.files.contains { $0.hasPrefix(".frametool-") } }
    while process.isRunning, !isBegun() { usleep(2000) }
    kill(process.processIdentifier, number)
    process.waitUntilExit()
    #expect(process.terminationReason == .uncaughtSignal && process.terminationStatus == number)
    #expect(folder.files == ["t.jsonl"])
  }

  @Test(
    .enabled(
      if: FileManager.default.isExecutableFile(atPath: tool.path), "no frametool beside the tests"))
  func aProgramThatItStartedEndsWithIt() throws {
    let folder = try TemporaryFolder()
    let process = Process()
    process.executableURL = Self.tool
    process.arguments = [
      "launch", "run", "--", "sh", "-c", "echo $$ > '\(folder.path("child"))'; exec sleep 1000",
    ]
    try process.run()
    var child: Int32?
    while process.isRunning, child == nil {
      usleep(2000)
      child = ProcessState.number(in: folder.path("child"))
    }
    kill(process.processIdentifier, SIGTERM)
    process.waitUntilExit()
    #expect(process.terminationReason == .uncaughtSignal)
    #expect(ProcessState.ends(try #require(child)))
  }
}
