import FrameTrace

/// Results of XCTest's performance tests, printed by `xcrun xcresulttool` from a result bundle.
///
/// Documentation: `man xcresulttool`, and Apple, "Eliminate animation hitches with XCTest", WWDC
/// 2020. What `get test-results metrics` prints since Xcode 16
///
///     [{"testIdentifier": "LaunchTests/testLaunch()", "testRuns": [{"metrics": [{
///       "identifier": "com.apple.dt.XCTMetric_ApplicationLaunch-AppLaunch.duration",
///       "unitOfMeasurement": "s", "measurements": [1.90, 1.91, 1.97]}]}]}]
///
/// is three launches; the older output of `get --format json` has every value in a box.
struct XCTestResults: TraceImporter {
  let name = "xctest"
  let title = "XCTest results"
  let versions = "xcresulttool of Xcode 11 to 26"
  let documentation =
    "https://developer.apple.com/documentation/xctest/performance-tests"
  let platform: Platform? = .apple

  /// The largest file that is read.
  private static let mostBytes = 256 << 20

  func recognize(_ head: FileHead) -> Recognition? {
    if head.firstByte == UInt8(ascii: "["), head.contains("\"testIdentifier\""),
      head.contains("\"testRuns\"")
    {
      return Recognition(
        format: "XCTest results, Xcode 16 and later", reason: "a list of tests with their metrics")
    }
    guard head.firstByte == UInt8(ascii: "{"), head.contains("\"_type\""),
      head.contains("\"_name\""), head.contains("\"Action")
    else { return nil }
    return Recognition(
      format: "XCTest results, boxed values", reason: "an object of a result bundle")
  }

  func read(
    _ input: InputFile, _ provenance: Provenance, _ demand: TraceDemand
  ) throws(ParseError) -> TraceBuilder {
    let root = try JSONNode(
      input, atMost: Self.mostBytes, of: "test results",
      help: "print the results again with 'xcrun xcresulttool get test-results metrics'")
    let tests = root.array.map { $0.flatMap(XCTestRun.runs) } ?? XCTestRun.boxed(root)
    var builder = TraceBuilder(provenance)
    var record = XCTestRecord(tests)
    for (position, test) in tests.enumerated() { record.add(test, at: position, to: &builder) }
    record.finish(&builder)
    guard !builder.trace.isEmpty else {
      throw ParseError(
        path: input.path,
        problem: "expected a launch, hitch or frame metric in the XCTest results, found none",
        help: "measure with XCTApplicationLaunchMetric, XCTOSSignpostMetric or XCTHitchMetric")
    }
    return builder
  }
}
