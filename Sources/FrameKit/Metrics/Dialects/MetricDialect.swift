/// How another tool computes figures of frame times.
public struct MetricDialect: Sendable {
  /// A figure as that tool computes it.
  public struct Figure: Sendable {
    /// What the tool calls it.
    public let name: String
    /// Our metric of the same purpose, by name.
    public let counterpart: String
    public let unit: String
    public let formula: String
    /// Why it differs from others of its name.
    public let because: String
    /// The figure of frame times in milliseconds in the order in which they came; `nil` where
    /// the tool has none.
    let value: @Sendable (DialectTimes) -> Double?
  }

  public let name: String
  /// The tool, and where its code says so.
  public let source: String
  public let figures: [Figure]
}

/// Frame times in milliseconds, with their orders at hand.
struct DialectTimes: Sendable {
  let ascending: [Double]
  let sum: Double

  init(_ sample: Sample) {
    ascending = sample.values.map { Double($0) / 1e6 }.filter { $0 > 0 }.sorted()
    sum = ascending.reduce(0, +)
  }

  var count: Int { ascending.count }

  /// The value at a place counted from the longest; `nil` where there is none.
  func longest(_ place: Int) -> Double? {
    ascending.indices.contains(count - 1 - place) ? ascending[count - 1 - place] : nil
  }

  func type7(_ p: Double) -> Double? { count > 0 ? RealQuantile.type7(ascending, p) : nil }
}

/// What a dialect makes of a surface.
public struct DialectResult: Sendable {
  public let dialect: MetricDialect
  /// For each figure its value; `nil` where the tool has none.
  public let values: [Double?]

  init(_ dialect: MetricDialect, _ times: DialectTimes) {
    self.dialect = dialect
    values = dialect.figures.map { times.count > 0 ? $0.value(times) : nil }
  }
}
