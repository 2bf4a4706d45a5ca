import Testing

@testable import FrameAnalysis
@testable import FrameImporters
@testable import FrameReport
@testable import FrameTrace

/// The plots of the pipeline and its buffers, for the switch from two buffers to three: the GPU
/// needs 15 ms from frame 60 on, and the refresh at 1050 ms is dropped.
@Suite struct PipelinePlotTests {
  private static let interval = 16.6668

  @Test func eachStageHasARowWithABoxForEachFrame() throws {
    let plot = try DrawnPlot.of("pipeline", DrawnPlot.trace("triple-switch"))
    let panel = try #require(plot.panels.first)
    #expect(panel.y.ticks?.map(\.text) == ["app", "compositor", "GPU", "display", "dropped"])
    #expect(panel.y.isReversed)
    // Frame 60 in the GPU's row: from 1040.0 to 1055.0 ms.
    let boxes = (0..<3).flatMap { plot.boxes(.buffer($0)) }
    let gpu = boxes.filter { $0[2] > 1.5 && $0[3] < 2.5 && $0[0] > 1039.5 && $0[0] < 1040.5 }
    #expect(gpu.count == 1)
    #expect(abs((gpu.first?[1] ?? 0) - (gpu.first?[0] ?? 0) - 15) < 1e-3)
    // Frame 59 stays on the display for two refreshes.
    let display = boxes.filter { $0[2] > 2.5 && $0[3] < 3.5 }
    let longest = display.map { $0[1] - $0[0] }.max() ?? 0
    #expect(abs(longest - 2 * Self.interval) < 1e-3)
  }

  @Test func refreshesAreLinesAtTheirTimes() throws {
    let plot = try DrawnPlot.of("pipeline", DrawnPlot.trace("triple-switch"))
    let lines = try #require(plot.layers("refreshes").first).rows
    #expect(lines.count == 13)
    for line in lines {
      let refreshes = line[0] / Self.interval
      #expect(abs(refreshes - refreshes.rounded()) < 1e-6)
      #expect(line[0] == line[2])
    }
  }

  @Test func theDroppedRefreshIsMarkedWithItsStageAndHitch() throws {
    let plot = try DrawnPlot.of("pipeline", DrawnPlot.trace("triple-switch"))
    let dropped = try #require(plot.layers("dropped refresh").first).rows
    #expect(dropped.count == 1)
    #expect(abs(dropped[0][0] - 63 * Self.interval) < 1e-3)
    #expect(abs(dropped[0][1] - 64 * Self.interval) < 1e-3)
    #expect(plot.panels[0].labels.contains { $0.text == "gpu" && $0.y == 4 })
    let hitch = try #require(plot.layers("hitch").first?.rows.first)
    #expect(abs(hitch[2] - hitch[0] - Self.interval) < 1e-3)
    #expect(plot.subtitle.contains("1 refresh by the GPU"))
    #expect(plot.description.contains("1 refresh dropped by the GPU at 1050.0 ms, frame 60"))
  }

  @Test func framesHaveTheColorOfTheirBuffer() throws {
    let trace = try DrawnPlot.trace("triple-switch")
    let plot = try DrawnPlot.of("pipeline", trace) { $0.frame = 10 }
    // Before the switch there are two buffers.
    #expect(plot.layers("buffer A").count == 1 && plot.layers("buffer B").count == 1)
    #expect(plot.layers("buffer C").isEmpty)
    let later = try DrawnPlot.of("pipeline", trace) { $0.frame = 80 }
    #expect(later.layers("buffer C").count == 1)
    #expect(later.panels[0].labels.contains { $0.text == "80" })
  }

  @Test func touchesAreScansAndDeliveries() throws {
    let plot = try DrawnPlot.of("pipeline", DrawnPlot.trace("talk-triple"))
    #expect(plot.panels[0].y.ticks?.first?.text == "touch")
    let scans = try #require(plot.layers("scan").first).rows
    #expect(scans.allSatisfy { abs($0[1] - $0[0] - Self.interval) < 1e-6 })
    #expect(try #require(plot.layers("delivered").first).rows.count >= 10)
  }

