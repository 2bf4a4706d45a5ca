import Testing

@testable import FrameAnalysis
@testable import FrameImporters
@testable import FrameStatistics
@testable import FrameTrace
@testable import FrameVerdicts

/// XCTest results, in the forms that Xcode prints.
@Suite struct XCTestTests {
  /// As `xcresulttool get test-results metrics` prints them.
  static let results = """
    [{"testIdentifier": "ScrollTests/testFeed()",
      "testIdentifierURL": "test://com.apple.xcode/Feed/FeedUITests/ScrollTests/testFeed",
      "testRuns": [{"device": {"deviceId": "1", "deviceName": "iPhone 15"}, "metrics": [
        {"identifier": "com.apple.dt.XCTMetric_OSSignpost-Scroll_Deceleration.animation.hitch.time.ratio",
         "unitOfMeasurement": "ms per s", "measurements": [2.5, 7.5, 12.5]},
        {"identifier": "com.apple.dt.XCTMetric_OSSignpost-Scroll_Deceleration.animation.hitch.number",
         "unitOfMeasurement": "hitches", "measurements": [1, 3, 4]},
        {"identifier": "com.apple.dt.XCTMetric_OSSignpost-Scroll_Deceleration.animation.frame.rate",
         "unitOfMeasurement": "fps", "measurements": [59.5, 58, 57]},
        {"identifier": "com.apple.dt.XCTMetric_OSSignpost-Scroll_Deceleration.duration",
         "unitOfMeasurement": "s", "measurements": [2.4, 2.5, 2.6]},
        {"identifier": "com.apple.dt.XCTMetric_Memory-com.feed.physical_peak",
         "unitOfMeasurement": "kB", "measurements": [1, 2, 3]}]}]},
     {"testIdentifier": "LaunchTests/testLaunch()",
      "testIdentifierURL": "test://com.apple.xcode/Feed/FeedUITests/LaunchTests/testLaunch",
      "testRuns": [{"device": {"deviceId": "1", "deviceName": "iPhone 15"}, "metrics": [
        {"identifier": "com.apple.dt.XCTMetric_ApplicationLaunch-AppLaunch.duration",
         "unitOfMeasurement": "s", "measurements": [0.5, 0.625, 1.9771602080000001, 0.75]},
        {"identifier": "com.apple.dt.XCTMetric_ApplicationLaunch-ApplicationFirstFramePresentationResponsive.duration",
         "unitOfMeasurement": "s", "measurements": [1.5]}]}]}]
    """

