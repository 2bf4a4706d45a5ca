import FrameTrace

/// A JSON trace event, reduced to what frames and inputs need, with its parts as ranges in the
/// bytes.
///
/// Chromium, "Trace Event Format".
struct ChromeTraceEvent {
  // Every event is copied at least once. Stored parts take half the memory of ranges.
  private var storedName = Part()
  private var storedCategory = Part()
  private var storedIdentifier: Part?
  private var storedArguments, threadValue, lengthValue: Value?
  private(set) var phase: UInt8 = 0
  private(set) var isLocal = false
  /// In nanoseconds; `nil` for an event without a time.
  private(set) var time: Int64?
  private(set) var process: Int64?

  /// A range of bytes; a buffer has fewer than four billion bytes.
  private struct Part {
    private var start: UInt32 = 0
    private var end: UInt32 = 0

    init() {}

    init(_ range: Range<Int>) {
      (start, end) = (UInt32(range.lowerBound), UInt32(range.upperBound))
    }

    var range: Range<Int> { Int(start)..<Int(end) }
  }

  /// A value with its kind.
  private struct Value {
    private let part: Part
    private let kind: JSONScanner.Token.Kind

    init(_ token: JSONScanner.Token) { (part, kind) = (Part(token.range), token.kind) }

    var token: JSONScanner.Token { JSONScanner.Token(kind: kind, range: part.range) }
  }

  /// The range of the name, without quotes.
  var name: Range<Int> { storedName.range }
  var category: Range<Int> { storedCategory.range }
  /// The range of the ID that related events share, a string or a number; per process or global.
  var identifier: Range<Int>? { storedIdentifier?.range }
  var arguments: JSONScanner.Token? { storedArguments?.token }

  /// Whether it has a name and a phase.
  var isComplete: Bool { phase != 0 && !name.isEmpty }

  /// - Parameters:
  ///   - members: The event's members, in order.
  ///   - numbers: Reads times; the times in a trace are similar.
  ///   - ids: Reads IDs that have parts.
  fileprivate mutating func read(
    _ bytes: Span<UInt8>, _ members: JSONMembers, _ numbers: inout ChromeNumbers,
    _ ids: inout ChromeIDs
  ) {
    for position in 0..<members.count {
      let member = members[position]
      guard member.key.count <= 4 else { continue }
      let value = member.value
      switch bytes.shortName(member.key) {
      case ShortName.of("p", "h"):
        if let text = Self.inner(value), text.count == 1 { phase = bytes[text.lowerBound] }
      case ShortName.of("t", "s"):
        time = value.kind == .number ? numbers.microseconds(bytes, value.range) : nil
      case ShortName.of("n", "a", "m", "e"):
        guard let text = Self.inner(value) else {
          phase = 0
          return
        }
        storedName = Part(text)
      case ShortName.of("c", "a", "t"): storedCategory = Part(Self.inner(value) ?? 0..<0)
      case ShortName.of("p", "i", "d"): process = numbers.whole(bytes, value)
      case ShortName.of("a", "r", "g", "s"): storedArguments = Value(value)
      case ShortName.of("t", "i", "d"): threadValue = Value(value)
      case ShortName.of("d", "u", "r"): lengthValue = Value(value)
      case ShortName.of("i", "d", "2"):
        guard let id = ids.read(bytes, value) else { break }
        (storedIdentifier, isLocal) = (id.text.map(Part.init), id.isLocal)
      case ShortName.of("i", "d") where storedIdentifier == nil:
        storedIdentifier = (value.kind == .number ? value.range : Self.inner(value)).map(Part.init)
      default: break
      }
    }
  }

  /// The range of a string without its quotes; `nil` for any other value.
  fileprivate static func inner(_ value: JSONScanner.Token) -> Range<Int>? {
    value.kind == .string ? value.range.lowerBound + 1..<value.range.upperBound - 1 : nil
  }

