import FrameTrace

/// A recording of `trace-cmd`, with its events in order of time.
struct TraceDatFile {
  /// The formats of events, by number.
  private(set) var forms: [Int: TraceDatForm] = [:]
  /// The names of threads.
  private(set) var commands: [Int64: String] = [:]
  /// The kernel's functions by their addresses, in order.
  private(set) var symbols: [(address: UInt64, name: String)] = []
  private(set) var events: [TraceDatEvent] = []
  /// The remarks to report about the recording.
  private(set) var remarks: [(TraceIssue.Severity, String, Int)] = []

  private let bytes: [UInt8]
  private let longSize: Int
  private var pageSize: Int
  /// The name of the recording's clock; `nil` if it is not stated.
  private(set) var clock: String?
  /// How the processor's clock is converted to ns: multiplied by the first value, shifted by the second, plus the
  /// third.
  private var tsc: (factor: UInt64, shift: UInt64, offset: UInt64)?
  private var compression = "none"
  /// The number of bytes to which sections may still inflate.
  private var inflationLeft: Int
  private var otherBuffers = 0
  /// The number of bytes of events that may still be read; the data of processors does not overlap.
  private var dataLeft: Int

  /// The sections' numbers, which equal the numbers of the options that state the sections' positions.
  private enum Section: Int {
    case buffer = 3
    case clock = 4
    case timeShift = 12
    case timeStampCounter = 14
    case events = 17
    case systems = 18
    case symbols = 19
    case commands = 21
  }

  /// The maximum number of options, sections and formats that are read.
  private static let mostEntries = 1 << 16

  /// - Parameter start: The position of the version.
  init(_ bytes: [UInt8], after start: Int) throws(TraceDatProblem) {
    self.bytes = bytes
    dataLeft = bytes.count
    inflationLeft = max(Inflation.leastBytes, bytes.count.saturatingProduct(Inflation.mostTimes))
    var cursor = TraceDatCursor(bytes, at: start)
    let version = try cursor.text()
    let isBig = try cursor.number(1)
    longSize = try cursor.size(1)
    pageSize = try cursor.size(4)
    guard isBig == 0 else {
      throw TraceDatProblem(
        offset: start + 2,
        problem: "expected a recording with lower bytes first, found one with higher bytes first",
        help: "convert it on the machine that recorded it: 'trace-cmd report > trace.txt'")
    }
    guard [4, 8].contains(longSize), 256...1 << 20 ~= pageSize else {
      throw TraceDatProblem(
        offset: start + 3,
        problem:
          "expected longs of 4 or 8 bytes and pages of up to a megabyte, found \(longSize) and \(pageSize)"
      )
    }
    switch version {
    case "6": try readPlain(&cursor)
    case "7": try readSections(&cursor)
    default:
      throw TraceDatProblem(
        offset: start, problem: "expected version 6 or 7 of trace-cmd's format, found \(version)",
        help: "'trace-cmd convert --file-version 7' converts others")
    }
    if otherBuffers > 0 {
      remarks.append(
        (.info, "further buffers, which have separate clocks, left out", otherBuffers))
    }
    if clock == "local" {
      remarks.append(
        (.info, "times of different processors are only roughly comparable: the clock is local", 1))
    }
    // Events with the same time keep the order of their processors.
    let order = events.indices.sorted { (events[$0].time, $0) < (events[$1].time, $1) }
    events = order.map { [events] in events[$0] }
  }

