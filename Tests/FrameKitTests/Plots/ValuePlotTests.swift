import Testing

@testable import FrameAnalysis
@testable import FrameImporters
@testable import FrameReport
@testable import FrameStatistics
@testable import FrameTrace
@testable import FrameVerdicts

/// Plots of values: they draw what is measured.
@Suite struct ValuePlotTests {
  private func summary(_ trace: Trace, _ metric: String) throws -> Summary {
    guard case .summary(let summary) = TraceAnalysis(of: trace).surfaces.first?[metric]?.figures
    else { throw PlotRefusal("not measured") }
    return summary
  }

  @Test func frameTimesAreDrawnWithTheirPercentiles() throws {
    let trace = try DrawnPlot.trace("gpu-overrun-sustained")
    let plot = try DrawnPlot.of("frame-times", trace)
    let summary = try summary(trace, "frameTime")
    let line = try #require(plot.layers("frame time").first)
    #expect(line.count == summary.n)
    #expect(line.rows.map { $0[1] }.max() == summary.maximum)
    #expect(line.rows.map { $0[1] }.min() == summary.minimum)
    let levels = plot.panels[0].layers.filter { $0.shape == .segments && $0.rows.count == 1 }
    for value in [summary.p50, summary.p95, summary.p99] {
      #expect(levels.contains { $0.rows[0][1] == value && $0.rows[0][3] == value })
    }
    #expect(plot.panels[0].y.range.contains(summary.maximum))
    #expect(plot.panels[0].y.range.lowerBound == 0)
    #expect(plot.subtitle.contains("n \(summary.n)"))
  }

  @Test func droppedRefreshesAreMarkedAtTheirTimes() throws {
    let trace = try DrawnPlot.trace("gpu-overrun")
    let drops = try #require(TraceAnalysis(of: trace).surfaces.first?.drops.value)
    let plot = try DrawnPlot.of("frame-times", trace)
    let marks = try #require(plot.layers("dropped").first)
    #expect(marks.count == drops.drops.count)
    #expect(marks.rows.map { $0[0] } == drops.drops.map { Double($0.time.nanoseconds) / 1e9 })
    #expect(plot.subtitle.contains("\(drops.refreshes) dropped refreshes"))
  }

  @Test func severalTracesLieOverOneAnother() throws {
    let traces = try [1, 2, 3].map { try Study(of: DrawnPlot.trace("uncapped-game", seed: $0)) }
    for kind in ["frame-times", "frame-time-histogram", "frame-time-distribution"] {
      let plot = try DrawnPlot.named(kind).draw(traces)
      let colors = Set(plot.panels[0].layers.map(\.color))
      #expect(colors == [.series(0), .series(1), .series(2)], "\(kind)")
      #expect(plot.title.hasSuffix("of 3 traces"))
    }
  }

  @Test func aHistogramHoldsAllValuesOnce() throws {
    let trace = try DrawnPlot.trace("uncapped-game")
    let plot = try DrawnPlot.of("frame-time-histogram", trace)
    let rows = try #require(plot.layers("frame time").first).rows
    #expect(abs(rows.reduce(0) { $0 + $1[3] } - 100) < 1e-9)
    let widths = Set(rows.map { (($0[1] - $0[0]) * 1e6).rounded() })
    #expect(widths.count == 1)
    let summary = try summary(trace, "frameTime")
    #expect(rows.first.map { $0[0] <= summary.minimum } ?? false)
    #expect(rows.last.map { $0[1] > summary.maximum } ?? false)
    let p99 = plot.panels[0].layers.filter { $0.shape == .segments }.map { $0.rows[0][0] }
    #expect(p99.contains(summary.p99))
  }

  @Test func whatAHistogramLeavesOutIsCounted() {
    var values = [Int64](repeating: 10_000_000, count: 1000)
    for index in values.indices { values[index] += Int64(index % 7) * 10_000 }
    values += [900_000_000, 950_000_000]
    let sample = Sample(values)
    let bins = ValueBins(for: [sample], Summary(millionths: sample).map { [$0] } ?? [])
    let counts = bins.counts(sample)
    #expect(counts.beyond == 2)
    #expect(counts.bins.reduce(0, +) + counts.beyond == values.count)
    #expect(bins.end < 100)
  }

