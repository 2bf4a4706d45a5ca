/// A page of the kernel's ring buffer: events of one processor, each with its distance in time from the previous event.
///
/// Linux, `include/linux/ring_buffer.h`: an event begins with 5 bits of its kind or length and 27 bits of time.
struct TraceDatPage {
  /// When the page began.
  let time: UInt64
  /// The number of events lost before the page, 1 if the number is not stated; `nil` if no events were lost.
  let lost: Int?
  private let bytes: [UInt8]
  private var position: Int
  private let end: Int
  private var now: UInt64

  init(_ bytes: [UInt8], _ range: Range<Int>, longSize: Int) {
    var cursor = TraceDatCursor(bytes, at: range.lowerBound, end: range.upperBound)
    let stamp = (try? cursor.number(8)) ?? 0
    let commit = (try? cursor.number(longSize)) ?? 0
    self.bytes = bytes
    (time, now, position) = (stamp, stamp, cursor.position)
    end = min(range.upperBound, cursor.position + Int(commit & 0xf_ffff))
    guard commit & 1 << 31 != 0 else {
      lost = nil
      return
    }
    var rest = TraceDatCursor(bytes, at: end, end: range.upperBound)
    let count = commit & 1 << 30 == 0 ? nil : try? rest.number(longSize)
    lost = count.flatMap { Int(exactly: $0) }.map { max(1, $0) } ?? 1
  }

  /// The next event's time stamp and bytes; `nil` at the end of the page.
  mutating func next() -> (time: UInt64, payload: Range<Int>)? {
    while position + 4 <= end {
      let head = word(position)
      let (kind, distance) = (head & 31, UInt64(head >> 5))
      position += 4
      switch kind {
      case 29:
        // Padding of the rest of the page, or of an event that was discarded.
        guard distance != 0, position + 4 <= end else {
          position = end
          return nil
        }
        now &+= distance
        position += max(4, Int(word(position)))
      case 30, 31:
        guard position + 4 <= end else { return nil }
        let whole = UInt64(word(position)) << 27 + distance
        // An absolute time lacks the highest bits.
        now = kind == 30 ? now &+ whole : now & ~((1 << 59) - 1) | whole
        position += 4
      default:
        let start = kind == 0 ? position + 4 : position
        guard start <= end else { return nil }
        let length = kind == 0 ? Int(word(position)) - 4 : Int(kind) * 4
        now &+= distance
        guard length >= 0, length <= end - start else {
          position = end
          return nil
        }
        // Events are aligned to four bytes.
        position = start + (length + 3) / 4 * 4
        return (now, start..<start + length)
      }
    }
    return nil
  }

  private func word(_ position: Int) -> UInt32 {
    UInt32(bytes[position]) | UInt32(bytes[position + 1]) << 8 | UInt32(bytes[position + 2]) << 16
      | UInt32(bytes[position + 3]) << 24
  }
}
