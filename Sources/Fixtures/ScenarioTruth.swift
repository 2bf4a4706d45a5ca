import FrameKit

/// What is true of a scenario's trace, known from how it was made and not from analysing it.
package struct ScenarioTruth: Sendable {
  /// The ends and the mean of a metric's values, in milliseconds.
  package struct Metric: Sendable {
    package let name: String
    package let n: Int
    package let minimum: Double
    package let mean: Double
    package let maximum: Double

    /// Describes lengths in nanoseconds.
    init(_ name: String, _ values: [Int64]) {
      self.name = name
      n = values.count
      minimum = Double(values.min() ?? 0) / 1e6
      mean = Double(values.reduce(0, +)) / Double(max(values.count, 1)) / 1e6
      maximum = Double(values.max() ?? 0) / 1e6
    }

    /// A metric that has the same value `n` times.
    init(_ name: String, always milliseconds: Double, n: Int) {
      self.name = name
      self.n = n
      minimum = milliseconds
      mean = milliseconds
      maximum = milliseconds
    }
  }

  package let frames: Int
  package let displayed: Int
  package let replaced: Int
  package let discarded: Int
  package let metrics: [Metric]
}

extension ScenarioTruth {
  /// The truth as JSON, schema `frametool.truth/1`.
  package func json(scenario: String, seed: UInt64) -> String {
    var json = JSONWriter(indented: true)
    json.object { json in
      json.key("schema")
      json.value("frametool.truth/1")
      json.key("scenario")
      json.value(scenario)
      json.key("seed")
      json.value(Int64(truncatingIfNeeded: seed))
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
    }
    json.endLine()
    return String(decoding: json.bytes, as: UTF8.self)
  }

  private func writeMetrics(to json: inout JSONWriter) {
    for metric in metrics {
      json.key(metric.name)
      json.object { json in
        json.key("unit")
        json.value("ms")
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
