import FrameAnalysis

extension TracePlot {
  /// Frame times over time.
  static let frameTimes = TracePlot(
    "frame-times", "Frame times over time, with percentiles, the refresh interval and drops.",
    [.metric, .region, .telemetry],
    .surfaces { surfaces, options throws(PlotRefusal) in
      try TimeSeriesPlot(
        kind: "frame-times", what: "Frame times", metrics: ["frameTime"], showsDrops: true
      ).draw(surfaces, options)
    })

  /// The metrics of latency, in order of preference.
  static let latencies = ["touchToPhoton", "clickToPhoton", "inputToPhoton", "displayLatency"]

  /// Latencies over time.
  static let latency = TracePlot(
    "latency", "Latencies over time: touch to photon, else click to photon, else app to display.",
    [.metric, .region, .telemetry],
    .surfaces { surfaces, options throws(PlotRefusal) in
      try TimeSeriesPlot(
        kind: "latency", what: "Latency", metrics: latencies, showsDrops: false
      ).draw(surfaces, options)
    })

  /// A histogram of frame times.
  static let frameTimeHistogram = TracePlot(
    "frame-time-histogram", "How often each frame time occurs.", [.metric, .region],
    depth: .outcomes,
    .surfaces { surfaces, options throws(PlotRefusal) in
      try HistogramPlot(kind: "frame-time-histogram", what: "Frame times", metrics: ["frameTime"])
        .draw(surfaces, options)
    })

  /// A histogram of latencies.
  static let latencyHistogram = TracePlot(
    "latency-histogram", "How often each latency occurs.", [.metric, .region],
    .surfaces { surfaces, options throws(PlotRefusal) in
      try HistogramPlot(kind: "latency-histogram", what: "Latencies", metrics: latencies)
        .draw(surfaces, options)
    })

  /// The cumulative distribution of frame times.
  static let frameTimeDistribution = TracePlot(
    "frame-time-distribution", "The share of frame times at or below each length.",
    [.metric, .region],
    depth: .outcomes,
    .surfaces { surfaces, options throws(PlotRefusal) in
      try DistributionPlot(
        kind: "frame-time-distribution", what: "Frame times", metrics: ["frameTime"]
      ).draw(surfaces, options)
    })

  /// The cumulative distribution of latencies.
  static let latencyDistribution = TracePlot(
    "latency-distribution", "The share of latencies at or below each length.",
    [.metric, .region],
    .surfaces { surfaces, options throws(PlotRefusal) in
      try DistributionPlot(kind: "latency-distribution", what: "Latencies", metrics: latencies)
        .draw(surfaces, options)
    })
}
