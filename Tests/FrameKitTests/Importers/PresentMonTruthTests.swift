import Foundation
import Testing

@testable import FrameAnalysis
@testable import FrameImporters
@testable import FrameStatistics
@testable import FrameTrace

/// Real PresentMon files compared with figures that an independent script computed from them.
@Suite(.enabled(if: TestData.isPresent, Comment(rawValue: TestData.absence)))
struct PresentMonTruthTests {
  /// The script's name for each metric.
  static let metrics: [String: any Metric] = [
    "present_delta": FrameMetric.presentInterval, "app_delta": FrameMetric.startInterval,
    "display_change": FrameMetric.displayChange, "displayed_time": FrameMetric.displayedTime,
    "display_latency": FrameMetric.displayLatency, "until_displayed": FrameMetric.presentLatency,
    "render_complete": FrameMetric.renderLatency, "gpu_busy": FrameMetric.gpuBusy,
    "cpu_busy": FrameMetric.cpuBusy, "click": InputLatencyMetric.clickToPhoton,
    "all_input": InputLatencyMetric.inputToPhoton,
    "anim_error": AnimationErrorMetric.animationError,
  ]

  /// Files of PresentMon, and of the tools that write its columns.
  static let files = ["presentmon", "ocat", "capframex"].flatMap { TestData.files(in: $0) }

  static let truth = try? Data(contentsOf: TestData.folder.appending(path: "truth.json"))

  @Test(arguments: files)
  func countsAreExact(_ path: String) throws {
    let (trace, truth) = try load(path)
    let pipeline = Pipeline(reconstructing: trace)
    let file = try #require(truth["file"] as? [String: Any])
    #expect(trace.frameCount == file["rows"] as? Int)
    #expect(pipeline.outcomes.reduce(0) { $0 + $1.displayed } == file["displayed"] as? Int)
    #expect(pipeline.outcomes.reduce(0) { $0 + $1.dropped } == file["dropped"] as? Int)
    let chains = try #require(truth["swap_chains"] as? [[String: Any]])
    let expected = chains.map { chain in
      "\(chain["pid"] ?? ""):\(PresentMonIdentities.address(chain["address"] as? String ?? ""))"
        + " \(chain["rows"] ?? "")"
    }
    #expect(trace.surfaces.map { "\($0.id) \($0.frames.count)" }.sorted() == expected.sorted())
  }

  @Test(arguments: files)
  func figuresAgreeToANanosecond(_ path: String) throws {
    let (trace, truth) = try load(path)
    let file = try #require(truth["file"] as? [String: Any])
    var compared = compare(trace, Array(trace.surfaces.indices), with: file, "\(path): file")
    for process in try #require(truth["processes"] as? [[String: Any]]) {
      let pid = process["pid"] as? String
      let surfaces = trace.surfaces.indices.filter {
        trace.surfaces[$0].processID.map(String.init) == pid
      }
      compared += compare(trace, surfaces, with: process, "\(path): process \(pid ?? "")")
    }
    #expect(compared > 0)
  }

  private func load(_ path: String) throws -> (Trace, [String: Any]) {
    let name = path.split(separator: "/").suffix(2).joined(separator: "/")
    let json = try JSONSerialization.jsonObject(with: try #require(Self.truth))
    let truth = try #require((json as? [String: Any])?[name] as? [String: Any])
    return (try TestData.read(path), truth)
  }

  /// Compares the metrics of several surfaces together with the script's.
  /// - Returns: How many metrics were compared.
  private func compare(
    _ trace: Trace, _ surfaces: [Int], with truth: [String: Any], _ what: String
  ) -> Int {
    let pipeline = Pipeline(reconstructing: trace)
    var compared = 0
    for (name, metric) in Self.metrics {
      guard let figures = truth[name] as? [String: Any] else { continue }
      var values: [Int64] = []
      for surface in surfaces {
        let measurement = metric.measure(MeasuredSurface(pipeline, index: surface))
        if case .sample(let found) = measurement.content { values += found.values }
      }
      guard let summary = Summary(millionths: Sample(values)) else {
        Issue.record("\(what): \(name) has no values")
        continue
      }
      #expect(summary.n == figures["n"] as? Int, "\(what): n of \(name)")
      let found = [
        "min": summary.minimum, "mean": summary.mean, "p50": summary.p50, "p95": summary.p95,
        "p99": summary.p99, "max": summary.maximum,
      ]
      for (key, value) in found {
        let expected = (figures[key] as? Double) ?? .nan
        #expect(abs(value - expected) < 1e-6, "\(what): \(key) of \(name)")
      }
      compared += 1
    }
    return compared
  }
}
