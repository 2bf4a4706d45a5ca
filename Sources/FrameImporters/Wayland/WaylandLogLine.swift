import FrameTrace

/// A line of libwayland's output with `WAYLAND_DEBUG=1`: the time, the thread and the message.
///
///     [2615439.875]  -> wl_surface@17.commit()
///     [16:28:55.754896] TID#25755 {Default Queue}  -> wl_surface#17.commit()
///
/// Up to libwayland 1.23, the stamp is the low 32 bits of the real time in µs. It is printed in ms with a decimal
/// point, or with a comma if the program has set a locale. In later versions, the stamp is the time of day in UTC.
/// Other output of the program can precede the stamp.
struct WaylandLogLine {
  /// The kind of a stamp.
  enum Stamp: Hashable {
    /// The real time in µs, modulo 2^32.
    case counter
    /// The real time since midnight in UTC, in µs.
    case timeOfDay

    /// The number of µs after which the stamp wraps around.
    var period: Int64 { self == .counter ? 1 << 32 : 86_400_000_000 }
  }

  let stamp: Stamp
  /// In µs.
  let time: Int64
  let object: UInt32
  let kind: WaylandKinds.Kind
  /// Whether objects are written with `#`, as in libwayland 1.23 and later.
  let hasNumberSign: Bool
  /// The object that the message creates, with the number of its interface.
  let new: (object: UInt32, interface: Int32)?
  /// The message's fact; `nil` if it states nothing about frames, buffers and inputs.
  let fact: WaylandFact?

  /// - Parameters:
  ///   - bytes: The bytes with the line, and at least eight bytes after the line.
  ///   - range: The range of the line.
  /// - Returns: `nil` for a line without a message.
  ///
  /// Not an initializer, which would retain and release the bytes for each line.
  fileprivate static func read(
    _ bytes: [UInt8], _ range: Range<Int>, _ kinds: inout WaylandKinds
  ) -> WaylandLogLine? {
    let open = UInt8(ascii: "[")
    var start = bytes.span.first(open, in: range)
    var attempts = 0
    while let bracket = start, attempts < mostAttempts {
      attempts += 1
      var cursor = WaylandStampCursor(bracket + 1..<range.upperBound)
      if let (stamp, time) = cursor.stamp(bytes.span) {
        let isRequest = cursor.skipToMessage(bytes.span)
        let indices = WaylandMessage.positions(
          bytes.span, at: cursor.position, before: range.upperBound)
        if let indices {
          let message = WaylandMessage(bytes, indices, isRequest: isRequest)
          let (kind, fact) = kinds.read(message)
          let new = message.newObject.map {
            ($0, message.newInterface.map { kinds.number(bytes, $0) } ?? WaylandKinds.unknown)
          }
          return WaylandLogLine(
            stamp: stamp, time: time, object: message.object, kind: kind,
            hasNumberSign: message.hasNumberSign, new: new, fact: fact)
        }
      }
      start = bytes.span.first(open, in: bracket + 1..<range.upperBound)
    }
    return nil
  }

  /// The maximum number of brackets of a line that are tried; other output of a program has few.
  private static let mostAttempts = 64
}

/// Reads the lines of a log one by one.
struct WaylandLines {
  private var kinds = WaylandKinds()

  /// - Returns: `nil` for a line without a message.
  mutating func read(_ line: some Collection<UInt8>) -> WaylandLogLine? {
    read(Array(line) + [UInt8](repeating: 0, count: 8), 0..<line.count)
  }

  /// Reads a line in place.
  /// - Parameters:
  ///   - bytes: The bytes with the line, and at least eight bytes after the line.
  ///   - range: The range of the line.
  /// - Returns: `nil` for a line without a message.
  mutating func read(_ bytes: [UInt8], _ range: Range<Int>) -> WaylandLogLine? {
    guard bytes.span.first(Self.escape, inWordsOf: range) != nil else {
      return WaylandLogLine.read(bytes, range, &kinds)
    }
    let plain = Self.withoutColors(bytes[range])
    return WaylandLogLine.read(
      plain + [UInt8](repeating: 0, count: 8), 0..<plain.count, &kinds)
  }

  private static let escape: UInt8 = 0x1b

