import FrameTrace

/// Trace rows from the kernel log, whichever tool recorded it.
extension TraceBuilder {
  /// Adds the states of threads.
  mutating func addThreadStates(_ events: SchedEvents) {
    for stretch in events.stretches {
      var row = Table<ThreadStateColumn>.Row()
      row[.thread] = stretch.thread
      row[.start] = stretch.start
      row[.end] = stretch.end
      row[.state] = stretch.state.rawValue
      // The kernel gives higher priorities smaller numbers.
      row[.priority] = stretch.priority.map { 139 &- $0 }
      row[.unblockedBy] = stretch.unblockedBy
      row[.processor] = stretch.processor
      if stretch.state == .running, let processor = stretch.processor {
        row[.clock] = events.clock(
          of: processor, from: stretch.start, to: stretch.end ?? stretch.start)
      }
      row[.reason] = stretch.reason.map { trace.threadStates.texts.number(of: $0) }
      trace.threadStates.append(row)
    }
  }

  /// Adds the marks of `atrace`: slices as markers, counters as sensors.
  /// - Parameter name: The name of a process.
  mutating func addMarks(_ marks: AtraceMarks, name: (Int64) -> String?) {
    // There can be as many names as slices. All names differ in their bytes, so they are looked up only if other names
    // are already stored. A name that looks like another, or is the name of a process, may be stored twice.
    let areNew = trace.markers.texts.texts.isEmpty
    var names = [Int64?](repeating: nil, count: marks.names.count)
    trace.markers.texts.reserve(names.count)
    // A process without a name has no number.
    var owners: [Int64: Int64?] = [:]
    for slice in marks.slices {
      let text: Int64
      if let known = names[slice.name] {
        text = known
      } else {
        let name = marks.name(of: slice)
        text = areNew ? trace.markers.texts.append(new: name) : markText(name)
        names[slice.name] = text
      }
      let owner: Int64?
      if let known = owners[slice.process] {
        owner = known
      } else {
        owner = name(slice.process).map { markText($0) }
        owners.updateValue(owner, forKey: slice.process)
      }
      addMark(text, slice.start, slice.end, process: owner, thread: slice.thread)
    }
    for counter in marks.counters {
      let owner = name(counter.process) ?? "\(counter.process)"
      addSeries(
        "\(owner): \(counter.name)", counter.readings.map { ($0.time, Double($0.value)) })
    }
    log.note(
      .brokenReference, .info, "ends of slices whose beginning was not recorded",
      count: marks.unmatchedEnds)
    log.note(
      .cutOff, .info, "slices that had not ended at the end of the recording",
      count: marks.openCount)
    log.note(
      .malformedLine, .dataLoss, "malformed atrace marks",
      count: marks.malformed)
  }

  /// Adds Android's calls between processes as slices of the threads that wait for their answers.
  /// - Parameter process: The name of a thread's process.
  mutating func addCalls(_ binder: BinderCalls, process: (Int64) -> String?) {
    for call in binder.calls {
      addMark(
        "binder transaction", call.start, call.end, process: process(call.thread),
        thread: call.thread)
    }
    log.note(
      .cutOff, .info, "binder calls without a recorded answer", count: binder.openCount)
  }

  mutating func addSeries(_ name: String, _ readings: [(time: Int64, value: Double)]) {
    var series = TelemetrySeries(name: name, unit: nil)
    for reading in readings.sorted(by: { $0.time < $1.time }) {
      series.times.append(Timestamp(nanoseconds: reading.time))
      series.values.append(reading.value)
    }
    trace.telemetry.append(series)
  }
}
