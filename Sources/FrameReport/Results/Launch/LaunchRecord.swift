import FrameAnalysis
import FrameTrace
import FrameVerdicts

extension RebuiltLaunch {
  /// A launch, in the same form in all results.
  static let fields: [ResultColumn<RebuiltLaunch>] =
    LaunchColumns.all + [
      .rows(
        LaunchKey.phases,
        LaunchPhaseRow.columns + [
          .rows("waits", ThreadWait.columns, "what it waited for") { $0.phase?.waits ?? [] },
          .rows("calls", CallTime.columns, "the functions that took most") {
            ($0.phase?.calls ?? []).prefix(mostCalls)
          },
        ], "each phase", LaunchPhaseRow.phases),
      .rows("inversions", InversionRow.columns, "priority inversions") { launch in
        launch.inversions.map { InversionRow(launch: launch, inversion: $0) }
      },
    ]

  /// The maximum number of functions written for a phase.
  private static let mostCalls = 20
}

/// The keys of a launch that are read back.
enum LaunchKey {
  static let process = "process"
  static let kind = "kind"
  static let measured = "measured"
  static let from = "from"
  static let tap = "tap"
  static let until = "until"
  static let total = "total_ms"
  static let cpu = "cpu_ms"
  static let phases = "phases"
  static let name = "name"
  static let wall = "wall_ms"
}

extension LaunchValues {
  /// Reads the launches of a trace from the output of a `FieldRecord`: those of the named process, or else of the
  /// process with the most launches that count.
  init(_ nodes: [JSONNode], of wanted: String?) {
    let counted = nodes.filter { $0[LaunchKey.measured]?.isTrue == true }
    var counts: [String?: Int] = [:]
    for node in counted { counts[node[LaunchKey.process]?.text, default: 0] += 1 }
    let most = counts.values.max()
    let first = counted.first { counts[$0[LaunchKey.process]?.text] == most }
    let process = wanted ?? first?[LaunchKey.process]?.text
    self.init(counted.filter { $0[LaunchKey.process]?.text == process }.compactMap(Launch.init))
  }
}

extension LaunchValues.Launch {
  fileprivate init?(_ node: JSONNode) {
    guard let total = node[LaunchKey.total]?.number,
      let until = LaunchColumn.End.allCases.first(where: {
        "\($0)" == node[LaunchKey.until]?.text
      })
    else { return nil }
    let measure = LaunchMeasure(
      kind: LaunchColumn.Kind.allCases.first { "\($0)" == node[LaunchKey.kind]?.text },
      until: until, isFromTap: node[LaunchKey.from]?.text == LaunchKey.tap)
    self.init(measure: measure, total: total)
    cpu = node[LaunchKey.cpu]?.number
    phases = (node[LaunchKey.phases]?.array ?? []).compactMap { phase in
      phase[LaunchKey.name]?.text.flatMap { name in
        phase[LaunchKey.wall]?.number.map { (name, $0) }
      }
    }
  }
}
