/// The JSON objects of touches and of their latency.
struct TouchesJSON {
  private let touches: TouchSummary?
  private let why: String
  private let options: AnalysisOptions

  init(_ finding: Finding<TouchSummary>, _ options: AnalysisOptions) {
    touches = finding.value
    why = finding.whyMissing ?? "no touch was seen on the display"
    self.options = options
  }

  /// Writes the members of the object of latencies.
  func writeLatency(to json: inout JSONWriter) {
    write("touch_to_photon", touches?.touchToPhoton, of: touches?.main, to: &json)
    write(
      "touch_to_photon_coalesced", touches?.touchToPhotonCoalesced, of: touches?.coalesced,
      to: &json)
    write("input_age", touches?.inputAge, to: &json)
    write("effective", touches?.effective, to: &json)
    write("frames", touches?.touchToPhotonFrames, unit: "frames", to: &json)
    write("input_age_frames", touches?.inputAgeFrames, unit: "frames", to: &json)
    write("effective_frames", touches?.effectiveFrames, unit: "frames", to: &json)
    json.key("breakdown")
    json.object(writeBreakdown)
    json.key("prediction_error")
    json.array { json in
      for (horizon, error) in touches?.predictionErrors ?? [] {
        json.object { json in
          json.member("horizon_ms", horizon.milliseconds)
          write("error", error, unit: "pt", to: &json)
        }
      }
    }
    json.member("scan_out_share", options.scanOutShare)
    json.member("device_offset_ms", options.deviceOffset.milliseconds)
  }

  /// Writes each part by its name; parts that cannot be told apart are null there and stand
  /// together behind.
  private func writeBreakdown(to json: inout JSONWriter) {
    let known = touches?.breakdown ?? []
    for part in TouchSummary.parts {
      let own = known.first { $0.parts == [part] }
      let joined = known.first { $0.parts.count > 1 && $0.parts.contains(part) }
      let reason = joined.map { "stands with others under \($0.parts.joined(separator: "+"))" }
      SummaryJSON.write(
        part, own?.lengths, unit: "ms", isInferred: touches?.isInferred ?? false,
        why: reason ?? why, to: &json)
    }
    for part in known where part.parts.count > 1 {
      write(part.parts.joined(separator: "+"), part.lengths, to: &json)
    }
  }

  private func write(
    _ key: String, _ summary: Summary?, of count: Int? = nil, unit: String = "ms",
    to json: inout JSONWriter
  ) {
    SummaryJSON.write(
      key, summary, missing: count.map { $0 - (summary?.n ?? 0) } ?? 0, unit: unit,
      isInferred: touches?.isInferred ?? false, why: why, to: &json)
  }

  /// Writes the members of the object of counts.
  func writeCounts(to json: inout JSONWriter) {
    let counts = [
      ("main", touches?.main), ("coalesced", touches?.coalesced),
      ("predicted", touches?.predicted), ("undelivered", touches?.undelivered),
      ("cancelled", touches?.cancelled), ("unresolved", touches?.unresolved),
    ]
    for (key, count) in counts { json.member(key, count) }
    if touches == nil { json.writeReasons(counts.map { ($0.0, why) }) }
  }
}
