package import FrameKit

/// Writes the trace of a simulation as a recorder would have recorded it.
package struct SimulationTrace {
  /// The data that a recorder writes.
  package struct Recorder: Sendable {
    /// Which buffer each frame was drawn into.
    package var buffers = true
    /// Every commit separately.
    package var commits = false
    /// Which frame consumed each touch.
    package var links = true
    /// The display's refreshes.
    package var refreshes = true
    /// The work of any stage; if `false`, only the display times of frames.
    package var stages = true
    /// The work of the compositor.
    package var compositor = true
    package var gpu = true

    package init() {}
  }

  var builder: TraceBuilder
  private let recorder: Recorder
  private var sample: Int64 = 0

  /// The trace of surfaces that were played together.
  package static func make(
    _ chains: [SurfaceWork], _ frames: [[SimulatedFrame]], on display: SimulatedDisplay,
    named name: String, _ recorder: Recorder = Recorder(),
    _ addMore: (inout SimulationTrace) -> Void = { _ in }
  ) -> Trace {
    var trace = SimulationTrace(name, recorder)
    trace.write(display, frames)
    for (chain, frames) in zip(chains, frames) { trace.write(chain, frames, display) }
    addMore(&trace)
    return trace.builder.finish()
  }

  private init(_ name: String, _ recorder: Recorder) {
    builder = TraceBuilder(
      Provenance(
        file: name, importer: "scenario", format: "scenario \(name)", reason: "it was generated"))
    builder.trace.clocks = [
      ClockDomain(name: "simulated", join: .traceClock, offset: nil, resolution: Nanoseconds(100))
    ]
    self.recorder = recorder
  }

  private mutating func write(_ display: SimulatedDisplay, _ frames: [[SimulatedFrame]]) {
    var written = Display(id: "display")
    written.isVariable = false
    written.interval = Nanoseconds(display.interval)
    let last = frames.joined().compactMap(\.displayedRefresh).max() ?? 0
    for number in 0...last + 1 where recorder.refreshes {
      var row = Table<RefreshColumn>.Row()
      row[.number] = number
      row[.time] = display.time(number)
      written.refreshes.append(row)
    }
    builder.trace.displays = [written]
  }

  private mutating func write(
    _ chain: SurfaceWork, _ frames: [SimulatedFrame], _ display: SimulatedDisplay
  ) {
    let surface = builder.surface(chain.id) {
      Surface(
        id: chain.id, name: chain.id, process: chain.process, processID: 501, display: 0,
        bufferOwner: chain.isFilledByApp ? .app : .compositor)
    }
    for (row, frame) in frames.enumerated() {
      builder.trace.surfaces[surface].frames.append(self.row(frame, chain))
      if recorder.commits { writeCommits(of: frame, surface, row) }
    }
    if let scans = chain.scans { write(scans, frames, display, surface) }
  }

  private func row(_ frame: SimulatedFrame, _ chain: SurfaceWork) -> Table<FrameColumn>.Row {
    // A recorder that lists commits reports the newest app interval; without a list, the oldest interval must represent
    // all.
    let newest = frame.commits[frame.commits.count - 1]
    let oldest = frame.commits.last { $0.unit == frame.commits[0].unit } ?? newest
    let commit = recorder.commits ? newest : oldest
    var row = Table<FrameColumn>.Row()
    row[.displayed] = frame.displayed
    row[.replaced] = frame.replaced
    guard recorder.stages else { return row }
    row[.appStart] = commit.app.lowerBound
    row[.appEnd] = commit.app.upperBound
    row[.commit] = commit.time
    row[.bufferWaitStart] = commit.blocked?.lowerBound
    row[.bufferWaitEnd] = commit.blocked?.upperBound
    if recorder.compositor {
      row[.compositorStart] = frame.compositor?.lowerBound
      row[.compositorEnd] = frame.compositor?.upperBound
    }
    if recorder.gpu {
      row[.gpuStart] = frame.gpu?.lowerBound
      row[.gpuEnd] = frame.gpu?.upperBound
    }
    row[.queued] = recorder.compositor || recorder.gpu ? frame.queued : nil
    row[.released] = frame.released
    row[.buffer] = recorder.buffers ? Int64(frame.buffer) : nil
    let mode: FrameColumn.Mode = frame.isLowLatency ? .lowLatency : .classic
    row[.mode] = mode.rawValue
    row[.animating] = frame.work.animates ? 1 : nil
    return row
  }

  private mutating func writeCommits(of frame: SimulatedFrame, _ surface: Int, _ row: Int) {
    for commit in frame.commits {
      var written = Table<CommitColumn>.Row()
      written[.time] = commit.time
      written[.surface] = Int64(surface)
      written[.frame] = Int64(row)
      written[.appStart] = commit.app.lowerBound
      written[.appEnd] = commit.app.upperBound
      written[.transaction] = Int64(commit.unit)
      written[.animates] = commit.work.animates ? 1 : nil
      builder.trace.commits.append(written)
    }
  }
}

