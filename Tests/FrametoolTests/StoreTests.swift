import Foundation
import FrameKit
import Testing

@testable import frametool

/// A store of summaries: `merge --into`.
@Suite struct StoreTests {
  /// A program in DuckDB's position that writes the statements of a table instead of it.
  private static func duckDB(in folder: TemporaryFolder, status: Int = 0) throws -> String {
    let path = folder.path("duckdb")
    let text = """
      #!/bin/sh
      [ "$1" != -version ] || exit 0
      [ \(status) = 0 ] || { echo "Error: no room" >&2; exit \(status); }
      script=${3#.read }
      sed -n "s/^) TO '\\(.*\\)' (FORMAT.*/\\1/p" "$script" | while read -r table; do cp "$script" "$table"; done

      """
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    return path
  }

  /// A summary of three runs and a file that is no trace, of a day and a device.
  private static func summary(
    _ day: Int, _ device: String, in folder: TemporaryFolder
  ) throws -> String {
    let runs = folder.url.appending(path: "runs-\(day)-\(device)")
    try FileManager.default.createDirectory(at: runs, withIntermediateDirectories: true)
    for run in 1...3 {
      let path = runs.appending(path: "\(run).jsonl").path
      _ = Run([
        "generate", "dropped-frames", "--seed", "\(run)", "--frames", "6\(day)\(run)", "-o", path,
      ])
    }
    try "no trace\n".write(
      to: runs.appending(path: "notes.jsonl"), atomically: true, encoding: .utf8)
    let output = folder.path("\(day)-\(device).jsonl")
    let run = Run([
      "analyze", "--quiet", "--summary", output, "--tag", "date=2026-11-0\(day)", "--tag",
      "device=\(device)", "--tag", "version=1/2", runs.path,
    ])
    #expect(run.status == .badData, "\(run.errors)")
    return output
  }

  private static func merge(
    _ summaries: [String], in folder: TemporaryFolder, into store: String = "store",
    _ more: [String] = [], status: Int = 0
  ) throws -> Run {
    Run(
      ["merge", "--into", folder.path(store)] + summaries + more,
      variables: ["FRAMETOOL_DUCKDB": try duckDB(in: folder, status: status)])
  }

