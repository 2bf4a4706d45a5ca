/// The JSON object of the refreshes of a display.
struct DisplayJSON {
  /// Writes the members of the object.
  /// - Parameter refreshes: `nil` when what was asked for needs none.
  static func write(_ refreshes: DisplayRefreshes?, to json: inout JSONWriter) {
    json.member("refresh_ms", refreshes?.interval?.milliseconds)
    json.member("variable", refreshes?.isVariable)
    json.member("source", refreshes?.source?.rawValue)
    if let coherence = refreshes?.coherence {
      // Four digits say what there is to say, and are the same on every machine.
      json.member("coherence", (coherence * 1e4).rounded() / 1e4)
    }
    if refreshes?.isVariable == true {
      json.member("shortest_ms", refreshes?.shortest?.milliseconds)
    }
    if let contradicted = refreshes?.contradicted {
      json.member("contradicted_ms", contradicted.milliseconds)
    }
    guard let refreshes else {
      let why = "the metrics asked for do not need it"
      return json.writeReasons(["refresh_ms", "variable", "source"].map { ($0, why) })
    }
    let why = "the display times keep no interval"
    var reasons: [(String, String)] = []
    if refreshes.interval == nil { reasons.append(("refresh_ms", why)) }
    if refreshes.source == nil { reasons.append(("source", why)) }
    if refreshes.isVariable, refreshes.shortest == nil {
      reasons.append(("shortest_ms", "the trace does not state it"))
    }
    json.writeReasons(reasons)
  }
}
