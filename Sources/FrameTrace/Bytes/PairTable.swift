/// A table of small numbers keyed by two integers, such as a frame's index by its process and
/// token. It is designed for millions of keys from a file and hashes faster than a `Dictionary`.
///
/// An entry takes 24 bytes, and at most three quarters of the slots are used.
package struct PairTable {
  /// The key and the number of an entry, which mostly share a line of the cache.
  private struct Entry {
    var first, second: Int64
    /// Negative in a slot without an entry.
    var value: Int32

    static let free = Entry(first: 0, second: 0, value: -1)
  }

  private var entries = [Entry](repeating: .free, count: 16)
  package private(set) var count = 0
  /// Prevents deliberate hash collisions; the stored content does not depend on it.
  private let seed = UInt64.random(in: 0 ... .max) | 1

  package init() {}

  /// The number of a key, 0 or more; `nil` for none.
  package subscript(first: Int64, second: Int64) -> Int32? {
    get {
      let value = entries[place(first, second)].value
      return value >= 0 ? value : nil
    }
    set {
      guard let newValue else {
        remove(first, second)
        return
      }
      let place = place(first, second)
      if entries[place].value < 0 { count += 1 }
      entries[place] = Entry(first: first, second: second, value: newValue)
      if count * 4 > entries.count * 3 { grow() }
    }
  }

  /// Takes a key out.
  /// - Returns: Its number; `nil` where there was none.
  @discardableResult
  package mutating func remove(_ first: Int64, _ second: Int64) -> Int32? {
    var place = place(first, second)
    let value = entries[place].value
    guard value >= 0 else { return nil }
    count -= 1
    // Entries that were displaced by this one move up (Knuth, "The Art of Computer Programming",
    // volume 3, algorithm 6.4R).
    let mask = entries.count &- 1
    var next = (place &+ 1) & mask
    while entries[next].value >= 0 {
      let home = slot(entries[next].first, entries[next].second)
      if (next &- home) & mask >= (next &- place) & mask {
        entries[place] = entries[next]
        place = next
      }
      next = (next &+ 1) & mask
    }
    entries[place] = .free
    return value
  }

  /// The slot of a key, or the free slot where it would be inserted.
  @inline(__always)
  private func place(_ first: Int64, _ second: Int64) -> Int {
    let entries = entries.span
    let mask = entries.count &- 1
    var place = slot(first, second)
    while true {
      let entry = entries[place]
      if entry.value < 0 || entry.second == second && entry.first == first { return place }
      place = (place &+ 1) & mask
    }
  }

  /// The first slot in which a key is looked for.
  ///
  /// Consecutive second numbers are mostly looked up one after another, so four of them are stored next to each other.
  /// For a key that is a single number, pass it as the second.
  @inline(__always)
  private func slot(_ first: Int64, _ second: Int64) -> Int {
    var hash = (UInt64(bitPattern: first) ^ seed) &* 0x9e37_79b9_7f4a_7c15
    hash ^= hash &>> 32
    hash = (hash ^ UInt64(bitPattern: second &>> 2)) &* 0xff51_afd7_ed55_8ccd
    hash ^= hash &>> 29
    let within = UInt64(bitPattern: second) & 3
    return Int(truncatingIfNeeded: hash &<< 2 | within) & (entries.count &- 1)
  }

  private mutating func grow() {
    let old = entries
    entries = [Entry](repeating: .free, count: old.count * 2)
    for entry in old where entry.value >= 0 {
      entries[place(entry.first, entry.second)] = entry
    }
  }
}
