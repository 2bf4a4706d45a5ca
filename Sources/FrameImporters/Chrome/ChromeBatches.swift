import FrameTrace

/// Reads the events of a Chromium trace, on two threads if possible: one thread finds events while the other processes
/// the events of the previous buffer.
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
          // The previous batch's memory is reused for the next batch.
          finish?()
          next.fill(bytes, &found)
          finish = parallelism.begin { [reading, next] in next.consume(into: reading) }
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
    next.consume(into: reading)
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
      if members.count == 0 {
        consume(odd: elements.bytes, element, at: elements.offset(element.lowerBound))
      } else {
        events.read(elements.bytes.span, members)
        consume(elements.bytes.span, events.event)
      }
    }
  }

  /// Consumes the elements that were found in a buffer.
  fileprivate mutating func consume(_ found: ChromeBatch.Found, of bytes: [UInt8]) {
    var odd = found.odd.makeIterator()
    var next = odd.next()
    for position in 0...found.events.count {
      while let element = next, element.position == position {
        consume(odd: bytes, element.range, at: element.offset)
        next = odd.next()
      }
      // Events are accessed by index, because copying each event would take a tenth of the time.
      if position < found.events.count { consume(bytes.span, found.events[position]) }
    }
  }
}

/// Events with the buffer in which they were found. One thread fills the batch, and another thread can process it.
private final class ChromeBatch: Sendable {
  /// Elements that were found in a buffer.
  struct Found {
    fileprivate private(set) var events: [ChromeTraceEvent] = []
    /// Irregular elements: the number of events before each, its range in the buffer, and its offset in the text.
    fileprivate private(set) var odd: [(position: Int, range: Range<Int>, offset: Int)] = []
    private var reader = ChromeEventReader()

    mutating func add(_ element: Range<Int>, _ members: JSONMembers, of text: JSONElements) {
      if members.count == 0 {
        odd.append((events.count, element, text.offset(element.lowerBound)))
      } else {
        reader.read(text.bytes.span, members)
        events.append(reader.event)
      }
    }

    /// Removes all elements but keeps the memory of events.
    fileprivate mutating func clear() {
      events.removeAll(keepingCapacity: true)
      odd.removeAll()
    }
  }

  private let content = SharedValue((bytes: [UInt8](), found: Found()))

  /// Stores a buffer and the elements that were found in the buffer.
  func fill(_ bytes: [UInt8], _ found: inout Found) {
    content.use { content in
      content.bytes = bytes
      swap(&content.found, &found)
    }
  }

  /// Processes the batch's elements.
  func consume(into reading: SharedValue<ChromeTraceReading>) {
    content.use { content in
      reading.use { $0.consume(content.found, of: content.bytes) }
      content.found.clear()
    }
  }

  /// Returns the buffer and exchanges the lists of elements to reuse their memory.
  func takeMemory(_ found: inout Found) -> [UInt8] {
    content.use { content in
      defer { content.bytes = [] }
      swap(&content.found, &found)
      return content.bytes
    }
  }
}