  @Test func aFrameNeverShownIsHatched() throws {
    let plot = try DrawnPlot.of("pipeline", DrawnPlot.trace("uncapped-game"))
    let unseen = try #require(plot.layers("never shown").first)
    #expect(unseen.isBroken && !unseen.rows.isEmpty)
    #expect(plot.panels[0].y.ticks?.map(\.text) == ["app", "GPU", "display"])
  }

  @Test func theWindowIsWhatTheUserChose() throws {
    let trace = try DrawnPlot.trace("triple-switch")
    let plot = try DrawnPlot.of(
      "pipeline", trace,
      of: TraceRegion(
        start: Timestamp(nanoseconds: 500_000_000), end: Timestamp(nanoseconds: 700_000_000)))
    #expect(plot.panels[0].x.range == 500...700)
    #expect(throws: PlotRefusal.self) {
      try DrawnPlot.of("pipeline", trace) { $0.frame = 180 }
    }
    #expect(throws: PlotRefusal.self) {
      try DrawnPlot.of(
        "pipeline", DrawnPlot.trace("triple-switch", frames: 2000),
        of: TraceRegion(start: Timestamp(nanoseconds: 0), end: nil))
    }
  }

  @Test func buffersInUseGoFromTwoToThree() throws {
    let plot = try DrawnPlot.of("occupancy", DrawnPlot.trace("triple-switch"))
    let steps = try #require(plot.layers("buffers in use").first).rows
    #expect(Set(steps.map { $0[1] }) == [2, 3])
    let change = try #require(zip(steps, steps.dropFirst()).first { $0[1] < $1[1] })
    #expect(abs(change.1[0] - 63 * Self.interval) < 1e-3)
    #expect(plot.panels[1].y.ticks?.map(\.text) == ["buffer A", "buffer B", "buffer C"])
  }

  @Test func aBufferIsDrawnThenQueuedThenShown() throws {
    let trace = try DrawnPlot.trace("triple-switch")
    let plot = try DrawnPlot.of("occupancy", trace)
    let listing = FrameListing(try #require(Pipeline(reconstructing: trace).surfaces.first))
    let frame = listing[58]
    let buffer = try #require(frame.buffer)
    let layers = plot.panels[1].layers.filter { $0.color == .buffer(buffer) }
    #expect(layers.map(\.isBroken) == [true, false, false])
    let drawing = Double(try #require(frame.bufferStart).nanoseconds) / 1e6
    let queued = Double(try #require(frame.queued).nanoseconds) / 1e6
    let shown = Double(try #require(frame.displayed).nanoseconds) / 1e6
    let rows = layers.compactMap { layer in layer.rows.first { $0[1] > drawing && $0[0] >= drawing }
    }
    #expect(rows.map { $0[0] } == [drawing, queued, shown])
  }

  @Test func aLongStretchShowsCountsOnly() throws {
    let trace = try DrawnPlot.trace("triple-switch", frames: 3000)
    let plot = try DrawnPlot.of(
      "occupancy", trace, of: TraceRegion(start: Timestamp(nanoseconds: 0), end: nil)
    ) {
      $0.columns = 300
    }
    #expect(plot.panels.count == 1)
    #expect(plot.panels[0].layers[0].rows.count <= 1200)
  }

  @Test func usesOfBuffersAreCountedAndNotTheirSteps() throws {
    let trace = try DrawnPlot.trace("triple-switch")
    let plot = try DrawnPlot.of("occupancy", trace) { $0.frame = 0 }
    let boxes = plot.panels[1].layers.filter { $0.shape == .boxes }
    // Each use has been shown once; the last ones have not been shown yet.
    let shown = boxes.filter { !$0.isBroken && $0.emphasis == .normal }.flatMap(\.rows).count
    let uses = try #require(plot.subtitle.firstMatch(of: /n (\d+) uses of 2 buffers/))
    #expect((shown...shown + 3).contains(Int(uses.1) ?? 0), "\(plot.subtitle)")
  }

  @Test func everyAppIntervalOfAFrameIsShown() throws {
    let trace = try DrawnPlot.trace("batched-commits")
    let commits = trace.commits
    var starts: [Int64: Set<Int64>] = [:]
    for row in 0..<commits.count {
      guard let frame = commits[row, .frame], let start = commits[row, .appStart] else { continue }
      starts[frame, default: []].insert(start)
    }
    let frame = try #require(starts.filter { $0.value.count > 1 }.keys.min())
    let plot = try DrawnPlot.of("pipeline", trace) { $0.frame = Int(frame) }
    let boxes = (0..<4).flatMap { plot.boxes(.buffer($0)) }.filter { $0[3] < 0.5 }
    for start in starts[frame] ?? [] {
      #expect(boxes.contains { $0[0] == Double(start) / 1e6 }, "\(start)")
    }
  }

  @Test func hitchesAreThoseOfTheAnalysis() throws {
    for name in [
      "variable-refresh-repeats", "variable-refresh", "gpu-overrun", "app-overrun-sustained",
    ] {
      let trace = try DrawnPlot.trace(name)
      let listing = FrameListing(try #require(Pipeline(reconstructing: trace).surfaces.first))
      let hitches = (0..<listing.count).compactMap { listing[$0].hitch }
      let known = TraceAnalysis(of: trace).surfaces[0].hitches.value
      #expect(hitches.isEmpty == (known == nil), "\(name)")
      #expect(hitches.reduce(0) { $0 + $1.count } == known?.total.count ?? 0, "\(name)")
      #expect(hitches.count { $0.count > 0 } == known?.times.count ?? 0, "\(name)")
    }
  }

  @Test func hitchesOnADisplayThatWaitsAreThoseAgainstTheExpectedTimes() throws {
    var lines = [
      #"{"schema": "frametool.trace/1", "unit": "ms"}"#,
      #"{"type": "display", "id": "d", "variable": true, "shortestInterval": 8}"#,
    ]
    for frame in 0..<30 {
      let shown = 30 + frame * 16 + (frame % 10 == 5 ? 12 : 0)
      let expected = frame % 2 == 1 ? #", "expectedDisplay": \#(30 + frame * 16)"# : ""
      lines.append(
        #"{"type": "frame", "appStart": \#(frame * 16), "commit": \#(frame * 16 + 4), "displayed": \#(shown)\#(expected)}"#
      )
    }
    let trace = try Importers.read(
      InputFile(bytes: Array((lines.joined(separator: "\n") + "\n").utf8)))
    let listing = FrameListing(try #require(Pipeline(reconstructing: trace).surfaces.first))
    let known = try #require(TraceAnalysis(of: trace).surfaces[0].hitches.value)
    #expect(known.times == [12_000_000, 12_000_000, 12_000_000])
    #expect(
      (0..<30).map { listing[$0].hitch?.count }
        == (0..<30).map { frame in
          frame % 10 == 5 ? 12_000_000 : frame % 2 == 1 ? 0 : nil
        })
    #expect(listing[5].due?.nanoseconds == 110_000_000)
  }

  @Test func nothingHappensAtRestAndThatIsDrawn() throws {
    let plot = try DrawnPlot.of(
      "occupancy", DrawnPlot.trace("triple-switch"),
      of: TraceRegion(
        start: Timestamp(nanoseconds: 951_000_000), end: Timestamp(nanoseconds: 952_000_000)))
    let steps = try #require(plot.layers("buffers in use").first).rows
    #expect(steps.first?[0] == 951 && steps.last?[0] == 952)
    #expect(steps.allSatisfy { $0[1] == 2 })
  }
}
