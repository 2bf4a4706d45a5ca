extension Study {
  /// What other tools make of the frame times of the surface that is meant, for one of our metrics.
  public func explanation(
    of metric: String
  ) -> [(
    dialect: String, name: String, value: Double?, unit: String, formula: String, because: String
  )] {
    guard let meant,
      case .sample(let sample) = FrameMetric.frameTime.measure(
        surface(meant, .outcomes), leavingOut: .none
      ).content
    else { return [] }
    let times = DialectTimes(sample)
    return Dialects.figures(for: metric).map { dialect, figure in
      (
        dialect.name, figure.name, times.count > 0 ? figure.value(times) : nil, figure.unit,
        figure.formula, figure.because
      )
    }
  }
}
