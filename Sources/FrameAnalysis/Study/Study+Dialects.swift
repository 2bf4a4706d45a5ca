extension Study {
  /// The figures of other tools for the frame times of the primary surface that correspond to a
  /// metric.
  public func explanation(
    of metric: String
  ) -> [(
    dialect: String, name: String, value: Double?, unit: String, formula: String, because: String
  )] {
    guard let meant else { return [] }
    let measured = surface(meant, .whole)
    guard
      case .sample(let sample) = FrameMetric.frameTime.measure(measured, leavingOut: .none).content
    else { return [] }
    let times = DialectTimes(sample, of: measured)
    return Dialects.figures(for: metric).map { dialect, figure in
      (
        dialect.name, figure.name, times.count > 0 ? figure.value(times) : nil, figure.unit,
        figure.formula, figure.because
      )
    }
  }
}