  /// The number of its thread; `nil` if it has none.
  func thread(_ bytes: Span<UInt8>, _ numbers: inout ChromeNumbers) -> Int64? {
    numbers.whole(bytes, threadValue?.token)
  }

  /// The event's length in ns; `nil` if the event states none, or no plausible length.
  func length(_ bytes: Span<UInt8>, _ numbers: inout ChromeNumbers) -> Int64? {
    guard let length = lengthValue?.token, length.kind == .number else { return nil }
    return numbers.microseconds(bytes, length.range)
  }

  /// The arguments, decoded one by one on request.
  func arguments(_ bytes: Span<UInt8>) -> JSONNode? {
    arguments.flatMap { JSONNode(copying: bytes, $0) }
  }
}

/// Reads events one after the other, each into the memory of the previous event.
struct ChromeEventReader {
  private(set) var event = ChromeTraceEvent()
  private var numbers = ChromeNumbers()
  private var ids = ChromeIDs()

  /// Reads the event with the given members.
  mutating func read(_ bytes: Span<UInt8>, _ members: JSONMembers) {
    event = ChromeTraceEvent()
    event.read(bytes, members, &numbers, &ids)
  }
}

/// Reads IDs that are local to a process or global: `{"local":"0x1"}`.
private struct ChromeIDs {
  private var members = JSONMembers()
  /// The ID that was read last, because events with the same ID are usually consecutive.
  private var last: (bytes: Words, id: (text: Range<Int>?, isLocal: Bool))?

  /// An ID of up to 24 bytes.
  private struct Words: Equatable {
    let length: Int
    let first, second, third: UInt64

    init?(_ bytes: Span<UInt8>, _ range: Range<Int>) {
      length = range.count
      guard 16...24 ~= length else { return nil }
      first = bytes.word(at: range.lowerBound)
      second = bytes.word(at: range.lowerBound &+ 8)
      third = bytes.word(at: range.upperBound &- 8)
    }
  }

  /// The range of an ID, without quotes, and whether it is local to its process; `nil` if the value is malformed.
  @inline(__always)
  mutating func read(
    _ bytes: Span<UInt8>, _ value: JSONScanner.Token
  ) -> (text: Range<Int>?, isLocal: Bool)? {
    guard value.kind == .object else { return nil }
    let words = Words(bytes, value.range)
    let start = value.range.lowerBound
    if let words, let last, last.bytes == words {
      return (last.id.text.map { $0.lowerBound + start..<$0.upperBound + start }, last.id.isLocal)
    }
    guard
      (try? members.read(bytes, from: start, before: value.range.upperBound)) != nil
    else { return nil }
    let local = members.value(bytes, ChromeName.local)
    let text = (local ?? members.value(bytes, ChromeName.global))
      .flatMap(ChromeTraceEvent.inner)
    last = words.map {
      ($0, (text.map { $0.lowerBound - start..<$0.upperBound - start }, local != nil))
    }
    return (text, local != nil)
  }
}

/// Reads the numbers of events, most of which have as many digits as the previous number.
struct ChromeNumbers {
  private var times = DecimalReader(scale: 3)
  private var wholes = DecimalReader(scale: 0)
  /// The whole number of up to eight characters that was read last, usually the process.
  private var last: (word: UInt64, number: Int64)?

  /// A time in µs, converted to ns; `nil` if it is not a number or out of range.
  mutating func microseconds(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int64? {
    times.read(bytes, range).flatMap { abs($0) < Timestamp.bound ? $0 : nil }
  }

  /// A whole number; `nil` for any other value.
  mutating func whole(_ bytes: Span<UInt8>, _ value: JSONScanner.Token?) -> Int64? {
    guard let value, value.kind == .number else { return nil }
    guard value.range.count <= 8 else { return wholes.read(bytes, value.range) }
    // Numbers contain no zero bytes, so no number equals a part of another number.
    let word = bytes.shortName(value.range)
    if let last, last.word == word { return last.number }
    let number = wholes.read(bytes, value.range)
    last = number.map { (word, $0) }
    return number
  }
}
