/// Launches as a recorder would have written them, one behind the other.
package struct LaunchTrace {
  /// One launch: the tap, and how long each phase takes from the start of the process on.
  package struct Launch: Sendable {
    package let kind: LaunchColumn.Kind
    /// From the tap to the start of the process, in nanoseconds.
    package let delay: Int64
    /// The phases in order, each with its length and the time the main thread ran in it.
    package let phases: [(name: PhaseColumn.Name, length: Int64, cpu: Int64)]
    package var isThrowaway = false

    package init(
      kind: LaunchColumn.Kind, delay: Int64,
      phases: [(name: PhaseColumn.Name, length: Int64, cpu: Int64)], isThrowaway: Bool = false
    ) {
      self.kind = kind
      self.delay = delay
      self.phases = phases
      self.isThrowaway = isThrowaway
    }

    /// From the tap to the first frame, which the extended phase comes behind.
    package var total: Int64 {
      delay + phases.filter { $0.name != .extended }.reduce(0) { $0 + $1.length }
    }
  }

  /// From a tap to the next one.
  private static let pause: Int64 = 5_000_000_000

  package static func make(_ launches: [Launch], named name: String, process: String) -> Trace {
    var builder = TraceBuilder(
      Provenance(
        file: name, importer: "scenario", format: "scenario \(name)", reason: "it was generated"))
    builder.trace.clocks = [
      ClockDomain(
        name: "simulated", join: .traceClock, offset: nil, resolution: Nanoseconds(1000))
    ]
    for (number, launch) in launches.enumerated() {
      add(launch, number: Int64(number), process: process, to: &builder)
    }
    return builder.finish()
  }

  private static func add(
    _ launch: Launch, number: Int64, process: String, to builder: inout TraceBuilder
  ) {
    let tapped = number * pause
    var row = Table<LaunchColumn>.Row()
    row[.identifier] = number
    row[.process] = builder.trace.launches.texts.number(of: process)
    row[.kind] = launch.kind.rawValue
    row[.tapped] = tapped
    row[.started] = tapped + launch.delay
    row[.firstFrame] = tapped + launch.total
    row[.throwaway] = launch.isThrowaway ? 1 : 0
    var time = tapped + launch.delay
    for phase in launch.phases {
      var part = Table<PhaseColumn>.Row()
      part[.launch] = number
      part[.name] = phase.name.rawValue
      part[.start] = time
      time += phase.length
      part[.end] = time
      part[.cpu] = phase.cpu
      builder.trace.phases.append(part)
      if phase.name == .extended { row[.finished] = time }
    }
    builder.trace.launches.append(row)
  }
}
