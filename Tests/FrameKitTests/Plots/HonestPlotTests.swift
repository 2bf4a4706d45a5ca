import Foundation
import Testing

@testable import Fixtures
@testable import FrameAnalysis
@testable import FrameReport
@testable import FrameStatistics
@testable import FrameTrace

/// What plots must never show, whatever the trace.
@Suite struct HonestPlotTests {
  /// A display shows one frame at a time.
  private static func overlaps(_ trace: Trace) -> [String] {
    Pipeline(reconstructing: trace).surfaces.flatMap { surface in
      let listing = FrameListing(surface)
      let spans = (0..<listing.count).compactMap { row -> (Int, Timestamp, Timestamp)? in
        let frame = listing[row]
        guard let shown = frame.displayed, let gone = frame.swappedOut else { return nil }
        return (row, shown, gone)
      }.sorted { ($0.1, $0.0) < ($1.1, $1.0) }
      return zip(spans, spans.dropFirst()).filter { $0.2 > $1.1 && $0.1 < $1.1 }.map {
        "frames \($0.0) and \($1.0)"
      }
    }
  }

  @Test(arguments: Scenarios.all.map(\.name))
  func twoFramesAreNeverOnOneDisplay(_ scenario: String) throws {
    let found = Self.overlaps(try DrawnPlot.trace(scenario))
    #expect(found.isEmpty, "\(found.prefix(3))")
  }

  @Test(
    .enabled(if: TestData.isPresent, Comment(rawValue: TestData.absence)),
    arguments: [
      "presentmon", "gfxinfo", "chrome", "captured/chrome-wayland", "captured/chrome-trace",
    ])
  func twoFramesAreNeverOnOneRealDisplay(_ folder: String) throws {
    for path in TestData.files(in: folder) {
      guard let trace = try? TestData.read(path), trace.frameCount > 0 else { continue }
      let found = Self.overlaps(trace)
      #expect(found.isEmpty, "\(path): \(found.count), \(found.prefix(3))")
    }
  }

  /// Frames of the given lengths in milliseconds, from a start time on.
  private static func trace(_ lengths: [Double], from start: Double = 0, marker: Double? = nil)
    throws -> Trace
  {
    var text = "{\"schema\": \"frametool.trace/1\", \"unit\": \"ms\"}\n"
    if let marker { text += "{\"type\": \"marker\", \"name\": \"m\", \"start\": \(marker)}\n" }
    var time = start
    for length in lengths {
      time += length
      text += "{\"type\": \"frame\", \"commit\": \(time)}\n"
    }
    return try TestData.read(text: text)
  }

  @Test func steadyFramesAreNotBlownUp() throws {
    let trace = try Self.trace([Double](repeating: 16, count: 300))
    let jitter = try DrawnPlot.of("jitter", trace)
    #expect(jitter.panels[0].y.range.upperBound > 0.1)
    #expect(jitter.panels[1].x.range.upperBound >= 0.01)
    let histogram = try DrawnPlot.of("frame-time-histogram", trace)
    let x = histogram.panels[0].x.range
    #expect(x.upperBound - x.lowerBound >= 0.03 && x.contains(16))
  }

  @Test func aHistogramOfLengthsHasNoRoomBelowZero() throws {
    let trace = try Self.trace((0..<20).map { $0 % 4 == 0 ? 100 : 0.5 })
    let plot = try DrawnPlot.of("frame-time-histogram", trace)
    #expect(plot.panels[0].x.range.lowerBound == 0)
  }

  @Test func theTimeAxisIsThatOfTheFrames() throws {
    let trace = try Self.trace([Double](repeating: 16, count: 100), from: 5000, marker: 0)
    for kind in ["frame-times", "jitter"] {
      let x = try DrawnPlot.of(kind, trace).panels[0].x.range
      #expect(abs(x.lowerBound - 5.016) < 1e-9 && abs(x.upperBound - 6.6) < 1e-9, "\(kind): \(x)")
    }
  }

  /// However long a drop lasted, it is one bar where it begins.
  @Test func oneHitchIsOneBar() throws {
    let trace = try DrawnPlot.trace("gpu-overrun")
    let drops = try #require(TraceAnalysis(of: trace).surfaces.first?.drops.value)
    let plot = try DrawnPlot.of("drops", trace)
    let bars = plot.panels[0].layers.filter { $0.shape == .boxes }.flatMap(\.rows)
    #expect(bars.count <= Set(drops.drops.map(\.refreshes.frame)).count)
    #expect(bars.reduce(0) { $0 + $1[3] - $1[2] } == Double(drops.refreshes))
  }

