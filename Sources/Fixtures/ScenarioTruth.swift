import FrameKit

/// The truth about a scenario's trace, known from how the trace was generated and not from analyzing it.
package struct ScenarioTruth: Sendable {
  /// The minimum, maximum and mean of a metric's values, in its unit.
  package struct Metric: Sendable {
    package let name: String
    package let unit: String
    package let n: Int
    package let minimum: Double
    package let mean: Double
    package let maximum: Double

    /// A metric of lengths in nanoseconds.
    package init(_ name: String, _ values: [Int64]) {
      self.name = name
      unit = "ms"
      n = values.count
      minimum = Nanoseconds(values.min() ?? 0).milliseconds
      mean = Double(values.reduce(0, +)) / Double(max(values.count, 1)) / 1e6
      maximum = Nanoseconds(values.max() ?? 0).milliseconds
    }

    /// A metric that has the same value `n` times.
    init(_ name: String, always value: Double, n: Int, unit: String = "ms") {
      self.name = name
      self.unit = unit
      self.n = n
      minimum = value
      mean = value
      maximum = value
    }
  }

  package let frames: Int
  package let displayed: Int
  package let replaced: Int
  package let discarded: Int
  package var metrics: [Metric]
  /// The truth of the pipeline; `nil` if the scenario states nothing about it.
  package var pipeline: PipelineTruth?
}

/// The truth about the pipeline of a surface's frames.
package struct PipelineTruth: Sendable {
  /// How many refreshes each stage dropped.
  package var dropped: [String: Int] = [:]
  /// The depth of every frame once the pipeline is full; `nil` if it changes.
  package var depth: Int?
  /// The changes of depth: from, to, and the stage that caused the change.
  package var changes: [(from: Int, to: Int, stage: String)]?
  /// The counts of touch samples; `nil` if there are none.
  package var touches: Touches?
  /// The time during which no frame was due, in nanoseconds; `nil` if the scenario states nothing about it.
  package var rest: Int64?
  /// Whether frames keep a deliberate lower rate.
  package var isCadence = false

  /// Counts of touch samples, and of the fates of the main samples.
  package struct Touches: Hashable, Sendable {
    package var main = 0
    package var coalesced = 0
    package var predicted = 0
    package var undelivered = 0
    package var cancelled = 0
    package var unresolved = 0

    package init(
      main: Int = 0, coalesced: Int = 0, predicted: Int = 0, undelivered: Int = 0,
      cancelled: Int = 0, unresolved: Int = 0
    ) {
      (self.main, self.coalesced, self.predicted) = (main, coalesced, predicted)
      (self.undelivered, self.cancelled, self.unresolved) = (undelivered, cancelled, unresolved)
    }
  }
}

extension Scenario.Outcome {
  /// The truth as JSON: the truth of the first surface, and if there are several surfaces, the truth of each under
  /// `surfaces`.
  package func truth(scenario: String, seed: UInt64) -> String {
    var json = JSONWriter(indented: true)
    json.object { json in
      json.key("schema")
      json.value(ScenarioTruth.schemaName)
      json.key("scenario")
      json.value(scenario)
      json.key("seed")
      json.value(Int64(truncatingIfNeeded: seed))
      truths.first?.write(to: &json)
      if truths.count > 1 {
        json.key("surfaces")
        json.array { json in
          for truth in truths { json.object(truth.write) }
        }
      }
      if !launches.isEmpty {
        json.key("launches")
        json.array { json in
          for launch in launches { json.object(launch.write) }
        }
      }
    }
    json.endLine()
    return String(decoding: json.bytes, as: UTF8.self)
  }
}

extension ScenarioTruth {
  fileprivate func write(to json: inout JSONWriter) {
    json.key("frames")
    json.object { json in
      for (key, count) in [
        ("count", frames), ("displayed", displayed), ("replaced", replaced),
        ("discarded", discarded),
      ] {
        json.key(key)
        json.value(count)
      }
    }
    json.key("metrics")
    json.object(writeMetrics)
    if let pipeline {
      json.key("pipeline")
      json.object(pipeline.write)
    }
  }

  private func writeMetrics(to json: inout JSONWriter) {
    for metric in metrics {
      json.key(metric.name)
      json.object { json in
        json.key("unit")
        json.value(metric.unit)
        json.key("n")
        json.value(metric.n)
        for (key, figure) in [
          ("min", metric.minimum), ("mean", metric.mean), ("max", metric.maximum),
        ] {
          json.key(key)
          json.value(figure)
        }
      }
    }
  }
}

extension PipelineTruth {
  fileprivate func write(to json: inout JSONWriter) {
    json.key("dropped")
    json.object { json in
      for stage in dropped.keys.sorted() {
        json.key(stage)
        json.value(dropped[stage] ?? 0)
      }
    }
    if let depth {
      json.key("depth")
      json.value(depth)
    }
    if let changes {
      json.key("mode_changes")
      json.array { json in
        for change in changes {
          json.object { json in
            json.key("from")
            json.value(change.from)
            json.key("to")
            json.value(change.to)
            json.key("stage")
            json.value(change.stage)
          }
        }
      }
    }
    if let touches {
      json.key("touches")
      json.object(touches.write)
    }
    if let rest {
      json.key("rest_ns")
      json.value(rest)
    }
  }
}

extension PipelineTruth.Touches {
  fileprivate func write(to json: inout JSONWriter) {
    for (key, count) in [
      ("main", main), ("coalesced", coalesced), ("predicted", predicted),
      ("undelivered", undelivered), ("cancelled", cancelled), ("unresolved", unresolved),
    ] {
      json.key(key)
      json.value(count)
    }
  }
}
