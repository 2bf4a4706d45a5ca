extension TracePlot {
  /// How often which frame time comes up.
  static let frameTimeHistogram = TracePlot(
    "frame-time-histogram", "How often which frame time comes up.", [.metric, .region],
    depth: .outcomes,
    .surfaces { surfaces, options throws(PlotRefusal) in
      try HistogramPlot(kind: "frame-time-histogram", what: "Frame times", metrics: ["frameTime"])
        .draw(surfaces, options)
    })

  /// How often which latency comes up.
  static let latencyHistogram = TracePlot(
    "latency-histogram", "How often which latency comes up.", [.metric, .region],
    .surfaces { surfaces, options throws(PlotRefusal) in
      try HistogramPlot(kind: "latency-histogram", what: "Latencies", metrics: latencies)
        .draw(surfaces, options)
    })

  /// Which share of frame times is at most how long.
  static let frameTimeDistribution = TracePlot(
    "frame-time-distribution", "Which share of frame times is at most how long.",
    [.metric, .region],
    depth: .outcomes,
    .surfaces { surfaces, options throws(PlotRefusal) in
      try DistributionPlot(
        kind: "frame-time-distribution", what: "Frame times", metrics: ["frameTime"]
      ).draw(surfaces, options)
    })

  /// Which share of latencies is at most how long.
  static let latencyDistribution = TracePlot(
    "latency-distribution", "Which share of latencies is at most how long.",
    [.metric, .region],
    .surfaces { surfaces, options throws(PlotRefusal) in
      try DistributionPlot(kind: "latency-distribution", what: "Latencies", metrics: latencies)
        .draw(surfaces, options)
    })
}
