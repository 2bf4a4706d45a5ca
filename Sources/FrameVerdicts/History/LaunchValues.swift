package import FrameAnalysis
import FrameStatistics
import FrameTrace

/// The launch figures that a history keeps for a run: medians of the launches that count, for each measure separately.
package struct LaunchValues {
  /// A launch that counts.
  package struct Launch {
    package let measure: LaunchMeasure
    /// The duration in milliseconds.
    package let total: Double
    package var cpu: Double?
    /// The time of each known phase.
    package var phases: [(name: String, wall: Double)] = []

    package init(measure: LaunchMeasure, total: Double) {
      (self.measure, self.total) = (measure, total)
    }

    /// - Returns: `nil` for a launch of unknown duration.
    init?(_ launch: RebuiltLaunch) {
      guard let total = launch.total else { return nil }
      self.init(measure: LaunchMeasure(launch), total: total.milliseconds)
      cpu = launch.cpu?.milliseconds
      phases = launch.phases.map { ("\($0.name)", $0.wall.milliseconds) }
    }
  }

  package let all: [HistoryValue]

  package init(_ launches: [Launch]) {
    all = LaunchMeasure.all.flatMap { measure -> [HistoryValue] in
      let own = launches.filter { $0.measure == measure }
      let phases = PhaseColumn.Name.allCases.map { phase in
        Self.median(
          "\(measure.name).\(phase)",
          own.compactMap { launch in
            let parts = launch.phases.filter { $0.name == "\(phase)" }
            return parts.isEmpty ? nil : parts.reduce(0) { $0 + $1.wall }
          })
      }
      let figures = [
        Self.median(measure.name, own.map(\.total)),
        Self.median("\(measure.name).cpu", own.compactMap(\.cpu)),
      ]
      return (figures + phases).compactMap { $0 }
    }
  }

  private static func median(_ name: String, _ values: [Double]) -> HistoryValue? {
    values.isEmpty
      ? nil
      : HistoryValue(
        metric: "p50(\(name))", unit: "ms", value: RealQuantile.type7(values, 0.5),
        n: values.count)
  }
}
