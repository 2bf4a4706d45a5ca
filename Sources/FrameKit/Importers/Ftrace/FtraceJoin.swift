/// Puts what a log says together.
struct FtraceJoin {
  private let log: FtraceLog
  private var builder: TraceBuilder

  static func trace(_ log: FtraceLog, _ provenance: Provenance) -> TraceBuilder {
    var join = FtraceJoin(log: log, builder: TraceBuilder(provenance))
    join.addClocks()
    join.addRefreshes()
    join.addFrames()
    join.addInputs()
    join.addThreads()
    join.builder.addMarks(log.marks) { log.names[$0] }
    join.builder.addFences(log.fences)
    for remark in log.remarks {
      join.builder.addMark(
        remark.text, remark.time, nil,
        process: log.processes[remark.thread].flatMap { log.names[$0] }, thread: remark.thread)
    }
    join.builder.log.note(
      .malformedLine, .dataLoss, "lines of events that are not whole, left out", count: log.broken)
    join.builder.log.note(
      .brokenReference, .dataLoss,
      "events that the kernel had no room for, so that slices and waits may "
        + "be joined wrongly", count: log.lost)
    return join.builder
  }

  /// A process by the name of its main thread.
  private func name(ofProcess identifier: Int64) -> String? { log.names[identifier] }

  private mutating func addClocks() {
    builder.trace.clocks = [
      ClockDomain(
        name: "the kernel log's", join: .traceClock, offset: nil, resolution: Nanoseconds(1000))
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
        let place = builder.display("crtc \(crtc)")
        for (number, time) in refreshes.sorted(by: { $0.value < $1.value }) {
          var row = Table<RefreshColumn>.Row()
          (row[.number], row[.time]) = (number, time)
          builder.trace.displays[place].refreshes.append(row)
        }
      }
      return
    }
    let edges = Self.vsyncs.map { name in
      (name, log.marks.counters.filter { $0.key.name == name }.values.flatMap { $0.map(\.time) })
    }
    // The hardware's is on only now and then.
    let most = edges.map(\.1.count).max() ?? 0
    guard most > 0, let (name, times) = edges.first(where: { $0.1.count * 2 >= most }) else {
      return
    }
    let place = builder.display("display")
    for time in Set(times).sorted() {
      var row = Table<RefreshColumn>.Row()
      row[.time] = time
      builder.trace.displays[place].refreshes.append(row)
    }
    builder.log.note(
      .joinAssumed, .info,
      name.hasPrefix("HW")
        ? "refreshes taken to be where the counter \(name) changes"
        : "refreshes taken to be where the counter \(name) changes, which is a constant time off them",
      count: times.count)
  }

  /// What an app draws into, by its process: marks do not name windows.
  private func surface(_ process: Int64) -> Surface {
    Surface(
      id: "Choreographer of \(process)", process: name(ofProcess: process),
      processID: Int(exactly: process), display: builder.trace.displays.isEmpty ? nil : 0,
      bufferOwner: .app)
  }

  private mutating func addFrames() {
    let found = AtraceFrames(log.marks)
    var undrawn = 0
    for (process, frames) in found.frames.sorted(by: { $0.key < $1.key }) {
      let surface = surface(process)
      let place = builder.surface(surface.id) { surface }
      for frame in frames {
        var row = Table<FrameColumn>.Row()
        row[.identifier] = frame.token
        // SurfaceFlinger composes at refreshes.
        row[.mode] = FrameColumn.Mode.classic.rawValue
        row[.appStart] = frame.work.start
        // Without the call that hands over, the end of the drawing is the hand-over, and no wait is known.
        row[.appEnd] =
          frame.draw == nil ? frame.work.end : frame.swap == nil ? nil : frame.draw?.end
        row[.bufferWaitStart] = frame.dequeue?.start
        row[.bufferWaitEnd] = frame.dequeue?.end
        row[.commit] = frame.swap?.start ?? frame.queue?.start ?? frame.draw?.end
        row[.queued] = frame.queue?.end
        if frame.draw == nil, found.drawing.contains(process) { undrawn += 1 }
        builder.trace.surfaces[place].frames.append(row)
      }
      if !found.drawing.contains(process) {
        builder.log.note(
          .joinAssumed, .info,
          "frames of process \(process) whose drawing was not recorded: the app ends where its main "
            + "thread was done", count: frames.count)
      }
    }
    builder.log.note(
      .joinAssumed, .info, "drawn frames taken to be of the app's frame that began before",
      count: found.joinedByOrder)
    builder.log.note(
      .joinAssumed, .info, "frames that the app did not draw, or not within the recording",
      count: undrawn)
  }

  private mutating func addInputs() {
    var unjoined = 0
    for slice in log.marks.slices {
      guard let (_, event) = DeliveredInput.event(slice.name) else { continue }
      guard let offset = log.monotonicOffset else {
        unjoined += 1
        continue
      }
      var row = Table<TouchColumn>.Row()
      row[.kind] = TouchColumn.Kind.main.rawValue
      row[.device] = event.device?.rawValue
      row[.scanStart] = event.made &+ offset
      row[.delivered] = slice.start
      row[.surface] = slice.process.flatMap { builder.surface(surface($0).id) }.map(Int64.init)
      builder.trace.touches.append(row)
    }
    builder.log.note(
      .clockAssumed, .dataLoss,
      "inputs whose time is on the monotonic clock, which nothing joins to the log's, left out",
      count: unjoined)
  }

  private mutating func addThreads() {
    var names = log.names.mapValues(Optional.some)
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
