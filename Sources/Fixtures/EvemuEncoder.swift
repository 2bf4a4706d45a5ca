package import FrameKit

/// Writes touches like `evemu-record`: a touch screen with slots, and a report for each scan.
package struct EvemuEncoder: TraceEncoder {
  package let name = "evemu"
  package let importer = "evemu"
  package let precision = 1e-3
  package let carries: Set<Carried> = [.touches]

  package init() {}

  package func whyNot(_ trace: Trace) -> String? {
    let rows = Self.rows(trace)
    if rows.isEmpty { return "it has no touches" }
    var down: Set<Int64> = []
    for row in rows {
      let finger = trace.touches[row, .finger] ?? 0
      if Self.isUp(row, trace.touches) {
        guard down.remove(finger) != nil else { return "a contact ends without having started" }
      } else {
        down.insert(finger)
      }
    }
    return nil
  }

  private static func isUp(_ row: Int, _ touches: Table<TouchColumn>) -> Bool {
    let phase = touches[row, .phase].flatMap(TouchColumn.Phase.init)
    return phase == .ended || phase == .cancelled
  }

  /// The rows of scanned samples, in scan order: without predicted samples, and each sample only once even if a main
  /// sample has a copy.
  private static func rows(_ trace: Trace) -> [Int] {
    let touches = trace.touches
    var seen: Set<[Int64]> = []
    return (0..<touches.count).filter { row in
      touches[row, .device] ?? 0 == TouchColumn.Device.touch.rawValue
        && touches[row, .kind] ?? 0 != TouchColumn.Kind.predicted.rawValue
        && touches[row, .scanStart] != nil
    }.sorted { left, right in
      (touches[left, .scanStart] ?? 0, left) < (touches[right, .scanStart] ?? 0, right)
    }.filter { row in
      seen.insert([touches[row, .scanStart] ?? 0, touches[row, .finger] ?? 0]).inserted
    }
  }

  package func encode(_ trace: Trace) -> [UInt8] {
    var text = EvemuText(from: trace.timeRange?.lowerBound.nanoseconds ?? 0)
    let touches = trace.touches
    var slots: [Int64: Int] = [:]
    var down: Set<Int> = []
    for row in Self.rows(trace) {
      guard let time = touches[row, .scanStart] else { continue }
      let finger = touches[row, .finger] ?? 0
      let slot = slots[finger] ?? slots.count
      slots[finger] = slot
      text.add(time, 3, 0x2f, Int64(slot))
      let isUp = Self.isUp(row, touches)
      if !down.contains(slot), !isUp {
        down.insert(slot)
        text.add(time, 3, 0x39, Int64(row + 1))
      }
      if let x = touches.real(row, .x) { text.add(time, 3, 0x35, Self.coordinate(x)) }
      if let y = touches.real(row, .y) { text.add(time, 3, 0x36, Self.coordinate(y)) }
      if isUp, down.remove(slot) != nil { text.add(time, 3, 0x39, -1) }
      text.add(time, 0, 0, 0)
    }
    return Array(text.text.utf8)
  }

  /// A coordinate as written in the format, in 32 bits.
  private static func coordinate(_ value: Double) -> Int64 {
    value.isNaN ? 0 : Int64(min(max(value.rounded(), -0x7fff_ffff), 0x7fff_ffff))
  }
}

/// The lines of events.
private struct EvemuText {
  private(set) var text =
    "# EVEMU 1.3\nN: Example Touchscreen\nI: 0018 0000 0000 0000\nA: 35 0 4095 0 0 10\n"
  private let zero: Int64

  init(from start: Int64) { zero = start }

  mutating func add(_ time: Int64, _ type: Int, _ code: Int, _ value: Int64) {
    let micro = max(0, (time - zero) / 1000) + 1
    let part = "\(micro % 1_000_000)"
    let padded = String(repeating: "0", count: 6 - part.count) + part
    text +=
      "E: \(micro / 1_000_000).\(padded) \(Self.hex(type)) \(Self.hex(code)) \(value)\n"
  }

  private static func hex(_ value: Int) -> String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 4 - digits.count) + digits
  }
}
