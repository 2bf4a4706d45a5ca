import FrameAnalysis
import FrameTrace

extension FieldRecord {
  private static let depths = ["1", "2", "3", "4+"]

  /// The buffers of a surface.
  static func buffers(_ surface: SurfaceAnalysis, from origin: Timestamp) -> FieldRecord {
    guard let buffers = surface.buffers.value else {
      return FieldRecord(
        missing: ["depth_share", "colors", "inferred", "mode_changes"],
        surface.buffers.whyMissing ?? "")
    }
    let figure = { (unit: String) in
      Figure(
        unit: unit, n: surface.outcomes.displayed,
        isInferred: buffers.isInferred || buffers.hasInferredUse)
    }
    var record = FieldRecord()
    let shares = buffers.depthShares.map { shares in
      var record = FieldRecord()
      for (key, share) in zip(depths, shares) { record.add(key, share, figure("")) }
      return record
    }
    record.add("depth_share", shares, else: "no frame has a display time")
    record.add("colors", buffers.count, figure("buffers"))
    record.add("inferred", buffers.isInferred || buffers.hasInferredUse)
    record.add("mode_changes", events: buffers.changes) { change, record in
      record.add("t_ms", (change.time - origin).milliseconds)
      record.add("from", change.from)
      record.add("to", change.to)
      record.add("frame", change.frame)
      record.add(
        "stage", change.stage?.rawValue,
        else: "no recorded stage took a different time")
    }
    record.add("used", buffers.used, else: "the trace names no buffers")
    record.add(
      "allocated", buffers.allocated, else: "the trace does not say how many were allocated")
    record.add(
      "held", buffers.held, else: "the trace does not say which buffers the compositor held")
    record.add("pool", buffers.isPool)
    return record
  }

  /// The refreshes of a display.
  /// - Parameter origin: The zero of times.
  init(_ refreshes: DisplayRefreshes, from origin: Timestamp) {
    let why = "the display times keep no fixed interval"
    let figure = Figure(unit: "ms", definition: refreshes.source?.rawValue ?? "")
    add("refresh_ms", refreshes.interval?.milliseconds, else: why, figure)
    add("variable", refreshes.isVariable)
    add("source", refreshes.source?.rawValue, else: why)
    // Four decimals are precise enough, and the same on every machine.
    addIfAny("coherence", refreshes.coherence.map { ($0 * 1e4).rounded() / 1e4 })
    addIfAny("step_share", refreshes.stepShare.map { ($0 * 1e4).rounded() / 1e4 })
    if refreshes.isVariable {
      add("shortest_ms", refreshes.shortest?.milliseconds, else: "the trace does not state it")
    }
    addIfAny("contradicted_ms", refreshes.contradicted?.milliseconds)
    addIfAny("may_be_ms", refreshes.mayBeInterval?.milliseconds)
    let stretches = refreshes.rateStretches
    guard !stretches.isEmpty else { return }
    add("rates", rows: stretches) { stretch, record in
      record.add("t_ms", (stretch.start - origin).milliseconds)
      record.add("refresh_ms", stretch.interval.milliseconds)
    }
  }

  /// The record of a display that was not requested.
  static var noDisplay: FieldRecord {
    FieldRecord(
      missing: ["refresh_ms", "variable", "source"], "the requested metrics do not need it")
  }
}
