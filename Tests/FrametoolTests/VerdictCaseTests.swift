import Foundation
import Testing

@testable import frametool

/// Verdicts on the runs that an earlier version judged wrongly.
@Suite struct VerdictCaseTests {
  private static func files(_ prefix: String, _ numbers: [String]) -> [String] {
    numbers.map { "\(prefix)\($0)" }
  }

  private static func compare(_ before: [String], _ after: [String], _ options: [String] = [])
    throws
    -> Run
  {
    let folder = Cases.folder.appending(path: "verdicts")
    return Run(["compare", "--before"] + before + ["--after"] + after + options, in: folder)
  }

  @Test(.enabled(if: Cases.isPresent, Cases.absence))
  func dropsBesideStretchesAtHalfTheRateAreFound() throws {
    let columns = ["--columns", "frameTime=ms"]
    let clean = Self.files(
      "switching-AA-00", ["0.csv.gz", "1.csv.gz", "2.csv.gz", "3.csv.gz", "4.csv.gz"])
    let drops = clean.map { "switching-drop2" + $0.dropFirst("switching-AA".count) }
    let found = try Self.compare(clean, drops, columns)
    #expect(found.output.hasPrefix("regressed: ") && found.output.contains("missedRefreshShare"))
    let alike = try Self.compare(Array(clean[0...1]), Array(clean[2...3]), columns)
    #expect(!alike.output.hasPrefix("regressed: "))
    let folder = Cases.folder.appending(path: "verdicts")
    let gate = Run(["gate"] + clean + columns + ["--limit", "missedRefreshShare<=5%"], in: folder)
    #expect(
      gate.status == .success
        && gate.output.contains(
          "kept; stretches at a lower rate are not counted; missedRefreshShareOfRun is 23"),
      "\(gate.output)")
  }

  /// One run that keeps half the rate does not disable drops for the others.
  @Test(.enabled(if: Cases.isPresent, Cases.absence), arguments: ["ka4", "ka4s"])
  func aRunAtHalfTheRateHidesNoDrops(last: String) throws {
    let before = ["ka0", "ka1", "ka2", "ka3", last].map { "halfrate-\($0).csv.gz" }
    let after = (0...4).map { "halfrate-kb\($0).csv.gz" }
    let run = try Self.compare(before, after, ["--columns", "frameTime=ms"])
    #expect(run.output.hasPrefix("regressed: ") && run.output.contains("missedRefreshShare"))
  }

  /// A device that gets faster from run to run while the sides take turns: what is shown of both sides is measured.
  @Test(.enabled(if: Cases.isPresent, Cases.absence))
  func valuesAreThoseOfTheChange() throws {
    let before = (0...2).map { "order-A\($0).jsonl.gz" }
    let after = (0...2).map { "order-B\($0).jsonl.gz" }
    let run = try Self.compare(before, after)
    let sentence = run.output.split(separator: "\n")[0]
    #expect(!sentence.contains("drift"), "\(sentence)")
    let table = try Self.compare(before, after, ["--format", "csv"]).output
    let rows = table.split(separator: "\n").dropFirst().map { $0.split(separator: ",") }
    for row in rows where row[1] == "ms" {
      let (one, other) = (try #require(Double(row[2])), try #require(Double(row[3])))
      let effect = try #require(Double(row[4]))
      #expect(abs((other / one - 1) * 100 - effect) < 1e-6, "\(row[0])")
    }
  }
}
