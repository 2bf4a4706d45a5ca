import Fixtures
import Foundation
import Testing

@testable import FrameStatistics
@testable import FrameTrace
@testable import FrameVerdicts
@testable import frametool

/// The file in which results are kept, when programs are killed, disks are full, or versions
/// differ.
@Suite struct HistoryStoreTests {
  // MARK: nothing is lost

  /// The tool that was built with the tests, in the same folder.
  private static let tool = ShellSession.tool
  private static var hasTool: Bool { FileManager.default.isExecutableFile(atPath: tool.path) }

  /// A result that takes a while to add: a histogram with many bins.
  private static func manyBins(_ count: Int = 400, in folder: TemporaryFolder) throws -> String {
    let bins = (0..<count).map { "{\"from\": \($0), \"to\": \($0 + 1), \"count\": 1}" }
    let text =
      "{\"schema\": \"frametool.histogram/1\", \"metric\": \"launchTime\", \"unit\": \"ms\", \"bins\": [\(bins.joined(separator: ", "))]}"
    let path = folder.path("bins.json")
    try Data(text.utf8).write(to: URL(filePath: path))
    return path
  }

  private static func jobs(in folder: TemporaryFolder) throws -> [Int: Int] {
    let database = try SQLiteDatabase(path: folder.path("h.sqlite"), isMade: false)
    #expect(try database.number("SELECT count(*) FROM pragma_integrity_check WHERE 1") == 1)
    var words: String?
    try SQLiteStatement("PRAGMA integrity_check", in: database)
      .rows { row throws(ParseError) in words = row.text(0) }
    #expect(words == "ok")
    var jobs: [Int: Int] = [:]
    try SQLiteStatement(
      """
      SELECT job, (SELECT count(*) FROM runs WHERE runs.job = jobs.job)
        + (SELECT count(*) FROM bins WHERE bins.job = jobs.job) FROM jobs
      """, in: database
    ).rows { row throws(ParseError) in jobs[Int(row.integer(0))] = Int(row.integer(1)) }
    return jobs
  }

  @Test(.enabled(if: hasTool, "no frametool beside the tests"))
  func aHundredKillsLoseNothing() throws {
    let folder = try TemporaryFolder()
    let runs = try Self.manyBins(in: folder)
    #expect(HistoryTests.history(["add", runs], in: folder).status == .success)
    let whole = try #require(Self.jobs(in: folder).values.first)
    var random = SplitMix64(seed: 1)
    var done = 1
    var killed = 0
    // The fastest run that ended by itself decides when the others are killed: the time it takes
    // depends on the machine's load.
    var shortest = UInt32.max
    for number in 0..<100 {
      let process = Process()
      process.executableURL = Self.tool
      process.arguments = [
        "history", "add", runs, "--store", folder.path("h.sqlite"), "--commit", "\(number)",
      ]
      process.standardOutput = FileHandle.nullDevice
      let start = ContinuousClock.now
      try process.run()
      if number > 0 { usleep(UInt32.random(in: 0...shortest, using: &random)) }
      if number > 0, process.isRunning { kill(process.processIdentifier, SIGKILL) }
      process.waitUntilExit()
      if process.terminationReason == .exit {
        #expect(process.terminationStatus == 0)
        done += 1
        shortest = min(shortest, UInt32((ContinuousClock.now - start) / .microseconds(1)))
      } else {
        killed += 1
      }
    }
    let jobs = try Self.jobs(in: folder)
    // A killed process may have finished just before.
    #expect(jobs.count >= done && jobs.count <= done + killed)
    #expect(jobs.values.allSatisfy { $0 == whole })
    #expect(killed > 0)
    #expect(HistoryTests.history(["add", runs], in: folder).status == .success)
  }

  @Test(.enabled(if: hasTool, "no frametool beside the tests"))
  func aFullDiskLeavesTheStoreAsItWas() throws {
    let folder = try TemporaryFolder()
    let runs = try Self.manyBins(2000, in: folder)
    #expect(HistoryTests.history(["add", runs], in: folder).status == .success)
    let before = try Self.jobs(in: folder)
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    // No file may grow beyond 64 blocks, so the log has no room for all of it.
    process.arguments = [
      "-c", "ulimit -f 64; exec \"$0\" history add \"$1\" --store \"$2\" >/dev/null 2>\"$3\"",
      Self.tool.path, runs, folder.path("h.sqlite"), folder.path("errors"),
    ]
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationReason == .exit && process.terminationStatus == 74)
    let errors = try String(contentsOfFile: folder.path("errors"), encoding: .utf8)
    #expect(errors.contains("cannot use the database"), "\(errors)")
    #expect(try Self.jobs(in: folder) == before)
    #expect(HistoryTests.history(["add", runs], in: folder).status == .success)
  }

  @Test(.enabled(if: hasTool, "no frametool beside the tests"))
  func manyMayAddAtOnce() throws {
    let folder = try TemporaryFolder()
    let runs = try Self.manyBins(2000, in: folder)
    // None of them finds a store, so all of them create one.
    let processes = try (0..<12).map { number in
      let process = Process()
      process.executableURL = Self.tool
      process.arguments = [
        "history", "add", runs, "--store", folder.path("h.sqlite"), "--commit", "\(number)",
      ]
      process.standardOutput = FileHandle.nullDevice
      try process.run()
      return process
    }
    for process in processes {
      process.waitUntilExit()
      #expect(process.terminationStatus == 0)
    }
    let jobs = try Self.jobs(in: folder)
    #expect(jobs.count == 12 && Set(jobs.values).count == 1)
  }

  /// A path with characters that have a meaning in the names by which SQLite opens files.
  @Test func aStoreThatMayOnlyBeReadIsRead() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("a b?c#d%41é.sqlite")
    let history = SyntheticHistory(jobs: 14, seed: 1)
    try HistoryStore(path: path, isMade: true).add(history.additions)
    let database = try SQLiteDatabase(reading: path)
    try HistorySchema.check(database, path: path)
    #expect(try database.number("SELECT count(*) FROM jobs") == 14)
    #expect(throws: ParseError.self) { try database.execute("DELETE FROM jobs") }
  }

  // MARK: versions of the store

  @Test func anEarlierStoreIsBroughtUpToDateAndALaterOneRefused() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("h.sqlite")
    do {
      let database = try SQLiteDatabase(path: path, isMade: true)
      try database.execute(
        """
        \(HistorySchema.steps[0])
        PRAGMA application_id=\(HistorySchema.application); PRAGMA user_version=1;
        INSERT INTO jobs VALUES(1, 1767225600, 'abc', NULL, NULL, NULL, 'old', 'measured');
        INSERT INTO series VALUES(1, 'old', '', 'measured', 'p95(frameTime)', 'ms');
        INSERT INTO runs VALUES(1, 1, 0, 17.5, 600);
        """)
    }
    #expect(try HistoryTests.values(folder) == ["p95(frameTime)": [17.5]])
    let list = HistoryTests.history(["list"], in: folder).output
    #expect(list.contains("old") && list.contains("abc"))
    let database = try SQLiteDatabase(path: path, isMade: false)
    #expect(try database.number("PRAGMA user_version") == Int64(HistorySchema.version))
    #expect(try database.number("SELECT count(*) FROM bins") == 0)
    try database.execute("PRAGMA user_version=-1")
    #expect(HistoryTests.history(["list"], in: folder).status == .badData)
    try database.execute("PRAGMA user_version=99")
    let later = HistoryTests.history(["list"], in: folder)
    #expect(later.status == .badData && later.errors.contains("found version 99"))
  }
}
