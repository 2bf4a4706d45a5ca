import FrameTrace

/// MetricKit payloads from users' devices, a single payload or a list, as `jsonRepresentation()` writes them:
/// `MXMetricPayload`, one per day, and `MXDiagnosticPayload`.
///
/// Documentation: https://developer.apple.com/documentation/metrickit/mxmetricpayload. In
///
///     {"appVersion": "1.0", "applicationLaunchMetrics": {"histogrammedTimeToFirstDrawKey": {
///       "histogramValue": {"0": {"bucketCount": 50, "bucketStart": "1,000 ms", "bucketEnd": …
///
/// 50 launches took from 1000 to 1010 ms, and in
///
///     {"hangDiagnostics": [{"diagnosticMetaData": {"hangDuration": "2.5 sec", …}, "callStackTree": …
///
/// a hang took 2.5 s. Buckets come in any order and with gaps, and quantities are in the user's
/// language.
struct MetricKitPayload: TraceImporter {
  let name = "metrickit"
  let title = "MetricKit payload"
  let versions = "iOS 13 to 26, metrics and diagnostics"
  let documentation = "https://developer.apple.com/documentation/metrickit/mxmetricpayload"
  let platform: Platform? = .apple

  /// The largest file that is read.
  private static let mostBytes = 64 << 20

  /// The top-level members of payloads; at least two are near the start of a file.
  private static let members = [
    "\"applicationLaunchMetrics\"", "\"applicationResponsivenessMetrics\"", "\"animationMetrics\"",
    "\"signpostMetrics\"", "\"timeStampBegin\"", "\"appBuildVersion\"",
    "\"appVersion\"", "\"timeStampEnd\"", "\"metaData\"", "\"locationActivityMetrics\"",
    "\"cellularConditionMetrics\"", "\"applicationExitMetrics\"", "\"hangDiagnostics\"",
    "\"appLaunchDiagnostics\"", "\"crashDiagnostics\"", "\"cpuExceptionDiagnostics\"",
    "\"diskWriteExceptionDiagnostics\"", "\"diagnosticMetaData\"", "\"callStackTree\"",
  ]

  func recognize(_ head: FileHead) -> Recognition? {
    guard head.isJSON else { return nil }
    let found = Self.members.filter(head.contains)
    guard found.count > 1 else { return nil }
    return Recognition(
      format: "MetricKit payload",
      reason: "an object with the members \(found[0]) and \(found[1])")
  }

  func read(
    _ input: InputFile, _ provenance: Provenance, _ demand: TraceDemand
  ) throws(ParseError) -> TraceBuilder {
    let root = try JSONNode(
      input, atMost: Self.mostBytes, of: "payloads",
      help: "MXMetricPayload.jsonRepresentation() writes such files")
    let payloads = root.array ?? [root]
    var brokenDates = 0
    let settings = payloads.map { MetricKitFigures.setting($0, brokenDates: &brokenDates) }
    guard Set(settings.map { [$0.version, $0.device, $0.system] }).count <= 1 else {
      throw ParseError(
        path: input.path,
        problem: "expected payloads from one device and version, found several",
        help: "give each its own file: figures from different versions are not combined")
    }
    var builder = TraceBuilder(provenance)
    builder.trace.setting = settings.first ?? .unknown
    // The date of the newest payload; dates in one format sort by time.
    builder.trace.setting.date = settings.compactMap(\.date).max()
    builder.log.note(
      .malformedValue, .dataLoss, "dates that cannot be read, left out", count: brokenDates)
    for (number, payload) in payloads.enumerated() {
      var figures = MetricKitFigures(payload, run: number)
      figures.add(to: &builder)
      builder.log.note(
        .unknownRecord, .info, "diagnostics of crashes, CPU use and disk writes, not read",
        count: figures.otherDiagnostics)
    }
    guard !builder.trace.isEmpty else {
      if let issue = builder.log.issues.first(where: { $0.severity == .dataLoss }) {
        throw ParseError(
          path: input.path,
          problem:
            "expected readable values in the MetricKit payload, found none: \(issue.count) × \(issue.message)",
          help: "quantities are read in the languages listed on the MetricKit payloads page")
      }
      throw ParseError(
        path: input.path,
        problem:
          "expected a launch, hang, hitch or signpost in the MetricKit payload, found none\(holds(payloads))",
        help: "payloads from days with more use have them")
    }
    return builder
  }

  /// The names of the members that payloads have instead of the members that are read.
  private func holds(_ payloads: [JSONNode]) -> String {
    let about: Set<String> = ["metaData", "timeStampBegin", "timeStampEnd", "appVersion"]
    let names = Set(payloads.flatMap { $0.members.map(\.key) }).subtracting(about).sorted()
    return names.isEmpty ? "" : ", only \(names.joined(separator: ", "))"
  }
}
