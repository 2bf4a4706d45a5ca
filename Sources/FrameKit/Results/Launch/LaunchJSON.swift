/// The JSON object of a launch, the same wherever launches are written.
struct LaunchJSON {
  private let launch: RebuiltLaunch

  init(_ launch: RebuiltLaunch) { self.launch = launch }

  /// Writes the members of the object.
  func write(to json: inout JSONWriter) {
    json.member("id", launch.number)
    json.member("process", launch.process)
    json.member("kind", launch.kind.map { "\($0)" })
    json.member("throwaway", launch.isThrowaway)
    json.member("profiled", launch.isProfiled)
    json.member("measured", launch.isMeasurement)
    json.memberIfAny("why_not_measured", launch.whyNoMeasurement?.words)
    json.member("from", launch.start == nil ? nil : launch.isFromTap ? "tap" : "process")
    json.member("until", "\(launch.until)")
    json.member("total_ms", launch.total?.milliseconds)
    json.member("goal_ms", LaunchShares.goal.milliseconds)
    let shares = LaunchShares(launch)
    json.member("system_ms", shares?.system.milliseconds)
    json.member("app_ms", shares?.app.milliseconds)
    json.member("rest_ms", shares?.rest.milliseconds)
    json.member("cpu_ms", launch.cpu?.milliseconds)
    json.member("bytes_read", launch.bytesRead)
    json.key("phases")
    json.array { json in
      for phase in launch.phases { json.object { write(phase, to: &$0) } }
    }
    json.key("inversions")
    json.array { json in
      for inversion in launch.inversions { json.object { write(inversion, to: &$0) } }
    }
    json.writeReasons(reasons(shares))
  }

  private func reasons(_ shares: LaunchShares?) -> [(String, String)] {
    let untold = "the trace does not tell it"
    var reasons: [(String, String)] = []
    if launch.process == nil { reasons.append(("process", untold)) }
    if launch.kind == nil { reasons.append(("kind", untold)) }
    if launch.start == nil { reasons.append(("from", "neither a tap nor a start is known")) }
    if launch.total == nil {
      let why =
        launch.start == nil
        ? "its start is not known" : "no \(launch.until.words) after its start is known"
      reasons.append(("total_ms", why))
    }
    if shares == nil {
      let why =
        launch.kind == .resume
        ? "a resume is no launch" : "the phases or the total are not known"
      reasons += ["system_ms", "app_ms", "rest_ms"].map { ($0, why) }
    }
    if launch.cpu == nil { reasons.append(("cpu_ms", untold)) }
    if launch.bytesRead == nil { reasons.append(("bytes_read", untold)) }
    return reasons
  }

  private func write(_ phase: LaunchPhase, to json: inout JSONWriter) {
    let start = launch.start
    json.member("name", "\(phase.name)")
    json.member("called", phase.label)
    json.member("at_ms", start.map { (phase.start - $0).milliseconds })
    json.member("wall_ms", phase.wall.milliseconds)
    json.member("cpu_ms", phase.cpu?.milliseconds)
    json.member("cpu_inferred", phase.isCPUInferred)
    let times = phase.times
    for (key, length) in [
      ("running_ms", times?.running), ("runnable_ms", times?.runnable),
      ("preempted_ms", times?.preempted), ("blocked_ms", times?.blocked),
      ("unknown_ms", times?.unknown),
    ] {
      json.member(key, length.map { Double($0) / 1e6 })
    }
    json.key("waits")
    json.array { json in
      for wait in phase.waits { json.object { write(wait, to: &$0) } }
    }
    json.key("calls")
    json.array { json in
      for call in phase.calls.prefix(20) { json.object { write(call, to: &$0) } }
    }
    var reasons: [(String, String)] = []
    if phase.label == nil { reasons.append(("called", "the source has no other name for it")) }
    if start == nil { reasons.append(("at_ms", "the launch's start is not known")) }
    if phase.cpu == nil {
      reasons.append(("cpu_ms", "neither it nor all states of the main thread are known"))
    }
    if times == nil {
      let why = "the trace does not tell what the main thread did"
      reasons += ["running_ms", "runnable_ms", "preempted_ms", "blocked_ms", "unknown_ms"].map {
        ($0, why)
      }
    }
    json.writeReasons(reasons)
  }

  private func write(_ wait: ThreadWait, to json: inout JSONWriter) {
    json.member("by", wait.unblockedBy?.words)
    json.member("reason", wait.reason)
    json.member("ms", Double(wait.length) / 1e6)
    json.member("count", wait.count)
    var reasons: [(String, String)] = []
    let untold = "the trace does not tell it"
    if wait.unblockedBy == nil { reasons.append(("by", untold)) }
    if wait.reason == nil { reasons.append(("reason", untold)) }
    json.writeReasons(reasons)
  }

  private func write(_ call: CallTime, to json: inout JSONWriter) {
    json.member("function", call.function)
    json.member("library", call.library)
    json.member("wall_ms", Double(call.wall) / 1e6)
    json.member("cpu_ms", call.cpu.map { Double($0) / 1e6 })
    json.member("count", call.count)
    var reasons: [(String, String)] = []
    let untold = "the trace does not tell it"
    if call.library == nil { reasons.append(("library", untold)) }
    if call.cpu == nil { reasons.append(("cpu_ms", untold)) }
    json.writeReasons(reasons)
  }

  private func write(_ inversion: PriorityInversion, to json: inout JSONWriter) {
    let origin = launch.start ?? launch.phases.first?.start
    json.member("waiter", inversion.waiter.words)
    json.member("holder", inversion.holder.words)
    json.member("waiter_priority", inversion.waiterPriority)
    json.member("holder_priority", inversion.holderPriority)
    json.member("ms", Double(inversion.length) / 1e6)
    json.member("starved_ms", Double(inversion.starved) / 1e6)
    json.member("count", inversion.count)
    json.member("at_ms", origin.map { (inversion.start - $0).milliseconds })
    if origin == nil { json.writeReasons([("at_ms", "the launch's start is not known")]) }
  }
}
