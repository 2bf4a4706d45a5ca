import FrameKit

/// Writes the threads of an app whose frames are known: what the main thread did in each frame, and what went wrong in
/// late frames.
struct ScheduledThreads {
  /// What goes wrong in a frame.
  enum Fault: CaseIterable {
    /// The main thread runs for longer in one slice.
    case work
    /// Everything that the thread does takes longer, as at a lower clock rate.
    case slowClock
    /// Another program has the thread's processor.
    case contention
    /// The thread reads from a disk.
    case disk
    /// A worker holds a lock and is running.
    case lock
    /// A worker holds a lock but has no processor.
    case inversion
    /// A worker holds a lock and waits for another thread, which is running.
    case sleepingOwner
    /// Another process is called, and has no processor for most of the time.
    case binder
    /// Garbage is collected.
    case garbage
    /// The thread waits for another thread of the app.
    case otherThread
    /// The drawing thread runs longer while the main thread has nothing to do.
    case drawing

    /// The cause that must be found.
    var cause: LateCause.Kind {
      switch self {
      case .work, .slowClock, .drawing: .running
      case .contention: .processor
      case .disk: .uninterruptible
      case .lock, .inversion, .sleepingOwner: .lock
      case .binder: .binder
      case .garbage: .garbage
      case .otherThread: .thread
      }
    }
  }

  private enum Thread: Int64, CaseIterable {
    case main = 501
    case worker, loader, collector, renderer
    case server = 601
    case hog = 701

    var name: String {
      switch self {
      case .main: "Scroll"
      case .worker: "worker"
      case .loader: "loader"
      case .collector: "HeapTaskDaemon"
      case .renderer: "RenderThread"
      case .server: "Binder:601_1"
      case .hog: "hog"
      }
    }

    var process: String {
      switch self {
      case .server: "system_server"
      case .hog: "other"
      default: "Scroll"
      }
    }
  }

  private var builder: TraceBuilder
  private let base: Int64
  private var time: Int64 = 0
  /// The clock rate of the main thread's processor, in kHz.
  private var clock: Int64 = usualClock
  private static let usualClock: Int64 = 2_000_000
  /// When the drawing thread last finished.
  private var drawn: Int64 = 0

  /// - Parameter base: The usual duration of the work on a frame.
  static func write(
    _ spans: [Range<Int64>], _ faults: [Int: Fault], base: Int64, to builder: inout TraceBuilder
  ) {
    var threads = ScheduledThreads(builder: builder, base: base)
    for thread in Thread.allCases { threads.add(thread) }
    threads.time = (spans.first?.lowerBound ?? 0) - base
    threads.drawn = threads.time
    for (frame, span) in spans.enumerated() { threads.write(span, faults[frame]) }
    builder = threads.builder
  }

  private mutating func add(_ thread: Thread) {
    var row = Table<ThreadColumn>.Row()
    row[.identifier] = thread.rawValue
    row[.name] = builder.trace.threads.texts.number(of: thread.name)
    row[.process] = builder.trace.threads.texts.number(of: thread.process)
    row[.main] = thread == .main || thread == .hog ? 1 : 0
    builder.trace.threads.append(row)
  }

  /// Writes what happens during the work on a frame: a part of the work, the fault, and the rest of the work.
  private mutating func write(_ span: Range<Int64>, _ fault: Fault?) {
    state(.main, time..<span.lowerBound, .blocked)
    time = span.lowerBound
    let extra = fault == nil ? 0 : span.upperBound - span.lowerBound - base
    // At a lower clock rate, everything takes proportionally longer.
    let scale = fault == .slowClock ? Double(base + extra) / Double(base) : 1
    clock = Int64(Double(Self.usualClock) / scale)
    let part = { [base] (share: Double) in Int64(Double(base) * share * scale) }
    mark("doFrame", span.lowerBound..<span.upperBound - (fault == .drawing ? extra : 0))
    let measure = time..<time + part(0.35)
    mark("measure", measure)
    run(measure)
    let short = time..<time + part(0.02)
    state(.main, short, .runnable, on: 0)
    time = short.upperBound
    if let fault, fault != .slowClock, fault != .drawing { write(fault, time..<time + extra) }
    let isHandedOn = fault == .drawing
    let draw = time..<(isHandedOn ? span.upperBound - extra : span.upperBound)
    mark("draw", draw)
    run(draw)
    // The other thread has a little work in each frame, or does the remaining work.
    let start = isHandedOn ? draw.upperBound : draw.lowerBound
    let end = isHandedOn ? span.upperBound : min(span.upperBound, start + base / 10)
    state(.renderer, drawn..<start, .blocked, by: .main)
    state(.renderer, start..<end, .running, on: 1)
    drawn = end
  }

  private mutating func run(_ span: Range<Int64>) {
    state(.main, span, .running, on: 0, at: clock)
    time = span.upperBound
  }

  private mutating func write(_ fault: Fault, _ span: Range<Int64>) {
    switch fault {
    case .slowClock, .drawing: break
    case .work:
      mark("inflate", span)
      return run(span)
    case .contention:
      state(.main, span, .preempted, on: 0)
      state(.hog, span, .running, on: 0)
    case .disk:
      state(.main, span, .blocked, why: "uninterruptible in folio_wait_bit_common, for a disk")
    case .lock, .inversion, .sleepingOwner:
      mark("monitor contention with owner worker (502) at void Cache.put()", span)
      state(.main, span, .blocked, by: .worker)
      switch fault {
      case .lock: state(.worker, span, .running, on: 2)
      case .inversion: state(.worker, span, .runnable, on: 2)
      default:
        state(.worker, span, .blocked, by: .loader)
        state(.loader, span, .running, on: 1)
      }
      // The thread returns from the code for which it held the lock.
      state(.worker, span.upperBound..<span.upperBound + 20_000, .running, on: 2)
    case .binder:
      mark("binder transaction", span)
      state(.main, span, .blocked, by: .server)
      let begin = span.lowerBound + (span.upperBound - span.lowerBound) * 4 / 5
      state(.server, span.lowerBound..<begin, .runnable, on: 1)
      state(.server, begin..<span.upperBound, .running, on: 1)
    case .garbage:
      mark("WaitForGcToComplete", span)
      state(.main, span, .blocked, by: .collector)
      state(.collector, span, .running, on: 1)
    case .otherThread:
      state(.main, span, .blocked, by: .loader)
      state(.loader, span, .running, on: 1)
    }
    time = span.upperBound
  }

  private mutating func mark(_ name: String, _ span: Range<Int64>) {
    builder.addMark(
      name, span.lowerBound, span.upperBound, process: Thread.main.process,
      thread: Thread.main.rawValue)
  }

  private mutating func state(
    _ thread: Thread, _ span: Range<Int64>, _ state: ThreadStateColumn.State,
    on processor: Int64? = nil, at clock: Int64? = nil, by waker: Thread? = nil,
    why: String? = nil
  ) {
    guard !span.isEmpty else { return }
    var row = Table<ThreadStateColumn>.Row()
    row[.thread] = thread.rawValue
    row[.start] = span.lowerBound
    row[.end] = span.upperBound
    row[.state] = state.rawValue
    row[.processor] = processor
    row[.clock] = clock
    row[.unblockedBy] = waker?.rawValue
    row[.reason] = why.map { builder.trace.threadStates.texts.number(of: $0) }
    builder.trace.threadStates.append(row)
  }
}
