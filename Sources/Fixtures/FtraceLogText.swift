package import FrameKit

/// The kernel's log of a trace's threads as text, in the form of `trace_pipe` and atrace: times have microseconds.
package struct FtraceLogText {
  /// The text; empty for a trace without the states of threads.
  package private(set) var text = ""

  private let threads: [Int64: SchedulerLog.Thread]

  package init(_ trace: Trace) {
    guard let log = SchedulerLog(trace) else {
      threads = [:]
      return
    }
    threads = Dictionary(log.threads.map { ($0.number, $0) }) { first, _ in first }
    text = "# tracer: nop\n#\n"
    for event in log.events { add(event) }
  }

  private mutating func add(_ event: SchedulerLog.Event) {
    let process = threads[event.thread].map { Self.padded("\($0.process)", 5) } ?? "-----"
    let microseconds = event.time / 1000
    let fraction = String(microseconds % 1_000_000)
    let time =
      "\(microseconds / 1_000_000)." + String(repeating: "0", count: 6 - fraction.count) + fraction
    let processor = event.processor < 10 ? "00\(event.processor)" : "0\(event.processor)"
    text +=
      "\(name(event.thread))-\(event.thread) (\(process)) [\(processor)] d..2 \(time): \(words(event))\n"
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

  /// What the kernel calls a thread; 0 is an idle processor.
  private func name(_ thread: Int64) -> String {
    thread == 0 ? "<idle>" : threads[thread]?.name ?? "<...>"
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }
}
