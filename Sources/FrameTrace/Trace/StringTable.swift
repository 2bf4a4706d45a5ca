/// Strings with numbers, so that a column of repeated strings is stored as a column of numbers.
public struct StringTable: Sendable {
  /// The strings by number.
  public private(set) var texts: [String] = []
  /// The hash table for looking up the number of a string, from the low bits of its hash. A dictionary would store each
  /// string again.
  private var slots: [Slot] = []
  /// The number of slots in use.
  private var taken = 0
  /// How many strings have slots: a string that was appended as new gets a slot when any string is looked up.
  private var slotted = 0

  private struct Slot {
    let hash: UInt32
    /// The number of the string plus 1; 0 in a free slot.
    let successor: UInt32

    static let free = Slot(hash: 0, successor: 0)
  }

  package init() {}

  /// The number of a string; a new string is assigned one.
  package mutating func number(of text: String) -> Int64 {
    while slotted < texts.count {
      _ = slot(texts[slotted], slotted)
      slotted += 1
    }
    let number = slot(text, texts.count)
    if number == texts.count {
      texts.append(text)
      slotted += 1
    }
    return Int64(number)
  }

  /// Appends a string that is known to be new, without looking it up.
  /// - Returns: Its number. If the string is not new, it has two numbers.
  package mutating func append(new text: String) -> Int64 {
    texts.append(text)
    return Int64(texts.count - 1)
  }

  /// The number of a string that has a slot; any other string takes a slot for the given number.
  private mutating func slot(_ text: String, _ next: Int) -> Int {
    if (taken + 1) * 4 > slots.count * 3 { spread(over: max(16, slots.count * 2)) }
    let hash = UInt32(truncatingIfNeeded: text.hashValue)
    var position = Int(hash) & (slots.count - 1)
    while slots[position].successor > 0 {
      let number = Int(slots[position].successor) - 1
      if slots[position].hash == hash, texts[number] == text { return number }
      position = (position + 1) & (slots.count - 1)
    }
    slots[position] = Slot(hash: hash, successor: UInt32(next + 1))
    taken += 1
    return next
  }

  /// Redistributes the numbers over a number of slots, which is a power of two.
  private mutating func spread(over count: Int) {
    var wider = [Slot](repeating: .free, count: count)
    for slot in slots where slot.successor > 0 {
      var position = Int(slot.hash) & (count - 1)
      while wider[position].successor > 0 { position = (position + 1) & (count - 1) }
      wider[position] = slot
    }
    slots = wider
  }

  /// Reserves memory for a number of additional strings.
  package mutating func reserve(_ more: Int) {
    texts.reserveCapacity(texts.count + more)
  }

  /// The single stored copy of a string, for strings that recur.
  package mutating func shared(_ text: String) -> String {
    let number = number(of: text)
    return self[number]
  }

  /// The string with that number.
  package subscript(number: Int64) -> String { texts[Int(number)] }
}
