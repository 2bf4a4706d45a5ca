import FrameTrace

/// The meaning of an XCTest metric, from its identifier.
enum XCTestMetric: Equatable {
  /// The times of launches, to the first frame or until the app answered.
  case launch(untilResponsive: Bool)
  /// A figure of an iteration, and the measured subject: a signpost or an app.
  case figure(StatedMetric, of: String)

  /// The prefixes of identifiers, before the measured subject.
  private static let signpost = "XCTMetric_OSSignpost-"
  private static let hitch = "XCTMetric_Hitch-"
  private static let launches = [
    "XCTMetric_ApplicationLaunch", "XCTPerformanceMetric_ApplicationLaunch",
  ]
  /// The signpost with which Xcode 11's tests measured launches.
  private static let launchSignpost = "XCTMetric_OSSignpost-ApplicationLaunch.duration"

  /// The suffixes of the identifiers of signpost metrics; among similar suffixes, the longest comes first.
  ///
  /// Seen in results and logs of Xcode 12 to 26.
  private static let signpostEnds: [(end: String, metric: StatedMetric)] = [
    (".animation.hitch.time.ratio", .hitchRatio), (".hitchTimeRatio", .hitchRatio),
    (".animation.hitch.number", .hitchCount), (".hitches", .hitchCount),
    (".animation.hitches.total.duration", .hitchTotal), (".totalHitchDuration", .hitchTotal),
    (".animation.frame.rate", .displayedFrameRate), (".frameRate", .displayedFrameRate),
    (".animation.frame.count", .frames), (".frameCount", .frames),
    (".duration", .signpostTime),
  ]

  /// The suffixes of the identifiers of an app's hitch metrics, since iOS 26.
  private static let hitchEnds: [(end: String, metric: StatedMetric)] = [
    (".time.ratio", .hitchRatio), (".number", .hitchCount), (".total.duration", .hitchTotal),
  ]

  /// - Returns: `nil` for any other metric.
  init?(_ identifier: String) {
    let name = identifier.split(separator: ".").drop { !$0.hasPrefix("XCT") }
      .joined(separator: ".")
    if name == Self.launchSignpost
      || Self.launches.contains(where: name.hasPrefix)
        && (name.hasSuffix(".duration") || name.hasSuffix("WallClockTime"))
    {
      self = .launch(untilResponsive: name.contains("Responsive"))
      return
    }
    let (start, ends) =
      name.hasPrefix(Self.signpost)
      ? (Self.signpost, Self.signpostEnds) : (Self.hitch, Self.hitchEnds)
    guard name.hasPrefix(start), let known = ends.first(where: { name.hasSuffix($0.end) }) else {
      return nil
    }
    let subject = name.dropFirst(start.count).dropLast(known.end.count)
    // Results do not state what a ratio is normalized by, and parts of hitches are not complete hitches.
    let isPart = [".animation", ".hitch", ".normalized"].contains(where: subject.contains)
    guard !subject.isEmpty, !isPart else { return nil }
    self = .figure(known.metric, of: String(subject))
  }

  /// A measurement in a metric's unit; `nil` if the source's unit cannot be converted to it.
  static func value(_ measurement: Double, _ unit: String, as wanted: String) -> Double? {
    switch (wanted, unit.lowercased()) {
    case ("ms", "s"), ("ms", "sec"), ("ms", "seconds"): measurement * 1000
    case ("ms", "ms"), ("ms", "milliseconds"): measurement
    case ("ms/s", "ms per s"), ("ms/s", "ms/s"): measurement
    case ("fps", "fps"), ("fps", "frames/s"), ("fps", "frames per s"): measurement
    // Counts are plain numbers in any unit.
    case ("hitches", _), ("frames", _): measurement
    default: nil
    }
  }
}
