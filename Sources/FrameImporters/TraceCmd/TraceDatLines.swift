import FrameStatistics
import FrameTrace

/// An event of a recording.
struct TraceDatEvent {
  enum Content {
    case payload([UInt8])
    /// An event that is not read, identified by its number and thread.
    case unread(form: Int, thread: Int64)
    /// Events that the kernel had no room for.
    case lost(Int)
  }

  /// In ns.
  let time: Int64
  let processor: Int
  let content: Content

  func form(in file: TraceDatFile) -> TraceDatForm? {
    guard case .payload(let bytes) = content, bytes.count >= 2 else { return nil }
    return file.forms[Int(bytes[0]) | Int(bytes[1]) << 8]
  }

  /// The event with only its number and thread, so that unread data takes no memory.
  func withoutPayload(in file: TraceDatFile) -> TraceDatEvent {
    guard case .payload(let bytes) = content else { return self }
    let form = bytes.count >= 2 ? Int(bytes[0]) | Int(bytes[1]) << 8 : -1
    return TraceDatEvent(
      time: time, processor: processor,
      content: .unread(form: form, thread: Self.thread(bytes)))
  }

  /// The number of an event's thread, which all events have after their kind and flags.
  static func thread(_ bytes: [UInt8]) -> Int64 {
    guard bytes.count >= 8 else { return 0 }
    let word = (4..<8).reduce(UInt32(0)) { $0 | UInt32(bytes[$1]) << UInt32(8 * ($1 - 4)) }
    return Int64(Int32(bitPattern: word))
  }
}

/// Writes events as the lines that the kernel prints for them.
struct TraceDatLines {
  private let file: TraceDatFile

  /// How the fields of an event are printed: their names, and the separator between them.
  private struct Style {
    var renamed: [String: String] = [:]
    var separator = " "
    /// The fields that are printed in hexadecimal digits after `0x`.
    var hexadecimal: Set<String> = []
  }

  private static let jobs = Style(
    renamed: ["name": "ring"], separator: ", ", hexadecimal: ["fence"])
  private static let styles: [String: Style] = [
    "sched_switch": Style(), "sched_waking": Style(), "sched_wakeup": Style(),
    "cpu_frequency": Style(), "sched_blocked_reason": Style(renamed: ["io_wait": "iowait"]),
    "binder_transaction": Style(
      renamed: [
        "debug_id": "transaction", "target_node": "dest_node", "to_proc": "dest_proc",
        "to_thread": "dest_thread",
      ], hexadecimal: ["code", "flags"]),
    "binder_transaction_received": Style(renamed: ["debug_id": "transaction"]),
    "print": Style(),
    "tracing_mark_write": Style(), "drm_vblank_event": Style(separator: ", "),
    "dma_fence_init": Style(), "dma_fence_signaled": Style(), "dma_fence_wait_start": Style(),
    "dma_fence_wait_end": Style(), "drm_run_job": jobs, "drm_sched_job_run": jobs,
    "drm_sched_process_job": jobs, "drm_sched_job_done": jobs,
  ]

  init(_ file: TraceDatFile) { self.file = file }

  /// Whether the contents of events with this format are read.
  static func reads(_ form: TraceDatForm) -> Bool { styles[form.name] != nil }

  /// Writes the line of an event over the previously written line.
  func write(_ event: TraceDatEvent, to text: inout [UInt8]) {
    text.removeAll(keepingCapacity: true)
    switch event.content {
    case .lost(let count):
      text += "CPU:\(event.processor) [LOST \(count) EVENTS]".utf8
    case .unread(let form, let thread):
      text += head(event, thread).utf8
      text += "\(file.forms[form]?.name ?? "event_\(form)"): ".utf8
    case .payload(let bytes):
      guard let form = event.form(in: file), let style = Self.styles[form.name] else { return }
      text += head(event, TraceDatEvent.thread(bytes)).utf8
      text += "\(form.name): ".utf8
      switch form.name {
      case "print", "tracing_mark_write": text += mark(form, bytes)
      case "sched_switch": text += change(form, bytes).utf8
      default: text += details(form, bytes, style).utf8
      }
    }
  }

