import FrameTrace

/// Assembles a trace from the contents of its packets.
struct PerfettoJoin {
  let recording: PerfettoRecording
  let tracks: PerfettoTracks
  var builder: TraceBuilder
  /// The surface and frame index of each timeline frame, by token.
  var frames: [Int64: (surface: Int, frame: Int)] = [:]

  static func trace(
    _ recording: PerfettoRecording, _ tracks: PerfettoTracks, _ clocks: PerfettoClocks,
    _ provenance: Provenance
  ) -> TraceBuilder {
    var join = PerfettoJoin(recording: recording, tracks: tracks, builder: TraceBuilder(provenance))
    join.builder.log = recording.log
    join.builder.trace.clocks =
      [ClockDomain(name: clocks.main.name, join: .traceClock, offset: nil, resolution: nil)]
      + clocks.joined.map {
        ClockDomain(
          name: $0.clock.name, join: .measured, offset: Nanoseconds($0.offset), resolution: nil)
      }
    join.addRefreshes()
    PerfettoFrames.add(to: &join)
    join.addInputs(clocks)
    join.addRawInputs(clocks)
    let reports = tracks.reports
    let scrollJank = tracks.scrollJank
    ChromeFrames.add(reports, judged: scrollJank.judged, to: &join.builder) {
      recording.processes.names[$0]
    }
    scrollJank.addCounts(to: &join.builder)
    PerfettoBufferFrames.add(to: &join)
    PerfettoFlutter.add(to: &join)
    let marked = join.builder.trace.frameCount == 0 ? AtraceFrames(recording.marks) : nil
    if let marked { join.add(marked) }
    join.addGPU()
    join.addThreads()
    AndroidLaunches.add(
      recording.marks, to: &join.builder, name: { recording.processes.names[$0] },
      frames: { marked ?? AtraceFrames(recording.marks) })
    join.addMarks()
    return join.builder
  }

  /// The name of a process; `nil` if unknown.
  func name(ofProcess identifier: Int64) -> String? { recording.processes.names[identifier] }

  private mutating func addRefreshes() {
    for (crtc, refreshes) in recording.refreshes.sorted(by: { $0.key < $1.key }) {
      let position = builder.display("crtc \(crtc)")
      refreshes.add(to: &builder.trace.displays[position].refreshes)
    }
  }

  /// Adds the frames of apps that mark their work, if neither the timeline nor buffers have frames:
  /// Android 7 to 11.
  private mutating func add(_ marked: AtraceFrames) {
    builder.addFrames(
      marked,
      display: builder.trace.displays.isEmpty ? nil : 0
    ) { [processes = recording.processes] in processes.names[$0] }
  }

  /// Adds GPU counters as sensors, and GPU jobs and render stages as marks of their queues.
  private mutating func addGPU() {
    builder.addFences(recording.fences)
    for counter in recording.gpu.counters where !counter.readings.isEmpty {
      builder.addSeries(counter.name, counter.readings)
    }
    for stage in recording.gpu.stages {
      addMark(
        "\(recording.gpu.queue(of: stage)): \(stage.name)", stage.start,
        stage.start &+ stage.duration)
    }
    builder.log.note(
      .malformedLine, .dataLoss, "GPU events without a time, a length or a value",
      count: recording.gpu.broken)
  }

  private mutating func addThreads() {
    var names = recording.processes.threads.mapValues { ($0.name, Optional($0.process)) }
    // The main thread has the same number as its process and need not be listed.
    for process in recording.processes.names.keys { names[process] = (nil, process) }
    for track in tracks.tracks.values {
      guard let thread = track.thread else { continue }
      let known = names[thread]
      names[thread] = (known?.0 ?? track.threadName, known?.1 ?? track.process)
    }
    for (thread, name) in recording.threads.names where names[thread] == nil {
      names[thread] = (name, nil)
    }
    for (thread, about) in names.sorted(by: { $0.key < $1.key }) {
      var row = Table<ThreadColumn>.Row()
      row[.identifier] = thread
      row[.name] = (about.0 ?? recording.threads.names[thread]).map {
        builder.trace.threads.texts.number(of: $0)
      }
      row[.process] = about.1.flatMap(name(ofProcess:)).map {
        builder.trace.threads.texts.number(of: $0)
      }
      if let process = about.1 { row[.main] = process == thread ? 1 : 0 }
      builder.trace.threads.append(row)
    }
    builder.addThreadStates(recording.threads)
  }

  private mutating func addMarks() {
    builder.addMarks(recording.marks) { recording.processes.names[$0] }
    builder.addCalls(recording.binder) { [processes = recording.processes] thread in
      processes.names[processes.threads[thread]?.process ?? thread]
    }
    for slice in tracks.slices {
      let owner = tracks.owner(of: slice.track)
      addMark(
        slice.name, slice.start, slice.end,
        process: owner.process.flatMap(name(ofProcess:)) ?? owner.processName,
        thread: owner.thread)
    }
    builder.log.note(
      .brokenReference, .info, "ends of slices whose beginning was not recorded",
      count: tracks.unmatchedEnds)
    builder.log.note(
      .cutOff, .info, "slices that had not ended at the end of the recording",
      count: tracks.openCount)
  }

  private mutating func addMark(
    _ name: String, _ start: Int64, _ end: Int64?, process: String? = nil, thread: Int64? = nil
  ) {
    builder.addMark(name, start, end, process: process, thread: thread)
  }
}
