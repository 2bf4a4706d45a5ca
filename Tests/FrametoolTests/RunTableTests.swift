import Foundation
import Testing

@testable import frametool

/// Many runs as one table for data frames.
@Suite struct RunTableTests {
  /// Three runs of a game, and a file that is no trace.
  private static func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for seed in 1...3 {
      let run = Run([
        "generate", "uncapped-game", "--frames", "200", "--seed", "\(seed)", "--encode",
        "presentmon", "-o", folder.path("run\(seed).csv"),
      ])
      try #require(run.status == .success, "\(run.errors)")
    }
    try Data("nothing".utf8).write(to: URL(filePath: folder.path("bad.txt")))
    return folder
  }

  private static func paths(_ folder: TemporaryFolder) -> [String] {
    (1...3).map { folder.path("run\($0).csv") }
  }

  @Test func framesOfSeveralTracesAreThoseOfEachWithItsFile() throws {
    let folder = try Self.folder()
    let all = Run(["convert"] + Self.paths(folder) + ["-", "--as", "frames-csv"])
    #expect(all.status == .success && all.errors == "")
    var expected: [Substring] = []
    for path in Self.paths(folder) {
      let one = Run(["convert", path, "-", "--as", "frames-csv"])
      let lines = one.output.split(separator: "\n")
      if expected.isEmpty { expected.append("file,\(lines[0])") }
      expected += lines.dropFirst().map { "\(path),\($0)" }
    }
    #expect(all.output.split(separator: "\n") == expected)
  }

  @Test func aFolderIsItsTraces() throws {
    let folder = try Self.folder()
    let run = Run(["convert", folder.path(""), folder.path("frames.csv")])
    #expect(run.status == .success)
    #expect(run.errors.contains("left out 1 other file (bad.txt)"), "\(run.errors)")
    let table = CSVRows(try String(contentsOfFile: folder.path("frames.csv"), encoding: .utf8))
    #expect(table.rows.count == 600 && Set(table.rows.map { $0[0] }).count == 3)
  }

  @Test func whatCannotBeReadIsReportedBesideTheRest() throws {
    let folder = try Self.folder()
    let given = [folder.path("run1.csv"), folder.path("bad.txt"), folder.path("run2.csv")]
    let run = Run(["convert"] + given + ["-", "--as", "frames-csv"])
    #expect(run.status == .badData && run.errors.contains("bad.txt: expected a trace"))
    #expect(CSVRows(run.output).rows.count == 400)
    let none = Run(["convert", given[1], given[1], folder.path("none.csv")])
    #expect(none.status == .badData)
    #expect(!FileManager.default.fileExists(atPath: folder.path("none.csv")))
  }

  @Test func otherFormatsHoldOneTrace() throws {
    let folder = try Self.folder()
    let run = Run(["convert"] + Self.paths(folder) + [folder.path("all.jsonl")])
    #expect(run.status == .usage)
    #expect(
      run.errors.hasPrefix("error: convert: native holds one trace, found 3\nhelp: --as frames-csv")
    )
  }

  /// The statistics of a summary are those of the analysis, as precise as its bins.
  @Test func aSummaryAsATableHasTheFiguresOfItsRuns() throws {
    let folder = try Self.folder()
    let made = Run(
      ["analyze", "--summary", folder.path("s.jsonl"), "--tag", "lab=a-b"] + Self.paths(folder))
    try #require(made.status == .success, "\(made.errors)")
    let table = CSVRows(Run(["merge", folder.path("s.jsonl"), "--format", "csv"]).output)
    let position = { (key: String) in table.header.firstIndex(of: key) ?? 0 }
    #expect(table.header.prefix(4) == ["file", "process", "surface", "lab"])
    for path in Self.paths(folder) {
      let analysis = CSVRows(Run(["analyze", path, "--format", "csv"]).output)
      let metric = analysis.header.firstIndex(of: "metric") ?? 0
      let frame = try #require(analysis.rows.first { $0[metric] == "frameTime" })
      let row = try #require(
        table.rows.first { $0[0] == path && $0[position("metric")] == "frameTime" })
      #expect(row[position("lab")] == "a-b" && row[position("unit")] == "ms")
      for key in ["n", "min", "mean", "p50", "p99", "max"] {
        let exact = try #require(Double(frame[analysis.header.firstIndex(of: key) ?? 0]))
        let value = try #require(Double(row[position(key)]))
        #expect(abs(value - exact) <= exact / 512 + 1e-9, "\(path) \(key)")
      }
    }
  }

  @Test func runsThatWereAddedUpAreOneRowForEachMetric() throws {
    let folder = try Self.folder()
    let made = Run(
      ["analyze", "--summary", folder.path("s.jsonl"), "--tag", "lab=x", folder.path("")])
    #expect(made.output.contains("3 runs"))
    let run = Run(["merge", folder.path("s.jsonl"), "--by", "lab", "--format", "csv"])
    let table = CSVRows(run.output)
    let (runs, why) = (table.header.firstIndex(of: "runs") ?? 0, table.header.count - 1)
    let counted = table.rows.filter { $0[runs] == "3" && $0[why] == "" }
    let metrics = counted.map { $0[table.header.firstIndex(of: "metric") ?? 0] }
    #expect(metrics.contains("frameTime") && Set(metrics).count == metrics.count)
    // A trace that could not be read has one row, with the reason.
    let failed = table.rows.filter { $0[why] != "" }
    #expect(failed.count == 1 && failed[0][0].hasSuffix("bad.txt"))
  }
}
