/// A table of small numbers keyed by two integers, such as a frame's index by its process and
/// token. It is designed for millions of keys from a file and hashes faster than a `Dictionary`.
///
/// An entry takes 20 bytes, and at most three quarters of the slots are used.
package struct PairTable {
  /// The values of a slot without an entry, and of one with a removed entry.
  private static let free: Int32 = -1
  private static let removed: Int32 = -2

  private var firsts: [Int64] = []
  private var seconds: [Int64] = []
  private var values: [Int32] = []
  /// The number of slots that are not free.
  private var used = 0
  private(set) var count = 0
  /// Prevents deliberate hash collisions; the stored content does not depend on it.
  private let seed = UInt64.random(in: 0 ... .max) | 1

  package init() { grow(to: 16) }

  /// The number of a key, 0 or more; `nil` for none.
  package subscript(first: Int64, second: Int64) -> Int32? {
    get {
      let place = place(first, second)
      return values[place] >= 0 ? values[place] : nil
    }
    set {
      guard let newValue else {
        remove(first, second)
        return
      }
      let place = place(first, second)
      if values[place] < 0 {
        count += 1
        used += 1
        (firsts[place], seconds[place]) = (first, second)
      }
      values[place] = newValue
      if used * 4 > values.count * 3 {
        grow(to: count * 4 > values.count ? values.count * 2 : values.count)
      }
    }
  }

  /// Takes a key out.
  /// - Returns: Its number; `nil` where there was none.
  @discardableResult
  package mutating func remove(_ first: Int64, _ second: Int64) -> Int32? {
    let place = place(first, second)
    let value = values[place]
    guard value >= 0 else { return nil }
    values[place] = Self.removed
    count -= 1
    return value
  }

  /// The slot of a key, or the free slot where it would be inserted.
  @inline(__always)
  private func place(_ first: Int64, _ second: Int64) -> Int {
    let mask = values.count &- 1
    var place = Int(truncatingIfNeeded: hash(first, second)) & mask
    while values[place] != Self.free {
      if values[place] != Self.removed, firsts[place] == first, seconds[place] == second {
        return place
      }
      place = (place &+ 1) & mask
    }
    return place
  }

  @inline(__always)
  private func hash(_ first: Int64, _ second: Int64) -> UInt64 {
    var hash = (UInt64(bitPattern: first) ^ seed) &* 0x9e37_79b9_7f4a_7c15
    hash ^= hash &>> 32
    hash = (hash ^ UInt64(bitPattern: second)) &* 0xff51_afd7_ed55_8ccd
    return hash ^ hash &>> 29
  }

  private mutating func grow(to size: Int) {
    let old = (firsts, seconds, values)
    firsts = [Int64](repeating: 0, count: size)
    seconds = firsts
    values = [Int32](repeating: Self.free, count: size)
    used = count
    for index in old.2.indices where old.2[index] >= 0 {
      let place = place(old.0[index], old.1[index])
      (firsts[place], seconds[place]) = (old.0[index], old.1[index])
      values[place] = old.2[index]
    }
  }
}
