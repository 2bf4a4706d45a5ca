import FrameAnalysis
import FrameStatistics
import FrameTrace

extension TouchSummary {
  /// The counts of touch samples by outcome.
  static let counts = samples.map { $0.counted { FieldRecord.Figure(unit: "samples", n: $0.main) } }

  private static let samples: [ResultColumn<TouchSummary>] = [
    .integer("main", "main samples", \.main),
    .integer("coalesced", "coalesced samples", \.coalesced),
    .integer("predicted", "predicted samples", \.predicted),
    // If the outcomes of samples are unknown, no sample is known to be lost.
    .integer("undelivered", "main samples that reached no frame") {
      $0.unknown > 0 ? nil : $0.undelivered
    }.otherwise(\.whyNoLatency),
    .integer("cancelled", "main samples that were cancelled", \.cancelled),
    .integer("unresolved", "main samples still on their way at the end") {
      $0.unknown > 0 ? nil : $0.unresolved
    }.otherwise(\.whyNoLatency),
    .integer("unknown", "main samples whose fate is unknown", \.unknown),
    .integer("impossible", "main samples whose times contradict each other", \.impossible),
  ]

  typealias Row = (touches: TouchSummary, options: AnalysisOptions)

  /// The latencies of touches, and their parts.
  static let fields: [ResultColumn<Row>] = [
    latency(
      "touch_to_photon", "from the scan of a main sample to its light", \.touchToPhoton, \.main),
    latency(
      "touch_to_photon_coalesced", "the same for coalesced samples", \.touchToPhotonCoalesced,
      \.coalesced
    ) { $0.coalesced == 0 ? "the source has no coalesced samples" : $0.whyNone },
    latency("input_age", "the age of the newest sample that a frame shows", \.inputAge),
    latency("effective", "the same with predictions", \.effective),
    latency(
      "frames", "touch to photon in refresh intervals", \.touchToPhotonFrames, \.main,
      unit: "frames"
    ) { $0.touchToPhoton == nil ? $0.whyNone : noInterval },
    latency(
      "input_age_frames", "input age in refresh intervals", \.inputAgeFrames, unit: "frames"
    ) { $0.inputAge == nil ? $0.whyNone : noInterval },
    latency(
      "effective_frames", "effective latency in refresh intervals", \.effectiveFrames,
      unit: "frames"
    ) { $0.inputAge == nil ? $0.whyNone : noInterval },
    .integer(
      "predicted_frames", "frames that used a prediction", \.touches.predictedFrames),
    .map(
      "breakdown", .named("measured"), "the parts of touch to photon, which add up to it"
    ) { row in FieldRecord { $0.add(partsOf: row.touches, else: row.touches.whyNone) } },
    .rows(
      "prediction_error",
      [
        .length("horizon", "how far ahead", \.item.horizon),
        .measured("error", "the distance from the path that was taken") { row in
          var error = MeasuredField(row.item.error, unit: "pt", else: row.why)
          error.definition = "\(row.item.horizon.milliseconds) ms ahead"
          return error
        },
      ], "how wrong predictions were"
    ) { row in row.touches.predictionErrors.map { (item: $0, why: row.touches.whyNone) } }
    .counted { _ in FieldRecord.Figure(unit: "pt") },
    .real("scan_out_share", "the share of the scan-out that is counted", \.options.scanOutShare)
      .counted { _ in FieldRecord.Figure(unit: "") },
    .length(
      "device_offset", "the constant for the device, which is added to each latency",
      \.options.deviceOffset
    ).counted { _ in FieldRecord.Figure(unit: "ms") },
  ]

  private static let noInterval = "the display times keep no fixed interval"

  private var whyNone: String { whyNoLatency ?? "no touch reached the display" }

  /// - Parameters:
  ///   - count: The number of values if none were missing; `nil` if unknown.
  ///   - why: The reason for a missing summary.
  private static func latency(
    _ key: String, _ meaning: String, _ summary: @escaping @Sendable (TouchSummary) -> Summary?,
    _ count: (@Sendable (TouchSummary) -> Int)? = nil, unit: String = "ms",
    why: @escaping @Sendable (TouchSummary) -> String = { $0.whyNone }
  ) -> ResultColumn<Row> {
    .measured(key, meaning) { row in
      let found = summary(row.touches)
      return MeasuredField(
        found, missing: count.map { $0(row.touches) - (found?.n ?? 0) } ?? 0, unit: unit,
        isInferred: row.touches.isInferred, else: why(row.touches))
    }
  }
}

/// The shape of the latencies of a surface in JSON.
enum LatencyShape {
  static let shape = JSONShape.either([
    .object(of: TouchSummary.fields),
    .object(
      ["touch_to_photon", "input_age", "effective", "frames"].map {
        JSONMember($0, .named("measured"), "why it is unknown")
      } + [.object("breakdown", [.text("why", "why it is unknown")], "why it is unknown")]),
  ])

  /// The latencies of a surface without touches.
  static func missing(_ why: String) -> FieldRecord {
    FieldRecord { record in
      for key in ["touch_to_photon", "input_age", "effective"] {
        record.add(key, MeasuredField(nil, else: why).record)
      }
      record.add("frames", MeasuredField(nil, unit: "frames", else: why).record)
      record.add("breakdown", FieldRecord(missing: [], why))
    }
  }
}

extension FieldRecord {
  /// Adds each part by name, then the parts that cannot be separated, then the device's constant if there is one, so
  /// that all parts add up.
  fileprivate mutating func add(partsOf touches: TouchSummary, else why: String) {
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
