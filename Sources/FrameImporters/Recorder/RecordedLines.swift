package import FrameTrace

/// Converts a recording that is still being written to lines of the native format. A frame's line
/// is written once the frame is complete.
package struct RecordedLines {
  private let tail: RecordingTail
  private let suffix: String
  private let form: Form
  private var json = JSONWriter(indented: false)
  private var surfaces: [Int: Window] = [:]
  private var assemblies: [Int: PictureAssembly] = [:]
  private var interval: Int64?
  /// The conditions of the recording, and the number of conditions in the file.
  private var settings: [(condition: Setting.Condition, value: String)] = []
  private var declaredSettings = 0
  package private(set) var counts = Counts()

  /// The counts of what was recorded, for a summary.
  package struct Counts {
    package var frames = 0
    package var displayed = 0
    package var withGPU = 0
    package var lost = 0
    /// The number of names for which there was no room.
    package var unnamed = 0

    package init() {}

    package static func + (one: Counts, other: Counts) -> Counts {
      var sum = one
      sum.frames += other.frames
      sum.displayed += other.displayed
      sum.withGPU += other.withGPU
      sum.lost += other.lost
      sum.unnamed += other.unnamed
      return sum
    }
  }

  /// A surface with the frames that are being assembled.
  private struct Window {
    let id: String
    var bufferCount: Int64?
    var notes: [String] = []
    /// The frames in order of appearance.
    var frames: [(number: UInt64, frame: RecordedFrame, seen: Int64)] = []
    /// Whether frames have had display times, and GPU times.
    var hasDisplay = false
    var hasGPU = false
    var isDeclared = false
    /// The number of the last frame that was written, and the time of the last update.
    var written: UInt64?
    var news: Int64 = 0
  }

  /// How long an incomplete frame waits for the rest of its data, in nanoseconds and in newer frames. An idle program
  /// receives no data about its last frames until it continues, and then receives all of the data.
  private static let patience: Int64 = 1_000_000_000
  private static let longestPatience: Int64 = 10_000_000_000
  private static let mostFrames = 512
  /// The GPU's work may come in several pieces.
  private static let distance = 4

  /// The form of the lines.
  package enum Form: Sendable {
    /// The native format.
    case native
    /// Lines among the messages of a Wayland socket; the importer of the messages joins them.
    case besideMessages
  }

  /// - Parameter isOnly: Whether no other recording is written to the same file; surface names then do not need the
  ///   process.
  package init(_ tail: RecordingTail, isOnly: Bool, as form: Form = .native) {
    self.tail = tail
    self.form = form
    suffix = isOnly ? "" : " of \(tail.process.number)"
  }

  package var process: (number: Int, name: String?) { tail.process }

  /// The lines since the last call.
  /// - Parameter all: Whether to stop waiting for missing data.
  package mutating func next(at now: Int64, all: Bool = false) throws(ParseError) -> [UInt8] {
    for event in try tail.next(at: now, all: all) { consume(event, at: now) }
    (counts.lost, counts.unnamed) = (tail.lost, tail.missedNames)
    for (condition, value) in settings[declaredSettings...] { write(condition, value) }
    declaredSettings = settings.count
    for name in surfaces.keys.sorted() { write(name, at: now, all: all) }
    return json.takeBytes()
  }

  /// Returns the changes in the pictures of frames since the last call; the changes of each window are in the order of
  /// its frames.
  package mutating func takePictures() -> [PresentedPicture] {
    var pictures: [PresentedPicture] = []
    for name in assemblies.keys.sorted() {
      let id = text(name).flatMap { $0.hasPrefix("wl_surface ") ? $0 : nil }
      let surface = id.flatMap(Self.surfaceNumber).flatMap { UInt32(exactly: $0) }
      for picture in assemblies[name]?.takeComplete() ?? [] {
        guard let surface else { continue }
        pictures.append(
          PresentedPicture(
            process: tail.process.number, surface: surface, presented: picture.presented,
            numbers: picture.numbers))
      }
    }
    return pictures
  }

  /// The number in a window's name, such as `wl_surface 12`.
  private static func surfaceNumber(_ id: String) -> Int64? {
    id.split(separator: " ").dropFirst().first.flatMap { Int64($0) }
  }

  private func text(_ name: Int) -> String? {
    let text = tail.names.indices.contains(name - 1) ? tail.names[name - 1] : ""
    return text.isEmpty ? nil : text
  }

  private mutating func window(_ name: Int, _ body: (inout Window) -> Void) {
    let id = text(name) ?? "surface"
    body(&surfaces[name, default: Window(id: id + suffix)])
  }

  private mutating func consume(_ event: RecordedEvent, at now: Int64) {
    switch event.kind {
    case .bufferCount:
      window(event.name) { window in
        window.bufferCount = event.time
        window.isDeclared = false
      }
    case .refreshInterval:
      interval = event.time
      for name in surfaces.keys { surfaces[name]?.isDeclared = false }
    case .setting:
      guard let found = text(event.name).flatMap(RecordedEvent.condition),
        !settings.contains(where: { $0 == found })
      else { return }
      settings.append(found)
    case .note:
      guard let words = text(event.name), let name = Int(exactly: event.frame) else { return }
      window(name) { $0.notes.append(words) }
    case .mark: mark(event)
    case .picture:
      assemblies[event.name, default: PictureAssembly()].consume(
        number: event.time, of: event.frame)
    case .signpostBegin, .signpostEnd, .touch, .touchDelivered, .refresh, nil: break
    default:
      if event.kind == .commit {
        assemblies[event.name]?.consume(presentOf: event.frame, at: event.time)
      }
      window(event.name) { window in
        let position =
          window.frames.lastIndex { $0.number == event.frame } ?? window.frames.endIndex
        if position == window.frames.endIndex {
          // The line of a frame is written once.
          if let written = window.written, event.frame <= written { return }
          window.frames.append((event.frame, RecordedFrame(number: nil), now))
        }
        window.news = now
        window.frames[position].frame.consume(event)
        if event.kind == .displayed || event.kind == .discarded { window.hasDisplay = true }
        if event.kind == .gpuEnd { window.hasGPU = true }
      }
    }
  }
}