  /// Reads version 6, in which everything has a fixed order.
  private mutating func readPlain(_ cursor: inout TraceDatCursor) throws(TraceDatProblem) {
    for name in ["header_page", "header_event"] {
      guard try cursor.text() == name else { throw cursor.problem("the part \(name)") }
      _ = try cursor.range(try cursor.size(8))
    }
    try readEvents(&cursor)
    try readSystems(&cursor)
    readSymbols(try cursor.text(try cursor.size(4)))
    _ = try cursor.range(try cursor.size(4))
    readCommands(try cursor.text(try cursor.size(8)))
    let count = try cursor.size(4)
    guard count <= Self.mostEntries else { throw cursor.problem("fewer than \(count) processors") }
    var statesClock = false
    while true {
      let part = try cursor.text(10)
      if part.hasPrefix("flyrecord") { break }
      guard part.hasPrefix("options") else {
        throw TraceDatProblem(
          offset: cursor.offset - 10,
          problem:
            "expected events in the trace-cmd recording, found the part \(part.prefix { $0 != "\0" })",
          help: "latency tracers are not read")
      }
      while true {
        let option = try cursor.size(2)
        if option == 0 { break }
        let data = try cursor.range(try cursor.size(4))
        if option == Section.clock.rawValue { statesClock = true }
        try readOption(option, TraceDatCursor(bytes, at: data.lowerBound, end: data.upperBound))
      }
    }
    var positions: [(offset: Int, size: Int)] = []
    for _ in 0..<count { positions.append((try cursor.size(8), try cursor.size(8))) }
    if statesClock, clock == nil, let size = try? cursor.size(8), let text = try? cursor.text(size)
    {
      clock = Self.chosenClock(text)
    }
    try checkClock(at: cursor.offset)
    for (processor, position) in positions.enumerated() where position.size > 0 {
      guard position.offset <= bytes.count, position.size <= bytes.count - position.offset else {
        cutOff(processor)
        guard position.offset < bytes.count else { continue }
        readData(position.offset..<bytes.count, processor)
        continue
      }
      readData(position.offset..<position.offset + position.size, processor)
    }
  }

  /// Reads version 7, which has sections, each named by an option.
  private mutating func readSections(_ cursor: inout TraceDatCursor) throws(TraceDatProblem) {
    compression = try cursor.text()
    _ = try cursor.text()
    guard ["none", "zlib", "zstd"].contains(compression) else {
      throw TraceDatProblem(
        offset: cursor.offset,
        problem: "expected compression by zstd, zlib or none, found \(compression)",
        help: "'trace-cmd convert --compression none' removes it")
    }
    var next = try cursor.size(8)
    var (seen, sections, buffers) = (0, [(kind: Int, position: Int)](), [TraceDatCursor]())
    var read: Set<Int> = []
    while next != 0, read.insert(next).inserted {
      var options = try section(at: next)
      next = 0
      while !options.isAtEnd, seen < Self.mostEntries {
        seen += 1
        let option = try options.size(2)
        let size = try options.size(4)
        var data = options
        _ = try options.range(size)
        switch option {
        case 0: next = try data.size(8)
        case Section.buffer.rawValue: buffers.append(data)
        case Section.events.rawValue, Section.systems.rawValue, Section.symbols.rawValue,
          Section.commands.rawValue:
          sections.append((option, try data.size(8)))
        default: try readOption(option, data)
        }
        if option == 0 { break }
      }
    }
    var parsed: Set<[Int]> = []
    for (kind, position) in sections where parsed.insert([kind, position]).inserted {
      var cursor = try section(at: position)
      switch Section(rawValue: kind) {
      case .events: try readEvents(&cursor)
      case .systems: try readSystems(&cursor)
      case .symbols: readSymbols(try cursor.text(try cursor.size(4)))
      case .commands: readCommands(try cursor.text(try cursor.size(8)))
      default: break
      }
    }
    guard var first = buffers.first else { throw cursor.problem("a buffer") }
    otherBuffers = buffers.count - 1
    try readBuffer(&first)
  }

  /// The contents of a section, inflated.
  private mutating func section(at position: Int) throws(TraceDatProblem) -> TraceDatCursor {
    var cursor = TraceDatCursor(bytes, at: position)
    _ = try cursor.number(2)
    let isCompressed = try cursor.number(2) & 1 == 1
    _ = try cursor.number(4)
    let size = try cursor.size(8)
    guard isCompressed else {
      let range = try cursor.range(size)
      return TraceDatCursor(bytes, at: range.lowerBound, end: range.upperBound)
    }
    return TraceDatCursor(inflated: try inflated(&cursor), of: position)
  }

