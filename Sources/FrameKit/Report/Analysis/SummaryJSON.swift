/// The JSON object of the figures that describe a sample.
struct SummaryJSON {
  private static let keys = ["min", "mean", "p50", "p90", "p95", "p99", "max"]

  /// Writes a member with the figures, or with nulls and why there are none.
  static func write(
    _ key: String, _ summary: Summary?, missing: Int = 0, unit: String, isInferred: Bool,
    why: String, to json: inout JSONWriter
  ) {
    json.key(key)
    json.object { json in
      json.member("unit", unit)
      json.member("n", summary?.n ?? 0)
      json.member("missing", missing)
      let figures = summary.map {
        [$0.minimum, $0.mean, $0.p50, $0.p90, $0.p95, $0.p99, $0.maximum]
      }
      for (index, key) in keys.enumerated() { json.member(key, figures.map { $0[index] / 1e6 }) }
      json.member("inferred", isInferred)
      if summary == nil { json.writeReasons(keys.map { ($0, why) }) }
    }
  }
}
