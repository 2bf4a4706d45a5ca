import FrameTrace

/// The output of `adb shell am start -W` for launches, one after the other.
///
/// Documentation: Android, "App startup time". Example:
///
///     Status: ok
///     LaunchState: COLD
///     Activity: com.example/.MainActivity
///     TotalTime: 571
///
/// The launch was cold and took 571 ms to its first frame.
struct ActivityStart: TraceImporter {
  let name = "am-start"
  let title = "am start -W"
  let versions = "Android 5 to 16"
  let documentation = "https://developer.android.com/topic/performance/vitals/launch-time"
  let platform: Platform? = .android

  func recognize(_ head: FileHead) -> Recognition? {
    guard !head.isJSON else { return nil }
    let lines = DumpText(head).lines
    guard lines.contains(where: { $0.hasPrefix("Status: ") }),
      lines.contains(where: {
        $0.hasPrefix("TotalTime: ") || $0.hasPrefix("WaitTime: ") || $0 == "Complete"
      })
    else { return nil }
    return Recognition(format: "am start -W", reason: "it reports activities being started")
  }

  func read(
    _ input: InputFile, _ provenance: Provenance, _ demand: TraceDemand
  ) throws(ParseError) -> TraceBuilder {
    var builder = TraceBuilder(provenance)
    builder.trace.clocks = [
      ClockDomain(name: "start of each launch", join: .traceClock, offset: nil, resolution: nil)
    ]
    var start = Start()
    var incomplete = 0
    for line in try DumpText(input).lines {
      let parts = line.split(separator: ": ", maxSplits: 1)
      let value = parts.count > 1 ? parts[1] : ""
      switch parts.first {
      case "Starting", "Status":
        if parts.first == "Starting" || start.isDone { start = Start() }
      case "LaunchState": start.state = value.description
      case "Activity": start.activity = value.description
      // `ThisTime`, the last activity's time, comes before `TotalTime`, which only some outputs
      // have.
      case "ThisTime": start.time = start.time ?? Int64(value)
      case "TotalTime": start.time = Int64(value) ?? start.time
      case "Complete":
        if !start.add(to: &builder) { incomplete += 1 }
        start = Start()
        start.isDone = true
      default: break
      }
    }
    builder.log.note(
      .malformedLine, .dataLoss,
      "starts without a time, or of an app already in the foreground, left out", count: incomplete)
    guard builder.trace.launches.count > 0 else {
      throw ParseError(
        path: input.path,
        problem: "expected a launch with a time in the output of am start -W, found none",
        help: "stop the app before starting it, with 'am force-stop PACKAGE' for a cold launch")
    }
    return builder
  }

  /// A launch being read.
  private struct Start {
    var state: String?
    var activity: String?
    /// In milliseconds.
    var time: Int64?
    var isDone = false

    /// - Returns: `false` if the launch has no time above 0.
    func add(to builder: inout TraceBuilder) -> Bool {
      guard let time, time > 0, time < 1_000_000_000 else { return false }
      var row = Table<LaunchColumn>.Row()
      row[.identifier] = Int64(builder.trace.launches.count + 1)
      let process = activity?.split(separator: "/").first.map(String.init)
      row[.process] = process.map { builder.trace.launches.texts.number(of: $0) }
      let kind: LaunchColumn.Kind? =
        switch state?.split(separator: " ").first {
        case "COLD": .cold
        case "WARM": .warm
        case "HOT": .resume
        default: nil
        }
      row[.kind] = kind?.rawValue
      row[.tapped] = 0
      row[.firstFrame] = time * 1_000_000
      builder.trace.launches.append(row)
      return true
    }
  }
}
