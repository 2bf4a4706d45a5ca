import FrameAnalysis
import FrameStatistics
import FrameTrace

/// A launch with its phases, in milliseconds since the tap, or the start of the process.
struct PhasedLaunch {
  struct Phase {
    let name: PhaseColumn.Name
    let start, end: Double
  }

  /// The name that identifies the launch among the others.
  var name: String
  let phases: [Phase]
  /// cold, warm or resume; `nil` if not known.
  let kind: String?
  /// The time from the tap, or the start, to the first frame; `nil` if not known.
  let total: Double?
  /// Whether the launch counts as a measurement: not a warm-up launch, not a resume, and not under a profiler.
  let isMeasurement: Bool
  let isProfiled: Bool
  /// Whether this is the median of several launches instead of a launch.
  private(set) var isMedian = false

  /// The start of all known phases; negative if the process was running before the tap.
  var start: Double { min(0, phases.map(\.start).min() ?? 0) }

  /// The end of all known phases.
  var end: Double { max(total ?? 0, phases.map(\.end).max() ?? 0) }

  /// A text description.
  var words: String {
    let parts = phases.map {
      "\($0.name.words) \(PlotText.milliseconds($0.end - $0.start))"
    }
    let sum = total.map { " \(PlotText.milliseconds($0))" } ?? ""
    return "\(name)\(sum)" + (parts.isEmpty ? "" : ": \(parts.joined(separator: ", "))")
  }

  /// The median of the measured launches of a kind.
  /// - Parameter file: The file of the launches, if there are several files.
  /// - Returns: `nil` with fewer than two.
  init?(medianOf launches: [PhasedLaunch], kind: String?, file: String?) {
    let times = launches.filter { $0.isMeasurement && $0.kind == kind }.compactMap(\.total).sorted()
    guard times.count > 1 else { return nil }
    phases = []
    (self.kind, isMeasurement, isProfiled, isMedian) = (kind, false, false, true)
    total = RealQuantile.type7(times, 0.5)
    name = [file, "median", kind, "(n \(times.count))"].compactMap { $0 }.joined(separator: " ")
  }

  /// - Returns: `nil` if none of its times are known.
  init?(_ launch: RebuiltLaunch) {
    let known = [launch.start, launch.phases.map(\.start).min(), launch.end]
    guard let origin = known.compactMap({ $0 }).first else { return nil }
    phases = launch.phases.map { phase in
      Phase(
        name: phase.name, start: (phase.start - origin).milliseconds,
        end: (phase.end - origin).milliseconds)
    }
    total = launch.total?.milliseconds
    kind = launch.kind.map { "\($0)" }
    isMeasurement = launch.isMeasurement
    isProfiled = launch.isProfiled
    name = launch.name
  }
}