  @Test func metricsOfTestsAreLaunchesAndFigures() throws {
    let trace = try TestData.read(text: Self.results)
    #expect(trace.provenance.importer == "xctest" && trace.setting.device == "iPhone 15")
    let launches = LaunchAnalysis([trace])
    #expect(
      launches.groups.map(\.key.measure.name) == ["launchTime", "launchTimeToResponsive"])
    #expect(launches.groups.allSatisfy { $0.key.process == "Feed" && !$0.key.isProfiled })
    #expect(launches.groups[0].total.n == 4)
    #expect(
      launches.all.map { $0.total?.count } == [
        500_000_000, 625_000_000, 1_977_160_208, 750_000_000, 1_500_000_000,
      ])
    let figures = trace.figures
    let found = (0..<figures.count).map {
      "\(figures.text($0, .metric) ?? "") \(figures[$0, .run] ?? -1) \(figures.real($0, .value) ?? 0) \(figures.text($0, .unit) ?? "")"
    }
    #expect(
      found == [
        "hitchRatio 0 2.5 ms/s", "hitchRatio 1 7.5 ms/s", "hitchRatio 2 12.5 ms/s",
        "hitchCount 0 1.0 hitches", "hitchCount 1 3.0 hitches", "hitchCount 2 4.0 hitches",
        "displayedFrameRate 0 59.5 fps", "displayedFrameRate 1 58.0 fps",
        "displayedFrameRate 2 57.0 fps", "signpostTime 0 2400.0 ms", "signpostTime 1 2500.0 ms",
        "signpostTime 2 2600.0 ms",
      ])
    #expect(trace.issues.map(\.kind) == [.unknownRecord] && trace.issues[0].count == 1)
  }

  /// Results as `xcresulttool get --format json` printed them up to Xcode 15: every value is boxed,
  /// and every number is text.
  @Test func boxedValuesAreRead() throws {
    func box(_ type: String, _ value: String) -> String {
      "{\"_type\": {\"_name\": \"\(type)\"}, \"_value\": \"\(value)\"}"
    }
    let values = ["1.9", "2.1", "no"].map { box("Double", $0) }.joined(separator: ", ")
    let text = """
      {"_type": {"_name": "ActionTestSummary"}, "identifier": \(box("String", "T/testLaunch()")),
       "performanceMetrics": {"_type": {"_name": "Array"}, "_values": [
         {"_type": {"_name": "ActionTestPerformanceMetricSummary"},
          "displayName": \(box("String", "Duration (AppLaunch)")),
          "identifier": \(box("String", "com.apple.XCTPerformanceMetric_ApplicationLaunch-WallClockTime")),
          "unitOfMeasurement": \(box("String", "s")),
          "measurements": {"_type": {"_name": "Array"}, "_values": [\(values)]}}]}}
      """
    let trace = try TestData.read(text: text)
    let launches = LaunchAnalysis([trace]).all
    #expect(launches.map { $0.total?.milliseconds } == [1900, 2100])
    #expect(launches.map(\.process) == ["T/testLaunch()", "T/testLaunch()"])
    #expect(trace.issues.map(\.kind) == [.malformedValue] && trace.issues[0].count == 1)
  }

  @Test(arguments: [
    (
      "XCTMetric_OSSignpost-Scroll.animation.hitch.time.ratio", StatedMetric.hitchRatio, "Scroll"
    ),
    ("XCTMetric_OSSignpost-Scroll.hitchTimeRatio", .hitchRatio, "Scroll"),
    ("XCTMetric_OSSignpost-Scroll.animation.hitches.total.duration", .hitchTotal, "Scroll"),
    ("XCTMetric_OSSignpost-Scroll.animation.frame.count", .frames, "Scroll"),
    ("XCTMetric_OSSignpost-Scroll.duration", .signpostTime, "Scroll"),
    ("XCTMetric_OSSignpost-my.frame.rate.duration", .signpostTime, "my.frame.rate"),
    (
      "XCTMetric_OSSignpost-WarmApplicationLaunchCache.duration", .signpostTime,
      "WarmApplicationLaunchCache"
    ),
    ("XCTMetric_Hitch-My App.time.ratio", .hitchRatio, "My App"),
    ("XCTMetric_Hitch-My App.total.duration", .hitchTotal, "My App"),
    ("XCTMetric_Hitch-My App.number", .hitchCount, "My App"),
  ])
  func identifiersTellTheMetric(
    _ identifier: String, _ metric: StatedMetric, _ subject: String
  ) {
    #expect(XCTestMetric("com.apple.dt." + identifier) == .figure(metric, of: subject))
  }

  @Test(arguments: [
    "com.apple.dt.XCTMetric_CPU-App.time", "com.apple.dt.XCTMetric_Clock.time.monotonic", "",
    "com.apple.dt.XCTMetric_Hitch-App.normalized.time.ratio",
    "com.apple.dt.XCTMetric_OSSignpost-S.animation.hitches.non_first_frame.total.duration",
    "com.apple.dt.XCTMetric_OSSignpost-S.animation.hitch.per_app.non_first_frame.total.duration",
  ])
  func otherMetricsAreNone(_ identifier: String) { #expect(XCTestMetric(identifier) == nil) }

  @Test(arguments: [
    ("com.apple.dt.XCTMetric_ApplicationLaunch-AppLaunch.duration", false),
    ("com.apple.XCTPerformanceMetric_ApplicationLaunch-WallClockTime", false),
    ("com.apple.dt.XCTMetric_OSSignpost-ApplicationLaunch.duration", false),
    (
      "com.apple.dt.XCTMetric_ApplicationLaunch-ApplicationFirstFramePresentationResponsive.duration",
      true
    ),
  ])
  func launchesAreTold(_ identifier: String, _ isResponsive: Bool) {
    #expect(XCTestMetric(identifier) == .launch(untilResponsive: isResponsive))
  }

  /// Runs of one test on two devices, and launches of two tests, stay separate.
  @Test func devicesAndTestsAreToldApart() throws {
    func run(_ device: String, _ times: String, _ ratios: String) -> String {
      """
      {"device": {"deviceName": "\(device)"}, "metrics": [
        {"identifier": "com.apple.dt.XCTMetric_ApplicationLaunch-AppLaunch.duration",
         "unitOfMeasurement": "s", "measurements": [\(times)]},
        {"identifier": "com.apple.dt.XCTMetric_OSSignpost-Scroll.animation.hitch.time.ratio",
         "unitOfMeasurement": "ms per s", "measurements": [\(ratios)]}]}
      """
    }
    let trace = try TestData.read(
      text:
        "[{\"testIdentifier\": \"T\", \"testRuns\": [\(run("iPhone", "1, 1", "2, 3")), \(run("iPad", "3, 3", "20, 30")), \(run("iPad", "4", "40"))]}]"
    )
    let names = ["T, iPhone", "T, iPad, 1", "T, iPad, 2"]
    #expect(LaunchAnalysis([trace]).groups.map(\.key.process) == names)
    let figures = StatedFigures.all(trace)
    #expect(
      figures.map(\.scene) == names
        && figures.map(\.metric)
          == Array(
            repeating: "hitchRatio", count: 3)
    )
    #expect(figures.map(\.values) == [[2, 3], [20, 30], [40]])
    let results = HistoryResult.results(of: Study(of: trace), nil)
    #expect(results.map(\.scene) == names + names)
    #expect(results.prefix(3).map { $0.runs[0][0].value } == [1000, 3000, 4000])
  }

  /// The system's hitches and the app's in one test are distinguished by what they measure.
  @Test func metricsOfOneNameAreToldApart() throws {
    let text = """
      [{"testIdentifier": "T", "testRuns": [{"metrics": [
        {"identifier": "com.apple.dt.XCTMetric_OSSignpost-Scroll.animation.hitch.time.ratio",
         "unitOfMeasurement": "ms per s", "measurements": [1]},
        {"identifier": "com.apple.dt.XCTMetric_Hitch-Feed.time.ratio",
         "unitOfMeasurement": "ms per s", "measurements": [2]},
        {"identifier": "com.apple.dt.XCTMetric_Hitch-Feed.number",
         "unitOfMeasurement": "hitches", "measurements": []},
        {"identifier": "com.apple.dt.XCTMetric_OSSignpost-Scroll.animation.frame.rate",
         "unitOfMeasurement": "furlongs", "measurements": [3]}]}]}]
      """
    let trace = try TestData.read(text: text)
    #expect(
      (0..<trace.figures.count).map { trace.figures.text($0, .metric) }
        == ["hitchRatio.Scroll", "hitchRatio.Feed"])
    #expect(trace.issues.map(\.message) == ["measurements in the unit \"furlongs\", left out"])
  }

  @Test(arguments: [
    ("[{\"testIdentifier\": \"T\", \"testRuns\": []}]", "expected a launch"),
    ("[{\"testIdentifier\": \"T\", \"testRuns\": [", "expected"),
  ])
  func whatIsNoResultIsRefused(_ text: String, _ words: String) {
    #expect(TestData.error(text: text)?.problem.contains(words) ?? false)
  }
}
