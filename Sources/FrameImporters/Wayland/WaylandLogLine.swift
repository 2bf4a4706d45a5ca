/// A line of libwayland's output with `WAYLAND_DEBUG=1`: the time, the thread and the message.
///
///     [2615439.875]  -> wl_surface@17.commit()
///     [16:28:55.754896] TID#25755 {Default Queue}  -> wl_surface#17.commit()
///
/// Up to libwayland 1.23, the stamp is the low 32 bits of the real time in µs. It is printed in ms
/// with a decimal point, or with a comma if the program has set a locale. Later, the stamp is the
/// time of day in UTC. Other output of the program can precede it.
struct WaylandLogLine {
  /// The kind of a stamp.
  enum Stamp: Hashable {
    /// The real time in µs, less whole multiples of 2^32.
    case counter
    /// The real time since midnight in UTC, in µs.
    case timeOfDay

    /// The number of µs after which it starts again.
    var period: Int64 { self == .counter ? 1 << 32 : 86_400_000_000 }
  }

  let stamp: Stamp
  /// In µs.
  let time: Int64
  /// `nil` where the thread is not printed.
  let thread: Int64?
  let object: UInt32
  let kind: WaylandKinds.Kind
  /// Whether objects are written with `#`, as from libwayland 1.23 on.
  let hasNumberSign: Bool
  /// The object that the message makes, with the number of its interface.
  let new: (object: UInt32, interface: Int32)?
  /// The message's fact; `nil` if it states nothing about frames, buffers and inputs.
  let fact: WaylandFact?

  /// - Parameter bytes: The line, followed by eight zeros.
  /// - Returns: `nil` for a line without a message.
  fileprivate init?(_ bytes: [UInt8], before end: Int, _ kinds: inout WaylandKinds) {
    var open = bytes.firstIndex(of: UInt8(ascii: "["))
    var attempts = 0
    while let start = open, attempts < Self.mostAttempts {
      attempts += 1
      var cursor = WaylandStampCursor(bytes, at: start + 1)
      if let (stamp, time) = cursor.stamp(),
        let (thread, message) = Self.message(&cursor, before: end)
      {
        (self.stamp, self.time, self.thread) = (stamp, time, thread)
        (object, hasNumberSign) = (message.object, message.hasNumberSign)
        kind = kinds.kind(of: message)
        fact = kind.read?(message)
        new = message.newObject.map {
          ($0, message.newInterface.map { kinds.number(bytes, $0) } ?? WaylandKinds.unknown)
        }
        return
      }
      open = bytes[(start + 1)...].firstIndex(of: UInt8(ascii: "["))
    }
    return nil
  }

  /// The most brackets of a line that are tried; other output of a program has few.
  private static let mostAttempts = 64

  private static let threadMark = Array("TID#".utf8)
  private static let discarded = Array("discarded ".utf8)
  private static let arrow = Array("-> ".utf8)

  /// The thread and the message after the stamp.
  private static func message(
    _ cursor: inout WaylandStampCursor, before end: Int
  ) -> (thread: Int64?, message: WaylandMessage)? {
    cursor.skipBlanks()
    var thread: Int64?
    if cursor.take(word: Self.threadMark) {
      thread = cursor.number()
      cursor.skipBlanks()
    }
    if cursor.take("{") {
      cursor.skip(past: UInt8(ascii: "}"))
      cursor.skipBlanks()
    }
    if cursor.take(word: Self.discarded) { cursor.skipBlanks() }
    let isRequest = cursor.take(word: Self.arrow)
    guard cursor.position < end,
      let message = WaylandMessage(
        cursor.bytes, at: cursor.position, before: end, isRequest: isRequest)
    else { return nil }
    return (thread, message)
  }
}

/// Reads the lines of a log one by one, each into the same memory.
struct WaylandLines {
  private var bytes: [UInt8] = []
  private var kinds = WaylandKinds()

  /// - Returns: `nil` for a line without a message.
  mutating func read(_ line: some Collection<UInt8>) -> WaylandLogLine? {
    bytes.removeAll(keepingCapacity: true)
    bytes.append(contentsOf: line)
    if bytes.contains(Self.escape) { bytes = Self.withoutColors(bytes) }
    let end = bytes.count
    for _ in 0..<8 { bytes.append(0) }
    return WaylandLogLine(bytes, before: end, &kinds)
  }

  private static let escape: UInt8 = 0x1b

  private static func withoutColors(_ bytes: [UInt8]) -> [UInt8] {
    var plain: [UInt8] = []
    var place = 0
    while place < bytes.count {
      if bytes[place] == escape, place + 1 < bytes.count, bytes[place + 1] == UInt8(ascii: "[") {
        place += 2
        while place < bytes.count, !(0x40...0x7e ~= bytes[place]) { place += 1 }
        place += 1
      } else {
        plain.append(bytes[place])
        place += 1
      }
    }
    return plain
  }
}

/// A cursor over the start of a line.
struct WaylandStampCursor {
  let bytes: [UInt8]
  private(set) var position: Int

  init(_ bytes: [UInt8], at position: Int) { (self.bytes, self.position) = (bytes, position) }

  private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  mutating func skipBlanks() { while next == 0x20 { position += 1 } }

  mutating func skip(past byte: UInt8) {
    while let found = next {
      position += 1
      if found == byte { return }
    }
  }

  mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard next == UInt8(truncatingIfNeeded: character.value) else { return false }
    position += 1
    return true
  }

  mutating func take(word: [UInt8]) -> Bool {
    guard next == word.first, bytes[position...].starts(with: word) else { return false }
    position += word.count
    return true
  }

  /// A number of at most 15 digits.
  mutating func number(digits: ClosedRange<Int> = 1...15) -> Int64? {
    let start = position
    var value: Int64 = 0
    while let byte = next, byte &- 0x30 < 10, position - start < digits.upperBound {
      value = value * 10 + Int64(byte - 0x30)
      position += 1
    }
    return position - start >= digits.lowerBound ? value : nil
  }

  /// The stamp after an opening bracket, up to the closing one, in µs.
  mutating func stamp() -> (WaylandLogLine.Stamp, Int64)? {
    skipBlanks()
    guard let first = number() else { return nil }
    if take(":") { return timeOfDay(first) }
    guard take(".") || take(","), let part = number(digits: 3...3), take("]"), first < 1 << 23
    else { return nil }
    return (.counter, first * 1000 + part)
  }

  private mutating func timeOfDay(_ hours: Int64) -> (WaylandLogLine.Stamp, Int64)? {
    guard hours < 24, let minutes = number(digits: 2...2), minutes < 60, take(":"),
      let seconds = number(digits: 2...2), seconds < 61, take("."),
      let part = number(digits: 6...6), take("]")
    else { return nil }
    return (.timeOfDay, ((hours * 60 + minutes) * 60 + seconds) * 1_000_000 + part)
  }
}
