/// Assigns small numbers to strings in a byte buffer: each string is stored once and hashed without a `String`.
///
/// Numbers count up from 0 in the order in which strings first appear. A string takes its bytes plus 40 to 56.
package struct ByteTable {
  private struct Entry {
    let kind: UInt64
    let start: Int
    let length: Int
  }

  /// The hash is stored here so that an entry is read only if its hash is equal: with many strings, reading an entry
  /// misses the processor's cache.
  private struct Slot {
    var hash: UInt32 = 0
    /// The index of an entry plus one; 0 for none.
    var number: UInt32 = 0
  }

  /// The strings, concatenated and followed by padding.
  private var arena = [UInt8](repeating: 0, count: padding)
  private var used = 0
  private var entries: [Entry] = []
  /// Indexed by the low bits of a string's hash. At least half of the slots are free.
  private var slots = [Slot](repeating: Slot(), count: 64)
  /// The numbers most recently assigned to strings of different lengths and endings: strings often repeat, and a
  /// repeated string is not hashed.
  private var recent = [UInt32](repeating: 0, count: recentCount)

  private static let recentCount = 64

  /// Prevents deliberate hash collisions; the numbers do not depend on it.
  private let seed = UInt64.random(in: 0 ... .max)

  package init() {}

  private static let padding = 8

  package var count: Int { entries.count }

  /// The number of a string; a new string is assigned one.
  /// - Parameter kind: Strings of different kinds are always distinct.
  /// - Precondition: Eight bytes can be read from any index in the range.
  package mutating func number(
    _ bytes: Span<UInt8>, _ range: Range<Int>, kind: UInt64 = 0
  ) -> Int {
    var ends = 0
    if !range.isEmpty {
      ends = Int(bytes[range.upperBound &- 1]) ^ Int(bytes[range.lowerBound]) &<< 2
    }
    let position = (range.count ^ ends) & (Self.recentCount &- 1)
    let last = Int(recent[position])
    if last < entries.count, entries[last].kind == kind, holds(entries[last], bytes, range) {
      return last
    }
    let number = find(bytes, range, kind)
    recent[position] = UInt32(number)
    return number
  }

  private mutating func find(_ bytes: Span<UInt8>, _ range: Range<Int>, _ kind: UInt64) -> Int {
    let hash = hash(bytes, range, kind)
    var position = Int(hash) & (slots.count &- 1)
    while slots[position].number != 0 {
      let number = Int(slots[position].number) &- 1
      if slots[position].hash == hash, entries[number].kind == kind,
        holds(entries[number], bytes, range)
      {
        return number
      }
      position = (position &+ 1) & (slots.count &- 1)
    }
    add(bytes, range, kind)
    slots[position] = Slot(hash: hash, number: UInt32(entries.count))
    if entries.count * 2 > slots.count { grow() }
    return entries.count - 1
  }

  /// The string with a number.
  package func text(_ number: Int) -> String {
    let entry = entries[number]
    return String(decoding: arena[entry.start..<entry.start + entry.length], as: UTF8.self)
  }

  /// The strings, concatenated. Eight bytes can be read from any index of a string.
  package var bytes: [UInt8] { arena }

  /// The range of a string in `bytes`.
  package func range(_ number: Int) -> Range<Int> {
    entries[number].start..<entries[number].start + entries[number].length
  }

  @inline(__always)
  private func holds(_ entry: Entry, _ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
    entry.length == range.count && bytes.equals(arena.span, at: entry.start, range)
  }

  private mutating func add(_ bytes: Span<UInt8>, _ range: Range<Int>, _ kind: UInt64) {
    arena.removeLast(Self.padding)
    for position in range { arena.append(bytes[position]) }
    for _ in 0..<Self.padding { arena.append(0) }
    entries.append(Entry(kind: kind, start: used, length: range.count))
    used += range.count
  }

  private mutating func grow() {
    let old = slots
    slots = [Slot](repeating: Slot(), count: old.count * 2)
    for slot in old where slot.number > 0 {
      var position = Int(slot.hash) & (slots.count &- 1)
      while slots[position].number != 0 { position = (position &+ 1) & (slots.count &- 1) }
      slots[position] = slot
    }
  }

  /// Mixes eight bytes at a time.
  private func hash(_ bytes: Span<UInt8>, _ range: Range<Int>, _ kind: UInt64) -> UInt32 {
    var hash = seed ^ (kind &+ UInt64(range.count)) &* 0x9e37_79b9_7f4a_7c15
    var position = range.lowerBound
    while position < range.upperBound {
      let word = bytes.word(at: position, count: range.upperBound &- position)
      hash = (hash ^ word) &* 0xff51_afd7_ed55_8ccd
      hash ^= hash &>> 32
      position &+= 8
    }
    return UInt32(truncatingIfNeeded: hash ^ hash &>> 29)
  }
}
