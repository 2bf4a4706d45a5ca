import FrameAnalysis
import FrameTrace
import FrameVerdicts

extension FieldRecord {
  /// A launch, in the same form in all results.
  init(_ launch: RebuiltLaunch) {
    add(LaunchColumns.all, of: launch)
    add(LaunchKey.phases, rows: LaunchPhaseRow.phases(launch)) { row, record in
      record.add(LaunchPhaseRow.columns, of: row)
      record.add("waits", rows: row.phase?.waits ?? []) { wait, record in
        record.add(ThreadWait.columns, of: wait)
      }
      record.add("calls", rows: (row.phase?.calls ?? []).prefix(Self.mostCalls)) { call, record in
        record.add(CallTime.columns, of: call)
      }
    }
    add("inversions", rows: launch.inversions) { inversion, record in
      record.add(InversionRow.columns, of: InversionRow(launch: launch, inversion: inversion))
    }
  }

  /// The most functions written for a phase.
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
  /// Reads the launches of a trace that a `FieldRecord` was written to: those of the named process,
  /// or else of the one with the most launches that count.
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
