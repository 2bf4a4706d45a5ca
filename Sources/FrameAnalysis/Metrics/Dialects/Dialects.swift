import FrameStatistics

/// The available dialects.
public enum Dialects {
  /// The tools whose figures can be computed, in the order in which they are listed.
  public static let all: [MetricDialect] = [
    .presentMon, .capFrameX, .capFrameXLinux, .mangoHud, .mangoPlot, .ocatOverlay, .ocatFile,
    .frameTimeAnalysis, .flutter, .afterburner,
    .perfDog, .sentry, .openTelemetry,
  ]

  /// The dialect with that name; `nil` if there is none.
  public static func named(_ name: String) -> MetricDialect? { all.first { $0.name == name } }

  /// All figures of other tools that correspond to one of our metrics.
  public static func figures(for metric: String) -> [(
    dialect: MetricDialect, figure: MetricDialect.Figure
  )] {
    all.flatMap { dialect in
      dialect.figures.filter { $0.counterpart == metric }.map { (dialect, $0) }
    }
  }

  /// Our metrics that other tools have figures for.
  public static var counterparts: [String] {
    Metrics.entries.map(\.name).filter { !figures(for: $0).isEmpty }
  }
}

/// How another tool computes figures of frame times.
public struct MetricDialect: Sendable {
  /// A figure as that tool computes it.
  public struct Figure: Sendable {
    /// What the tool calls it.
    public let name: String
    /// The name of the metric with the same purpose.
    public let counterpart: String
    /// The unit of the figure.
    public let unit: String
    /// How the tool computes it.
    public let formula: String
    /// Why the figure differs from other figures of the same name.
    public let because: String
    /// The figure, from frame times in milliseconds in their original order; `nil` where the tool has none.
    let value: @Sendable (DialectTimes) -> Double?
  }

  /// The tool's name in `--dialect`.
  public let name: String
  /// The tool, and the part of its code that defines the figures.
  public let source: String
  /// The figures that the tool shows.
  public let figures: [Figure]
}

/// Frame times in milliseconds, with their sorted order available.
struct DialectTimes: Sendable {
  /// The frame times in their original order.
  let ordered: [Double]
  let ascending: [Double]
  let sum: Double
  /// The display's refresh interval in milliseconds; `nil` where it is not known.
  let refresh: Double?

  init(_ sample: Sample, refresh: Double? = nil) {
    ordered = sample.values.map { Millionths.value($0) }.filter { $0 > 0 }
    ascending = ordered.sorted()
    sum = ascending.reduce(0, +)
    self.refresh = refresh
  }

  init(_ sample: Sample, of surface: MeasuredSurface) {
    let interval = RunRefresh(surface, times: sample.values)?.interval
    self.init(sample, refresh: interval.map { Millionths.value($0) })
  }

  var count: Int { ascending.count }

  /// The value at an index counted from the longest; `nil` where there is none.
  func longest(_ position: Int) -> Double? {
    ascending.indices.contains(count - 1 - position) ? ascending[count - 1 - position] : nil
  }

  func type7(_ p: Double) -> Double? { count > 0 ? RealQuantile.type7(ascending, p) : nil }
}

/// The figures that a dialect computes for a surface.
public struct DialectResult: Sendable {
  /// The tool whose figures these are.
  public let dialect: MetricDialect
  /// For each figure its value; `nil` where the tool has none.
  public let values: [Double?]

  init(_ dialect: MetricDialect, _ times: DialectTimes) {
    self.dialect = dialect
    values = dialect.figures.map { times.count > 0 ? $0.value(times) : nil }
  }
}

/// Flutter's summary of a driven test.
extension MetricDialect {
  static let flutter = MetricDialect(
    name: "flutter", source: "Flutter, timeline_summary.dart",
    figures: [0.9, 0.99].map { p in
      .time(
        "\(Int(p * 100))th percentile", "frameTime",
        "sorted frame times at index (n − 1) · \(p), rounded to the nearest",
        "one frame, without interpolation"
      ) { times in
        times.count == 0 ? nil : times.ascending[Int((Double(times.count - 1) * p).rounded())]
      }
    })
}