  @Test func aDistributionRisesAndPassesItsPercentiles() throws {
    let trace = try DrawnPlot.trace("uncapped-game")
    let plot = try DrawnPlot.of("frame-time-distribution", trace)
    let rows = try #require(plot.layers("frame time").first).rows
    #expect(zip(rows, rows.dropFirst()).allSatisfy { $0[0] <= $1[0] && $0[1] < $1[1] })
    let summary = try summary(trace, "frameTime")
    #expect(rows.contains([summary.p50, 50]))
    #expect(rows.contains([summary.p99, 99]))
    #expect(rows.first == [summary.minimum, 0] && rows.last == [summary.maximum, 100])
  }

  @Test func theTalksTableIsAWaterfallOfFiveBoxes() throws {
    let plot = try DrawnPlot.of("latency-waterfall", DrawnPlot.trace("talk-triple"))
    let parts = plot.panels[0].layers.dropLast().map { $0.rows[0] }
    let whole = try #require(plot.panels[0].layers.last?.rows.first)
    #expect(abs(whole[1] - 5 * 16.6668) < 1e-3)
    // Each part begins where the one before ends, and the last one ends where the whole ends.
    #expect(zip(parts, parts.dropFirst()).allSatisfy { abs($0[1] - $1[0]) < 1e-9 })
    #expect(parts.first?[0] == 0 && abs((parts.last?[1] ?? 0) - whole[1]) < 1e-9)
    let lengths = parts.map { $0[1] - $0[0] }.filter { $0 > 0.001 }
    #expect(lengths.count == 5 && lengths.allSatisfy { abs($0 - 16.6668) < 1e-3 })
    #expect(plot.subtitle.contains("n 120"))
  }

  @Test func latenciesAreDrawnWhenTheyAreSeen() throws {
    let trace = try DrawnPlot.trace("talk-low-latency")
    let plot = try DrawnPlot.of("latency", trace)
    let points = try #require(plot.layers("touch to photon").first)
    #expect(points.count == 120)
    #expect(points.rows.allSatisfy { abs($0[1] - 3 * 16.6668) < 1e-3 })
    // Without touches, clicks are used instead.
    let game = try DrawnPlot.of("latency", DrawnPlot.trace("uncapped-game"))
    #expect(game.layers("click to photon").count == 1)
  }

  @Test(arguments: ["talk-triple", "talk-coalesced", "predicted-touches", "cancelled-touches"])
  func latenciesOfAPartAreThoseOfThePart(_ name: String) throws {
    let trace = try DrawnPlot.trace(name)
    for region in [
      nil,
      TraceRegion(
        start: Timestamp(nanoseconds: 100_000_000), end: Timestamp(nanoseconds: 500_000_000)),
    ] {
      let plot = try DrawnPlot.of("latency", trace, of: region)
      let points = try #require(plot.layers("touch to photon").first)
      #expect(plot.subtitle.hasPrefix("n \(points.count ?? 0)"), "\(plot.subtitle)")
      #expect(points.rows.allSatisfy { plot.panels[0].x.range.contains($0[0]) })
    }
  }

  @Test func tracesOfOneNameAreToldApart() throws {
    let one = try DrawnPlot.trace("uncapped-game", frames: 50)
    var (first, second) = (one, one)
    (first.provenance.file, second.provenance.file) = ("before/run.csv", "after/run.csv")
    let kind = TracePlot.frameTimes
    let names = try kind.draw([Study(of: first), Study(of: second)]).panels[0].layers.map(
      \.name)
    #expect(names == ["before/run.csv", "after/run.csv"])
    let same = try kind.draw([Study(of: one), Study(of: one)]).panels[0].layers.map(\.name)
    #expect(Set(same).count == 2)
  }

  @Test func dropsAreStackedByStage() throws {
    let trace = try DrawnPlot.trace("app-overrun-sustained")
    let drops = try #require(TraceAnalysis(of: trace).surfaces.first?.drops.value)
    let plot = try DrawnPlot.of("drops", trace)
    for (stage, count) in drops.byStage {
      let boxes = plot.boxes(.stage(stage))
      #expect(abs(boxes.reduce(0) { $0 + $1[3] - $1[2] } - Double(count)) < 1e-9, "\(stage)")
    }
    #expect(plot.subtitle.contains("\(drops.refreshes) of \(drops.activeRefreshes)"))
  }

