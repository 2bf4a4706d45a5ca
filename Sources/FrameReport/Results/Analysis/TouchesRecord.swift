import FrameAnalysis
import FrameStatistics
import FrameTrace

extension FieldRecord {
  private static let counts: [(key: String, of: @Sendable (TouchSummary) -> Int?)] = [
    ("main", { $0.main }), ("coalesced", { $0.coalesced }), ("predicted", { $0.predicted }),
    // If the fates of samples are unknown, none is known to be lost.
    ("undelivered", { $0.unknown > 0 ? nil : $0.undelivered }), ("cancelled", { $0.cancelled }),
    ("unresolved", { $0.unknown > 0 ? nil : $0.unresolved }), ("unknown", { $0.unknown }),
    ("impossible", { $0.impossible }),
  ]

  /// How many touch samples a surface has, and what became of them.
  static func touches(_ surface: SurfaceAnalysis) -> FieldRecord {
    guard let touches = surface.touches.value else {
      return FieldRecord(
        missing: counts.prefix(6).map(\.key), surface.touches.whyMissing ?? "")
    }
    var record = FieldRecord()
    for (key, count) in counts {
      record.add(
        key, count(touches), else: touches.whyNoLatency, Figure(unit: "samples", n: touches.main))
    }
    return record
  }

  /// The latencies of touches, and their parts.
  static func latency(_ surface: SurfaceAnalysis, _ options: AnalysisOptions) -> FieldRecord {
    guard let touches = surface.touches.value else {
      return noLatency(surface.touches.whyMissing ?? "")
    }
    let why = touches.whyNoLatency ?? "no touch reached the display"
    let interval = "the display times keep no fixed interval"
    var record = FieldRecord()
    let add = {
      (key: String, summary: Summary?, count: Int?, unit: String, why: String) in
      record.add(
        key,
        MeasuredField(
          summary, missing: count.map { $0 - (summary?.n ?? 0) } ?? 0, unit: unit,
          isInferred: touches.isInferred, else: why))
    }
    add("touch_to_photon", touches.touchToPhoton, touches.main, "ms", why)
    add(
      "touch_to_photon_coalesced", touches.touchToPhotonCoalesced, touches.coalesced, "ms",
      touches.coalesced == 0 ? "there are no coalesced samples" : why)
    add("input_age", touches.inputAge, nil, "ms", why)
    add("effective", touches.effective, nil, "ms", why)
    add(
      "frames", touches.touchToPhotonFrames, touches.main, "frames",
      touches.touchToPhoton == nil ? why : interval)
    let whyNoFrames = touches.inputAge == nil ? why : interval
    add("input_age_frames", touches.inputAgeFrames, nil, "frames", whyNoFrames)
    add("effective_frames", touches.effectiveFrames, nil, "frames", whyNoFrames)
    record.add("predicted_frames", touches.predictedFrames)
    record.add("breakdown") { $0.add(partsOf: touches, else: why) }
    record.add(
      "prediction_error",
      rows: touches.predictionErrors, Figure(unit: "pt")
    ) { item, record in
      var error = MeasuredField(item.error, unit: "pt", else: why)
      error.definition = "\(item.horizon.milliseconds) ms ahead"
      record.add("horizon_ms", item.horizon.milliseconds)
      record.add("error", error)
    }
    record.add("scan_out_share", options.scanOutShare, Figure(unit: ""))
    record.add("device_offset_ms", options.deviceOffset.milliseconds, Figure(unit: "ms"))
    return record
  }

  private static func noLatency(_ why: String) -> FieldRecord {
    var record = FieldRecord()
    for key in ["touch_to_photon", "input_age", "effective"] {
      record.add(key, MeasuredField(nil, else: why).record)
    }
    record.add("frames", MeasuredField(nil, unit: "frames", else: why).record)
    record.add("breakdown", FieldRecord(missing: [], why))
    return record
  }

  /// Adds each part by its name; parts that cannot be separated follow together, and the constant for the device, if there
  /// is one, so that all parts add up.
  private mutating func add(partsOf touches: TouchSummary, else why: String) {
    let whole = touches.touchToPhoton?.n ?? 0
    let known = touches.breakdown
    for part in TouchSummary.parts {
      let own = known.first { $0.parts == [part] }
      let joined = known.first { $0.parts.count > 1 && $0.parts.contains(part) }
      let reason = joined.map { "measured only as part of \($0.parts.joined(separator: "+"))" }
      add(
        part,
        MeasuredField(
          own?.lengths, missing: whole - (own?.lengths.n ?? 0), isInferred: touches.isInferred,
          else: reason ?? why))
    }
    for part in known where part.parts.count > 1 || part.parts == [TouchSummary.deviceOffset] {
      add(
        part.parts.joined(separator: "+"),
        MeasuredField(
          part.lengths, missing: whole - part.lengths.n, isInferred: touches.isInferred, else: why))
    }
  }
}
