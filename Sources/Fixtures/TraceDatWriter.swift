package import FrameKit

/// The kernel's log of a trace's threads as recorded by `trace-cmd`, in version 6 of its format.
package struct TraceDatWriter {
  /// The file; empty for a trace without thread states.
  package private(set) var bytes: [UInt8] = []

  private static let pageSize = 4096
  /// The address of the first kernel function, and the size of each function.
  private static let (firstFunction, functionSize): (UInt64, UInt64) = (0xffff_ffff_8100_0000, 4096)

  private enum Form: UInt16, CaseIterable {
    case change = 314
    case waking, blockedReason, clock, binderSent, binderReceived, print

    /// The event's description, as in the kernel's folder of events.
    var text: String {
      let (name, fields, format): (String, [(String, Int, Int)], String) =
        switch self {
        case .change:
          (
            "sched_switch",
            [
              ("char prev_comm[16]", 8, 16), ("pid_t prev_pid", 24, 4), ("int prev_prio", 28, 4),
              ("long prev_state", 32, 8), ("char next_comm[16]", 40, 16), ("pid_t next_pid", 56, 4),
              ("int next_prio", 60, 4),
            ],
            "\"prev_state=%s%s\", (REC->prev_state & ((((0x0000 | 0x0001 | 0x0002 | 0x0004 | 0x0008 | 0x0010 | 0x0020 | 0x0040) + 1) << 1) - 1)) ? __print_flags(REC->prev_state, \"|\", { 0x0001, \"S\" }, { 0x0002, \"D\" }, { 0x0004, \"T\" }, { 0x0008, \"t\" }, { 0x0010, \"X\" }, { 0x0020, \"Z\" }, { 0x0040, \"P\" }, { 0x0080, \"I\" }) : \"R\", REC->prev_state & (((0x0000 | 0x0001 | 0x0002 | 0x0004 | 0x0008 | 0x0010 | 0x0020 | 0x0040) + 1) << 1) ? \"+\" : \"\""
          )
        case .waking:
          (
            "sched_waking",
            [
              ("char comm[16]", 8, 16), ("pid_t pid", 24, 4), ("int prio", 28, 4),
              ("int target_cpu", 32, 4),
            ], "\"pid=%d\", REC->pid"
          )
        case .blockedReason:
          (
            "sched_blocked_reason",
            [("pid_t pid", 8, 4), ("void* caller", 16, 8), ("bool io_wait", 24, 1)],
            "\"pid=%d iowait=%d caller=%pS\", REC->pid, REC->io_wait, REC->caller"
          )
        case .clock:
          (
            "cpu_frequency", [("u32 state", 8, 4), ("u32 cpu_id", 12, 4)],
            "\"state=%lu cpu_id=%lu\", REC->state, REC->cpu_id"
          )
        case .binderSent:
          (
            "binder_transaction",
            [
              ("int debug_id", 8, 4), ("int target_node", 12, 4), ("int to_proc", 16, 4),
              ("int to_thread", 20, 4), ("int reply", 24, 4), ("unsigned int code", 28, 4),
              ("unsigned int flags", 32, 4),
            ],
            "\"transaction=%d dest_node=%d dest_proc=%d dest_thread=%d reply=%d flags=0x%x code=0x%x\", REC->debug_id, REC->target_node, REC->to_proc, REC->to_thread, REC->reply, REC->flags, REC->code"
          )
        case .binderReceived:
          (
            "binder_transaction_received", [("int debug_id", 8, 4)],
            "\"transaction=%d\", REC->debug_id"
          )
        case .print:
          ("print", [("unsigned long ip", 8, 8), ("char buf[]", 16, 0)], "\"%s\", REC->buf")
        }
      let common = [
        ("unsigned short common_type", 0, 2), ("unsigned char common_flags", 2, 1),
        ("unsigned char common_preempt_count", 3, 1), ("int common_pid", 4, 4),
      ]
      let lines = (common + fields).map { declaration, offset, size in
        let isSigned = declaration.hasPrefix("u") || declaration.hasPrefix("bool") ? 0 : 1
        return "\tfield:\(declaration);\toffset:\(offset);\tsize:\(size);\tsigned:\(isSigned);\n"
      }
      return
        "name: \(name)\nID: \(rawValue)\nformat:\n\(lines.joined())\nprint fmt: \(format)\n"
    }
  }

  private let names: [Int64: String]
  private var symbols: [String: UInt64] = [:]

  package init(_ trace: Trace) {
    guard let log = SchedulerLog(trace) else {
      names = [:]
      return
    }
    names = Dictionary(log.threads.map { ($0.number, $0.name ?? "") }) { first, _ in first }
    for case .blockedReason(_, let function, _) in log.events.map(\.content)
    where symbols[function] == nil {
      symbols[function] = Self.firstFunction + UInt64(symbols.count) * Self.functionSize
    }
    addHead()
    let processors = Dictionary(grouping: log.events, by: \.processor)
    let count = Int(processors.keys.max() ?? 0) + 1
    let data = (0..<count).map { pages(of: processors[Int64($0)] ?? []) }
    add(UInt64(count), 4)
    add("options  \0")
    add(0, 2)
    add("flyrecord\0")
    // The data of a processor consists of complete pages of the file.
    let start = (bytes.count + 16 * count + Self.pageSize - 1) / Self.pageSize * Self.pageSize
    var position = start
    for own in data {
      add(UInt64(position), 8)
      add(UInt64(own.count), 8)
      position += own.count
    }
    bytes += [UInt8](repeating: 0, count: start - bytes.count)
    for own in data { bytes += own }
  }

  private mutating func addHead() {
    bytes = [0x17, 0x08, 0x44]
    add("tracing6\0")
    add(0, 1)
    add(8, 1)
    add(UInt64(Self.pageSize), 4)
    for name in ["header_page", "header_event"] {
      add(name + "\0")
      add(0, 8)
    }
    addForms([.print])
    add(1, 4)
    add("sched\0")
    addForms([.change, .waking, .blockedReason, .clock, .binderSent, .binderReceived])
    let lines = symbols.sorted { $0.value < $1.value }.map { name, address in
      "\(String(address, radix: 16)) t \(name)\n"
    }
    addText(lines.joined(), sizeWidth: 4)
    addText("", sizeWidth: 4)
    addText(
      names.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)\n" }.joined(), sizeWidth: 8)
  }

  private mutating func addForms(_ forms: [Form]) {
    add(UInt64(forms.count), 4)
    for form in forms { addText(form.text, sizeWidth: 8) }
  }

  private mutating func addText(_ text: String, sizeWidth: Int) {
    add(UInt64(text.utf8.count), sizeWidth)
    add(text)
  }

  private mutating func add(_ text: String) { bytes += Array(text.utf8) }

  private mutating func add(_ number: UInt64, _ size: Int) { bytes += Self.bytes(number, size) }

  private static func bytes(_ number: UInt64, _ size: Int) -> [UInt8] {
    (0..<size).map { UInt8(truncatingIfNeeded: number >> UInt64(8 * $0)) }
  }

  /// The pages of a processor's events.
  private func pages(of events: [SchedulerLog.Event]) -> [UInt8] {
    var pages: [UInt8] = []
    var (page, start, last): ([UInt8], UInt64, UInt64) = ([], 0, 0)
    func end() {
      guard !page.isEmpty else { return }
      let whole = Self.bytes(start, 8) + Self.bytes(UInt64(page.count), 8) + page
      pages += whole + [UInt8](repeating: 0, count: Self.pageSize - whole.count)
      page = []
    }
    // A thread is woken before its new processor switches to it.
    let timed = events.map { event -> (time: UInt64, event: SchedulerLog.Event) in
      switch event.content {
      case .waking, .blockedReason: (UInt64(max(0, event.time - 1)), event)
      default: (UInt64(max(0, event.time)), event)
      }
    }
    for (time, event) in timed.enumerated().sorted(by: {
      ($0.element.time, $0.offset) < ($1.element.time, $1.offset)
    }).map(\.element) {
      let payload = payload(event)
      if 16 + page.count + payload.count + 20 > Self.pageSize { end() }
      if page.isEmpty { (start, last) = (time, time) }
      let distance = time - last
      if distance >= 1 << 27 {
        page += Self.bytes(distance & (1 << 27 - 1) << 5 | 30, 4) + Self.bytes(distance >> 27, 4)
      }
      let rest = distance >= 1 << 27 ? 0 : distance << 5
      if payload.count <= 112 {
        page += Self.bytes(rest | UInt64(payload.count / 4), 4)
      } else {
        page += Self.bytes(rest, 4) + Self.bytes(UInt64(payload.count + 4), 4)
      }
      page += payload
      last = time
    }
    end()
    return pages
  }

  /// The contents of an event, a multiple of four bytes.
  private func payload(_ event: SchedulerLog.Event) -> [UInt8] {
    let number = { (value: Int64, size: Int) in Self.bytes(UInt64(bitPattern: value), size) }
    let head = { (form: Form) in
      Self.bytes(UInt64(form.rawValue), 2) + [0, 0] + number(event.thread, 4)
    }
    switch event.content {
    case .change(let from, let left, let next):
      return head(.change) + name(from) + number(from, 4) + number(120, 4) + number(left.bits, 8)
        + name(next) + number(next, 4) + number(120, 4)
    case .waking(let thread):
      return head(.waking) + name(thread) + number(thread, 4) + number(120, 4) + number(0, 4)
    case .blockedReason(let thread, let function, let isForDisk):
      let caller = (symbols[function] ?? 0) + 0x68
      return head(.blockedReason) + number(thread, 8) + Self.bytes(caller, 8)
        + [isForDisk ? 1 : 0, 0, 0, 0]
    case .clock(let rate): return head(.clock) + number(rate, 4) + number(event.processor, 4)
    case .binderSent(let sent, let receiver):
      let target = number(receiver == nil ? 12 : 0, 4) + number(0, 4) + number(receiver ?? 0, 4)
      return head(.binderSent) + number(sent, 4) + target + number(receiver == nil ? 0 : 1, 4)
        + number(1, 4) + number(16, 4)
    case .binderReceived(let received): return head(.binderReceived) + number(received, 4)
    case .beginSlice(let process, let name): return mark(head(.print), "B|\(process)|\(name)\n")
    case .endSlice(let process): return mark(head(.print), "E|\(process)\n")
    }
  }

  private func mark(_ head: [UInt8], _ text: String) -> [UInt8] {
    let bytes = head + Self.bytes(0, 8) + Array(text.utf8) + [0]
    return bytes + [UInt8](repeating: 0, count: (4 - bytes.count % 4) % 4)
  }

  /// The name of a thread in 16 bytes, the last of which is zero.
  private func name(_ thread: Int64) -> [UInt8] {
    let text = Array((thread == 0 ? "swapper/0" : names[thread] ?? "").utf8.prefix(15))
    return text + [UInt8](repeating: 0, count: 16 - text.count)
  }
}
