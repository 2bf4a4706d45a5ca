import Foundation
import Testing

@testable import frametool

/// Replays of the recordings that an earlier version predicted wrongly.
@Suite struct ReplayCaseTests {
  private static func replay(_ name: String, _ options: [String]) throws -> [String: Any] {
    let path = Cases.folder.appending(path: "replay/\(name).jsonl.gz").path
    let run = Run(["replay", path, "--format", "json"] + options)
    let json = try JSONSerialization.jsonObject(with: Data(run.output.utf8))
    return try #require(json as? [String: Any], "\(run.errors)")
  }

  private static func figure(_ replay: [String: Any], _ name: String) -> [String: Any] {
    (replay["figures"] as? [[String: Any]])?.first { $0["metric"] as? String == name } ?? [:]
  }

  @Test(.enabled(if: Cases.isPresent, Cases.absence), arguments: ["cap8333333", "cap6944444"])
  func aLimitIsKeptOnAverage(name: String) throws {
    let figure = Self.figure(try Self.replay(name, ["--cap", "60"]), "mean(frameTime)")
    let predicted = try #require(figure["predicted"] as? Double)
    #expect(abs(predicted - 1000.0 / 60) < 0.1)
  }

  /// For each pair, the figures of the second recording, which was simulated under the condition,
  /// are within the bounds predicted from the first.
  @Test(
    .enabled(if: Cases.isPresent, Cases.absence),
    arguments: [
      ("fifo-7", ["--present-mode", "fifo"]), ("mailbox-10", ["--present-mode", "mailbox"]),
    ])
  func pairsAreWithinTheBounds(_ name: String, _ options: [String]) throws {
    let predicted = try Self.replay("\(name)-A", options)
    let measured = try Self.replay("\(name)-B", [])
    var within = 0
    var all = 0
    for figure in try #require(predicted["figures"] as? [[String: Any]]) {
      let name = try #require(figure["metric"] as? String)
      guard let bounds = figure["bounds"] as? [Double],
        let truth = Self.figure(measured, name)["recorded"] as? Double
      else { continue }
      all += 1
      if (bounds[0] - 1e-6...bounds[1] + 1e-6).contains(truth) { within += 1 }
    }
    #expect(all >= 5 && within * 10 >= all * 9, "\(within) of \(all)")
  }

  @Test(.enabled(if: Cases.isPresent, Cases.absence))
  func theCulpritIsNamedFirst() throws {
    let advice = try #require(
      try Self.replay("adv2", ["--advise"])["advice"] as? [[String: Any]])
    #expect((advice.first?["conditions"] as? [String])?.first?.hasPrefix("compositor × ") == true)
    // It has three buffers already.
    let other = try Self.replay("adv5", ["--advise"])
    #expect((other["recorded"] as? [String])?.contains("3 buffers (inferred)") == true)
    let changes = (other["advice"] as? [[String: Any]])?.compactMap {
      $0["conditions"] as? [String]
    }
    #expect(changes?.contains(["3 buffers"]) == false)
  }
}
