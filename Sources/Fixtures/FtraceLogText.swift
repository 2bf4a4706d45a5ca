package import FrameKit

/// The kernel's log of a trace's threads as text, in the form of `trace_pipe` and atrace, with times in microseconds.
package struct FtraceLogText {
  /// An event as a line of the log.
  struct Line {
    let time: Int64
    let text: String
    /// Whether the event ends a slice.
    let endsSlice: Bool

    /// - Parameters:
    ///   - thread: The thread that was running, with its name.
    ///   - process: The number of the thread's process; `nil` if the kernel does not know it.
    ///   - words: The name of the event, and its content.
    init(
      _ time: Int64, thread: (number: Int64, name: String), process: Int64?, processor: Int64,
      _ words: String, endsSlice: Bool = false
    ) {
      (self.time, self.endsSlice) = (time, endsSlice)
      let microseconds = time / 1000
      let stamp =
        "\(microseconds / 1_000_000)." + padded("\(microseconds % 1_000_000)", with: "0", to: 6)
      let owner = process.map { padded("\($0)", with: " ", to: 5) } ?? "-----"
      text =
        "\(thread.name)-\(thread.number) (\(owner)) [\(padded("\(processor)", with: "0", to: 3))] d..2 \(stamp): \(words)"
    }
  }

  /// The events in time order; empty for a trace without thread states.
  private(set) var lines: [Line] = []

  /// The text; empty if there are no events.
  package var text: String { lines.isEmpty ? "" : Self.text(lines) }

  private let threads: [Int64: SchedulerLog.Thread]
  private let shift: Int64

  package init(_ trace: Trace) { self.init(trace, shiftedBy: 0) }

  /// - Parameter shift: The shift added to all times, in ns.
  init(_ trace: Trace, shiftedBy shift: Int64) {
    self.shift = shift
    guard let log = SchedulerLog(trace) else {
      threads = [:]
      return
    }
    threads = Dictionary(log.threads.map { ($0.number, $0) }) { first, _ in first }
    lines = log.events.map(line)
  }

  /// A complete log.
  static func text(_ lines: [Line]) -> String {
    (["# tracer: nop", "#"] + lines.map(\.text)).joined(separator: "\n") + "\n"
  }

  private func line(_ event: SchedulerLog.Event) -> Line {
    let endsSlice = if case .endSlice = event.content { true } else { false }
    return Line(
      event.time + shift, thread: (event.thread, name(event.thread)),
      process: threads[event.thread]?.process, processor: event.processor, words(event),
      endsSlice: endsSlice)
  }

  private func words(_ event: SchedulerLog.Event) -> String {
    switch event.content {
    case .change(let from, let left, let next):
      "sched_switch: prev_comm=\(name(from)) prev_pid=\(from) prev_prio=120 prev_state=\(left.rawValue) ==> next_comm=\(name(next)) next_pid=\(next) next_prio=120"
    case .waking(let thread):
      "sched_waking: comm=\(name(thread)) pid=\(thread) prio=120 target_cpu=000"
    case .blockedReason(let thread, let function, let isForDisk):
      "sched_blocked_reason: pid=\(thread) iowait=\(isForDisk ? 1 : 0) caller=\(function)+0x68/0x1a0"
    case .clock(let rate): "cpu_frequency: state=\(rate) cpu_id=\(event.processor)"
    case .binderSent(let number, let receiver):
      "binder_transaction: transaction=\(number) dest_node=\(receiver == nil ? 12 : 0) dest_proc=0 dest_thread=\(receiver ?? 0) reply=\(receiver == nil ? 0 : 1) flags=0x10 code=0x1"
    case .binderReceived(let number): "binder_transaction_received: transaction=\(number)"
    case .beginSlice(let process, let name): "tracing_mark_write: B|\(process)|\(name)"
    case .endSlice(let process): "tracing_mark_write: E|\(process)"
    }
  }

  /// The kernel's name for a thread; 0 is an idle processor.
  private func name(_ thread: Int64) -> String {
    thread == 0 ? "<idle>" : threads[thread]?.name ?? "<...>"
  }
}

private func padded(_ text: String, with character: Character, to width: Int) -> String {
  String(repeating: character, count: max(0, width - text.count)) + text
}