  @Test func aLongDropIsSpreadOverItsTime() throws {
    // One frame is 40 refreshes late.
    let lines = (0..<120).map { frame -> String in
      let start = Double(frame) * 16.6668
      let late = frame < 60 ? 0 : 40 * 16.6668
      let displayed = (frame == 60 ? start + late : start + (frame > 60 ? late : 0)) + 33.3336
      let end = frame == 60 ? start + late + 8 : start + (frame > 60 ? late : 0) + 8
      return
        #"{"type": "frame", "appStart": \#(frame > 60 ? start + late : start), "commit": \#(end), "compositorStart": \#(end + 9), "compositorEnd": \#(end + 10), "gpuEnd": \#(end + 12), "displayed": \#(displayed)}"#
    }
    let text = ([#"{"schema": "frametool.trace/1", "unit": "ms"}"#] + lines).joined(separator: "\n")
    let trace = try Importers.read(InputFile(bytes: Array((text + "\n").utf8)))
    let drops = try #require(TraceAnalysis(of: trace).surfaces.first?.drops.value)
    #expect(drops.longestRun >= 39)
    let plot = try DrawnPlot.of("drops", trace)
    let boxes = plot.panels[0].layers.filter { $0.shape == .boxes }.flatMap(\.rows)
    // However long the drop lasted, it is one bar.
    #expect(boxes.contains { $0[3] - $0[2] >= 39 })
    #expect(abs(boxes.reduce(0) { $0 + $1[3] - $1[2] } - Double(drops.refreshes)) < 1e-9)
    let x = plot.panels[0].x.range
    #expect(boxes.allSatisfy { x.contains($0[0]) && x.contains($0[1]) })
  }

  @Test func aRefreshFarBeyondTheTraceCountsAtItsEnd() throws {
    var lines = [
      #"{"schema": "frametool.trace/1", "unit": "ms"}"#, #"{"type": "display", "id": "d"}"#,
    ]
    for number in 0..<30 {
      lines.append(#"{"type": "refresh", "number": \#(number), "time": \#(number * 16)}"#)
    }
    lines.append(#"{"type": "surface", "id": "s", "display": "d"}"#)
    for frame in 0..<20 {
      let (refresh, commit) = frame == 12 ? (600, 9000) : (frame + 2, frame * 16 + 5)
      lines.append(
        #"{"type": "frame", "startRefresh": \#(frame), "appStart": \#(frame * 16), "commit": \#(commit), "displayed": \#(frame * 16 + 32), "displayedRefresh": \#(refresh)}"#
      )
    }
    let trace = try Importers.read(
      InputFile(bytes: Array((lines.joined(separator: "\n") + "\n").utf8)))
    let drops = try #require(TraceAnalysis(of: trace).surfaces.first?.drops.value)
    #expect(drops.refreshes > 500)
    let plot = try DrawnPlot.of("drops", trace)
    let boxes = plot.panels[0].layers.flatMap(\.rows)
    #expect(boxes.count < 100)
    #expect(boxes.reduce(0) { $0 + $1[3] - $1[2] } == Double(drops.refreshes))
  }

  @Test func valuesOfAPartAreAllOnTheAxis() throws {
    let trace = try DrawnPlot.trace("uncapped-game", frames: 3000)
    let plot = try DrawnPlot.of(
      "frame-times", trace,
      of: TraceRegion(
        start: Timestamp(nanoseconds: 3_000_000_000), end: Timestamp(nanoseconds: 5_000_000_000)))
    let line = try #require(plot.layers("frame time").first)
    #expect(plot.subtitle.hasPrefix("n \(line.count ?? 0);"), "\(plot.subtitle)")
    // A level far above all values is not in the legend either.
    let y = plot.panels[0].y.range
    for layer in plot.panels[0].layers { #expect(layer.rows.allSatisfy { y.contains($0[1]) }) }
    let xs = line.rows.map { $0[0] }
    #expect(zip(xs, xs.dropFirst()).allSatisfy { $0 <= $1 })
    #expect(line.rows.count <= line.count ?? 0)
  }

  @Test func jitterIsTheChangeFromFrameToFrame() throws {
    let trace = try DrawnPlot.trace("uncapped-game", frames: 100)
    let surface = try #require(trace.surfaces.first)
    let commits = (0..<surface.frames.count).compactMap { surface.frames[$0, .commit] }
    let times = zip(commits.dropFirst(), commits).map { $0 - $1 }
    let changes = zip(times.dropFirst(), times).map { Double($0 - $1) / 1e6 }
    let plot = try DrawnPlot.of("jitter", trace)
    #expect(plot.panels[0].layers[0].rows.map { $0[1] } == changes)
    let range = plot.panels[0].y.range
    #expect(range.lowerBound == -range.upperBound)
    let shares = plot.panels[1].layers[0].rows.map { $0[3] }
    #expect(abs(shares.reduce(0, +) - 100) < 1e-9)
  }

  @Test func anyMetricWithValuesCanBeDrawn() throws {
    let trace = try DrawnPlot.trace("uncapped-game")
    let plot = try DrawnPlot.of("frame-times", trace) { $0.metric = "gpuTime" }
    #expect(plot.panels[0].y.label == "gpu time in ms")
    let refusal = #expect(throws: PlotRefusal.self) {
      try DrawnPlot.of("frame-times", trace) { $0.metric = "averageFrameRate" }
    }
    #expect(refusal?.message.contains("one figure") == true)
  }

  @Test func ofSeveralSurfacesTheLargestIsDrawnAndThatIsSaid() throws {
    let trace = try DrawnPlot.trace("two-surfaces")
    let plot = try DrawnPlot.of("frame-times", trace)
    #expect(plot.subtitle.contains("one of 2 surfaces"))
    let kind = TracePlot.frameTimes
    let second = try kind.draw([
      Study(of: trace, AnalysisOptions(), SurfaceChoice(surfaces: [trace.surfaces[1].id]))
    ])
    #expect(!second.subtitle.contains("largest"))
    #expect(second.title.contains(trace.surfaces[1].name ?? trace.surfaces[1].id))
  }
}

/// Plots of more than one run.
@Suite struct RunPlotTests {
  @Test func aComparisonIsDrawnAsItIsPrinted() throws {
    let comparison = try Comparison(
      DrawnPlot.runs("gpu-overrun", seeds: 1...3),
      DrawnPlot.runs("gpu-overrun-sustained", seeds: 4...6))
    let plot = try ComparisonPlot.compare.draw(comparison)
    let ranges = plot.panels.flatMap(\.layers).filter { $0.shape == .ranges }.flatMap(\.rows)
    #expect(ranges.count == comparison.metrics.count)
    for metric in comparison.metrics {
      let ends = [metric.interval.lowerBound, metric.interval.upperBound]
      #expect(
        ranges.contains { $0[0] == metric.effect && Array($0[2...]) == ends }, "\(metric.name)")
    }
    // Three runs a side, each a line.
    let lines = plot.panels[0].layers
    #expect(lines.count == 6 && lines.allSatisfy { $0.shape == .line })
    #expect(lines.filter(\.isBroken).count == 3)
    #expect(plot.title.contains(comparison.overall.rawValue))
  }

  /// One run a side gives suspicions only, each of which has its direction.
  @Test(arguments: [("slower", false), ("faster", true)])
  func aSuspicionHasItsDirection(_ layer: String, _ isFaster: Bool) throws {
    let sides = [
      try DrawnPlot.runs("gpu-overrun", seeds: 1...1),
      try DrawnPlot.runs("gpu-overrun-sustained", seeds: 2...2),
    ]
    let comparison = try Comparison(sides[isFaster ? 1 : 0], sides[isFaster ? 0 : 1])
    let plot = try ComparisonPlot.compare.draw(comparison)
    let suspected = comparison.metrics.filter { metric in
      metric.verdict == (isFaster ? .suspectedImprovement : .suspected)
    }
    #expect(!suspected.isEmpty)
    #expect(plot.layers(layer).flatMap(\.rows).count == suspected.count)
  }

  @Test func aHistoryNamesTheJobAtWhichTheLevelChanged() throws {
    let before = try DrawnPlot.runs("gpu-overrun", seeds: 1...8)
    let after = try DrawnPlot.runs("gpu-overrun-sustained", seeds: 9...16)
    let jobs = (before + after).map { [$0] }
    var options = PlotOptions()
    options.metric = "mean"
    let plot = try JobsPlot.history.draw(jobs: jobs, options)
    #expect(plot.subtitle.contains("level changes at job 9"))
    #expect(plot.layers("level changes").first?.rows.map { $0[0] } == [8.5])
    #expect(plot.layers("run").first?.rows.count == 16)
    #expect(plot.layers("level").first?.rows.count == 2)
    let steady = try JobsPlot.history.draw(jobs: before.map { [$0] }, options)
    #expect(steady.layers("level changes").isEmpty)
  }

  @Test func launchesAreTheirPhasesUponOneAnother() throws {
    let trace = try DrawnPlot.trace("launches")
    let plot = try DrawnPlot.of("launch", trace)
    let all = plot.panels[0].y.ticks?.map(\.text) ?? []
    let medians = all.count { $0.hasPrefix("median ") }
    let names = all.dropFirst(medians).map { $0 }
    #expect(names.count == 8 && names[0] == "0 cold throwaway" && names[5] == "5 resume")
    // The phases of a launch end with its first frame.
    for row in 0..<trace.launches.count {
      let boxes = plot.panels[0].layers.filter { $0.shape == .boxes }.flatMap(\.rows)
        .filter { $0[2] < Double(row + medians) && $0[3] > Double(row + medians) }
      let tapped = try #require(trace.launches[row, .tapped])
      let first = try #require(trace.launches[row, .firstFrame])
      #expect(abs((boxes.map { $0[1] }.max() ?? 0) - Double(first - tapped) / 1e6) < 1e-9)
    }
    #expect(plot.layers("goal 400 ms").first?.rows.first?[0] == 400)
    let measured = LaunchTimes(RebuiltLaunch.all(trace)).times
    #expect(plot.subtitle.contains("n 8 launches, \(measured.count) measured"))
    #expect(plot.subtitle.contains("cold") && plot.subtitle.contains("warm"))
  }

  @Test func aJobWithoutRunsKeepsItsPosition() throws {
    let before = try DrawnPlot.runs("gpu-overrun", seeds: 1...8).map { [$0] }
    let after = try DrawnPlot.runs("gpu-overrun-sustained", seeds: 9...16).map { [$0] }
    var options = PlotOptions()
    options.metric = "mean"
    let jobs = Array(before[..<3]) + [[]] + before[3...] + after
    let plot = try JobsPlot.history.draw(jobs: jobs, options)
    #expect(plot.subtitle.contains("n 17 jobs, 16 runs") && plot.subtitle.contains("job 10"))
  }

  @Test func phasesBelongToTheirLaunchOnly() throws {
    let text = """
      {"schema": "frametool.trace/1", "unit": "ms"}
      {"type": "launch", "id": 1, "kind": "cold", "tapped": 100, "firstFrame": 50}
      {"type": "launch", "id": 2, "kind": "cold", "tapped": 1000, "firstFrame": 1300}
      {"type": "launch", "id": 3, "firstFrame": 5000}
      {"type": "phase", "launch": 2, "name": "systemInterface", "start": 960, "end": 1060}
      {"type": "phase", "name": "firstFrame", "start": 1200, "end": 1300}

      """
    let trace = try Importers.read(InputFile(bytes: Array(text.utf8)))
    let plot = try DrawnPlot.of("launch", trace)
    #expect(plot.subtitle.contains("n 3 launches, 1 measured"))
    #expect(plot.subtitle.contains("cold 300.0 ms (n 1)"))
    #expect(plot.layers("system interface").first?.rows.map { [$0[0], $0[1]] } == [[-40, 60]])
    #expect(plot.layers("first frame").isEmpty)
    #expect(plot.panels[0].x.range.contains(-40))
  }

  @Test func launchesAndLatenciesAreComparedWithoutFrameTimes() throws {
    let runs = try [1, 2, 3, 4].map { seed in
      try RunTimes.of(Study(of: DrawnPlot.trace("launches", seed: seed))).summary
    }
    var options = ComparisonOptions()
    options.kind = .launch
    let launches = try Comparison(Array(runs[..<2]), Array(runs[2...]), options: options)
    let plot = try ComparisonPlot.compare.draw(launches)
    #expect(plot.panels.count == 1 && plot.subtitle.contains("n \(runs[0].launches.count * 2)"))
  }

  @Test func everyKindIsListedOnceAndRefusesWhatItCannotDraw() throws {
    #expect(Set(Plots.all.map(\.name)).count == Plots.all.count)
    #expect(Plots.all.allSatisfy { $0.summary.hasSuffix(".") })
    let video = try DrawnPlot.trace("video-24")
    for case .traces(let kind) in Plots.all {
      do throws(PlotRefusal) {
        let plot = try kind.draw([Study(of: video)])
        #expect(plot.kind == kind.name)
        #expect(plot.subtitle.contains("n ") || plot.subtitle.contains("dropped"), "\(kind.name)")
      } catch {
        #expect(error.message.count > 20, "\(kind.name)")
      }
    }
  }
}
