import FrameAnalysis
import FrameTrace

/// A writer that turns a replay into a separate trace with the columns of the recording.
struct ReplayTrace {
  private var builder: TraceBuilder
  private let recording: ReplayRecording
  private let simulator: ReplaySimulator
  private var number: Int64 = 0

  /// - Parameters:
  ///   - words: The changed conditions, in words.
  ///   - work: The replayed work.
  static func make(
    _ recording: ReplayRecording, _ simulator: ReplaySimulator, _ work: [ReplayedWork],
    _ frames: [ReplayedFrame], _ touches: ReplayTouches, words: [String]
  ) -> Trace {
    var trace = ReplayTrace(recording, simulator, words)
    trace.write(frames, work)
    trace.write(touches, frames)
    return trace.builder.finish()
  }

  private init(_ recording: ReplayRecording, _ simulator: ReplaySimulator, _ words: [String]) {
    (self.recording, self.simulator) = (recording, simulator)
    let recorded = recording.trace
    let what = words.isEmpty ? "as recorded" : "with \(words.joined(separator: ", "))"
    var provenance = Provenance(
      file: recorded.provenance.file, importer: "replay", format: "replay \(what)",
      reason: "it was replayed")
    provenance.origin =
      "\(recorded.provenance.origin ?? recorded.provenance.title), replayed \(what)"
    builder = TraceBuilder(provenance)
    builder.trace.clocks = recorded.clocks.prefix(1).map {
      ClockDomain(name: $0.name, join: .traceClock, offset: nil, resolution: $0.resolution)
    }
    builder.trace.setting = recorded.setting
  }

  private mutating func write(_ frames: [ReplayedFrame], _ work: [ReplayedWork]) {
    let own = recording.surface
    builder.trace.displays = [display(frames)]
    let surface = builder.surface(own.id) {
      var surface = own
      surface.display = 0
      surface.frames = Table<FrameColumn>()
      return surface
    }
    let hasCommits =
      !recording.rebuilt.timeline.commitRows.isEmpty
      || frames.indices.contains { !frames[$0].more.isEmpty }
    builder.trace.surfaces[surface].frames.reserve(frames.count)
    let rows = ReplayRows(own.frames, simulator.refreshes)
    var row = Table<FrameColumn>.Row()
    var commit = Table<CommitColumn>.Row()
    let (frames, work) = (frames.span, work.span)
    for position in frames.indices {
      row.clear()
      rows.fill(&row, frames[position], work)
      builder.trace.surfaces[surface].frames.append(row)
      if hasCommits { writeCommits(of: frames[position], work, surface, position, &commit) }
    }
  }

  private func display(_ frames: [ReplayedFrame]) -> Display {
    let rebuilt = recording.rebuilt
    var display = Display(id: "display")
    switch simulator.display {
    case .variable(let shortest, _):
      display.isVariable = true
      display.shortestInterval = Nanoseconds(shortest)
      return display
    case .immediate:
      // Frames that tear do not belong to a refresh.
      display.isVariable = true
      return display
    case .fifo, .mailbox: break
    }
    display.isVariable = false
    let shown = frames.indices.lazy.compactMap { frames[$0].refresh }
    let first = min(shown.min() ?? 0, simulator.refreshes.last(frames.first?.appStart ?? 0))
    let interval = simulator.refreshes.interval(after: first)
    // Do not write a row for every refresh of a long idle period.
    guard let last = shown.max(), last - first < Int64(frames.count) * 1000 else {
      display.interval = Nanoseconds(interval)
      return display
    }
    if !rebuilt.refreshes.isRecorded { display.interval = Nanoseconds(interval) }
    var row = Table<RefreshColumn>.Row()
    for number in first...last + 1 {
      row[.number] = number
      row[.time] = simulator.refreshes.time(number)
      display.refreshes.append(row)
    }
    return display
  }

  private mutating func writeCommits(
    of frame: ReplayedFrame, _ work: Span<ReplayedWork>, _ surface: Int, _ position: Int,
    _ written: inout Table<CommitColumn>.Row
  ) {
    let all = [(start: frame.appStart, end: frame.appEnd, commit: frame.commit)] + frame.more
    for (unit, interval) in zip(frame.work, all) {
      for commit in work[unit].earlierCommits.map({ interval.commit - $0 }) + [interval.commit] {
        written.clear()
        written[.time] = commit
        written[.surface] = Int64(surface)
        written[.frame] = Int64(position)
        written[.appStart] = interval.start
        written[.appEnd] = interval.end
        written[.transaction] = Int64(unit)
        written[.animates] = work[unit].animates ? 1 : nil
        builder.trace.commits.append(written)
      }
    }
  }

  private mutating func write(_ touches: ReplayTouches, _ frames: [ReplayedFrame]) {
    for delivery in touches.deliveries {
      let newest = delivery.samples[delivery.samples.count - 1]
      let main = append(touches.samples[newest], .main, delivery)
      for position in delivery.samples.dropLast() {
        _ = append(touches.samples[position], .coalesced, delivery, main: main)
      }
      for horizon in touches.predictions {
        var sample = touches.samples[newest]
        (sample.start, sample.end) = (sample.start + horizon, nil)
        _ = append(sample, .predicted, delivery, main: main)
      }
    }
    for position in touches.rest { _ = append(touches.samples[position], .main, nil) }
  }

  private mutating func append(
    _ sample: ReplayTouches.Sample, _ kind: TouchColumn.Kind, _ delivery: ReplayTouches.Delivery?,
    main: Int64? = nil
  ) -> Int64 {
    number += 1
    var row = Table<TouchColumn>.Row()
    row[.identifier] = number
    row[.kind] = kind.rawValue
    row[.phase] = sample.isCancelled ? TouchColumn.Phase.cancelled.rawValue : sample.phase
    row[.device] = sample.device
    row[.finger] = sample.finger
    row[.scanStart] = sample.start
    row[.scanEnd] = sample.end
    row[.delivered] = delivery?.time
    row[.main] = main
    row[.surface] = 0
    row[.frame] = delivery.map { Int64($0.frame) }
    builder.trace.touches.append(row)
    return number
  }
}
