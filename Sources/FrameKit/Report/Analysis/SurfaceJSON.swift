/// The JSON object of one surface.
struct SurfaceJSON {
  private let surface: SurfaceAnalysis

  /// Why what only the pipeline's reconstruction can tell is missing.
  private static let notRebuilt = "this version does not rebuild the pipeline"

  init(_ surface: SurfaceAnalysis) { self.surface = surface }

  func write(to json: inout JSONWriter) {
    json.member("id", surface.id)
    json.member("process", surface.process)
    json.member("pid", surface.processID)
    json.member("name", surface.name)
    for (key, section) in sections {
      json.key(key)
      json.object(section)
    }
    var reasons: [(String, String)] = []
    if surface.process == nil { reasons.append(("process", "the source does not name it")) }
    if surface.processID == nil { reasons.append(("pid", "the source does not name it")) }
    if surface.name == nil { reasons.append(("name", "the source does not name it")) }
    json.writeReasons(reasons)
  }

  private var sections: [(String, (inout JSONWriter) -> Void)] {
    [
      ("frames", writeFrames), ("dropped", writeDropped), ("hitches", writeHitches),
      ("buffers", writeBuffers), ("latency", writeLatency), ("touches", writeTouches),
      ("metrics", writeMetrics),
    ]
  }

  private func writeFrames(to json: inout JSONWriter) {
    json.member("count", surface.outcomes.count)
    json.member("displayed", surface.outcomes.displayed)
    json.member("replaced", surface.outcomes.replaced)
    json.member("discarded", surface.outcomes.discarded)
    json.member("dropped", surface.outcomes.dropped)
    json.member("unresolved", surface.outcomes.unresolved)
    json.member("generated", surface.outcomes.generated)
  }

  private func writeDropped(to json: inout JSONWriter) {
    json.key("refreshes")
    json.null()
    json.key("by_stage")
    json.object { json in
      writeNulls(["app", "compositor", "gpu", "display", "unknown"], to: &json)
    }
    writeNulls(["share", "longest_run"], and: ["refreshes"], to: &json)
  }

  private func writeHitches(to json: inout JSONWriter) {
    for key in ["count", "total_ms", "ratio_ms_per_s"] {
      json.key(key)
      json.null()
    }
    json.key("grade")
    json.object { json in writeNulls(["wwdc20", "organizer"], to: &json) }
    writeNulls(["source"], and: ["count", "total_ms", "ratio_ms_per_s"], to: &json)
  }

  private func writeBuffers(to json: inout JSONWriter) {
    json.key("depth_share")
    json.object { json in writeNulls(["1", "2", "3", "4+"], to: &json) }
    writeNulls(["colors", "inferred", "mode_changes"], to: &json)
  }

  private func writeLatency(to json: inout JSONWriter) {
    for key in ["touch_to_photon", "touch_to_photon_coalesced", "input_age", "effective", "frames"]
    {
      json.key(key)
      json.null()
    }
    json.key("breakdown")
    json.object { json in
      writeNulls(
        ["scan", "delivery", "app", "compositor_wait", "compositor", "gpu", "queue", "scanout"],
        to: &json)
    }
    json.writeReasons(
      ["touch_to_photon", "touch_to_photon_coalesced", "input_age", "effective", "frames"]
        .map { ($0, Self.notRebuilt) })
  }

  private func writeTouches(to json: inout JSONWriter) {
    writeNulls(
      ["main", "coalesced", "predicted", "undelivered", "cancelled", "unresolved"], to: &json)
  }

  private func writeMetrics(to json: inout JSONWriter) {
    for metric in surface.metrics {
      json.key(metric.name)
      json.object { json in MetricJSON(metric).write(to: &json) }
    }
  }

  /// Writes members that are `null`, and why they and others are.
  private func writeNulls(_ keys: [String], and others: [String] = [], to json: inout JSONWriter) {
    for key in keys {
      json.key(key)
      json.null()
    }
    json.writeReasons((others + keys).map { ($0, Self.notRebuilt) })
  }
}
