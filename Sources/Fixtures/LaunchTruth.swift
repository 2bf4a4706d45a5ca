import FrameKit

/// The truth about a launch, known from how the launch was generated.
package struct LaunchTruth: Hashable, Sendable {
  /// A phase and the activity of its main thread, in milliseconds.
  package struct Phase: Hashable, Sendable {
    package let name: String
    package let wall: Double
    /// The processor time; `nil` if the recorder does not state it.
    package let cpu: Double?
    /// The time in each thread state; empty if the recorder does not state them.
    package let states: [String: Double]
  }

  /// `cold`, `warm` or `resume`.
  package let kind: String
  /// The time from the tap, or else from the start of the process, to the first frame.
  package let milliseconds: Double
  /// Whether the launch counts: not a throwaway, not a resume, and not under a profiler.
  package let isMeasurement: Bool
  package let isProfiled: Bool
  package let phases: [Phase]

  init(_ launch: LaunchTrace.Launch) {
    kind = "\(launch.kind)"
    milliseconds = Nanoseconds(launch.total).milliseconds
    isMeasurement = !launch.isThrowaway && launch.kind != .resume && !launch.isProfiled
    isProfiled = launch.isProfiled
    phases = launch.phases.map { phase in
      let main = phase.threads.first ?? []
      let states = Dictionary(grouping: main, by: \.state).map { state, stretches in
        ("\(state)", Nanoseconds(stretches.reduce(0) { $0 + $1.length }).milliseconds)
      }
      return Phase(
        name: "\(phase.name)", wall: Nanoseconds(phase.length).milliseconds,
        cpu: phase.cpu.map { Nanoseconds($0).milliseconds },
        states: Dictionary(uniqueKeysWithValues: states))
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