extension RecordedLines {
  private mutating func write(_ name: Int, at now: Int64, all: Bool) {
    guard var window = surfaces[name] else { return }
    var count = 0
    while count < window.frames.count {
      let (_, frame, seen) = window.frames[count]
      let isKnown =
        (frame[.displayed] != nil || frame[.fate] != nil || !window.hasDisplay)
        && (frame[.gpuEnd] != nil || !window.hasGPU) && frame[.appEnd] != nil
      let isOld =
        window.news - seen > Self.patience || now - seen > Self.longestPatience
        || window.frames.count - count > Self.mostFrames
      guard all || isOld || (isKnown && window.frames.count - count > Self.distance) else { break }
      count += 1
    }
    if count > 0 || !window.notes.isEmpty { declare(&window) }
    for (number, frame, _) in window.frames.prefix(count) {
      write(frame.finished, number, window)
      window.written = max(window.written ?? 0, number)
    }
    window.frames.removeFirst(count)
    surfaces[name] = window
  }

  /// Whether a surface of this name has a compositor, as Wayland surfaces do; `nil` if unknown.
  static func isComposited(_ id: String) -> Bool? { id.hasPrefix("wl_surface ") ? true : nil }

  /// Writes the description of a surface, and writes it again after it has changed.
  private mutating func declare(_ window: inout Window) {
    for words in window.notes { note(words) }
    window.notes = []
    guard form == .native, !window.isDeclared else { return }
    window.isDeclared = true
    let display = Display(id: "display", interval: interval.map { Nanoseconds($0) })
    if interval != nil { json.record(display) }
    json.record(
      Surface(
        id: window.id, process: tail.process.name, processID: tail.process.number,
        bufferOwner: .app, isComposited: Self.isComposited(window.id),
        allocatedBuffers: window.bufferCount.flatMap { Int(exactly: $0) }),
      on: display.id)
  }

  private mutating func write(_ condition: Setting.Condition, _ value: String) {
    if form == .besideMessages {
      return message(at: 0, of: 0, "setting") { json in
        json.value(condition.rawValue)
        json.value(value)
      }
    }
    json.record(.setting) { $0.member(condition.rawValue, value) }
  }

  private mutating func note(_ words: String) {
    if form == .besideMessages {
      return message(at: 0, of: 0, "note") { $0.value(words) }
    }
    json.record(
      TraceIssue(kind: .conditions, severity: .info, message: words, count: 1, first: nil))
  }

  /// Writes a named instant, such as when the program read its inputs.
  private mutating func mark(_ event: RecordedEvent) {
    guard form == .native, let name = text(event.name) else { return }
    json.record(.marker) { json in
      json.member("name", name)
      json.member("start", event.time)
    }
  }

  private mutating func write(_ row: Table<FrameColumn>.Row, _ number: UInt64, _ window: Window) {
    counts.frames += 1
    if row[.displayed] != nil { counts.displayed += 1 }
    if row[.gpuEnd] != nil { counts.withGPU += 1 }
    if form == .besideMessages {
      let surface = Self.surfaceNumber(window.id) ?? 0
      return message(at: row[.commit] ?? 0, of: surface, "frame") { json in
        json.value(Int64(truncatingIfNeeded: number))
        for column in VulkanFrame.columns {
          if let value = row[column] { json.value(value) } else { json.null() }
        }
      }
    }
    json.record(.frame) { json in
      json.member("surface", window.id)
      json.member("id", Int64(truncatingIfNeeded: number))
      for column in FrameColumn.allCases {
        guard let value = row[column] else { continue }
        json.key(column.schema.key)
        if case .choice(let words) = column.schema.kind {
          json.value(words[Int(value)])
        } else {
          json.value(value)
        }
      }
    }
  }

  /// Writes a line among the lines of messages, each of which is an array of seven elements.
  private mutating func message(
    at time: Int64, of surface: Int64, _ name: String, _ arguments: (inout JSONWriter) -> Void
  ) {
    json.array { json in
      json.value(time)
      json.value(tail.process.number)
      for text in ["!", "vulkan"] { json.value(text) }
      json.value(surface)
      json.value(name)
      json.array(arguments)
    }
    json.endLine()
  }

  /// The first lines of a file.
  /// - Parameter part: The number of the file in the recording, starting at 1.
  /// - Parameter compositor: The name of the program that shows the frames; `nil` if unknown.
  package static func opening(_ origin: String, part: Int, compositor: String?) -> [UInt8] {
    var json = JSONWriter(indented: false)
    json.header(origin: origin, part: part)
    json.record(
      ClockDomain(
        name: ClockSidecar.Clock.monotonic.name, join: .traceClock, offset: nil,
        resolution: Nanoseconds(1)))
    if let compositor {
      json.record(.setting) { $0.member(Setting.Condition.compositor.rawValue, compositor) }
    }
    return json.takeBytes()
  }

  /// Marks surfaces to be described again, as a new file requires.
  package mutating func declareAgain() {
    declaredSettings = 0
    for name in surfaces.keys { surfaces[name]?.isDeclared = false }
  }
}
