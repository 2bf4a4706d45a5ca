import FrameAnalysis
import FrameTrace

/// Figures as OpenMetrics text, which Prometheus and its textfile collector read: gauges in base
/// units, labeled with the program and the statistic.
enum OpenMetricsText {
  static func write(_ figures: [DashboardFigure]) -> String {
    var lines: [String] = []
    var names: [String] = []
    for figure in figures where !names.contains(figure.metric) { names.append(figure.metric) }
    // All samples of a family must be contiguous.
    for name in names {
      let family = figures.filter { $0.metric == name }
      guard let first = family.first else { continue }
      let base = BaseUnit(first.unit)
      let title = "frametool_\(snakeCase(name))_\(base.suffix)"
      lines.append("# TYPE \(title) gauge")
      lines.append("# UNIT \(title) \(base.suffix)")
      if let summary = Metrics.entries.first(where: { $0.name == name })?.summary {
        lines.append("# HELP \(title) \(escaped(summary))")
      }
      for figure in family {
        let labels =
          [("program", figure.program)] + (figure.statistic.map { [("statistic", $0)] } ?? [])
        let text = labels.map { "\($0)=\"\(escaped($1))\"" }.joined(separator: ",")
        lines.append("\(title){\(text)} \(RoundedNumber.of(base.value(figure.value)))")
      }
    }
    return (lines + ["# EOF"]).joined(separator: "\n") + "\n"
  }

  /// Converts `frameTime` to `frame_time`.
  private static func snakeCase(_ name: String) -> String {
    name.reduce(into: "") { text, character in
      if character.isUppercase { text += "_" }
      text += character.lowercased()
    }
  }

  private static func escaped(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { escaped, scalar in
      switch scalar {
      case "\\": escaped += "\\\\"
      case "\"": escaped += "\\\""
      case "\n": escaped += "\\n"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
  }
}

/// The unit that OpenMetrics requires instead of a metric's unit.
private struct BaseUnit {
  /// The unit's name, which is the suffix of the family's name.
  let suffix: String
  /// The value in the base unit.
  let value: (Double) -> Double

  init(_ unit: MetricUnit) {
    let seconds = { (value: Double) in Nanoseconds.milliseconds(value).seconds }
    switch unit {
    case .milliseconds: (suffix, value) = ("seconds", seconds)
    case .millisecondsPerSecond: (suffix, value) = ("ratio", seconds)
    case .percent: (suffix, value) = ("ratio", { $0 / 100 })
    case .framesPerSecond: (suffix, value) = ("hertz", { $0 })
    case .frames: (suffix, value) = ("frames", { $0 })
    case .refreshes: (suffix, value) = ("refreshes", { $0 })
    case .perMinute: (suffix, value) = ("hertz", { $0 / 60 })
    case .points: (suffix, value) = ("points", { $0 })
    case .samples: (suffix, value) = ("samples", { $0 })
    }
  }
}
