/// The JSON object of the figures that describe a sample.
struct SummaryJSON {
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
      for key in Summary.names { json.member(key, summary?[key].map { $0 / 1e6 }) }
      json.member("inferred", isInferred)
      if summary == nil { json.writeReasons(Summary.names.map { ($0, why) }) }
    }
  }
}
