extension TracePlot {
  /// The metrics of latency, the best first.
  static let latencies = ["touchToPhoton", "clickToPhoton", "inputToPhoton", "displayLatency"]

  /// Latencies over time.
  static let latency = TracePlot(
    "latency", "Latencies over time: touch to photon, else click to photon, else app to display.",
    [.metric, .region],
    .surfaces { surfaces, options throws(PlotRefusal) in
      try TimeSeriesPlot(
        kind: "latency", what: "Latency", metrics: latencies, showsDrops: false
      ).draw(surfaces, options)
    })
}
