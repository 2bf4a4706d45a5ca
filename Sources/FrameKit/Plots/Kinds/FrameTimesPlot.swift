extension TracePlot {
  /// Frame times over time.
  static let frameTimes = TracePlot(
    "frame-times", "Frame times over time, with percentiles, the refresh interval and drops.",
    [.metric, .region],
    .surfaces { surfaces, options throws(PlotRefusal) in
      try TimeSeriesPlot(
        kind: "frame-times", what: "Frame times", metrics: ["frameTime"], showsDrops: true
      ).draw(surfaces, options)
    })
}
