import Testing

@testable import FrameAnalysis
@testable import FrameReport
@testable import FrameStatistics
@testable import FrameTrace
@testable import FrameVerdicts

@Suite("Launches compared")
struct LaunchComparisonTests {
  static func trace(_ name: String, _ milliseconds: [Int], profiled: Bool = false) throws
    -> RunSummary
  {
    var text = "{\"schema\": \"frametool.trace/1\", \"unit\": \"ms\"}\n"
    text +=
      "{\"type\": \"launch\", \"id\": 0, \"kind\": \"cold\", \"tapped\": 0, \"firstFrame\": 9000, \"throwaway\": true}\n"
    text +=
      "{\"type\": \"launch\", \"id\": 99, \"kind\": \"resume\", \"tapped\": 0, \"firstFrame\": 50}\n"
    for (index, time) in milliseconds.enumerated() {
      let start = 10_000 * (index + 1)
      text +=
        "{\"type\": \"launch\", \"id\": \(index + 1), \"kind\": \"cold\", \"tapped\": \(start), \"firstFrame\": \(start + time), \"profiled\": \(profiled)}\n"
    }
    return try RunTimes.of(Study(of: TestData.read(text: text, path: name))).summary
  }

  private static func options() -> ComparisonOptions {
    var options = ComparisonOptions()
    options.kind = .launch
    return options
  }

  @Test("slower launches have regressed, by their ranks")
  func regressed() throws {
    let before = try Self.trace("a", [400, 410, 395, 405, 402])
    let after = try Self.trace("b", [480, 470, 475, 900, 482])
    let comparison = try Comparison([before], [after], options: Self.options())
    #expect(before.launches.count == 5)
    #expect(comparison.overall == .regressed)
    #expect(comparison.metrics[0].after < 500)
    #expect(comparison.warnings.contains { $0.text.hasPrefix("fewer than 10 launches per side") })
    #expect(try Comparison([after], [before], options: Self.options()).overall == .improved)
    let same = (0..<12).map { 400 + $0 % 4 }
    let alike = try Comparison(
      [Self.trace("c", same)], [Self.trace("d", same.reversed())], options: Self.options())
    #expect(alike.overall == .noChange && alike.warnings.isEmpty)
  }

  private static func mixed(_ cold: Int, _ warm: Int, until: String = "firstFrame") throws
    -> RunSummary
  {
    var text = "{\"schema\": \"frametool.trace/1\", \"unit\": \"ms\"}\n"
    for number in 0..<10 {
      let kind = number % 2 == 0 ? ("cold", cold) : ("warm", warm)
      let start = number * 10_000
      text +=
        "{\"type\": \"launch\", \"id\": \(number), \"kind\": \"\(kind.0)\", \"until\": \"\(until)\", \"tapped\": \(start), \"\(until)\": \(start + kind.1 + number)}\n"
    }
    return try RunTimes.of(Study(of: TestData.read(text: text, path: "mixed"))).summary
  }

  @Test("cold launches are compared with cold ones, and warm with warm")
  func kinds() throws {
    let before = try Self.mixed(800, 400)
    let comparison = try Comparison([before], [Self.mixed(800, 480)], options: Self.options())
    #expect(comparison.metrics.map(\.name) == ["p50(coldLaunchTime)", "p50(warmLaunchTime)"])
    #expect(comparison.metrics.map(\.verdict) == [.noChange, .regressed])
    let cold = try Self.trace("a", [800, 801, 802, 803, 804])
    let one = try Comparison([before], [cold], options: Self.options())
    #expect(one.metrics.map(\.name) == ["p50(coldLaunchTime)"])
    #expect(one.warnings.contains { $0.text.hasPrefix("5 launches are left out") })
  }

  @Test("launches that end otherwise are refused, and summaries keep how they end")
  func ends() throws {
    let frames = try Self.mixed(800, 400)
    let exits = try Self.mixed(800, 400, until: "exited")
    #expect {
      try Comparison([frames], [exits], options: Self.options())
    } throws: { error in
      (error as? ComparisonRefusal)?.message.hasSuffix(
        "5 warm, from the tap to the first frame before and 5 cold, from the tap to the exit; 5 warm, from the tap to the exit after"
      ) ?? false
    }
    let bytes = Array(RunTexts.lines([exits]).utf8)
    #expect(try RunSummaryReader.read(InputFile(bytes: bytes, path: "runs")) == [exits])
  }

  @Test("too few launches, and launches under a profiler, are refused")
  func refused() throws {
    let good = try Self.trace("a", [400, 410, 395, 405])
    #expect(throws: ComparisonRefusal.self) {
      try Comparison([good], [Self.trace("b", [400, 410])], options: Self.options())
    }
    #expect {
      try Comparison(
        [good], [Self.trace("b", [400, 410, 420, 430], profiled: true)], options: Self.options())
    } throws: { error in
      (error as? ComparisonRefusal)?.message.contains("under a profiler") ?? false
    }
  }
}
