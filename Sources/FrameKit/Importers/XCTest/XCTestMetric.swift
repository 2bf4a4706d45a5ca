/// What a metric of XCTest is, by its identifier.
enum XCTestMetric: Equatable {
  /// How long launches took, to the first frame or until the app answered.
  case launch(untilResponsive: Bool)
  /// A figure of an iteration: one of frametool's names, and the unit that it is given in.
  case figure(String, unit: String)

  /// The ends of identifiers, for each what it is.
  ///
  /// Seen in results and logs of Xcode 12 to 26: `Scroll_Deceleration.animation.hitch.time.ratio`,
  /// shorter in some, and `XCTMetric_Hitch-<app>.time.ratio` since iOS 26.
  private static let figures: [(ends: [String], name: String, unit: String)] = [
    (
      [".hitch.time.ratio", ".hitchTimeRatio", "XCTMetric_Hitch.time.ratio", "hitch_time_ratio"],
      "hitchRatio", "ms/s"
    ),
    (
      [".hitch.number", ".hitches", "XCTMetric_Hitch.number", "number_of_hitches"], "hitches",
      "hitches"
    ),
    (
      [
        ".hitches.total.duration", ".totalHitchDuration", "XCTMetric_Hitch.total.duration",
        "hitches_total_duration",
      ], "hitchTime", "ms"
    ),
    ([".frame.rate", ".frameRate", "frame_rate"], "displayedFrameRate", "fps"),
    ([".frame.count", ".frameCount", "frame_count"], "frames", "frames"),
  ]

  /// - Returns: `nil` for a metric of anything else.
  init?(_ identifier: String) {
    if identifier.contains("ApplicationLaunch"),
      identifier.hasSuffix(".duration") || identifier.hasSuffix("WallClockTime")
    {
      self = .launch(untilResponsive: identifier.contains("Responsive"))
      return
    }
    // What it is normalised by is told nowhere.
    if identifier.contains("normalized") { return nil }
    let plain = Self.withoutApp(identifier)
    if let known = Self.figures.first(where: { $0.ends.contains(where: plain.hasSuffix) }) {
      self = .figure(known.name, unit: known.unit)
    } else if identifier.contains("XCTMetric_OSSignpost"), identifier.hasSuffix(".duration") {
      self = .figure("signpostTime", unit: "ms")
    } else {
      return nil
    }
  }

  /// `XCTMetric_Hitch-Maps.time.ratio` as `XCTMetric_Hitch.time.ratio`.
  private static func withoutApp(_ identifier: String) -> String {
    guard let start = identifier.ranges(of: "XCTMetric_Hitch-").first,
      let end = ["time.ratio", "total.duration", "number"].first(where: identifier.hasSuffix)
    else { return identifier }
    return String(identifier[..<start.lowerBound]) + "XCTMetric_Hitch." + end
  }

  /// What it was measured of, between the metric's class and its name: a signpost, an app.
  static func subject(_ identifier: String) -> String? {
    guard let dash = identifier.firstIndex(of: "-") else { return nil }
    let rest = identifier[identifier.index(after: dash)...]
    let ends = [
      ".animation.", ".hitch", ".time.ratio", ".total", ".number", ".duration", ".frame",
    ]
    let end = ends.compactMap { rest.ranges(of: $0).first?.lowerBound }.min()
    let subject = rest[..<(end ?? rest.endIndex)]
    return subject.isEmpty ? nil : String(subject)
  }

  /// A measurement in the metric's unit; `nil` where the source's unit is not one of it.
  static func value(_ measurement: Double, _ unit: String, as wanted: String) -> Double? {
    let words = unit.lowercased()
    switch (wanted, words) {
    case ("ms", "s"), ("ms", "sec"): return measurement * 1000
    case ("ms", "ms"): return measurement
    case ("ms/s", "ms per s"), ("ms/s", "ms/s"): return measurement
    case ("fps", "fps"), ("fps", "frames/s"), ("fps", "frames per s"): return measurement
    // Of counts nothing but their number is known.
    case ("hitches", _), ("frames", _): return measurement
    default: return nil
    }
  }
}
