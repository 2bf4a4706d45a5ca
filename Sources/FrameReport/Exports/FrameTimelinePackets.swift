import FrameAnalysis
import FrameImporters
import FrameTrace
import FrameVerdicts

/// The frames of surfaces in the form of SurfaceFlinger's frame timeline, with the jank types that its rule gives, and
/// the slices of the app's threads by which Perfetto's standard library finds frames.
///
/// https://perfetto.dev/docs/data-sources/frametimeline; `android/frames/timeline.sql` looks for
/// `Choreographer#doFrame` on a main thread and for `DrawFrames` on any, with the frame's token after the name.
struct FrameTimelinePackets {
  private typealias Proto = PerfettoSchema
  private typealias Timeline = PerfettoSchema.FrameTimelineEvent

  private let study: Study
  private let surfaces: [Int]
  /// The process of the compositor.
  private let compositor: Int64
  private let processes: [Int: Int64]
  private var cookie: Int64 = 0
  private var token: Int64 = 1000
  /// The display frame of each time at which the display changed.
  private var displayTokens: [Timestamp: Int64] = [:]

  init(_ study: Study) {
    self.study = study
    surfaces = study.surfaces.filter { index in
      let frames = study.trace.surfaces[index].frames
      return frames.has(.appStart) && frames.has(.commit) && frames.has(.displayed)
    }
    var processes: [Int: Int64] = [:]
    for index in surfaces {
      processes[index] =
        study.trace.surfaces[index].processID.map(Int64.init) ?? Int64(1000 + index)
    }
    self.processes = processes
    let taken = Set(processes.values)
    compositor = (480...).first { !taken.contains($0) } ?? 480
  }

  mutating func write(to events: inout PerfettoEvents) {
    writeClocks(to: &events)
    writeProcesses(to: &events)
    // Two surfaces of a process share its threads, whose slices have to nest.
    var written: Set<Int64> = []
    for index in surfaces {
      let process = processes[index] ?? 0
      write(index, process, hasThreads: written.insert(process).inserted, to: &events)
    }
  }

  private func writeClocks(to events: inout PerfettoEvents) {
    let start = Timestamp(nanoseconds: 0)
    let shift = events.shift
    events.packet(at: start) { packet in
      packet.add(Proto.TracePacket.clockSnapshot) { snapshot in
        // The monotonic clock, and the clock that continues while the machine sleeps: the trace has one clock for both.
        for clock in [3, 6] as [Int64] {
          snapshot.add(Proto.ClockSnapshot.clocks) {
            $0.add(Proto.ClockSnapshot.Clock.clockID, clock)
            $0.add(Proto.ClockSnapshot.Clock.timestamp, max(1, shift))
          }
        }
        snapshot.add(Proto.ClockSnapshot.primaryTraceClock, 6)
      }
    }
  }

  /// The ID of the thread that draws for an app.
  private static func renderer(_ process: Int64) -> Int64 { process + 1_000_000 }

  private static func identifier(ofThread number: Int64) -> UInt64 {
    1 << 62 | UInt64(bitPattern: number)
  }

  private func writeProcesses(to events: inout PerfettoEvents) {
    var names = [compositor: "surfaceflinger"]
    for index in surfaces {
      names[processes[index] ?? 0] = study.trace.surfaces[index].process ?? "app"
    }
    let all = names.sorted { $0.key < $1.key }
    events.packet(at: nil) { packet in
      packet.add(Proto.TracePacket.processTree) { tree in
        for (number, name) in all {
          tree.add(Proto.ProcessTree.processes) {
            $0.add(Proto.ProcessTree.Process.pid, number)
            $0.add(Proto.ProcessTree.Process.cmdline, name)
          }
        }
      }
    }
    for (number, name) in all {
      for (thread, threadName) in [(number, name), (Self.renderer(number), "RenderThread")]
      where number != compositor {
        events.describe(Self.identifier(ofThread: thread)) { track in
          track.add(Proto.TrackDescriptor.thread) {
            $0.add(Proto.ThreadDescriptor.pid, number)
            $0.add(Proto.ThreadDescriptor.tid, thread)
            $0.add(Proto.ThreadDescriptor.threadName, threadName)
          }
        }
      }
    }
  }

  private mutating func write(
    _ index: Int, _ process: Int64, hasThreads: Bool, to events: inout PerfettoEvents
  ) {
    let surface = study.trace.surfaces[index]
    var mainFree = Timestamp.earliest
    var drawFree = Timestamp.earliest
    for verdict in FrameTimelineRule(study, surface: index).verdicts {
      token += 1
      write(
        verdict, token, process, surface.name ?? surface.id,
        isDrawnByCompositor: !surface.isFilledByApp, to: &events)
      guard hasThreads, let commit = surface.frames.time(verdict.row, .commit) else { continue }
      let start = max(verdict.start, mainFree)
      if start <= commit {
        events.slice(
          "Choreographer#doFrame \(token)", on: Self.identifier(ofThread: process),
          start..<commit, category: "frame")
        mainFree = commit
      }
      let drawn = max(commit, drawFree)
      if surface.isFilledByApp, drawn <= verdict.actualEnd {
        events.slice(
          "DrawFrames \(token)", on: Self.identifier(ofThread: Self.renderer(process)),
          drawn..<verdict.actualEnd, category: "frame")
        drawFree = verdict.actualEnd
      }
    }
  }

