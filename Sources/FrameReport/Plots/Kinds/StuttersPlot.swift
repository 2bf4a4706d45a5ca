import FrameAnalysis
import FrameStatistics
import FrameTrace

extension TracePlot {
  /// Stutters and stops over time.
  static let stutters = TracePlot(
    "stutters",
    "Stutters and stops over time with their lengths, their rhythm, and the series that differ most around them.",
    [.region],
    .surface { surface, _ throws(PlotRefusal) in try StuttersPlot(surface).plot() })
}

/// The stutters of a surface as lines as high as each stutter's longest frame, above the series that differ around
/// them.
private struct StuttersPlot {
  private let surface: PlottedSurface
  private let found: StutterFindings
  private let stops: [StopFindings.Stop]

  /// The maximum number of series that are drawn below, and the maximum number of beats.
  private static let (mostSeries, mostBeats) = (3, 500)

  init(_ surface: PlottedSurface) throws(PlotRefusal) {
    guard let found = surface.measured.stutters else {
      throw PlotRefusal("\(surface.path): stutters need at least 60 frames with a frame time")
    }
    self.surface = surface
    self.found = found
    stops = surface.measured.stopFindings.stops
  }

  func plot() -> Plot {
    let axis = surface.timeAxis
    let lengths = found.stutters.map(\.longest.milliseconds) + stops.map(\.length.milliseconds)
    var panel = PlotPanel(
      x: axis, y: .fromZero("longest frame in ms", to: lengths.max() ?? 0),
      layers: layers(on: axis.range))
    panel.height = 1.6
    if lengths.isEmpty {
      let middle = (axis.range.lowerBound + axis.range.upperBound) / 2
      panel.labels = [PlotLabel(x: middle, y: 0.5, text: "no stutter and no stop")]
    }
    let subtitle = PlotText.line([
      summary, found.basis, surface.aside,
    ])
    return Plot(
      "stutters", title: "Stutters: \(surface.title)", subtitle: subtitle,
      description: "Stutters and stops over time: \(subtitle).", panels: [panel] + series(on: axis))
  }

  private var summary: String {
    let words = [
      StopWords(surface.measured.stopFindings, from: surface.origin).summary,
      StutterWords(found, from: surface.origin).summary,
      StutterWords(found, from: surface.origin).rhythm,
    ].compactMap(\.self)
    return words.isEmpty ? "n 0: no stutter in \(found.n) times" : words.joined(separator: "; ")
  }

  private func layers(on range: ClosedRange<Double>) -> [PlotLayer] {
    let high =
      (found.stutters.map(\.longest.milliseconds) + stops.map(\.length.milliseconds)).max() ?? 0
    // A stop is as wide as it is long, with a visible minimum.
    let least = (range.upperBound - range.lowerBound) / 400
    let isStop = Set(stops.map(\.row))
    let box = { (time: Timestamp, length: Nanoseconds, height: Nanoseconds) -> [Double] in
      let start = surface.seconds(time)
      return [start, start + max(least, length.seconds), 0, height.milliseconds]
    }
    let stutters = found.stutters.filter { !isStop.contains($0.row) }
    var layers = [
      PlotLayer(
        .boxes, "stutters, n \(stutters.count)", .series(0),
        stutters.map { box($0.time, $0.length, $0.longest) }),
      PlotLayer(
        .boxes, "stops, n \(stops.count)", .series(1),
        stops.map { box($0.time, $0.length, $0.length) }),
    ]
    if let rhythm = found.rhythms.first, let first = found.start {
      let start = surface.seconds(first) + rhythm.phase
      let count = Int((range.upperBound - start) / rhythm.period)
      let beats = (0...max(0, min(count, Self.mostBeats))).map {
        start + Double($0) * rhythm.period
      }
      .filter(range.contains)
      layers.insert(
        PlotLayer(
          .segments, "one each \(FixedNumber.text(rhythm.period, decimals: 2)) s", .muted,
          beats.map { [$0, 0, $0, high] }
        ).with(.faint, isBroken: true), at: 0)
    }
    return layers.filter { !$0.rows.isEmpty }
  }

  /// The series that differ most around stutters.
  private func series(on axis: PlotAxis) -> [PlotPanel] {
    let findings = surface.measured.stutterDifferences?.findings ?? []
    return findings.prefix(Self.mostSeries).map { finding in
      let points = zip(finding.readings.times, finding.readings.values).map { time, value in
        [surface.seconds(Timestamp(nanoseconds: time)), value]
      }.filter { axis.range.contains($0[0]) }
      let values = points.map { $0[1] }
      let label = finding.unit.map { "\(finding.name) in \($0)" } ?? finding.name
      var panel = PlotPanel(
        x: axis, y: .fromZero(label, to: values.max() ?? 0, low: values.min() ?? 0),
        layers: [PlotLayer(.steps, finding.name, .series(2), points)])
      panel.hasLegend = false
      return panel
    }
  }
}
