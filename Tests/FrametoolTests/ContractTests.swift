import Foundation
import Testing

/// The keys that scripts rely on.
@Suite struct ContractTests {
  /// The analysis of a trace that has everything, or of one with neither touches nor stages.
  static func analysis(hasTouches: Bool = true) throws -> [String: Any] {
    let trace = Array(Run(["generate", "talk-coalesced"]).output.utf8)
    let run =
      hasTouches
      ? Run(["analyze", "--format", "json", "-"], input: trace)
      : Run(["analyze", "--format", "json", "Samples/game.csv"])
    let json = try JSONSerialization.jsonObject(with: Data(run.output.utf8))
    return try #require(json as? [String: Any])
  }

  @Test func everyKeyOfTheContractIsThere() throws {
    let json = try Self.analysis()
    #expect(json["schema"] as? String == "frametool.analysis/3")
    let paths = [
      "trace.file", "trace.importer", "trace.clock", "trace.start_ns", "trace.end_ns",
      "trace.capabilities", "trace.issues", "display.refresh_ms", "display.variable",
      "display.source", "launches",
    ]
    for path in paths { #expect(Self.has(path, in: json), "\(path)") }
    let surface = try #require((json["surfaces"] as? [[String: Any]])?.first)
    let sections: [String: [String]] = [
      "frames": ["count", "displayed", "replaced", "discarded", "dropped", "unresolved"],
      "dropped": [
        "refreshes", "share", "longest_run", "by_stage.app", "by_stage.compositor", "by_stage.gpu",
        "by_stage.display", "by_stage.unknown",
      ],
      "hitches": [
        "count", "total_ms", "ratio_ms_per_s", "grade", "source", "list",
      ],
      "buffers": [
        "depth_share.1", "depth_share.2", "depth_share.3", "depth_share.4+", "colors", "inferred",
        "mode_changes",
      ],
      "latency": [
        "touch_to_photon", "input_age", "effective", "frames", "breakdown.scan",
        "breakdown.delivery", "breakdown.app", "breakdown.compositor_wait", "breakdown.compositor",
        "breakdown.gpu", "breakdown.queue", "breakdown.scanout",
      ],
      "touches": ["main", "coalesced", "predicted", "undelivered", "cancelled", "unresolved"],
    ]
    for (section, keys) in sections {
      for key in keys { #expect(Self.has("\(section).\(key)", in: surface), "\(section).\(key)") }
    }
    for key in ["id", "process", "name"] { #expect(Self.has(key, in: surface), "\(key)") }
  }

  @Test func whatWasNotMeasuredHasOneReason() throws {
    let json = try Self.analysis(hasTouches: false)
    let surface = try #require((json["surfaces"] as? [[String: Any]])?.first)
    let touches = try #require(surface["touches"] as? [String: Any])
    #expect(touches["why"] as? String == "the source records no touch")
    #expect(touches["why_missing"] == nil)
    #expect(touches.values.count { $0 is NSNull } == 6)
    let latency = try #require(surface["latency"] as? [String: [String: Any]])
    #expect(
      Set(latency.keys) == ["touch_to_photon", "input_age", "effective", "frames", "breakdown"])
    #expect(latency["breakdown"]?.keys.map { $0 } == ["why"])
  }

  @Test(arguments: [true, false])
  func everyMetricHasItsStatisticsItsValueOrItsReason(_ hasTouches: Bool) throws {
    let json = try Self.analysis(hasTouches: hasTouches)
    let surface = try #require((json["surfaces"] as? [[String: Any]])?.first)
    let metrics = try #require(surface["metrics"] as? [String: [String: Any]])
    let listed = Run(["metrics", "--format", "json"]).formatNames
    #expect(Set(metrics.keys) == listed)
    let statistics: Set = ["min", "mean", "p50", "p90", "p95", "p99", "max"]
    for (name, metric) in metrics {
      let keys = Set(metric.keys)
      if metric["why"] != nil {
        #expect(keys == ["unit", "n", "why"] && metric["n"] as? Int == 0, "\(name)")
        continue
      }
      #expect(keys.isSuperset(of: ["unit", "n", "missing", "inferred"]), "\(name)")
      #expect(keys.isSuperset(of: statistics) != keys.contains("value"), "\(name)")
      #expect(keys.isDisjoint(with: ["why", "why_missing"]), "\(name)")
      #expect(!metric.values.contains { $0 is NSNull }, "\(name)")
    }
  }

  @Test func everyNullHasItsReasonInTheSameObject() throws {
    Self.check(try Self.analysis(), "")
  }

  @Test(arguments: Run(["scenarios", "--format", "json"]).formatNames.sorted())
  func everyNullOfEveryScenarioHasItsReason(_ name: String) throws {
    let trace = Array(Run(["generate", name, "--frames", "40"]).output.utf8)
    let selections = [[], ["--metrics", "frameTime"], ["--from", "0.1", "--to", "0.3"]]
    for selection in selections {
      let run = Run(
        ["analyze", "-", "--format", "json", "--worst", "2", "--budget", "16"] + selection,
        input: trace)
      let json = try JSONSerialization.jsonObject(with: Data(run.output.utf8))
      Self.check(try #require(json as? [String: Any]), "\(name) \(selection)")
    }
  }

  static func check(_ object: [String: Any], _ path: String) {
    let reasons = object["why_missing"] as? [String: String] ?? [:]
    for (key, value) in object {
      if value is NSNull {
        #expect(reasons[key] != nil || object["why"] is String, "\(path).\(key)")
      } else if let inner = value as? [String: Any] {
        check(inner, "\(path).\(key)")
      } else if let list = value as? [[String: Any]] {
        for inner in list { check(inner, "\(path).\(key)") }
      }
    }
  }

  private static func has(_ path: String, in object: [String: Any]) -> Bool {
    let keys = path.split(separator: ".", maxSplits: 1).map(String.init)
    guard keys.count == 2 else { return object.keys.contains(path) }
    return (object[keys[0]] as? [String: Any]).map { has(keys[1], in: $0) } ?? false
  }
}
