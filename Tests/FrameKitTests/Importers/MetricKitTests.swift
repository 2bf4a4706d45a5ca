import Testing

@testable import FrameAnalysis
@testable import FrameImporters
@testable import FrameTrace
@testable import FrameVerdicts

/// MetricKit payloads, as devices write them in various languages.
@Suite struct MetricKitTests {
  private static func payload(
    _ buckets: String, more: String = "", version: String = "6.60.0"
  ) -> String {
    """
    {"appVersion": "\(version)", "timeStampBegin": "2020-10-23 23:00:00 +0000",
     "timeStampEnd": "2020-10-24 22:59:00 +0000",
     "metaData": {"appBuildVersion": "2780", "osVersion": "iPhone OS 14.0.1 (18A393)",
       "deviceType": "iPhone9,2"}\(more),
     "applicationLaunchMetrics": {"histogrammedTimeToFirstDrawKey": {
       "histogramNumBuckets": 3, "histogramValue": {\(buckets)}}}}
    """
  }

  private static func bucket(_ index: Int, _ count: Int, _ low: String, _ high: String) -> String {
    "\"\(index)\": {\"bucketCount\": \(count), \"bucketStart\": \"\(low)\", \"bucketEnd\": \"\(high)\"}"
  }

  private static func histogram(_ trace: Trace, _ metric: String) -> FieldHistogram? {
    trace.bins.histograms.first { $0.metric == metric }
  }

  /// Buckets in any order, in Chinese, including a day of launches.
  @Test func histogramsInAnyOrder() throws {
    let trace = try TestData.read(
      text: Self.payload(
        [
          Self.bucket(10, 1, "1,530毫秒", "1,539毫秒"), Self.bucket(2, 3, "1,190,070毫秒", "1,190,079毫秒"),
          Self.bucket(0, 2, "820毫秒", "829毫秒"),
        ].joined(separator: ",")))
    let histogram = try #require(Self.histogram(trace, "launchTime"))
    #expect(histogram.bins.map(\.low) == [820, 1530, 1_190_070])
    #expect(histogram.bins.map(\.count) == [2, 1, 3] && histogram.unit == "ms")
    #expect(trace.setting.version == "6.60.0 (2780)" && trace.setting.device == "iPhone9,2")
    #expect(trace.setting.system == "iPhone OS 14.0.1 (18A393)" && trace.setting.origin == .field)
    #expect(trace.issues.isEmpty)
    let results = HistoryResult.results(of: Study(of: trace), nil)
    #expect(results.count == 1 && results[0].isField && results[0].histograms == [histogram])
    #expect(results[0].date == JobDate("2020-10-24T22:59:00Z"))
  }

  /// The same number as written in various languages.
  @Test(
    arguments: [
      (["1,190,070 ms", "1,530 ms"], 1530.0), (["1.190.070 ms", "1.530 ms"], 1530),
      (["1\u{202f}190\u{202f}070 ms", "1\u{202f}530 ms"], 1530),
      (["1\u{a0}530,5 ms", "1,530 ms"], 1.53), (["1.530,25 мс", "1.530 мс"], 1530),
      (["0.25 ms", "1.530 ms"], 1.53), (["1190,070 ms", "1,530 ms"], 1.53),
      (["١٬١٩٠ ms", "١٬٥٣٠ ms"], 1530), (["1’190’070 ms", "1’530 ms"], 1530),
      (["12,5 ms", "1530 ms"], 1530), (["1\u{202f}190 ms", "3,125 ms per s"], 3.125),
      (["1’190 ms", "3.125 ms per s"], 3.125), (["1,190 ms", "3.274 ms per s"], 3.274),
      (["\u{200f}١٬١٩٠ ms", "١٬٥٣٠ ms"], 1530),
    ] as [([String], Double)])
  func numbersAreReadByTheirDocument(_ texts: [String], _ value: Double) {
    var numbers = LocalisedNumbers(texts, region: nil)
    let found = numbers.quantity(texts[1])
    #expect(found?.value == value && numbers.assumed == 0)
  }

