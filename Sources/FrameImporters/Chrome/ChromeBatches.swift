import FrameTrace

/// Reads the events of a Chromium trace, on two threads if possible: one finds events, while the other processes those of
/// the buffer before.
struct ChromeBatches {
  private let reading = SharedValue(ChromeTraceReading())
  private let parallelism: Parallelism

  init(_ parallelism: Parallelism) { self.parallelism = parallelism }

  /// Reads all events.
  func read(_ elements: inout JSONElements) throws(ParseError) {
    if parallelism.most > 1 {
      try readBatches(&elements)
    } else {
      try reading.use { (reading) throws(ParseError) in try reading.read(&elements) }
    }
  }

  private func readBatches(_ elements: inout JSONElements) throws(ParseError) {
    var found = ChromeBatch.Found()
    var (next, taken) = (ChromeBatch(), ChromeBatch())
    var finish: (@Sendable () -> Void)?
    var failure: ParseError?
    elements.keepElements(with: [])
    do throws(ParseError) {
      var members = JSONMembers()
      while let element = try elements.next(into: &members) {
        if let bytes = elements.takePassedBytes() {
          // Its memory is used for the next batch.
          finish?()
          next.fill(bytes, &found)
          finish = parallelism.begin { [reading, next] in next.take(into: reading) }
          swap(&next, &taken)
          elements.keepElements(with: next.takeMemory(&found))
        }
        found.add(element, members, of: elements)
      }
    } catch {
      failure = error
    }
    finish?()
    next.fill(elements.takePassedBytes() ?? elements.bytes, &found)
    next.take(into: reading)
    if let failure { throw failure }
  }

  /// What was read: everything, unless reading failed.
  func finish() -> ChromeTraceReading { reading.exchange(for: ChromeTraceReading()) }
}

extension ChromeTraceReading {
  /// Reads all events.
  fileprivate mutating func read(_ elements: inout JSONElements) throws(ParseError) {
    var members = JSONMembers()
    var events = ChromeEventReader()
    while let element = try elements.next(into: &members) {
      if members.list.isEmpty {
        take(odd: elements.bytes, element, at: elements.offset(element.lowerBound))
      } else {
        take(elements.bytes.span, events.event(elements.bytes.span, members))
      }
    }
  }

  /// Takes the elements that were found in some bytes.
  fileprivate mutating func take(_ elements: [ChromeBatch.Found.Element], of bytes: [UInt8]) {
    for element in elements {
      switch element {
      case .event(let event): take(bytes.span, event)
      case .odd(let element, let offset): take(odd: bytes, element, at: offset)
      }
    }
  }
}

/// Events with the buffer that they were found in. One thread fills it, and another one can process it.
private final class ChromeBatch: Sendable {
  /// Elements that were found in a buffer.
  struct Found {
    enum Element {
      /// An event; `nil` for one without a name or a phase.
      case event(ChromeTraceEvent?)
      /// An irregular element and its offset in the text.
      case odd(Range<Int>, offset: Int)
    }

    fileprivate(set) var elements: [Element] = []
    private var events = ChromeEventReader()

    mutating func add(_ element: Range<Int>, _ members: JSONMembers, of text: JSONElements) {
      if members.list.isEmpty {
        elements.append(.odd(element, offset: text.offset(element.lowerBound)))
      } else {
        elements.append(.event(events.event(text.bytes.span, members)))
      }
    }
  }

  private let content = SharedValue((bytes: [UInt8](), elements: [Found.Element]()))

  /// Stores a buffer and the elements that were found in it.
  func fill(_ bytes: [UInt8], _ found: inout Found) {
    content.use { content in
      content.bytes = bytes
      swap(&content.elements, &found.elements)
    }
  }

  /// Processes its elements.
  func take(into reading: SharedValue<ChromeTraceReading>) {
    content.use { content in
      reading.use { $0.take(content.elements, of: content.bytes) }
      content.elements.removeAll(keepingCapacity: true)
    }
  }

  /// Returns its buffer, and exchanges its list of elements, to reuse their memory.
  func takeMemory(_ found: inout Found) -> [UInt8] {
    content.use { content in
      defer { content.bytes = [] }
      swap(&content.elements, &found.elements)
      return content.bytes
    }
  }
}