  /// The contents of a compressed piece: its sizes and its data.
  private mutating func inflated(_ cursor: inout TraceDatCursor) throws(TraceDatProblem) -> [UInt8]
  {
    let start = cursor.offset
    let (packed, plain) = (try cursor.size(4), try cursor.size(4))
    let range = try cursor.range(packed)
    let cost = max(plain, packed)
    guard cost <= inflationLeft else {
      throw TraceDatProblem(
        offset: start,
        problem:
          "expected at most \(inflationLeft) further bytes of compressed data, found \(plain)",
        help: "'trace-cmd convert --compression none' removes the compression")
    }
    inflationLeft -= cost
    let found =
      compression == "zstd"
      ? Inflated.zstd(bytes, range, to: plain) : Inflated.all(bytes, range, atMost: plain)
    guard let found, found.count == plain else {
      throw TraceDatProblem(
        offset: start, problem: "expected \(plain) bytes of \(compression) data, found corrupt data"
      )
    }
    return found
  }
}

extension TraceDatFile {
  private mutating func readOption(
    _ option: Int, _ data: TraceDatCursor
  ) throws(TraceDatProblem) {
    var data = data
    switch Section(rawValue: option) {
    case .clock:
      // Version 6 has the text of the clocks here or after the buffers' positions.
      if !data.isAtEnd, let text = try? data.text() { clock = Self.chosenClock(text) ?? clock }
    case .timeStampCounter:
      tsc = (try data.number(4), try data.number(4), try data.number(8))
    case .timeShift:
      remarks.append((.info, "shifts between the clocks of guest and host, not applied", 1))
    default: break
    }
  }

  /// `[local] global counter`.
  private static func chosenClock(_ text: String) -> String? {
    guard let open = text.firstIndex(of: "["), let close = text[open...].firstIndex(of: "]") else {
      return nil
    }
    return String(text[text.index(after: open)..<close])
  }

  private func checkClock(at offset: Int) throws(TraceDatProblem) {
    switch clock {
    case "counter":
      throw TraceDatProblem(
        offset: offset,
        problem: "expected a clock, found a counter of events (trace clock \"counter\")",
        help: "record with 'trace-cmd record -C mono'")
    case "x86-tsc" where tsc == nil:
      throw TraceDatProblem(
        offset: offset, problem: "expected the rate of the processor's clock (x86-tsc), found none",
        help: "record with 'trace-cmd record -C mono', or a trace-cmd that states the rate (3.0)")
    default: break
    }
  }

  private mutating func readEvents(_ cursor: inout TraceDatCursor) throws(TraceDatProblem) {
    try readForms(&cursor)
  }

  private mutating func readSystems(_ cursor: inout TraceDatCursor) throws(TraceDatProblem) {
    let count = try cursor.size(4)
    guard count <= Self.mostEntries else { throw cursor.problem("\(count) systems of events") }
    for _ in 0..<count {
      _ = try cursor.text()
      try readForms(&cursor)
    }
  }

  private mutating func readForms(_ cursor: inout TraceDatCursor) throws(TraceDatProblem) {
    let count = try cursor.size(4)
    guard count <= Self.mostEntries else { throw cursor.problem("\(count) forms of events") }
    for _ in 0..<count {
      let text = try cursor.text(try cursor.size(8))
      if let form = TraceDatForm(text) { forms[form.number] = form }
    }
  }

