/// The touches of a surface and their latencies.
enum LatencyShape {
  static let shape = JSONShape.either([
    .object([
      measured("touch_to_photon", "from the scan of a main sample to its light"),
      measured("touch_to_photon_coalesced", "the same for coalesced samples"),
      measured("input_age", "the age of the newest sample that a frame shows"),
      measured("effective", "the same with predictions"),
      measured("frames", "touch to photon in refresh intervals"),
      measured("input_age_frames", "input age in refresh intervals"),
      measured("effective_frames", "effective latency in refresh intervals"),
      .integer("predicted_frames", "frames that used a prediction"),
      .map("breakdown", .named("measured"), "the parts of touch to photon, which add up to it"),
      .rows(
        "prediction_error",
        [
          .number("horizon_ms", "how far ahead"),
          measured("error", "the distance from the path that was taken"),
        ], "how wrong predictions were"),
      .number("scan_out_share", "the share of the scan-out that is counted"),
      .number("device_offset_ms", "the constant for the device, which is added to each latency"),
    ]),
    .object([
      measured("touch_to_photon", "why it is unknown"), measured("input_age", "why it is unknown"),
      measured("effective", "why it is unknown"), measured("frames", "why it is unknown"),
      .object("breakdown", [.text("why", "why it is unknown")], "why it is unknown"),
    ]),
  ])

  private static func measured(_ key: String, _ meaning: String) -> JSONMember {
    JSONMember(key, .named("measured"), meaning)
  }

  private static let keys = [
    "main", "coalesced", "predicted", "undelivered", "cancelled", "unresolved",
  ]

  static let touches = JSONShape.object(
    [
      .integer("main", "main samples"), .integer("coalesced", "coalesced samples"),
      .integer("predicted", "predicted samples"),
      .integer("undelivered", "main samples that reached no frame").orNull,
      .integer("cancelled", "main samples that were cancelled"),
      .integer("unresolved", "main samples still on their way at the end").orNull,
      .integer("unknown", "main samples whose fate is unknown"),
      .integer("impossible", "main samples whose times contradict each other"),
    ], orMissing: keys)
}
