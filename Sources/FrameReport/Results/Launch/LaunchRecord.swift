import FrameAnalysis
import FrameTrace
import FrameVerdicts

extension FieldRecord {
  private static let untold = "the trace does not say"

  /// A launch, the same wherever launches are written.
  init(_ launch: RebuiltLaunch) {
    let untold = Self.untold
    add("id", launch.number)
    add(LaunchKey.process, launch.process, else: untold)
    add(LaunchKey.kind, launch.kind.map { "\($0)" }, else: untold)
    add("throwaway", launch.isThrowaway)
    add("profiled", launch.isProfiled)
    add(LaunchKey.measured, launch.isMeasurement)
    addIfAny("why_not_measured", launch.whyNoMeasurement?.words)
    add(
      LaunchKey.from, launch.start == nil ? nil : launch.isFromTap ? LaunchKey.tap : "process",
      else: "neither a tap nor a start is known")
    add(LaunchKey.until, "\(launch.until)")
    add(
      LaunchKey.total, launch.total?.milliseconds,
      else: launch.start == nil
        ? "its start is not known" : "no \(launch.until.words) after its start is known")
    add("goal_ms", LaunchShares.goal.milliseconds)
    let shares = LaunchShares(launch)
    let why =
      launch.kind == .resume ? "a resume is not a launch" : "the phases or the total are not known"
    add("system_ms", shares?.system.milliseconds, else: why)
    add("app_ms", shares?.app.milliseconds, else: why)
    add("rest_ms", shares?.rest.milliseconds, else: why)
    add(LaunchKey.cpu, launch.cpu?.milliseconds, else: untold)
    add("bytes_read", launch.bytesRead, else: untold)
    add(LaunchKey.phases, rows: launch.phases) { phase, record in
      record.add(phase, from: launch.start)
    }
    add("inversions", rows: launch.inversions) { inversion, record in
      record.add(inversion, from: launch.start ?? launch.phases.first?.start)
    }
  }

  private mutating func add(_ phase: LaunchPhase, from start: Timestamp?) {
    add(LaunchKey.name, "\(phase.name)")
    add("called", phase.label, else: "the source has no other name for it")
    add(
      "at_ms", start.map { (phase.start - $0).milliseconds },
      else: "the launch's start is not known")
    add(LaunchKey.wall, phase.wall.milliseconds)
    add(
      "cpu_ms", phase.cpu?.milliseconds,
      else: "neither it nor all states of the main thread are known")
    add("cpu_inferred", phase.isCPUInferred)
    let times = phase.times
    for (key, length) in [
      ("running_ms", times?.running), ("runnable_ms", times?.runnable),
      ("preempted_ms", times?.preempted), ("blocked_ms", times?.blocked),
      ("unknown_ms", times?.unknown),
    ] {
      add(
        key, length?.milliseconds,
        else: "the trace does not say what the main thread did")
    }
    add("waits", rows: phase.waits) { wait, record in
      record.add("by", wait.unblockedBy?.words, else: Self.untold)
      record.add("reason", wait.reason, else: Self.untold)
      record.add("ms", wait.length.milliseconds)
      record.add("count", wait.count)
    }
    add("calls", rows: phase.calls.prefix(20)) { call, record in
      record.add("function", call.function)
      record.add("library", call.library, else: Self.untold)
      record.add("wall_ms", call.wall.milliseconds)
      record.add("cpu_ms", call.cpu?.milliseconds, else: Self.untold)
      record.add("count", call.count)
    }
  }

  private mutating func add(_ inversion: PriorityInversion, from origin: Timestamp?) {
    add("waiter", inversion.waiter.words)
    add("holder", inversion.holder.words)
    add("waiter_priority", inversion.waiterPriority)
    add("holder_priority", inversion.holderPriority)
    add("ms", inversion.length.milliseconds)
    add("starved_ms", inversion.starved.milliseconds)
    add("count", inversion.count)
    add(
      "at_ms", origin.map { (inversion.start - $0).milliseconds },
      else: "the launch's start is not known")
  }
}

/// The keys of a launch that are read again.
private enum LaunchKey {
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
  /// Reads the launches of a trace that `FieldRecord` was written to: of the process that is named,
  /// else of the one with most that count.
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
