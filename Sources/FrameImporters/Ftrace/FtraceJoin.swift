import FrameTrace

/// Assembles a trace from the contents of a log.
struct FtraceJoin {
  private let log: FtraceLog
  /// The names of threads.
  private let names: [Int64: String]
  private let clock: String
  private let resolution: Nanoseconds
  private var builder: TraceBuilder

  /// - Parameters:
  ///   - clock: The name of the log's clock.
  ///   - resolution: The resolution of the log's times.
  static func trace(
    _ log: FtraceLog, _ provenance: Provenance, clock: String = "the kernel log's",
    resolution: Nanoseconds = Nanoseconds(1000)
  ) -> TraceBuilder {
    let names = log.names
    var join = FtraceJoin(
      log: log, names: names, clock: clock, resolution: resolution,
      builder: TraceBuilder(provenance))
    join.builder.unread = log.unread
    join.addClocks()
    join.addRefreshes()
    let frames = AtraceFrames(log.marks)
    join.builder.addFrames(
      frames,
      display: join.builder.trace.displays.isEmpty ? nil : 0
    ) { names[$0] }
    join.builder.addFrames(
      OpenHarmonyFrames(log.marks), display: join.builder.trace.displays.isEmpty ? nil : 0
    ) { names[$0] }
    join.addInputs()
    join.addThreads()
    AndroidLaunches.add(log.marks, to: &join.builder, name: { names[$0] }, frames: { frames })
    join.builder.addMarks(log.marks) { names[$0] }
    join.builder.addCalls(log.binder) { log.processes[$0].flatMap { names[$0] } }
    join.builder.addFences(log.fences)
    for remark in log.remarks {
      join.builder.addMark(
        remark.text, remark.time, nil,
        process: log.processes[remark.thread].flatMap { names[$0] }, thread: remark.thread)
    }
    join.builder.log.note(
      .malformedLine, .dataLoss, "incomplete event lines, left out", count: log.broken)
    join.builder.log.note(
      .brokenReference, .dataLoss,
      "events lost because the kernel's buffer was full; slices and waits may "
        + "be matched wrongly", count: log.lost)
    return join.builder
  }

  /// The name of a process, which is the name of its main thread.
  private func name(ofProcess identifier: Int64) -> String? { names[identifier] }

  private mutating func addClocks() {
    builder.trace.clocks = [
      ClockDomain(
        name: clock, join: .traceClock, offset: nil, resolution: resolution)
    ]
    if let offset = log.monotonicOffset {
      builder.trace.clocks.append(
        ClockDomain(
          name: "monotonic", join: .measured, offset: Nanoseconds(offset), resolution: nil))
    }
  }

  /// Counters that toggle at refreshes: of the hardware, of SurfaceFlinger, of apps.
  private static let vsyncs = ["HW_VSYNC_0", "HW_VSYNC", "VSYNC-sf", "VSYNC", "VSYNC-app"]

  private mutating func addRefreshes() {
    if !log.refreshes.isEmpty {
      for (crtc, refreshes) in log.refreshes.sorted(by: { $0.key < $1.key }) {
        let position = builder.display("crtc \(crtc)")
        refreshes.add(to: &builder.trace.displays[position].refreshes)
      }
      return
    }
    let edges = Self.vsyncs.map { name in
      (name, log.marks.counters.filter { $0.name == name }.flatMap { $0.readings.map(\.time) })
    }
    // The hardware counter is on only part of the time.
    let most = edges.map(\.1.count).max() ?? 0
    guard most > 0, let (name, times) = edges.first(where: { $0.1.count * 2 >= most }) else {
      return
    }
    let position = builder.display("display")
    var row = Table<RefreshColumn>.Row()
    for time in times.sorted() where time != row[.time] {
      row[.time] = time
      builder.trace.displays[position].refreshes.append(row)
    }
    builder.log.note(
      .joinAssumed, .info,
      name.hasPrefix("HW")
        ? "refreshes inferred from changes of the counter \(name)"
        : "refreshes inferred from changes of the counter \(name), off by a constant time",
      count: times.count)
  }

  private mutating func addInputs() {
    var unjoined = 0
    for (slice, _, event) in DeliveredInput.all(log.marks) {
      guard let offset = log.monotonicOffset else {
        unjoined += 1
        continue
      }
      var row = Table<TouchColumn>.Row()
      row[.kind] = TouchColumn.Kind.main.rawValue
      row[.device] = event.device?.rawValue
      row[.scanStart] = event.made &+ offset
      row[.delivered] = slice.start
      row[.surface] = builder.surface(AtraceFrames.surfaceID(slice.process)).map(Int64.init)
      builder.trace.touches.append(row)
    }
    builder.log.note(
      .clockAssumed, .dataLoss,
      "inputs on the monotonic clock, which cannot be aligned with the log's, left out",
      count: unjoined)
  }

  private mutating func addThreads() {
    var names = self.names.mapValues(Optional.some)
    for (thread, name) in log.threads.names where names[thread] == nil { names[thread] = name }
    for (thread, name) in names.sorted(by: { $0.key < $1.key }) where thread != 0 {
      var row = Table<ThreadColumn>.Row()
      row[.identifier] = thread
      row[.name] = name.map { builder.trace.threads.texts.number(of: $0) }
      if let process = log.processes[thread] {
        row[.process] = self.name(ofProcess: process).map {
          builder.trace.threads.texts.number(of: $0)
        }
        row[.main] = process == thread ? 1 : 0
      }
      builder.trace.threads.append(row)
    }
    builder.addThreadStates(log.threads)
  }
}
