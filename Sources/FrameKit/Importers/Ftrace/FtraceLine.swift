/// A line of the kernel's log as text: where its parts stand among the bytes that it is read from.
///
/// Linux, `Documentation/trace/ftrace.rst`:
///
///     surfaceflinger-480   (  480) [001] d..2 28304.424846: tracing_mark_write: B|480|commit
///
/// Names of threads have blanks and dashes of their own; the number of the process, the flags and blanks
/// between are there or not, as versions differ.
struct FtraceLine {
  let task: Range<Int>
  let thread: Int64
  let process: Int64?
  /// In nanoseconds.
  let time: Int64
  let event: Range<Int>
  let details: Range<Int>

  /// - Precondition: Eight bytes can be read from any place in the line.
  /// - Returns: `nil` for a line that is none.
  init?(_ bytes: Span<UInt8>, _ line: Range<Int>) {
    // The processor is the first number in brackets.
    var open = line.lowerBound
    var processorEnd: Int?
    while processorEnd == nil {
      guard let place = bytes.first(FtraceName.bracket, in: open..<line.upperBound) else {
        return nil
      }
      open = place + 2
      processorEnd = Self.processor(bytes, open..<line.upperBound)
    }
    guard let rest = processorEnd,
      let owner = Self.owner(bytes, line.lowerBound..<open - 2)
    else { return nil }
    (task, thread, process) = owner
    guard let colon = bytes.first(FtraceName.colon, in: rest..<line.upperBound),
      let time = Self.time(bytes, rest..<colon)
    else { return nil }
    self.time = time
    let said = bytes.withoutBlanks(colon + 2..<line.upperBound)
    guard let end = bytes.first(UInt8(ascii: ":"), in: said), end > said.lowerBound,
      bytes.first(0x20, in: said.lowerBound..<end) == nil
    else { return nil }
    event = said.lowerBound..<end
    details = bytes.withoutBlanks(end + 1..<said.upperBound)
  }

  /// Whether it is of an event of a name.
  @inline(__always)
  func isEvent(_ name: ByteName, _ bytes: Span<UInt8>) -> Bool { bytes.holds(name, in: event) }