  private static func withoutColors(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var plain: [UInt8] = []
    var index = bytes.startIndex
    while index < bytes.endIndex {
      if bytes[index] == escape, index + 1 < bytes.endIndex,
        bytes[index + 1] == UInt8(ascii: "[")
      {
        index += 2
        while index < bytes.endIndex, !(0x40...0x7e ~= bytes[index]) { index += 1 }
        index += 1
      } else {
        plain.append(bytes[index])
        index += 1
      }
    }
    return plain
  }
}

/// A cursor over the start of a line, for the bytes that are passed to it.
private struct WaylandStampCursor {
  private let end: Int
  private(set) var position: Int

  /// - Precondition: Eight bytes can be read from any index in the range.
  init(_ range: Range<Int>) { (position, end) = (range.lowerBound, range.upperBound) }

  private mutating func skipBlanks(_ bytes: Span<UInt8>) {
    position = bytes.withoutBlanks(position..<end).lowerBound
  }

  private func next(_ bytes: Span<UInt8>) -> UInt8? { position < end ? bytes[position] : nil }

  private mutating func consume(_ bytes: Span<UInt8>, _ character: Unicode.Scalar) -> Bool {
    guard next(bytes) == UInt8(truncatingIfNeeded: character.value) else { return false }
    position += 1
    return true
  }

  private mutating func consume(_ bytes: Span<UInt8>, word name: ByteName) -> Bool {
    guard bytes.begins(name, in: position..<end) else { return false }
    position += name.length
    return true
  }

  private static let threadMark: ByteName = "TID#"
  private static let discarded: ByteName = "discarded "
  private static let arrow: ByteName = "-> "

  /// Skips the text between the stamp and the message: the thread, the queue, and marks.
  /// - Returns: Whether the message is a request.
  mutating func skipToMessage(_ bytes: Span<UInt8>) -> Bool {
    skipBlanks(bytes)
    if next(bytes) == UInt8(ascii: "T"), consume(bytes, word: Self.threadMark) {
      _ = number(bytes)
      skipBlanks(bytes)
    }
    if consume(bytes, "{") {
      position = bytes.first(UInt8(ascii: "}"), in: position..<end).map { $0 + 1 } ?? end
      skipBlanks(bytes)
    }
    if next(bytes) == UInt8(ascii: "d"), consume(bytes, word: Self.discarded) { skipBlanks(bytes) }
    return next(bytes) == UInt8(ascii: "-") && consume(bytes, word: Self.arrow)
  }

  /// A number of at most 15 digits.
  private mutating func number(
    _ bytes: Span<UInt8>, digits: ClosedRange<Int> = 1...15
  ) -> Int64? {
    let last = min(end, position + digits.upperBound)
    var index = position
    var value: Int64 = 0
    while index < last, bytes[index] &- 0x30 < 10 {
      value = value &* 10 &+ Int64(bytes[index] &- 0x30)
      index &+= 1
    }
    defer { position = index }
    return index - position >= digits.lowerBound ? value : nil
  }

  /// The stamp after an opening bracket, up to the closing one, in µs.
  mutating func stamp(_ bytes: Span<UInt8>) -> (WaylandLogLine.Stamp, Int64)? {
    skipBlanks(bytes)
    guard let first = number(bytes) else { return nil }
    if consume(bytes, ":") { return timeOfDay(bytes, first) }
    guard consume(bytes, ".") || consume(bytes, ","), let part = number(bytes, digits: 3...3),
      consume(bytes, "]"), first < 1 << 23
    else { return nil }
    return (.counter, first * 1000 + part)
  }

  private mutating func timeOfDay(
    _ bytes: Span<UInt8>, _ hours: Int64
  ) -> (WaylandLogLine.Stamp, Int64)? {
    guard hours < 24, let minutes = number(bytes, digits: 2...2), minutes < 60, consume(bytes, ":"),
      let seconds = number(bytes, digits: 2...2), seconds < 61, consume(bytes, "."),
      let part = number(bytes, digits: 6...6), consume(bytes, "]")
    else { return nil }
    return (.timeOfDay, ((hours * 60 + minutes) * 60 + seconds) * 1_000_000 + part)
  }
}
