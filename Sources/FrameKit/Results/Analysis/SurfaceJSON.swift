/// The JSON object of one surface.
struct SurfaceJSON {
  private let surface: SurfaceAnalysis
  private let analysis: TraceAnalysis
  private var options: AnalysisOptions { analysis.options }
  /// The instant that times are given from: the start of the trace.
  private var origin: Timestamp { analysis.origin }

  init(_ surface: SurfaceAnalysis, of analysis: TraceAnalysis) {
    self.surface = surface
    self.analysis = analysis
  }

  func write(to json: inout JSONWriter) {
    json.member("id", surface.id)
    json.member("process", surface.process)
    json.member("pid", surface.processID)
    json.member("name", surface.name)
    for (key, section) in sections {
      json.key(key)
      json.object(section)
    }
    json.key("display")
    json.object { json in DisplayJSON.write(surface.refreshes, to: &json) }
    if let passes = surface.passes {
      json.key("offscreen_passes")
      json.object { json in write(passes, to: &json) }
    }
    if let over = surface.overBudget {
      json.key("over_budget")
      json.object { json in write(over, to: &json) }
    }
    if !surface.dialects.isEmpty {
      json.key("dialects")
      json.object { json in
        for result in surface.dialects {
          json.key(result.dialect.name)
          json.array { json in write(result, to: &json) }
        }
      }
    }
    if options.worstCount > 0 {
      json.key("worst")
      json.array { json in
        for frame in surface.worst { json.object { json in write(frame, to: &json) } }
      }
    }
    var reasons: [(String, String)] = []
    if surface.process == nil { reasons.append(("process", "the source does not name it")) }
    if surface.processID == nil { reasons.append(("pid", "the source does not name it")) }
    if surface.name == nil { reasons.append(("name", "the source does not name it")) }
    json.writeReasons(reasons)
  }

  private var sections: [(String, (inout JSONWriter) -> Void)] {
    let touches = TouchesJSON(surface.touches, options)
    return [
      ("frames", writeFrames),
      ("dropped", { DropsJSON.write(surface.drops, of: analysis, to: &$0) }),
      ("hitches", { DropsJSON.write(surface.hitches, to: &$0) }),
      ("buffers", { BuffersJSON.write(surface.buffers, from: origin, to: &$0) }),
      ("latency", touches.writeLatency), ("touches", touches.writeCounts),
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

  private func write(_ result: DialectResult, to json: inout JSONWriter) {
    for (figure, value) in zip(result.dialect.figures, result.values) {
      json.object { json in
        json.member("name", figure.name)
        json.member("value", value)
        json.member("unit", figure.unit)
        json.member("formula", figure.formula)
        json.member("ours", figure.counterpart)
        if value == nil { json.writeReasons([("value", "the tool has none for so few frames")]) }
      }
    }
  }

  private func write(_ passes: TheilSen, to json: inout JSONWriter) {
    json.member("gpu_ms_per_pass", passes.slope / 1e6)
    json.key("ci95")
    json.array { json in
      json.value(passes.low / 1e6)
      json.value(passes.high / 1e6)
    }
    json.member("n", passes.n)
    json.member("method", "Theil-Sen")
  }

  private func write(_ over: Finding<BudgetShare>, to json: inout JSONWriter) {
    json.member("budget_ms", options.budget?.milliseconds)
    json.member("frames", over.value?.over)
    json.member("n", over.value?.n ?? 0)
    json.member("share", over.value?.share)
    if let why = over.whyMissing { json.writeReasons([("frames", why), ("share", why)]) }
  }

  private func write(_ frame: WorstFrame, to json: inout JSONWriter) {
    json.member("frame", frame.row)
    json.member("id", frame.identifier.map { Int($0) })
    json.member("t_ms", (frame.time - origin).milliseconds)
    json.member("display_change_ms", frame.displayChange?.milliseconds)
    json.member("frame_time_ms", frame.frameTime?.milliseconds)
    json.member("app_ms", frame.app?.milliseconds)
    json.member("compositor_ms", frame.compositor?.milliseconds)
    json.member("gpu_ms", frame.gpu?.milliseconds)
    json.member("queue_ms", frame.queueWait?.milliseconds)
    json.member("dropped", frame.dropped)
    let whyNoDrops = surface.drops.whyMissing ?? ""
    let missing: [(String, Nanoseconds?)] = [
      ("display_change_ms", frame.displayChange), ("frame_time_ms", frame.frameTime),
      ("app_ms", frame.app), ("compositor_ms", frame.compositor), ("gpu_ms", frame.gpu),
      ("queue_ms", frame.queueWait),
    ]
    var reasons = missing.filter { $0.1 == nil }.map { ($0.0, "the source does not record it") }
    if frame.dropped == nil { reasons.append(("dropped", whyNoDrops)) }
    if frame.identifier == nil { reasons.append(("id", "the source does not number frames")) }
    json.writeReasons(reasons)
  }

  private func writeMetrics(to json: inout JSONWriter) {
    for metric in surface.metrics {
      json.key(metric.name)
      json.object { json in MetricJSON(metric).write(to: &json) }
    }
  }
}