extension SimulationTrace {
  private mutating func write(
    _ scans: SimulatedScans, _ frames: [SimulatedFrame], _ display: SimulatedDisplay,
    _ surface: Int
  ) {
    var next = 0
    for delivery in scans.deliveries(to: frames, on: display) {
      next = delivery.scans.upperBound
      write(delivery, scans, surface)
    }
    for scan in next..<scans.count { writeUndelivered(scan, scans, surface) }
  }

  private mutating func write(
    _ delivery: SimulatedDelivery, _ scans: SimulatedScans, _ surface: Int
  ) {
    let newest = delivery.scans.upperBound - 1
    var main = row(newest, scans, .main, surface)
    main[.delivered] = delivery.time
    main[.frame] = recorder.links ? delivery.frame.map(Int64.init) : nil
    let number = append(main)
    // The list of coalesced samples ends with a copy of the main sample.
    for scan in delivery.scans where delivery.scans.count > 1 {
      var row = row(scan, scans, .coalesced, surface)
      row[.delivered] = delivery.time
      row[.main] = number
      row[.frame] = main[.frame]
      _ = append(row)
    }
    for horizon in scans.predictions {
      let time = scans.scanStart(newest) + horizon
      var row = row(newest, scans, .predicted, surface)
      row[.scanStart] = time
      row[.scanEnd] = nil
      row[.delivered] = delivery.time
      row[.main] = number
      row[.frame] = main[.frame]
      row[.x] = Self.real(SimulatedScans.x(at: time) + scans.predictionError)
      _ = append(row)
    }
  }

  /// Writes a scan that came too late for any app interval, or that the system cancelled.
  private mutating func writeUndelivered(_ scan: Int, _ scans: SimulatedScans, _ surface: Int) {
    var row = row(scan, scans, .main, surface)
    if scans.cancelledFrom.map({ scan >= $0 }) ?? false {
      row[.phase] = TouchColumn.Phase.cancelled.rawValue
    }
    _ = append(row)
  }

  private mutating func append(_ row: Table<TouchColumn>.Row) -> Int64 {
    var row = row
    sample += 1
    row[.identifier] = sample
    builder.trace.touches.append(row)
    return sample
  }

  private func row(
    _ scan: Int, _ scans: SimulatedScans, _ kind: TouchColumn.Kind, _ surface: Int
  ) -> Table<TouchColumn>.Row {
    let start = scans.scanStart(scan)
    let phase: TouchColumn.Phase =
      scan == 0 ? .began : scan == scans.count - 1 ? .ended : .moved
    var row = Table<TouchColumn>.Row()
    row[.kind] = kind.rawValue
    row[.phase] = phase.rawValue
    row[.device] = TouchColumn.Device.touch.rawValue
    row[.finger] = scans.finger
    row[.scanStart] = start
    row[.scanEnd] = start + scans.interval
    row[.x] = Self.real(SimulatedScans.x(at: start))
    row[.y] = Self.real(100)
    row[.surface] = Int64(surface)
    return row
  }

  private static func real(_ value: Double) -> Int64 { Int64(bitPattern: value.bitPattern) }
}