  /// `trace-cmd-6973 [002] 259445.106979000: `.
  private func head(_ event: TraceDatEvent, _ thread: Int64) -> String {
    let name = thread == 0 ? "<idle>" : file.commands[thread] ?? "<...>"
    let nanoseconds = max(0, event.time)
    let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    return
      "\(name)-\(thread) [\(Self.padded(Int64(event.processor), 3))] \(seconds).\(Self.padded(rest, 9)): "
  }

  private static func padded(_ number: Int64, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }

  /// The text of a mark: a field at the end of the event, which may be longer than its format says.
  private func mark(_ form: TraceDatForm, _ bytes: [UInt8]) -> ArraySlice<UInt8> {
    guard let field = form.fields.first(where: { $0.name == "buf" || $0.name == "buffer" }),
      field.offset <= bytes.count
    else { return [] }
    if field.isMoved { return Array(text(field, bytes).utf8)[...] }
    return bytes[field.offset...].prefix { $0 != 0 && $0 != 0x0a }
  }

  private func change(_ form: TraceDatForm, _ bytes: [UInt8]) -> String {
    form.fields.map { field in
      let value =
        field.name == "prev_state"
        ? form.letters(of: UInt64(bitPattern: number(field, bytes))) : value(field, bytes)
      return (field.name == "next_comm" ? "==> " : "") + "\(field.name)=\(value)"
    }.joined(separator: " ")
  }

  private func details(_ form: TraceDatForm, _ bytes: [UInt8], _ style: Style) -> String {
    form.fields.map { field in
      let name = style.renamed[field.name] ?? field.name
      if field.name == "caller" {
        return "\(name)=\(function(UInt64(bitPattern: number(field, bytes))))"
      }
      let isHexadecimal = style.hexadecimal.contains(field.name)
      let value =
        isHexadecimal
        ? "0x" + String(UInt64(bitPattern: number(field, bytes)), radix: 16) : value(field, bytes)
      return "\(name)=\(value)"
    }.joined(separator: style.separator)
  }

  /// The kernel's function at an address.
  private func function(_ address: UInt64) -> String {
    let next = file.symbols.partitioningIndex { $0.address > address }
    return next > 0 ? file.symbols[next - 1].name : "0x" + String(address, radix: 16)
  }

  private func value(_ field: TraceDatForm.Field, _ bytes: [UInt8]) -> String {
    field.isText ? text(field, bytes) : String(number(field, bytes))
  }

  private func text(_ field: TraceDatForm.Field, _ bytes: [UInt8]) -> String {
    var (start, size) = (field.offset, field.size)
    if field.isMoved {
      // The length in the higher bits, the position in the lower.
      let word = UInt64(bitPattern: number(field, bytes))
      (start, size) = (Int(word & 0xffff), Int(word >> 16 & 0xffff))
    }
    guard start <= bytes.count else { return "" }
    return String(decoding: bytes[start...].prefix(size).prefix { $0 != 0 }, as: UTF8.self)
  }

  private func number(_ field: TraceDatForm.Field, _ bytes: [UInt8]) -> Int64 {
    let size = min(field.size, 8)
    guard size > 0, field.offset <= bytes.count - size else { return 0 }
    var word: UInt64 = 0
    for index in 0..<size { word |= UInt64(bytes[field.offset + index]) << UInt64(8 * index) }
    let unused = UInt64(64 - 8 * size)
    let isNegative = field.isSigned && size < 8 && word >> UInt64(8 * size - 1) == 1
    return isNegative ? Int64(bitPattern: word << unused) >> Int64(unused) : Int64(bitPattern: word)
  }
}
