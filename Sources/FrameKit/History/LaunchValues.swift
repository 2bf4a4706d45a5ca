/// The figures that a history keeps of the launches of a run: medians of those that count, each
/// measure by itself.
struct LaunchValues {
  /// A launch that counts.
  struct Launch {
    let measure: LaunchMeasure
    /// In milliseconds.
    let total: Double
    var cpu: Double?
    /// The time of each phase that is known.
    var phases: [(name: String, wall: Double)] = []
  }

  let all: [HistoryValue]

  init(_ launches: [Launch]) {
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

extension LaunchValues {
  /// Reads the launches of a trace as `launch` and `analyze` print them: of the process that is
  /// named, else of the one with most that count.
  init(_ nodes: [JSONNode], of wanted: String?) {
    let counted = nodes.filter { $0["measured"]?.isTrue == true }
    var counts: [String?: Int] = [:]
    for node in counted { counts[node["process"]?.text, default: 0] += 1 }
    let most = counts.values.max()
    let first = counted.first { counts[$0["process"]?.text] == most }?["process"]?.text
    let process = wanted ?? first
    self.init(counted.filter { $0["process"]?.text == process }.compactMap(Launch.init))
  }
}

extension LaunchValues.Launch {
  fileprivate init?(_ node: JSONNode) {
    guard let total = node["total_ms"]?.number,
      let until = LaunchColumn.End.allCases.first(where: { "\($0)" == node["until"]?.text })
    else { return nil }
    self.total = total
    measure = LaunchMeasure(
      kind: LaunchColumn.Kind.allCases.first { "\($0)" == node["kind"]?.text }, until: until,
      isFromTap: node["from"]?.text == "tap")
    cpu = node["cpu_ms"]?.number
    phases = (node["phases"]?.array ?? []).compactMap { phase in
      phase["name"]?.text.flatMap { name in phase["wall_ms"]?.number.map { (name, $0) } }
    }
  }
}
