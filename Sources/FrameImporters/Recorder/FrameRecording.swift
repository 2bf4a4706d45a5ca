import FrameTrace

/// Files that the FrameRecorder library writes from inside the measured program.
///
/// A file has a header of 256 bytes, names of 56 bytes, and events of 32 bytes, all numbers little-endian:
///
///     "FRAMEREC" version event-size capacity count start-of-events monotonic realtime process-id process-name
///         name-count missed-names
///     number time frame kind name thread
///
/// Version 1 has room for 255 names and does not count them; version 2 has room for 4,095 names.
///
/// An event's number is 1 more than its index among all events ever recorded. The number is written last, so an event
/// that was unfinished when the program ended has no number. When the file is full, new events replace the oldest.
struct FrameRecording: TraceImporter {
  let name = "frame-recorder"
  let title = "FrameRecorder file"
  let versions = "versions 1 and 2"
  let documentation = "Sources/FrameKit/FrameKit.docc/FrameRecorder.md"
  let framesAdvice: String? = "record FRAME_RECORDER_COMMIT for each frame"

  func advice(_ fact: RecordedFact) -> String? {
    switch fact {
    case .displayTimes:
      "record FRAME_RECORDER_DISPLAYED with the display time that the system reports for each frame"
    case .gpuTimes: "record FRAME_RECORDER_GPU_BEGIN and _END with times from GPU queries"
    case .touches: "record FRAME_RECORDER_TOUCH and _DELIVERED with the frame that shows the touch"
    }
  }

  private static let magic = Array("FRAMEREC".utf8)
  /// The largest file that is read, in bytes: 128 million events.
  private static let mostBytes = 1 << 32

  func recognize(_ head: FileHead) -> Recognition? {
    guard head.bytes.starts(with: Self.magic) else { return nil }
    return Recognition(format: "FrameRecorder file", reason: "it begins with FRAMEREC")
  }

  func read(
    _ input: InputFile, _ provenance: Provenance, _ demand: TraceDemand
  ) throws(ParseError) -> TraceBuilder {
    let bytes = try input.readAll(atMost: Self.mostBytes, of: "events")
    guard bytes.count >= RecordingHeader.size else {
      throw Self.cut(input, expected: RecordingHeader.size, found: bytes.count)
    }
    guard let header = RecordingHeader(bytes) else {
      throw ParseError(
        path: input.path, position: .byte(0),
        problem:
          "expected version 1 or 2 with events of 32 bytes after the names, found another header",
        help: "a newer frametool may read it")
    }
    guard bytes.count >= header.start else {
      throw Self.cut(input, expected: header.start, found: bytes.count)
    }
    var join = RecordingJoin(TraceBuilder(provenance), header, names: header.names(in: bytes))
    let events = header.events(in: bytes)
    for event in events.inOrder { join.consume(event) }
    return join.finish(unfinished: events.unfinished, isCut: bytes.count < header.wholeSize)
  }

  private static func cut(_ input: InputFile, expected: Int, found: Int) -> ParseError {
    ParseError(
      path: input.path, position: .byte(found),
      problem: "expected a header and names of \(expected) bytes, found \(found)",
      help: "the file was cut off; copy it whole")
  }
}

/// The part of a file before the events.
struct RecordingHeader {
  let capacity: Int
  /// The number of events ever recorded.
  let count: Int
  /// The offset of the first event.
  let start: Int
  let processID: Int
  let process: String?

  /// The number of names in the file; in version 1, which does not count names, the number of names that the file has
  /// room for.
  let nameCount: Int
  /// Whether the file counts its names.
  let countsNames: Bool
  /// The number of times that there was no room for another name.
  let missedNames: Int

  private static let nameSize = 56
  private static let processPosition = 64
  private static let processSize = 64
  private static let mostNames = 65_535
  static let eventSize = 32
  /// The offset of the number of events ever recorded.
  static let countPosition = 24
  /// The number of bytes before the names.
  static let size = 256

  /// - Returns: `nil` for a header of another version, or for an incomplete one.
  init?(_ bytes: [UInt8]) {
    guard bytes.count >= Self.size else { return nil }
    let word = { (offset: Int) in bytes.span.word(at: offset) }
    let version = word(8) & 0xffff_ffff
    guard [1, 2].contains(version), word(8) >> 32 == UInt64(Self.eventSize),
      let capacity = Int(exactly: word(16)), let count = Int(exactly: word(24)),
      let start = Int(exactly: word(32)), capacity > 0, capacity < 1 << 40,
      Self.size...Self.size + (Self.mostNames + 1) * Self.nameSize ~= start
    else { return nil }
    (self.capacity, self.count, self.start) = (capacity, count, start)
    // The space for one name before the events is not used.
    let room = max(0, (start - Self.size) / Self.nameSize - 1)
    countsNames = version > 1
    nameCount = version == 1 ? room : Int(exactly: word(128)).map { min($0, room) } ?? room
    missedNames = version == 1 ? 0 : Int(clamping: word(136))
    processID = Int(truncatingIfNeeded: word(56))
    let name = Self.text(in: bytes, at: Self.processPosition, size: Self.processSize)
    process = name.isEmpty ? nil : name
  }

