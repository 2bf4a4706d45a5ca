/// Flutter's summary of a driven test.
extension MetricDialect {
  static let flutter = MetricDialect(
    name: "flutter", source: "Flutter, timeline_summary.dart",
    figures: [0.9, 0.99].map { p in
      .time(
        "\(Int(p * 100))th percentile", "frameTime",
        "frame times in order, place (n − 1) · \(p) rounded to the nearest",
        "one frame, without interpolation"
      ) { times in
        times.count == 0 ? nil : times.ascending[Int((Double(times.count - 1) * p).rounded())]
      }
    })
}