  private mutating func write(
    _ verdict: FrameTimelineRule.Verdict, _ token: Int64, _ process: Int64, _ layer: String,
    isDrawnByCompositor: Bool, to events: inout PerfettoEvents
  ) {
    let (display, isNew) = displayToken(verdict.actualPresent)
    let surface = { (message: inout ProtobufText) in
      message.add(Timeline.Frame.token, token)
      if let display { message.add(Timeline.SurfaceFrame.displayFrameToken, display) }
      message.add(Timeline.SurfaceFrame.pid, process)
      message.add(Timeline.SurfaceFrame.layerName, layer)
    }
    slice(
      from: verdict.start, to: max(verdict.start, verdict.end),
      Timeline.expectedSurfaceFrameStart, to: &events, surface)
    slice(
      from: verdict.start, to: verdict.actualEnd, Timeline.actualSurfaceFrameStart, to: &events
    ) { message in
      surface(&message)
      message.add(
        Timeline.SurfaceFrame.presentType,
        Self.presentType(verdict.actualPresent, verdict.present))
      message.add(Timeline.SurfaceFrame.onTimeFinish, verdict.actualEnd <= verdict.end ? 1 : 0)
      message.add(Timeline.SurfaceFrame.gpuComposition, isDrawnByCompositor ? 1 : 0)
      message.add(Timeline.SurfaceFrame.jankType, Int64(verdict.surfaceJank.rawValue))
      message.add(Timeline.SurfaceFrame.predictionType, 1)
    }
    guard let display, isNew, let shown = verdict.actualPresent else { return }
    let compositor = { [compositor] (message: inout ProtobufText) in
      message.add(Timeline.Frame.token, display)
      message.add(Timeline.DisplayFrame.pid, compositor)
    }
    // The compositor gets the time that remains after the app's deadline.
    let given = max(.zero, verdict.present - verdict.end)
    let begun = min(shown, verdict.composed?.start ?? shown - given)
    let due = verdict.composed?.due ?? verdict.present
    slice(
      from: due - given, to: due, Timeline.expectedDisplayFrameStart, to: &events, compositor)
    slice(from: begun, to: shown, Timeline.actualDisplayFrameStart, to: &events) { message in
      compositor(&message)
      message.add(
        Timeline.DisplayFrame.presentType,
        verdict.displayJank == .onTime ? 1 : Self.presentType(shown, due))
      message.add(
        Timeline.DisplayFrame.onTimeFinish,
        verdict.displayJank.isDisjoint(with: [
          .compositorCPUDeadlineMissed, .compositorGPUDeadlineMissed, .compositorStuffing,
        ]) ? 1 : 0)
      message.add(Timeline.DisplayFrame.gpuComposition, isDrawnByCompositor ? 1 : 0)
      message.add(Timeline.DisplayFrame.jankType, Int64(verdict.displayJank.rawValue))
      message.add(Timeline.DisplayFrame.predictionType, 1)
    }
  }

  /// On time, late, early or dropped.
  private static func presentType(_ shown: Timestamp?, _ due: Timestamp) -> Int64 {
    guard let shown else { return 4 }
    let off = (shown - due).count
    return abs(off) <= FrameTimelineRule.leeway.count ? 1 : off > 0 ? 2 : 3
  }

  /// The compositor's frame that shows a frame, and whether this frame is the first that it shows.
  private mutating func displayToken(_ shown: Timestamp?) -> (token: Int64?, isNew: Bool) {
    guard let shown else { return (nil, false) }
    if let known = displayTokens[shown] { return (known, false) }
    token += 1
    displayTokens[shown] = token
    return (token, true)
  }

  private mutating func slice(
    from start: Timestamp, to end: Timestamp, _ field: Int, to events: inout PerfettoEvents,
    _ body: (inout ProtobufText) -> Void
  ) {
    cookie += 1
    let own = cookie
    events.packet(at: start) { packet in
      packet.add(Proto.TracePacket.frameTimelineEvent) { event in
        event.add(field) { message in
          message.add(Timeline.Frame.cookie, own)
          body(&message)
        }
      }
    }
    events.packet(at: max(start, end)) { packet in
      packet.add(Proto.TracePacket.frameTimelineEvent) { event in
        event.add(Timeline.frameEnd) { $0.add(Timeline.Frame.cookie, own) }
      }
    }
  }
}