  /// The size of the complete file.
  var wholeSize: Int { start + capacity * Self.eventSize }

  static func text(in bytes: [UInt8], at position: Int, size: Int) -> String {
    String(decoding: bytes[position..<position + size].prefix { $0 != 0 }, as: UTF8.self)
  }

  /// The names, in order of their numbers, which start at 1.
  func names(in bytes: [UInt8]) -> [String] {
    (0..<nameCount).map { position in
      Self.text(in: bytes, at: Self.size + position * Self.nameSize, size: Self.nameSize)
    }
  }

  /// The byte range of the names, starting at a given name.
  func namesPosition(from first: Int) -> Range<Int> {
    let start = Self.size + min(first, nameCount) * Self.nameSize
    return start..<Self.size + nameCount * Self.nameSize
  }

  /// The names in a part of the bytes that contains only names.
  static func names(inPart bytes: [UInt8]) -> [String] {
    (0..<bytes.count / nameSize).map { text(in: bytes, at: $0 * nameSize, size: nameSize) }
  }

  /// The finished events, in order of recording, and the number of unfinished ones.
  func events(in bytes: [UInt8]) -> (inOrder: [RecordedEvent], unfinished: Int) {
    let positions = min(capacity, (bytes.count - start) / Self.eventSize)
    let span = bytes.span
    var events: [RecordedEvent] = []
    var unfinished = 0
    for position in 0..<positions {
      let event = RecordedEvent(span, at: start + position * Self.eventSize)
      let isOwn =
        event.number > 0 && event.number <= count && (event.number - 1) % capacity == position
        && event.number > count - capacity
      if isOwn {
        events.append(event)
      } else if position < count {
        unfinished += 1
      }
    }
    events.sort { $0.number < $1.number }
    return (events, unfinished)
  }
}

/// An event as stored in the file.
struct RecordedEvent {
  /// The condition that the name of a `setting` event states.
  static func condition(_ text: String) -> (condition: Setting.Condition, value: String)? {
    let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
    guard parts.count == 2, let condition = Setting.Condition(rawValue: parts[0]) else {
      return nil
    }
    return (condition, parts[1])
  }

  /// The kind of an event; the numbers are those of `frame_recorder.h`.
  enum Kind: UInt16 {
    case appBegin = 1
    case appEnd, commit, compositorBegin, compositorEnd, gpuBegin, gpuEnd, queued, displayed,
      discarded, bufferWaitBegin, bufferWaitEnd, touch, touchDelivered, refresh, signpostBegin,
      signpostEnd, mark, buffer, bufferCount, refreshInterval, generated, note, setting, threadRan,
      threadStarved, picture

    /// The frame column of the kind; `nil` if it has none.
    var column: FrameColumn? {
      switch self {
      case .appBegin: .appStart
      case .appEnd: .appEnd
      case .commit: .commit
      case .compositorBegin: .compositorStart
      case .compositorEnd: .compositorEnd
      case .gpuBegin: .gpuStart
      case .gpuEnd: .gpuEnd
      case .queued: .queued
      case .displayed: .displayed
      case .bufferWaitBegin: .bufferWaitStart
      case .bufferWaitEnd: .bufferWaitEnd
      case .buffer: .buffer
      case .threadRan: .threadRan
      case .threadStarved: .threadStarved
      default: nil
      }
    }
  }

  /// 1 more than the index among all events ever recorded; 0 for an unfinished event.
  let number: Int
  let time: Int64
  let frame: UInt64
  /// `nil` for a kind from a later version.
  let kind: Kind?
  /// The number of a name; 0 for none.
  let name: Int
  let thread: Int64

  init(_ span: borrowing Span<UInt8>, at offset: Int) {
    number = Int(exactly: span.word(at: offset)) ?? 0
    time = Int64(bitPattern: span.word(at: offset + 8))
    frame = span.word(at: offset + 16)
    let rest = span.word(at: offset + 24)
    kind = Kind(rawValue: UInt16(truncatingIfNeeded: rest))
    name = Int(UInt16(truncatingIfNeeded: rest >> 16))
    thread = Int64(rest >> 32)
  }
}
