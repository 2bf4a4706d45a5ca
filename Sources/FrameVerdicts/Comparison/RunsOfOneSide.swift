import FrameStatistics

/// Several runs of the same program and scene combined: each figure is the mean over the runs.
public struct RunsOfOneSide: Sendable {
  /// A figure that all runs have.
  public struct Figure: Sendable {
    /// The figure's name, as in a comparison.
    public let name: String
    /// The unit of the figure's values.
    public let unit: String
    /// The value of each run, in the order of the runs.
    public let values: [Double]

    /// The mean of the values.
    public var mean: Double { Moments(values).mean }

    /// The standard deviation of a run; `nil` with one run.
    public var deviation: Double? {
      values.count > 1 ? Moments(values).variance.squareRoot() : nil
    }

    /// The bounds of the mean, each with 95 % confidence, from Student's t; `nil` with one run, or if all values are
    /// equal: such runs do not show how much runs differ.
    public var interval: ClosedRange<Double>? {
      guard let deviation, deviation > 1e-9 * mean else { return nil }
      let count = Double(values.count)
      let reach = StudentsT.quantile(0.95, degrees: count - 1) * deviation / count.squareRoot()
      return max(0, mean - reach)...mean + reach
    }
  }

  /// The runs, in the order in which they were given.
  public let runs: [RunSummary]
  /// The figures, frame rates first.
  public let figures: [Figure]
  /// The frame rates and figures based on due times that only some of the runs have.
  public let partial: [String]

  /// - Throws: If the runs cannot be compared with each other, as for a comparison.
  public init(_ runs: [RunSummary]) throws(ComparisonRefusal) {
    var options = ComparisonOptions()
    if runs.contains(where: { !$0.reported.isEmpty }) { options.kind = .reported }
    guard !runs.isEmpty else { throw ComparisonRefusal.noRuns(side: options.names.before) }
    try ComparisonChecks.refuse(runs, [], options)
    let measures = try RunMeasure.all(Array(runs.prefix(1)), Array(runs.dropFirst()), options)
    let known = KnownFigure.all.map { figure in (figure, runs.compactMap(figure.value)) }
    self.runs = runs
    figures =
      known.filter { $1.count == runs.count }.map { figure, values in
        Figure(name: figure.name, unit: figure.unit, values: values)
      }
      + measures.map { measure in
        Figure(
          name: measure.name, unit: measure.unit,
          values: runs.map { measure.metric.unscaled(measure.value($0)) })
      }
    partial = known.filter { (1..<runs.count).contains($1.count) }.map(\.0.name)
  }
}