  /// `6973 trace-cmd` in each line.
  private mutating func readCommands(_ text: String) {
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: " ", maxSplits: 1)
      guard parts.count == 2, let thread = Int64(parts[0]) else { continue }
      commands[thread] = String(parts[1].prefix { $0 != "\0" })
    }
  }

  /// `ffffffc0000f73a8 t update_rq` in each line, needed only if a wait names its location.
  private mutating func readSymbols(_ text: String) {
    guard forms.values.contains(where: { $0.name == "sched_blocked_reason" }) else { return }
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: " ")
      guard parts.count >= 3, let address = UInt64(parts[0], radix: 16), address > 0 else {
        continue
      }
      symbols.append((address, String(parts[2].prefix { $0 != "\t" })))
    }
    symbols.sort { $0.address < $1.address }
  }

  /// Reads the option of a buffer: the location of each processor's data.
  private mutating func readBuffer(_ option: inout TraceDatCursor) throws(TraceDatProblem) {
    let position = try option.size(8)
    _ = try option.text()
    clock = try option.text()
    pageSize = try option.size(4)
    guard 256...1 << 20 ~= pageSize else { throw option.problem("pages of up to a megabyte") }
    try checkClock(at: option.offset)
    let count = try option.size(4)
    guard count <= Self.mostEntries else { throw option.problem("\(count) processors") }
    var header = TraceDatCursor(bytes, at: position)
    _ = try header.number(2)
    let isCompressed = try header.number(2) & 1 == 1
    for _ in 0..<count {
      let processor = try option.size(4)
      let (offset, size) = (try option.size(8), try option.size(8))
      guard size > 0 else { continue }
      guard isCompressed else {
        let end = offset.saturatingSum(size)
        if end > bytes.count { cutOff(processor) }
        if offset < bytes.count { readData(offset..<min(end, bytes.count), processor) }
        continue
      }
      do throws(TraceDatProblem) {
        // The stated size does not contain this count.
        var chunks = TraceDatCursor(bytes, at: offset)
        let count = try chunks.size(4)
        for _ in 0..<count {
          let pages = try inflated(&chunks)
          readPages(pages, pages.indices, processor)
        }
      } catch {
        cutOff(processor)
      }
    }
  }

  private mutating func cutOff(_ processor: Int) {
    remarks.append((.dataLoss, "processor \(processor): its events end early, or are corrupt", 1))
  }

  /// Reads a processor's events as they are in the file.
  private mutating func readData(_ range: Range<Int>, _ processor: Int) {
    guard range.count <= dataLeft else { return cutOff(processor) }
    dataLeft -= range.count
    readPages(bytes, range, processor)
  }

  /// Reads complete pages of a processor's events.
  private mutating func readPages(_ bytes: [UInt8], _ range: Range<Int>, _ processor: Int) {
    var position = range.lowerBound
    while position < range.upperBound {
      let end = min(position + pageSize, range.upperBound)
      var page = TraceDatPage(bytes, position..<end, longSize: longSize)
      if let lost = page.lost {
        events.append(
          TraceDatEvent(time: time(page.time), processor: processor, content: .lost(lost)))
      }
      while let (stamp, payload) = page.next() {
        let event = TraceDatEvent(
          time: time(stamp), processor: processor, content: .payload(Array(bytes[payload])))
        if let form = event.form(in: self), TraceDatLines.reads(form) {
          events.append(event)
        } else {
          events.append(event.withoutPayload(in: self))
        }
      }
      position = end
    }
  }

  /// A time stamp in ns.
  private func time(_ stamp: UInt64) -> Int64 {
    guard clock == "x86-tsc", let tsc else { return Int64(clamping: stamp) }
    let (high, low) = stamp.multipliedFullWidth(by: tsc.factor)
    guard tsc.shift < 64, high >> tsc.shift == 0 else { return .max }
    let shifted = tsc.shift == 0 ? low : low >> tsc.shift | high << (64 - tsc.shift)
    return Int64(clamping: shifted.addingReportingOverflow(tsc.offset).partialValue)
  }
}

extension Int {
  fileprivate func saturatingSum(_ other: Int) -> Int {
    let (sum, isOver) = addingReportingOverflow(other)
    return isOver ? .max : sum
  }

  fileprivate func saturatingProduct(_ other: Int) -> Int {
    let (product, isOver) = multipliedReportingOverflow(by: other)
    return isOver ? .max : product
  }
}
