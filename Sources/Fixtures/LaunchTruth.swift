import FrameKit

/// What is true of a launch, known from how it was made.
package struct LaunchTruth: Hashable, Sendable {
  /// A phase with what its main thread did, in milliseconds.
  package struct Phase: Hashable, Sendable {
    package let name: String
    package let wall: Double
    /// `nil` when the recorder does not say.
    package let cpu: Double?
    /// Of each state; empty when the recorder does not say.
    package let states: [String: Double]
  }

  /// cold, warm or resume.
  package let kind: String
  /// From the tap, or else the start of the process, to the first frame.
  package let milliseconds: Double
  /// Whether it counts: no throwaway, no resume, and not under a profiler.
  package let isMeasurement: Bool
  package let isProfiled: Bool
  package let phases: [Phase]

  init(_ launch: LaunchTrace.Launch) {
    kind = "\(launch.kind)"
    milliseconds = Double(launch.total) / 1e6
    isMeasurement = !launch.isThrowaway && launch.kind != .resume && !launch.isProfiled
    isProfiled = launch.isProfiled
    phases = launch.phases.map { phase in
      let main = phase.threads.first ?? []
      let states = Dictionary(grouping: main, by: \.state).map { state, stretches in
        ("\(state)", Double(stretches.reduce(0) { $0 + $1.length }) / 1e6)
      }
      return Phase(
        name: "\(phase.name)", wall: Double(phase.length) / 1e6,
        cpu: phase.cpu.map { Double($0) / 1e6 }, states: Dictionary(uniqueKeysWithValues: states))
    }
  }

  func write(to json: inout JSONWriter) {
    json.key("kind")
    json.value(kind)
    json.key("total_ms")
    json.value(milliseconds)
    json.key("measurement")
    json.value(isMeasurement)
    json.key("profiled")
    json.value(isProfiled)
    json.key("phases")
    json.array { json in
      for phase in phases { json.object(phase.write) }
    }
  }
}

extension LaunchTruth.Phase {
  fileprivate func write(to json: inout JSONWriter) {
    json.key("name")
    json.value(name)
    json.key("wall_ms")
    json.value(wall)
    if let cpu {
      json.key("cpu_ms")
      json.value(cpu)
    }
    for state in states.keys.sorted() {
      json.key("\(state)_ms")
      json.value(states[state] ?? 0)
    }
  }
}
