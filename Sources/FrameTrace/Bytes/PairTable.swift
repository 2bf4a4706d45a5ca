/// A table of small numbers keyed by two integers, such as a frame's index by its process and token. It is designed for
/// millions of keys from a file, where most second integers are close to each other.
///
/// Keys whose second integers are neighbors share a page, so that successive lookups stay in the processor's cache.
/// Dense keys take 8 to 16 bytes each, a key without neighbors 65 to 130.
package struct PairTable {
  /// The keys that share a page, and the page's number.
  private struct Slot {
    var first, block: Int64
    /// Negative in a slot without a page.
    var page: Int32

    static let free = Slot(first: 0, block: 0, page: -1)
  }

  /// At most three quarters of the slots are used.
  private var slots = [Slot](repeating: .free, count: 16)
  private var usedSlots = 0
  /// The numbers of the pages, page by page; −1 for none.
  private var numbers: [Int32] = []
  /// How many numbers each page has. Accessible to tests.
  private(set) var fill: [UInt8] = []
  /// Pages that can be reused.
  private var freePages: [Int32] = []
  package private(set) var count = 0
  /// Prevents deliberate hash collisions; the stored content does not depend on it.
  private let seed = UInt64.random(in: 0 ... .max) | 1

  /// The number of entries on a page, as a power of two.
  private static let pageBits: Int64 = 3

  package init() {}

  /// The number of a key, 0 or more; `nil` for none.
  package subscript(first: Int64, second: Int64) -> Int32? {
    get {
      let page = slots[slot(first, second &>> Self.pageBits)].page
      guard page >= 0 else { return nil }
      let number = numbers[Self.position(page, second)]
      return number >= 0 ? number : nil
    }
    set {
      guard let newValue else {
        remove(first, second)
        return
      }
      let slot = slot(first, second &>> Self.pageBits)
      var page = slots[slot].page
      if page < 0 {
        page = addPage(Slot(first: first, block: second &>> Self.pageBits, page: 0), slot)
      }
      let position = Self.position(page, second)
      if numbers[position] < 0 {
        count += 1
        fill[Int(page)] += 1
      }
      numbers[position] = newValue
      // A page is kept only after it has a number.
      if usedSlots * 4 > slots.count * 3 { grow() }
    }
  }

  /// Removes a key.
  /// - Returns: Its number; `nil` if it had none.
  @discardableResult
  package mutating func remove(_ first: Int64, _ second: Int64) -> Int32? {
    let slot = slot(first, second &>> Self.pageBits)
    let page = slots[slot].page
    guard page >= 0 else { return nil }
    let position = Self.position(page, second)
    let number = numbers[position]
    guard number >= 0 else { return nil }
    numbers[position] = -1
    count -= 1
    fill[Int(page)] -= 1
    return number
  }

  /// The index of a number on its page.
  @inline(__always)
  private static func position(_ page: Int32, _ second: Int64) -> Int {
    Int(page) &<< Int(pageBits) | Int(second & (1 &<< pageBits &- 1))
  }

  /// Assigns a slot a page without numbers.
  /// - Returns: The number of the page.
  private mutating func addPage(_ keys: Slot, _ slot: Int) -> Int32 {
    var keys = keys
    if let page = freePages.popLast() {
      keys.page = page
    } else {
      keys.page = Int32(fill.count)
      fill.append(0)
      numbers.append(contentsOf: repeatElement(-1, count: 1 << Int(Self.pageBits)))
    }
    slots[slot] = keys
    usedSlots += 1
    return keys.page
  }

  /// The slot of a page, or the free slot where it would be inserted.
  @inline(__always)
  private func slot(_ first: Int64, _ block: Int64) -> Int {
    let slots = slots.span
    let mask = slots.count &- 1
    var position = home(first, block)
    while true {
      let slot = slots[position]
      if slot.page < 0 || slot.block == block && slot.first == first { return position }
      position = (position &+ 1) & mask
    }
  }

  /// The first slot in which a page is searched for.
  ///
  /// For a key that is a single number, pass it as the second.
  @inline(__always)
  private func home(_ first: Int64, _ block: Int64) -> Int {
    var hash = (UInt64(bitPattern: first) ^ seed) &* 0x9e37_79b9_7f4a_7c15
    hash ^= hash &>> 32
    hash = (hash ^ UInt64(bitPattern: block)) &* 0xff51_afd7_ed55_8ccd
    // Only the highest bits of a product depend on all bits of the key.
    return Int(truncatingIfNeeded: hash &>> UInt64(slots.count.leadingZeroBitCount &+ 1))
  }

  /// Makes room for slots; frees the slots of pages without numbers if there are many.
  ///
  /// Such pages are kept until then, because most keys are reused or are close to other keys.
  private mutating func grow() {
    let old = slots
    let filled = old.count { $0.page >= 0 && fill[Int($0.page)] > 0 }
    usedSlots = filled
    slots = [Slot](repeating: .free, count: filled * 2 > old.count ? old.count * 2 : old.count)
    for slot in old where slot.page >= 0 {
      if fill[Int(slot.page)] > 0 {
        slots[self.slot(slot.first, slot.block)] = slot
      } else {
        freePages.append(slot.page)
      }
    }
  }
}
