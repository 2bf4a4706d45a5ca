package import FrameKit

/// Writes the kernel log of an Android device like `atrace gfx view sched`: the marks of an app's main thread and
/// render thread for each frame, a counter that changes at refreshes, and thread states.
package struct SystraceEncoder: TraceEncoder {
  package let name = "systrace"
  package let importer = "systrace"
  /// Marks do not state when a frame was shown.
  package let carries: Set<Carried> = [.frames]
  package let precision = 2e-3

  package init() {}

  package func whyNot(_ trace: Trace) -> String? {
    let surfaces = trace.surfaces.filter { $0.frames.count > 0 }
    guard surfaces.count == 1, let surface = surfaces.first else {
      return "the format needs exactly one surface with frames"
    }
    let numbers =
      SchedulerLog.threads(of: trace).flatMap { [$0.number, $0.process] }
      + [SystraceMarks.process(of: surface, in: trace)]
    guard numbers.allSatisfy({ 0..<Int64(Int32.max) ~= $0 }) else {
      return
        "process and thread numbers must be from 0 to \(Int32.max - 1), as the kernel assigns them"
    }
    let frames = surface.frames
    var end = Int64.min
    for row in 0..<frames.count {
      guard let start = frames[row, .appStart], let commit = frames[row, .commit],
        let appEnd = frames[row, .appEnd]
      else { return "every frame needs the start and the end of the app's work, and its commit" }
      guard end <= start, start <= commit, commit <= appEnd else {
        return "frames must not overlap, because a thread marks them one after the other"
      }
      end = appEnd
    }
    return nil
  }

  package func encode(_ trace: Trace) -> [UInt8] {
    guard let position = trace.surfaces.firstIndex(where: { $0.frames.count > 0 }) else {
      return []
    }
    let shift = Self.start - (trace.timeRange?.lowerBound.nanoseconds ?? 0)
    var marks = SystraceMarks(trace, trace.surfaces[position], shiftedBy: shift)
    marks.addAll()
    // The app's other slices lie inside frames. If times are equal, the ends of these slices come before a frame's
    // marks, and their starts come after.
    let others = FtraceLogText(trace, shiftedBy: shift).lines
    let lines = others.filter(\.endsSlice) + marks.lines + others.filter { !$0.endsSlice }
    let order = lines.indices.sorted { (lines[$0].time, $0) < (lines[$1].time, $1) }
    return Array(FtraceLogText.text(order.map { lines[$0] }).utf8)
  }

  /// The device has already been running for a while.
  private static let start: Int64 = 1_000_000_000_000
}

/// The marks of one app's frames, and of the display's refreshes.
private struct SystraceMarks {
  private(set) var lines: [FtraceLogText.Line] = []
  private let refreshes: Table<RefreshColumn>?
  private let frames: Table<FrameColumn>
  private let shift: Int64
  private let process: Int64
  private let main, render: (number: Int64, name: String)
  private static let compositor: (number: Int64, name: String) = (480, "surfaceflinger")
  /// The maximum number of bytes of a thread's name that the kernel keeps. Android names a main thread after the end of
  /// its process's name.
  private static let longestName = 15

  init(_ trace: Trace, _ surface: Surface, shiftedBy shift: Int64) {
    self.shift = shift
    refreshes = surface.display.map { trace.displays[$0].refreshes }
    frames = surface.frames
    process = Self.process(of: surface, in: trace)
    let threads = SchedulerLog.threads(of: trace)
    let own = threads.filter { [process] in $0.process == process }
    let known = own.first { $0.number == $0.process }?.name
    main = (process, known ?? Self.kept(surface.process ?? "app"))
    // The scenario's render thread may have slices that cross these.
    let isTaken = own.contains { $0.name == "RenderThread" }
    let highest = threads.map(\.number).max() ?? process
    render = (
      max(highest, process, Self.compositor.number) + 1, isTaken ? "hwuiTask0" : "RenderThread"
    )
  }

  static func process(of surface: Surface, in trace: Trace) -> Int64 {
    SchedulerLog.process(of: surface, in: trace) ?? surface.processID.map(Int64.init) ?? 1000
  }

  /// The end of a name, at the length that the kernel keeps, without control characters, which would break the line.
  private static func kept(_ name: String) -> String {
    var scalars = Array(name.unicodeScalars.filter { $0.value >= 0x20 })
    while scalars.reduce(0, { $0 + UTF8.width($1) }) > longestName { scalars.removeFirst() }
    return String(String.UnicodeScalarView(scalars))
  }

  mutating func addAll() {
    for row in 0..<(refreshes?.count ?? 0) {
      guard let time = refreshes?[row, .time] else { continue }
      add(
        time, Self.compositor, of: Self.compositor.number,
        "C|\(Self.compositor.number)|HW_VSYNC_0|\(row % 2)")
    }
    for row in 0..<frames.count { addFrame(row) }
  }

  private mutating func add(
    _ time: Int64, _ thread: (number: Int64, name: String), of process: Int64, _ mark: String
  ) {
    lines.append(
      FtraceLogText.Line(
        time + shift, thread: thread, process: process, processor: 0,
        "tracing_mark_write: \(mark)"))
  }

  /// The main thread works until it hands the frame to the render thread, which waits for a buffer, draws, and queues.
  private mutating func addFrame(_ row: Int) {
    guard let start = frames[row, .appStart], let commit = frames[row, .commit],
      let end = frames[row, .appEnd]
    else { return }
    let wait = frames[row, .bufferWaitStart].flatMap { from in
      frames[row, .bufferWaitEnd].flatMap { to in
        start <= from && from <= to && to <= commit ? from...to : nil
      }
    }
    let drawing = wait?.lowerBound ?? commit
    slice(from: start, "Choreographer#doFrame \(row + 1)", main)
    endSlice(at: drawing, main)
    slice(from: drawing, "DrawFrames \(row + 1)", render)
    if let wait {
      slice(from: wait.lowerBound, "dequeueBuffer", render)
      endSlice(at: wait.upperBound, render)
    }
    slice(from: commit, "eglSwapBuffersWithDamageKHR", render)
    // A buffer that the GPU finishes later is queued with a fence; this log does not have the fence's time.
    if let queued = frames[row, .queued], commit <= queued, queued <= end {
      slice(from: commit, "queueBuffer", render)
      endSlice(at: queued, render)
    }
    endSlice(at: end, render)
    endSlice(at: end, render)
  }

  private mutating func slice(
    from start: Int64, _ name: String, _ thread: (number: Int64, name: String)
  ) {
    add(start, thread, of: process, "B|\(process)|\(name)")
  }

  private mutating func endSlice(at time: Int64, _ thread: (number: Int64, name: String)) {
    add(time, thread, of: process, "E|\(process)")
  }
}