  /// The text of each file of a store by its path in it, that of summaries decompressed.
  private static func content(_ folder: TemporaryFolder, _ store: String) throws -> [String: String]
  {
    let root = folder.url.appending(path: store)
    var content: [String: String] = [:]
    for case let file as URL in try #require(
      FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil))
    where !file.hasDirectoryPath && file.pathExtension != "parquet" {
      let bytes = try InputFile(path: file.path).readAll(atMost: 1 << 24, of: "text")
      content[String(file.path.dropFirst(root.path.count))] = String(decoding: bytes, as: UTF8.self)
    }
    return content
  }

  @Test func runsGoToTheirFoldersOnce() throws {
    let folder = try TemporaryFolder()
    let one = try Self.summary(1, "Pixel 9", in: folder)
    let first = try Self.merge([one], in: folder)
    #expect(first.status == .success, "\(first.errors)")
    #expect(
      first.output
        == "\(folder.path("store")): 4 runs added, 1 of 1 partition written, 0 already there\n")
    let before = try Self.content(folder, "store")
    let position = "/date=2026-11-01/device=Pixel%209/version=1%2F2"
    #expect(
      before.keys.sorted() == ["/_lock", "/_manifest.json", position + "/_summary.jsonl.zst"])
    #expect(before["/_manifest.json"]?.contains(#""runs": 3,"#) == true)
    #expect(before["/_manifest.json"]?.contains(#""failed": 1"#) == true)
    #expect(
      FileManager.default.fileExists(atPath: folder.path("store" + position + "/part.parquet")))
    ContractTests.check(
      try #require(
        JSONSerialization.jsonObject(
          with: Data(contentsOf: URL(filePath: folder.path("store/_manifest.json"))))
          as? [String: Any]), "store")

    // A late day, with a retry of the first.
    let two = try Self.summary(2, "Pixel 9", in: folder)
    let second = try Self.merge([two, one], in: folder)
    #expect(
      second.output.hasSuffix("4 runs added, 1 of 2 partitions written, 4 already there\n"))
    let third = try Self.merge([one, two, two], in: folder)
    #expect(
      third.output.hasSuffix("0 runs added, 0 of 2 partitions written, 12 already there\n"))
  }

  @Test func theOrderOfMergesChangesNothing() throws {
    let folder = try TemporaryFolder()
    let summaries = try [(1, "a"), (1, "b"), (2, "a")].map {
      try Self.summary($0.0, $0.1, in: folder)
    }
    _ = try Self.merge(summaries, in: folder, into: "together")
    for summary in summaries.reversed() {
      _ = try Self.merge([summary], in: folder, into: "apart")
    }
    #expect(try Self.content(folder, "together") == Self.content(folder, "apart"))
    // What is read from a store is what the summaries say.
    let by = ["--by", "date,device", "--format", "csv"]
    #expect(
      Run(["fleet", folder.path("apart")] + by).output == Run(["fleet"] + summaries + by).output)
  }

  @Test func aMergeThatBrokeOffIsCompletedByTheNext() throws {
    let folder = try TemporaryFolder()
    let one = try Self.summary(1, "a", in: folder)
    let failed = try Self.merge([one], in: folder, status: 3)
    #expect(failed.status == .inputOutput)
    #expect(failed.errors == "error: DuckDB failed with status 3: Error: no room\n")
    #expect(!SummaryStore.isStore(folder.path("store")))
    let again = try Self.merge([one], in: folder)
    #expect(again.output.hasSuffix("4 runs added, 1 of 1 partition written, 0 already there\n"))
    // A table that is missing is made anew.
    let table = folder.path("store/date=2026-11-01/device=a/version=1%2F2/part.parquet")
    try FileManager.default.removeItem(atPath: table)
    let third = try Self.merge([one], in: folder)
    #expect(third.output.hasSuffix("0 runs added, 1 of 1 partition written, 4 already there\n"))
    #expect(FileManager.default.fileExists(atPath: table))
  }

  /// A merge that was killed after all new files were written, before they took the place of the old ones.
  @Test(arguments: [0, 1, 2]) func aMergeThatWasKilledIsCompletedByAnother(_ moved: Int) throws {
    let folder = try TemporaryFolder()
    let one = try Self.summary(1, "a", in: folder)
    _ = try Self.merge([one], in: folder)
    let before = try Self.content(folder, "store")
    let position = folder.path("store/date=2026-11-01/device=a/version=1%2F2") + "/"
    for (name, new) in [("_summary.jsonl.zst", "_new.jsonl.zst"), ("part.parquet", "_new.parquet")]
      .prefix(2 - moved)
    {
      try FileManager.default.moveItem(atPath: position + name, toPath: position + new)
    }
    let manifest = folder.path("store/_manifest.json")
    let pending = try #require(before["/_manifest.json"]).replacing(
      #""failed": 1"#, with: #""failed": 1, "pending": true"#)
    try pending.write(toFile: manifest, atomically: true, encoding: .utf8)
    #expect(Run(["fleet", folder.path("store")]).output.hasPrefix("3 runs "))
    let two = try Self.summary(2, "a", in: folder)
    let run = try Self.merge([two], in: folder)
    #expect(run.output.hasSuffix("4 runs added, 1 of 2 partitions written, 0 already there\n"))
    let after = try Self.content(folder, "store")
    #expect(after["/_manifest.json"]?.contains("pending") == false)
    let summary = "/date=2026-11-01/device=a/version=1%2F2/_summary.jsonl.zst"
    #expect(after[summary] == before[summary])
    #expect(FileManager.default.fileExists(atPath: position + "part.parquet"))
    #expect(!FileManager.default.fileExists(atPath: position + "_new.jsonl.zst"))
  }

  @Test func oneMergeWritesAtATime() throws {
    let folder = try TemporaryFolder()
    let one = try Self.summary(1, "a", in: folder)
    let lock = try SummaryStore.lock(folder.path("store"))
    let run = try Self.merge([one], in: folder)
    #expect(run.status == .inputOutput && run.errors.contains("another process is writing it"))
    withExtendedLifetime(lock) {}
  }

  @Test func aPartitionIsReadAsASummary() throws {
    let folder = try TemporaryFolder()
    _ = try Self.merge(
      [try Self.summary(1, "a", in: folder), try Self.summary(2, "a", in: folder)], in: folder)
    let run = Run(["fleet", folder.path("store/date=2026-11-02/device=a/version=1%2F2")])
    #expect(run.output.hasPrefix("3 runs "), "\(run.errors)")
  }

  @Test func whatDoesNotFitIsRefused() throws {
    let folder = try TemporaryFolder()
    let one = try Self.summary(1, "a", in: folder)
    let combined = folder.path("combined.jsonl")
    _ = Run(["merge", "--by", "date", one, "-o", combined])
    let refused = try Self.merge([combined], in: folder)
    #expect(
      refused.errors.contains("expected single runs, found a line that combines 3\n"),
      "\(refused.errors)")
    let taken = try Self.merge([one], in: folder, ["--by", "date,failed"])
    #expect(taken.errors.contains("a store cannot be divided by failed, a column of its tables"))
    let long = folder.path("long.jsonl")
    let text = try String(contentsOfFile: one, encoding: .utf8).replacing(
      #""device":"a""#, with: #""device":"\#(String(repeating: "é", count: 60))""#)
    try text.write(toFile: long, atomically: true, encoding: .utf8)
    let tooLong = try Self.merge([one, long], in: folder)
    #expect(tooLong.errors.contains("a run's device takes 367 bytes in the name of a folder"))
    #expect(!folder.files.contains("store"), "nothing is written")
  }

  @Test func mistakesAreRefusedBeforeAnythingIsWritten() throws {
    let folder = try TemporaryFolder()
    let one = try Self.summary(1, "a", in: folder)
    for (more, message) in [
      (["--by", "scene"], "no run has the tag scene, by which the store is divided"),
      (["--format", "csv"], "--format has no effect with --into"),
      (["-o", "x"], " has no effect with --into"),
    ] {
      let run = try Self.merge([one], in: folder, more)
      #expect(run.status == .usage && run.errors.contains(message), "\(run.errors)")
    }
    #expect(
      try Self.merge([one], in: folder, into: "a*").errors.contains("without *, ?, [, ] and ~"))
    #expect(!folder.files.contains("store"))
    _ = try Self.merge([one], in: folder, ["--by", "date"])
    let other = try Self.merge([one], in: folder, ["--by", "device"])
    #expect(other.errors.contains("expected a store by device, found one by date"))
    let none = Run(
      ["merge", "--into", folder.path("other"), one], variables: ["FRAMETOOL_DUCKDB": "/nowhere"])
    #expect(
      none.status == .unavailable && none.errors.contains("help: install DuckDB 1.3 or later"))
    #expect(!folder.files.contains("other"))
  }

  @Test func aStoreOfAnotherVersionIsRefused() throws {
    let folder = try TemporaryFolder()
    let one = try Self.summary(1, "a", in: folder)
    _ = try Self.merge([one], in: folder)
    try #"{"schema": "frametool.store/2"}"#.write(
      toFile: folder.path("store/_manifest.json"), atomically: true, encoding: .utf8)
    let run = Run(["fleet", folder.path("store")])
    #expect(run.status == .badData && run.errors.contains("expected the schema frametool.store/1"))
  }

  @Test(.enabled(if: Checker.hasDuckDB, Comment(rawValue: Checker.absence)))
  func otherToolsReadTheTables() throws {
    let folder = try TemporaryFolder()
    let one = try Self.summary(1, "it's", in: folder)
    let run = Run(
      ["merge", "--into", folder.path("store"), one],
      variables: ["FRAMETOOL_DUCKDB": Checker.python])
    #expect(run.status == .success, "\(run.errors)")
    let question = """
      import duckdb
      rows = duckdb.sql("select date, device, version, runs, frames, failed is not null, dropped_refreshes, "
        "round(figures['mean(frameTime)'], 3), round(figures['droppedShare'], 2), figures is null from '\(folder.path("store"))/**/*.parquet' order by frames").fetchall()
      for row in rows: print(*row)
      """
    let answer = try Checker.run(Checker.python, ["-c", question]).output
    #expect(
      answer == """
        2026-11-01 it's 1/2 1 611 False 30 16.667 4.9 False
        2026-11-01 it's 1/2 1 612 False 30 16.667 4.89 False
        2026-11-01 it's 1/2 1 613 False 30 16.667 4.89 False
        2026-11-01 it's 1/2 None None True None None None True

        """)
  }
}