  @Test func theWorstOfEachStretchIsTheGreatestOfItsFrames() throws {
    let lengths = (0..<1200).map { (frame: Int) -> Double in
      frame % 100 == 50 ? Double(20 + frame / 100) : 10
    }
    let trace = try Self.trace(lengths)
    let plot = try DrawnPlot.of("frame-times", trace)
    let worst = try #require(plot.panels[0].layers.first { $0.name?.hasPrefix("worst of") == true })
    #expect(worst.rows.allSatisfy { $0[1] == $0[3] && $0[0] < $0[2] })
    let heights = worst.rows.map { $0[1] }
    #expect(heights.max() == 31 && heights.allSatisfy { $0 >= 10 })
    let values = try #require(plot.layers("frame time").first).rows
    for row in worst.rows {
      let own = values.filter { $0[0] >= row[0] && $0[0] < row[2] }
      let highest = own.map { $0[1] }.max()
      #expect(highest == nil || highest == row[1])
    }
    let few = try Self.trace([Double](lengths.prefix(100)))
    let short = try DrawnPlot.of("frame-times", few)
    #expect(!short.panels[0].layers.contains { $0.name?.hasPrefix("worst of") == true })
  }

  /// Touches are boxes in the color of the frame that shows them, with an arrow to it, and with the
  /// time until its light is visible.
  @Test func touchesLeadToTheirFrames() throws {
    let trace = try DrawnPlot.trace("talk-triple")
    let plot = try DrawnPlot.of("pipeline", trace)
    let names = plot.panels[0].y.ticks?.map(\.text) ?? []
    #expect(names.first == "touch" && names.last == "touch to photon")
    let arrows = plot.panels[0].layers.filter { $0.shape == .arrows }
    let toApp = arrows.filter { $0.color == .text }.flatMap(\.rows)
    #expect(!toApp.isEmpty && toApp.allSatisfy { $0[1] < $0[3] && $0[0] <= $0[2] })
    let spans = arrows.filter { $0.color != .text }.flatMap(\.rows)
    // Scan, app, compositor, GPU, and a display that lights up from top to bottom: five intervals
    // at 60 Hz.
    #expect(!spans.isEmpty && spans.allSatisfy { abs($0[2] - $0[0] - 5 * 1000 / 60.0) < 0.01 })
    #expect(plot.panels[0].labels.contains { $0.text == "83.33 ms" })
  }

  /// Hitches stated by the source, in its words, and rebuilt hitches.
  @Test func hitchesAreBarsOverTime() throws {
    let header = "{\"schema\": \"frametool.trace/1\", \"unit\": \"ms\"}\n"
    let stated = [(100.0, 33.0, "App"), (900, 120, "App"), (2000, 16, "backboardd")].map {
      "{\"type\": \"hitch\", \"start\": \($0.0), \"duration\": \($0.1), \"process\": \"\($0.2)\", \"narrative\": \"Expensive\"}\n"
    }
    let surface = "{\"type\": \"surface\", \"id\": \"s\"}\n"
    let trace = try TestData.read(text: header + surface + stated.joined())
    let plot = try DrawnPlot.named("hitches").draw([Study(of: trace)])
    let names = plot.panels[0].layers.compactMap(\.name)
    #expect(names == ["App, n 2", "backboardd, n 1"])
    #expect(plot.panels[0].layers[0].rows.map { $0[3] } == [33, 120])
    #expect(plot.panels[0].labels.contains { $0.text == "Expensive" })
    #expect(plot.subtitle.contains("n 3 hitches, 169.0 ms in all, the longest 120.0 ms"))
    let rebuilt = try DrawnPlot.named("hitches").draw([Study(of: DrawnPlot.trace("gpu-overrun"))])
    let known = try #require(
      TraceAnalysis(of: DrawnPlot.trace("gpu-overrun")).surfaces[0].hitches.value)
    #expect(rebuilt.panels[0].layers.flatMap(\.rows).count == known.times.count)
    #expect(throws: PlotRefusal.self) {
      try DrawnPlot.named("hitches").draw([Study(of: Self.trace([10, 10, 10]))])
    }
    let steady = try DrawnPlot.named("hitches").draw([Study(of: DrawnPlot.trace("steady-60"))])
    #expect(steady.panels[0].labels.map(\.text) == ["no hitch"])
  }

  /// The launches before and after are in separate rows, each starting with its median.
  @Test func launchesOfTwoFilesBeginWithTheirMedians() throws {
    let studies = try ["star-searcher-before", "star-searcher-after"].map {
      try Study(of: DrawnPlot.trace($0))
    }
    let plot = try DrawnPlot.named("launch").draw(studies)
    let names = plot.panels[0].y.ticks?.map(\.text) ?? []
    #expect(names.prefix(2).allSatisfy { $0.contains(" median warm (n 5)") })
    let medians = try #require(plot.layers("median").first).rows.map { $0[1] }
    let known = studies.map { study in
      study.launches.filter(\.isMeasurement).compactMap { $0.total?.milliseconds }.sorted()
    }
    #expect(medians == known.map { RealQuantile.type7($0, 0.5) })
  }
}
