import Foundation
import Testing

@testable import frametool

/// Stops and stutters in comparisons, gates and lists of metrics.
@Suite struct StutterCommandTests {
  private static func folder(_ name: String) -> URL { Cases.folder.appending(path: name) }

  @Test(.enabled(if: Cases.isPresent, Cases.absence))
  func freezesAreNeverFine() {
    let (before, after) = (
      Self.folder("desktop/freezes/before"), Self.folder("desktop/freezes/after")
    )
    let run = Run(["compare", before.path, after.path])
    #expect(run.output.hasPrefix("regressed: ") && run.output.contains("stopsPerMinute"))
    let gate = Run(["gate", after.path, "--limit", "max(frameTime)<=100ms"])
    #expect(gate.status != .success && gate.output.contains("FAILED"), "\(gate.output)")
  }

  @Test(.enabled(if: Cases.isPresent, Cases.absence))
  func aLongerStallIsNoImprovement() {
    let run = Run(["compare", "stall-490ms.csv", "stall-510ms.csv"], in: Self.folder("desktop"))
    #expect(!run.output.hasPrefix("improved") && !run.output.hasPrefix("suspected improvement"))
  }

  @Test(.enabled(if: Cases.isPresent, Cases.absence))
  func fewLongFramesAreFound() throws {
    let folder = Self.folder("designs/stutter")
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    let run = Run(
      ["compare", "--columns", "frameTime=ms", "--before"] + files.filter { $0.hasPrefix("before") }
        + ["--after"] + files.filter { $0.hasPrefix("after") }, in: folder)
    #expect(run.output.hasPrefix("regressed: ") && run.output.contains("stuttersPerMinute"))
  }

  /// A list of numbers has stutters, too, and each figure of them can be limited.
  @Test(arguments: [
    ("stuttersPerMinute", 15.0), ("stutterTimeShare", 0.1), ("worstStutter", 99),
    ("stopsPerMinute", 5),
    ("stopTimeShare", 0.1), ("stutters", 15),
  ])
  func eachFigureCanBeLimited(_ name: String, _ limit: Double) {
    var times = Array(repeating: "10", count: 600)
    let clean = times
    times[200] = "100"
    times[400] = "700"
    for (rows, fails) in [(clean, false), (times, true)] {
      let run = Run(
        ["gate", "-", "--columns", "frameTime=ms", "--limit", "\(name)<=\(limit)"],
        input: Array(("ms\n" + rows.joined(separator: "\n") + "\n").utf8))
      #expect(run.output.contains("FAILED") == fails, "\(name): \(run.output)\(run.errors)")
    }
  }
}