  /// Where the closing bracket stands behind one to four digits.
  private static func processor(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int? {
    var place = range.lowerBound
    while place < range.upperBound, bytes[place] &- 0x30 < 10 { place += 1 }
    guard 1...4 ~= place - range.lowerBound, place < range.upperBound,
      bytes[place] == UInt8(ascii: "]")
    else { return nil }
    return place
  }

  /// `surfaceflinger-480   (  480)`: the number is after the last dash.
  private static func owner(
    _ bytes: Span<UInt8>, _ range: Range<Int>
  ) -> (task: Range<Int>, thread: Int64, process: Int64?)? {
    var end = bytes.withoutBlanksAtEnd(range).upperBound
    var process: Int64?
    if end > range.lowerBound, bytes[end - 1] == UInt8(ascii: ")"),
      let open = bytes.last(UInt8(ascii: "("), in: range.lowerBound..<end)
    {
      process = bytes.whole(bytes.withoutBlanks(open + 1..<end - 1))
      end = bytes.withoutBlanksAtEnd(range.lowerBound..<open).upperBound
    }
    guard let dash = bytes.last(UInt8(ascii: "-"), in: range.lowerBound..<end),
      let thread = bytes.whole(dash + 1..<end), thread >= 0
    else { return nil }
    return (bytes.withoutBlanks(range.lowerBound..<dash), thread, process)
  }

  /// The seconds at the end of what may begin with flags: `....  316.196720`, `...2316.196720`.
  private static func time(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int64? {
    guard let point = bytes.last(UInt8(ascii: "."), in: range) else { return nil }
    let digits = range.upperBound - point - 1
    var start = point
    while start > range.lowerBound, bytes[start - 1] &- 0x30 < 10 { start -= 1 }
    guard 1...9 ~= digits, let part = bytes.whole(point + 1..<range.upperBound), part >= 0,
      bytes[point + 1] != UInt8(ascii: "+"), let seconds = bytes.whole(start..<point),
      seconds < 1 << 31
    else { return nil }
    return seconds * 1_000_000_000 + part * DecimalNumber.powers[9 - digits]
  }
}

/// Names in the kernel's log that are looked for among bytes.
enum FtraceName {
  static let bracket: ByteName = " ["
  static let colon: ByteName = ": "
  static let mark: ByteName = "tracing_mark_write"
  static let zero: ByteName = "0"
  static let print: ByteName = "print"
  static let schedSwitch: ByteName = "sched_switch"
  static let waking: ByteName = "sched_waking"
  static let wakeup: ByteName = "sched_wakeup"
  static let vblank: ByteName = "drm_vblank_event"
  static let fenceInit: ByteName = "dma_fence_init"
  static let fenceSignaled: ByteName = "dma_fence_signaled"
  static let fenceWaitStart: ByteName = "dma_fence_wait_start"
  static let fenceWaitEnd: ByteName = "dma_fence_wait_end"
  static let runJob: ByteName = "drm_run_job"
  static let schedRunJob: ByteName = "drm_sched_job_run"
  static let processJob: ByteName = "drm_sched_process_job"
  static let jobDone: ByteName = "drm_sched_job_done"
  static let lost: ByteName = "[LOST "
  static let markColon: ByteName = "tracing_mark_write:"
  static let switchColon: ByteName = "sched_switch:"
  static let clockSync: ByteName = "trace_event_clock_sync"
  static let parentTime: ByteName = ": parent_ts="
  static let fence: ByteName = "fence="
  static let identifier: ByteName = "id="
  static let ring: ByteName = "ring="
  static let nextProcess: ByteName = "next_pid="
  static let previousProcess: ByteName = "prev_pid="
  static let previousState: ByteName = "prev_state="
  static let nextPriority: ByteName = "next_prio="
  static let nextName: ByteName = "next_comm="
  static let beforeNextProcess: ByteName = " next_pid="
  static let process: ByteName = " pid="
  static let priority: ByteName = " prio="
  static let sequence: ByteName = "seqno="
  static let timeline: ByteName = "timeline="
  static let beforeContext: ByteName = " context="
  static let context: ByteName = "context="
  static let refreshNumber: ByteName = "seq="
  static let refreshTime: ByteName = " time="
  static let crtc: ByteName = "crtc="
  static let comma: ByteName = ","
}

extension Span<UInt8> {
  /// Where a byte stands first.
  @inline(__always)
  func first(_ byte: UInt8, in range: Range<Int>) -> Int? {
    var place = range.lowerBound
    while place < range.upperBound {
      if self[place] == byte { return place }
      place &+= 1
    }
    return nil
  }

  /// Where a byte stands last.
  func last(_ byte: UInt8, in range: Range<Int>) -> Int? {
    var place = range.upperBound
    while place > range.lowerBound {
      place &-= 1
      if self[place] == byte { return place }
    }
    return nil
  }

  /// Where a name begins first.
  /// - Precondition: Eight bytes can be read from any place in the range.
  func first(_ name: ByteName, in range: Range<Int>) -> Int? {
    var place = range.lowerBound
    while let found = first(name.first, in: place..<range.upperBound) {
      if begins(name, in: found..<range.upperBound) { return found }
      place = found &+ 1
    }
    return nil
  }

  func withoutBlanks(_ range: Range<Int>) -> Range<Int> {
    var start = range.lowerBound
    while start < range.upperBound, self[start] == 0x20 { start &+= 1 }
    return start..<range.upperBound
  }

  func withoutBlanksAtEnd(_ range: Range<Int>) -> Range<Int> {
    var end = range.upperBound
    while end > range.lowerBound, self[end &- 1] == 0x20 { end &-= 1 }
    return range.lowerBound..<end
  }

  /// A whole number, which may have a sign; `nil` for what is none, or too large for 18 digits.
  func whole(_ range: Range<Int>) -> Int64? {
    guard let first = range.first else { return nil }
    let isSigned = self[first] == UInt8(ascii: "-") || self[first] == UInt8(ascii: "+")
    let start = isSigned ? first + 1 : first
    guard 1...18 ~= range.upperBound - start else { return nil }
    var value: Int64 = 0
    for place in start..<range.upperBound {
      let digit = self[place] &- 0x30
      guard digit < 10 else { return nil }
      value = value &* 10 &+ Int64(digit)
    }
    return self[first] == UInt8(ascii: "-") ? -value : value
  }
}
