extension FieldRecord {
  /// The refreshes of a display.
  init(_ refreshes: DisplayRefreshes) {
    let why = "the display times keep no interval"
    let figure = Figure(unit: "ms", definition: refreshes.source?.rawValue ?? "")
    add("refresh_ms", refreshes.interval?.milliseconds, else: why, figure)
    add("variable", refreshes.isVariable)
    add("source", refreshes.source?.rawValue, else: why)
    // Four digits say what there is to say, and are the same on every machine.
    addIfAny("coherence", refreshes.coherence.map { ($0 * 1e4).rounded() / 1e4 })
    if refreshes.isVariable {
      add("shortest_ms", refreshes.shortest?.milliseconds, else: "the trace does not state it")
    }
    addIfAny("contradicted_ms", refreshes.contradicted?.milliseconds)
  }

  /// A display that nobody asked for.
  static var noDisplay: FieldRecord {
    FieldRecord(
      missing: ["refresh_ms", "variable", "source"], "the metrics asked for do not need it")
  }
}
