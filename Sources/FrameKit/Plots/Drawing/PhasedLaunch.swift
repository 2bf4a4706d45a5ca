/// A launch with its phases, in milliseconds since the tap, or the start of the process.
struct PhasedLaunch {
  struct Phase {
    let name: PhaseColumn.Name
    let start, end: Double
  }

  /// What tells it from the others.
  var name: String
  let phases: [Phase]
  /// cold, warm or resume; `nil` when not known.
  let kind: String?
  /// From the tap, or the start, to the first frame; `nil` when not known.
  let total: Double?
  /// Whether it counts: no throwaway, and no resume.
  let isMeasurement: Bool
  let isProfiled: Bool

  /// The start of all that is known of it: below 0 where the process ran before the tap.
  var start: Double { min(0, phases.map(\.start).min() ?? 0) }

  /// The end of all that is known of it.
  var end: Double { max(total ?? 0, phases.map(\.end).max() ?? 0) }

  /// It in words.
  var words: String {
    let parts = phases.map {
      "\(PlottedMetric.words("\($0.name)")) \(PlotText.milliseconds($0.end - $0.start))"
    }
    let sum = total.map { " \(PlotText.milliseconds($0))" } ?? ""
    return "\(name)\(sum)" + (parts.isEmpty ? "" : ": \(parts.joined(separator: ", "))")
  }

  /// The launches of a trace in order.
  static func all(_ trace: Trace) -> [PhasedLaunch] {
    (0..<trace.launches.count).compactMap { PhasedLaunch(trace, row: $0) }
  }

  private init?(_ trace: Trace, row: Int) {
    let launches = trace.launches
    let number = launches[row, .identifier]
    // Phases that name no launch are those of the only one.
    let isOnly = launches.count == 1
    let phases = (0..<trace.phases.count).filter { place in
      trace.phases[place, .launch].map { $0 == number } ?? isOnly
    }
    let started = launches[row, .tapped] ?? launches[row, .started]
    let first = started ?? phases.compactMap { trace.phases[$0, .start] }.min()
    guard let origin = first ?? launches[row, .firstFrame] else { return nil }
    let milliseconds = { (time: Int64) in Double(time - origin) / 1e6 }
    self.phases = phases.compactMap { place in
      guard let name = trace.phases[place, .name].flatMap(PhaseColumn.Name.init),
        let start = trace.phases[place, .start], let end = trace.phases[place, .end], end >= start
      else { return nil }
      return Phase(name: name, start: milliseconds(start), end: milliseconds(end))
    }.sorted { $0.start < $1.start }
    // A first frame before the start is no launch's.
    total =
      started == nil
      ? nil : launches[row, .firstFrame].map(milliseconds).flatMap { $0 < 0 ? nil : $0 }
    let kind = launches[row, .kind].flatMap(LaunchColumn.Kind.init)
    self.kind = kind.map { "\($0)" }
    let isThrowaway = launches[row, .throwaway] == 1
    isMeasurement = !isThrowaway && kind != .resume
    isProfiled = launches[row, .profiled] == 1
    let words = [
      kind.map { "\($0)" }, isThrowaway ? "throwaway" : nil, isProfiled ? "profiled" : nil,
    ]
    name = (["\(number ?? Int64(row + 1))"] + words.compactMap { $0 }).joined(separator: " ")
  }
}