  /// If no number shows the format, the region that the payload names decides; its thousands
  /// separators are not digits.
  @Test(arguments: [
    ("DE", "1.530 ms", 1530.0), ("US", "1,530 ms", 1530), ("DE", "1,530 ms", 1.53),
    ("CN", "1,530千字节", 1530), ("US", "1.530 ms", 1.53),
  ])
  func theRegionDecidesWhereNumbersDoNot(_ region: String, _ text: String, _ value: Double) {
    var numbers = LocalisedNumbers([text], region: region)
    #expect(numbers.quantity(text)?.value == value && numbers.assumed == 0)
  }

  @Test func whatNothingTellsIsSaid() throws {
    let trace = try TestData.read(
      text: Self.payload(Self.bucket(0, 1, "1,530 ms", "1,539 ms")))
    #expect(Self.histogram(trace, "launchTime")?.bins.map(\.low) == [1530])
    #expect(trace.issues.map(\.kind) == [.columnRecomputed] && trace.issues[0].count == 2)
  }

  @Test(arguments: ["", "ms", "-", "1..2 ms", "1-2 ms", "٫", "99999999999999999999999e9 ms"])
  func whatIsNoQuantityIsNone(_ text: String) {
    var numbers = LocalisedNumbers([text], region: nil)
    let found = numbers.quantity(text)
    #expect(found == nil || found?.unit.hasPrefix("e9") == true)
  }

  /// Ratios and signposts, and times in an unknown language.
  @Test func ratiosHangsAndSignpostsAreRead() throws {
    let histogram = { (low: String) in
      "{\"histogramValue\": {\(Self.bucket(0, 50, low, "100 ms"))}}"
    }
    let more = """
      , "animationMetrics": {"scrollHitchTimeRatio": "1000 ms per s", "hitchTimeRatio": "7.5 ms per s"},
      "applicationResponsivenessMetrics": {"histogrammedAppHangTime": \(histogram("0 ms"))},
      "signpostMetrics": [{"signpostName": "Open", "signpostCategory": "Docs",
        "signpostIntervalData": {"histogrammedSignpostDurations": \(histogram("20 lustrums")),
          "signpostCumulativeHitchTimeRatio": "50 ms per s"}}]
      """
    let trace = try TestData.read(
      text: Self.payload(Self.bucket(0, 1, "2 sec", "3 sec"), more: more))
    let figures = trace.figures
    let found = (0..<figures.count).map {
      "\(figures.text($0, .metric) ?? "") \(figures.real($0, .value) ?? 0)"
    }
    #expect(found == ["hitchRatio 7.5", "scrollHitchRatio 1000.0", "hitchRatio.Docs/Open 50.0"])
    #expect(Self.histogram(trace, "hangTime")?.count == 50)
    #expect(Self.histogram(trace, "launchTime")?.bins.map(\.high) == [3000])
    #expect(Self.histogram(trace, "signpostTime.Docs/Open") == nil)
    #expect(trace.issues.map(\.message) == ["quantities in the unit \"lustrums\", left out"])
  }

  @Test func payloadsOfSeveralVersionsAreNotMixed() throws {
    let one = Self.payload(Self.bucket(0, 1, "1 ms", "2 ms"))
    let other = Self.payload(Self.bucket(0, 1, "1 ms", "2 ms"), version: "7")
    let both = try TestData.read(text: "[\(one), \(one)]")
    #expect(Self.histogram(both, "launchTime")?.count == 2)
    #expect(
      TestData.error(text: "[\(one), \(other)]")?.problem.contains("one device and version")
        ?? false)
    #expect(
      TestData.error(text: "{\"appVersion\": \"1\", \"timeStampBegin\": \"2026-11-21\"}")?.problem
        .contains("expected a launch") ?? false)
    #expect(
      TestData.error(text: Self.payload(Self.bucket(0, 1, "1 ell", "2 ells")))?.problem
        .contains("quantities in the unit \"ell") ?? false)
  }
}
