/// The JSON objects of touches and of their latency.
struct TouchesJSON {
  private let touches: TouchSummary?
  private let why: String
  private let options: AnalysisOptions

  init(_ finding: Finding<TouchSummary>, _ options: AnalysisOptions) {
    touches = finding.value
    why = finding.whyMissing ?? touches?.whyNoLatency ?? "no touch was seen on the display"
    self.options = options
  }

  /// Writes the members of the object of latencies.
  func writeLatency(to json: inout JSONWriter) {
    write("touch_to_photon", touches?.touchToPhoton, of: touches?.main, to: &json)
    write(
      "touch_to_photon_coalesced", touches?.touchToPhotonCoalesced, of: touches?.coalesced,
      why: touches?.coalesced == 0 ? "there are no coalesced samples" : why, to: &json)
    write("input_age", touches?.inputAge, to: &json)
    write("effective", touches?.effective, to: &json)
    write(
      "frames", touches?.touchToPhotonFrames, of: touches?.main, unit: "frames",
      why: touches?.touchToPhoton == nil ? why : "the display times keep no interval", to: &json)
    let whyNoFrames = touches?.inputAge == nil ? why : "the display times keep no interval"
    write("input_age_frames", touches?.inputAgeFrames, unit: "frames", why: whyNoFrames, to: &json)
    write("effective_frames", touches?.effectiveFrames, unit: "frames", why: whyNoFrames, to: &json)
    json.member("predicted_frames", touches?.predictedFrames)
    json.key("breakdown")
    json.object(writeBreakdown)
    json.key("prediction_error")
    json.array { json in
      for (horizon, error) in touches?.predictionErrors ?? [] {
        json.object { json in
          json.member("horizon_ms", horizon.milliseconds)
          SummaryJSON.write("error", error, unit: "pt", isInferred: false, why: why, to: &json)
        }
      }
    }
    json.member("scan_out_share", options.scanOutShare)
    json.member("device_offset_ms", options.deviceOffset.milliseconds)
    if touches == nil { json.writeReasons([("predicted_frames", why)]) }
  }

  /// Writes each part by its name; parts that cannot be told apart are null there and stand
  /// together behind.
  private func writeBreakdown(to json: inout JSONWriter) {
    let known = touches?.breakdown ?? []
    for part in TouchSummary.parts {
      let own = known.first { $0.parts == [part] }
      let joined = known.first { $0.parts.count > 1 && $0.parts.contains(part) }
      let reason = joined.map { "stands with others under \($0.parts.joined(separator: "+"))" }
      write(part, own?.lengths, of: touches?.touchToPhoton?.n, why: reason ?? why, to: &json)
    }
    for part in known where !TouchSummary.parts.contains(part.parts.joined(separator: "+")) {
      write(
        part.parts.joined(separator: "+"), part.lengths, of: touches?.touchToPhoton?.n, to: &json)
    }
  }

  private func write(
    _ key: String, _ summary: Summary?, of count: Int? = nil, unit: String = "ms",
    why: String? = nil, to json: inout JSONWriter
  ) {
    SummaryJSON.write(
      key, summary, missing: count.map { $0 - (summary?.n ?? 0) } ?? 0, unit: unit,
      isInferred: touches?.isInferred ?? false, why: why ?? self.why, to: &json)
  }

  /// Writes the members of the object of counts.
  func writeCounts(to json: inout JSONWriter) {
    // Where nothing tells what became of samples, none is known to be lost.
    let isUnknown = (touches?.unknown ?? 0) > 0
    let counts: [(String, Int?)] = [
      ("main", touches?.main), ("coalesced", touches?.coalesced),
      ("predicted", touches?.predicted),
      ("undelivered", isUnknown ? nil : touches?.undelivered),
      ("cancelled", touches?.cancelled), ("unresolved", isUnknown ? nil : touches?.unresolved),
      ("unknown", touches?.unknown), ("impossible", touches?.impossible),
    ]
    for (key, count) in counts { json.member(key, count) }
    json.writeReasons(counts.filter { $0.1 == nil }.map { ($0.0, why) })
  }
}
