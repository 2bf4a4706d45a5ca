import FrameTrace
import Synchronization

/// Reads the events of a Chromium trace with two threads, if there are two: while one finds the
/// events in some bytes, the other takes those in the bytes before.
struct ChromeBatches {
  private let reading = SharedReading()
  private let parallelism: Parallelism

  init(_ parallelism: Parallelism) { self.parallelism = parallelism }

  /// Reads all events.
  func read(_ elements: inout JSONElements) throws(ParseError) {
    if parallelism.most > 1 {
      try readBatches(&elements)
    } else {
      try reading.read(&elements)
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
          // The batch before has left its memory.
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

  /// What was read, which is all but after an error.
  func finish() -> ChromeTraceReading { reading.moveOut() }
}

/// The reading that threads share.
private final class SharedReading: Sendable {
  private let reading = Mutex(ChromeTraceReading())

  /// Reads all events.
  func read(_ elements: inout JSONElements) throws(ParseError) {
    try reading.withLock { (reading) throws(ParseError) in
      var members = JSONMembers()
      var events = ChromeEventReader()
      while let element = try elements.next(into: &members) {
        if members.list.isEmpty {
          reading.take(odd: elements.bytes, element, at: elements.offset(element.lowerBound))
        } else {
          reading.take(elements.bytes.span, events.event(elements.bytes.span, members))
        }
      }
    }
  }

  func take(_ elements: [ChromeBatch.Found.Element], of bytes: [UInt8]) {
    reading.withLock { reading in
      for element in elements {
        switch element {
        case .event(let event): reading.take(bytes.span, event)
        case .odd(let element, let offset): reading.take(odd: bytes, element, at: offset)
        }
      }
    }
  }

  /// The reading; after this, there is none here.
  func moveOut() -> ChromeTraceReading {
    reading.withLock { reading in
      let all = reading
      reading = ChromeTraceReading()
      return all
    }
  }
}

/// Events with the bytes that they were found in, which one thread fills and another one takes.
private final class ChromeBatch: Sendable {
  /// The elements of some bytes.
  struct Found {
    enum Element {
      /// `nil` for one without a name or a phase.
      case event(ChromeTraceEvent?)
      /// An irregular element, and where it is in the text.
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

  private let content = Mutex((bytes: [UInt8](), elements: [Found.Element]()))

  /// Takes over what was found in bytes.
  func fill(_ bytes: [UInt8], _ found: inout Found) {
    content.withLock { content in
      content.bytes = bytes
      swap(&content.elements, &found.elements)
    }
  }

  /// Has its elements taken.
  func take(into reading: SharedReading) {
    content.withLock { content in
      reading.take(content.elements, of: content.bytes)
      content.elements.removeAll(keepingCapacity: true)
    }
  }

  /// Hands out its memory, for other bytes and what is found in them.
  func takeMemory(_ found: inout Found) -> [UInt8] {
    content.withLock { content in
      defer { content.bytes = [] }
      swap(&content.elements, &found.elements)
      return content.bytes
    }
  }
}
