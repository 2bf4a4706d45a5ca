import Foundation
import FrameKit
import Testing

@testable import frametool

/// XCTest results and MetricKit payloads, as users pass them.
@Suite struct AppleResultsTests {
  private let folder: TemporaryFolder
  private var store: String { folder.path("h.sqlite") }
  private static let results = "Tests/Golden/xctest/results/input.json"
  private static let payload = "Tests/Golden/metrickit/payload/input.json"

  init() throws { folder = try TemporaryFolder() }

  /// Each test of the results is a job, and each of its iterations a run.
  @Test func testsGoIntoAHistory() {
    let added = Run([
      "history", "add", Self.results, "--store", store, "--commit", "a1", "--date", "2026-11-01",
    ])
    #expect(
      added.output == """
        \(store): job 1, default, 1 run, 2 figures
        \(store): job 2, ScrollTests/testFeed(), 3 runs, 4 figures

        """)
    let listed = Run(["history", "list", "--store", store, "--series"]).output
    for words in ["iPhone 15", "hitchRatio", "p50(launchTimeToResponsive)"] {
      #expect(listed.contains(words), "\(words)")
    }
    let named = Run([
      "history", "add", Self.results, "--store", store, "--scene", "nightly", "--device", "rack 3",
    ])
    #expect(named.output.contains("job 3, nightly, 4 runs"))
  }

  /// A payload is one job from the field, with its own version, device and day.
  @Test func payloadsGoIntoAHistoryAsTheField() {
    let added = Run(["history", "add", Self.payload, "--store", store])
    #expect(added.output == "\(store): job 1, default, 1 run, 1 figure, 3 histograms\n")
    let listed = Run(["history", "list", "--store", store]).output
    for words in ["2026-10-01T23:59:00Z", "3.2 (412)", "iPhone16,1", "field"] {
      #expect(listed.contains(words), "\(words)")
    }
  }

  /// The output of analyze for them goes into a history the same way.
  @Test func analysesKeepStatedFigures() throws {
    for input in [Self.results, Self.payload] {
      let folder = try TemporaryFolder()
      let (direct, piped) = (folder.path("a.sqlite"), folder.path("b.sqlite"))
      _ = Run(["history", "add", input, "--store", direct])
      let json = Run(["analyze", "--format", "json", input]).output
      _ = Run(["history", "add", "-", "--store", piped], input: Array(json.utf8))
      let series = { (store: String) in
        Run(["history", "list", "--series", "--store", store]).output.split(separator: "\n")
          .dropFirst().filter { !$0.contains("Responsive") }
      }
      #expect(series(direct).count > 4)
      #expect(Set(series(piped)).isSuperset(of: series(direct).filter { $0.contains("Ratio") }))
    }
  }

  @Test func limitsAreCheckedOnStatedFigures() {
    let kept = Run(["gate", Self.results, "--limit", "p50(hitchRatio)<=8"])
    #expect(kept.status == .success && kept.output.contains("7.500"))
    let failed = Run(["gate", Self.results, "--limit", "max(hitchRatio)<=8ms/s"])
    #expect(failed.status != .success && failed.output.contains("12.500"))
    let undecided = Run(["gate", Self.results, "--limit", "hitchRatio<=8"])
    #expect(undecided.status != .success && undecided.output.contains("hitchRatio has 3 runs"))
    for limit in [
      "p50(launchTime)<=700ms", "max(hitchCount)<=4", "p50(signpostTime)<=2600ms",
    ] {
      #expect(Run(["gate", Self.results, "--limit", limit]).status == .success, "\(limit)")
    }
    for limit in ["p95(launchTime)<=1300ms", "p50(hangTime)<=100ms", "scrollHitchRatio<=5"] {
      #expect(Run(["gate", Self.payload, "--limit", limit]).status == .success, "\(limit)")
    }
    #expect(Run(["gate", Self.payload, "--limit", "p95(launchTime)<=1000ms"]).status != .success)
    #expect(Run(["gate", Self.payload, "--limit", "launchTime<=1000ms"]).status != .success)
  }

  @Test func launchesOfTestsAreCompared() throws {
    let text = try String(contentsOf: Run.root.appending(path: Self.results), encoding: .utf8)
    let slower = text.replacingOccurrences(
      of: "[0.5, 0.625, 1.9771602080000001, 0.75]", with: "[5.1, 5.2, 5.3, 5.4]")
    #expect(slower != text)
    try Data(slower.utf8).write(to: folder.url.appending(path: "after.json"))
    let run = Run(["compare", "--launch", Self.results, folder.path("after.json")])
    #expect(
      run.output.hasPrefix("regressed: after is slower: p50(launchTime)")
        && run.output.contains(" launches each\n"))
    let frames = Run(["compare", Self.results, folder.path("after.json")])
    #expect(frames.errors.contains("help: the file has launches; --launch compares them"))
  }
}
