import Fixtures
import Foundation
import Testing

@testable import FrameAnalysis
@testable import FrameImporters
@testable import FrameStatistics
@testable import FrameTrace

/// The metrics of scenarios' truths that come out of a format exactly, in every scenario that has
/// them, as a file beside the tests records them.
///
/// A new metric is one line there, which `scripts/golden` writes; an importer that loses a column
/// makes the test of its format fail.
enum CarriedMetrics {
  /// The file: for each encoder its name, and the metrics.
  private static let file = TestData.root.appending(path: "Tests/Golden/carried.json")

  static let isRecording = ProcessInfo.processInfo.environment["FRAMETOOL_RECORD"] != nil

  /// The recorded metrics by the encoder's name.
  static let all: [String: Set<String>] = {
    let data = (try? Data(contentsOf: file)) ?? Data()
    return (try? JSONDecoder().decode([String: Set<String>].self, from: data)) ?? [:]
  }()

  static func record(_ metrics: [String: Set<String>]) throws {
    let lines = metrics.sorted { $0.key < $1.key }.map { name, metrics in
      "  \"\(name)\": [\n"
        + metrics.sorted().map { "    \"\($0)\"" }.joined(separator: ",\n") + "\n  ]"
    }
    let text = "{\n" + lines.joined(separator: ",\n") + "\n}\n"
    try Data(text.utf8).write(to: file, options: .atomic)
  }

  /// The metrics that come out of a format now.
  static func found(_ encoder: any TraceEncoder) throws -> Set<String> {
    var (exact, inexact): (Set<String>, Set<String>) = ([], [])
    for scenario in Scenarios.all {
      let outcome = scenario.play(.init(seed: 1, frames: scenario.frames))
      if encoder.whyNot(outcome.trace) != nil { continue }
      let trace = try Importers.read(InputFile(bytes: encoder.encode(outcome.trace)))
      for (surface, truth) in zip(TraceAnalysis(of: trace).surfaces, outcome.truths) {
        let expected = truth.expected(of: trace.surfaces[surface.index], in: outcome.trace, surface)
        for metric in expected.metrics where metric.n > 0 {
          let agrees = surface[metric.name].map { metric.agrees($0, within: encoder.precision) }
          if agrees == true { exact.insert(metric.name) } else { inexact.insert(metric.name) }
        }
      }
    }
    return exact.subtracting(inexact)
  }
}

extension ScenarioTruth.Metric {
  /// Whether a result is what the scenario declares.
  func agrees(_ found: MetricResult, within precision: Double) -> Bool {
    switch found.figures {
    case .summary(let summary):
      // If a format states the last start interval, there is one more than there are pairs of
      // frames.
      if name == "startInterval", summary.n == n + 1 { return true }
      return summary.n == n && abs(summary.minimum - minimum) < precision
        && abs(summary.mean - mean) < precision && abs(summary.maximum - maximum) < precision
    case .figure(let figure, let count): return count == n && abs(figure - mean) < precision
    case .unavailable: return false
    }
  }
}

extension ScenarioTruth {
  /// The truth of a surface as a format shows it: a source that states lengths from frame to frame
  /// counts rests.
  func expected(
    of surface: Surface, in trace: Trace, _ measured: SurfaceAnalysis
  ) -> ScenarioTruth {
    let frames = surface.frames
    let statesLengths = frames.has(.presentInterval) || frames.has(.startInterval)
    return statesLengths ? countingRests(trace.surfaces[measured.index].frames) : self
  }

  /// The same truth, with all times between displays counted, whether the app rested or not.
  private func countingRests(_ frames: Table<FrameColumn>) -> ScenarioTruth {
    guard let position = metrics.firstIndex(where: { $0.name == "displayChange" }),
      metrics[position].n < displayed - 1
    else { return self }
    let shown = (0..<frames.count).compactMap { frames[$0, .displayed] }
    var truth = self
    truth.metrics[position] = .init(
      "displayChange",
      zip(shown.dropFirst(), shown).map { min($0 - $1, 10_000_000_000) })
    return truth
  }
}

@Suite struct CarriedMetricsTests {
  @Test(arguments: Encoders.all.map(\.name))
  func aFormatCarriesWhatIsRecorded(_ name: String) throws {
    let encoder = try #require(Encoders.all.first { $0.name == name })
    if CarriedMetrics.isRecording { return }
    let recorded = try #require(CarriedMetrics.all[name], "scripts/golden records it")
    #expect(try CarriedMetrics.found(encoder) == recorded)
  }

  @Test(.enabled(if: CarriedMetrics.isRecording, "scripts/golden does it"))
  func theFileIsWritten() throws {
    var metrics: [String: Set<String>] = [:]
    for encoder in Encoders.all { metrics[encoder.name] = try CarriedMetrics.found(encoder) }
    try CarriedMetrics.record(metrics)
  }
}
