import FrameTrace

/// The windows of a recording of an X server, and the trace that they make.
struct X11Recording {
  /// Windows by number: a server's numbers are unique while a window lives.
  private var windows: [Int64: X11Window] = [:]
  private var processes: [Int64: String] = [:]
  /// What the Vulkan layer saw, by window.
  private var vulkan: [Int64: (process: Int64, frames: [VulkanFrame])] = [:]
  private var setting = Setting.unknown
  private var notes: [String] = []
  private var telemetry = RecordedTelemetry()
  /// Whether a file was read, and whether the lines of another one repeat it.
  private var hasPart = false
  private var repeats = false

  /// - Returns: Whether the line is a message.
  mutating func take(_ line: ArraySlice<UInt8>) -> Bool {
    if line.trimmingBlanks().isEmpty { return true }
    guard let node = try? JSONNode(Array(line)), let message = RecordedMessage(node) else {
      return false
    }
    if message.isOwn {
      takeOwn(message)
    } else if message.interface == X11Presents.interface {
      takeServer(message)
    }
    return true
  }

  private mutating func takeOwn(_ message: RecordedMessage) {
    switch message.name {
    case "part": repeats = hasPart
    case "begin": (hasPart, repeats) = (true, false)
    case "setting":
      guard let condition = message.text(0).flatMap(Setting.Condition.init),
        let value = message.text(1)
      else { return }
      setting.add(value, as: condition)
    case "reading": telemetry.take(message)
    case "note": if let words = message.text(0) { notes.append(words) }
    case "frame":
      guard let frame = VulkanFrame(message) else { return }
      vulkan[Int64(message.object), default: (message.connection, [])].frames.append(frame)
    default: break
    }
  }

  private mutating func takeServer(_ message: RecordedMessage) {
    let number = Int64(message.object)
    if message.name == "connect" {
      processes[message.connection] = message.text(0)
      return
    }
    var window = windows[number] ?? X11Window(process: message.connection)
    switch message.name {
    case "title": window.title = message.text(0)
    case "present":
      guard let serial = message.integer(0), let pixmap = message.integer(1) else { return }
      window.take(
        X11Window.Present(
          serial: serial, pixmap: pixmap, options: message.integer(2) ?? 0,
          target: message.integer(3) ?? 0, arrival: message.time,
          serverTime: message.integer(4).flatMap { UInt32(exactly: $0) }))
    case "complete":
      guard let serial = message.integer(0), let refresh = message.integer(1),
        let time = message.integer(2), 0...Timestamp.bound ~= time,
        0...Timestamp.bound ~= refresh
      else { return }
      window.complete(
        serial,
        X11Window.Completion(
          refresh: refresh, time: time, arrival: message.time, mode: message.integer(3) ?? 0))
    case "idle": if let serial = message.integer(0) { window.idle(serial, at: message.time) }
    default: return
    }
    windows[number] = window
  }

  /// Makes a surface of each window that presented something.
  func fill(_ builder: inout TraceBuilder) {
    let found = windows.sorted { $0.key < $1.key }.filter { !$0.value.presents.isEmpty }
    let clock = X11Clock(found.map(\.value))
    builder.trace.clocks = clock.domains
    clock.note(in: &builder.log)
    builder.trace.setting = setting
    builder.trace.telemetry = telemetry.series
    for words in notes { builder.log.note(.conditions, .info, words) }
    addUnseen(to: &builder)
    guard !found.isEmpty else { return }
    let display = builder.display("display")
    if let refreshes = X11Refreshes.numbered(found.map(\.value), clock) {
      for (number, time) in refreshes {
        var row = Table<RefreshColumn>.Row()
        (row[.number], row[.time]) = (number, time)
        builder.trace.displays[display].refreshes.append(row)
      }
    } else {
      builder.log.note(
        .conditions, .info,
        "the X server's numbers of refreshes do not follow its times, so that they are not used")
    }
    var unanswered = 0
    for (number, window) in found {
      let place = builder.surface("window \(number)") {
        Surface(
          id: "window \(number)", name: window.title.flatMap { $0.isEmpty ? nil : $0 },
          process: processes[window.process],
          processID: window.process > 0 ? Int(exactly: window.process) : nil, display: display,
          bufferOwner: .app, derivesStarts: vulkan[number] == nil ? true : nil)
      }
      unanswered += add(window, vulkan[number]?.frames ?? [], clock, to: place, of: &builder)
    }
    builder.log.note(
      .conditions, .info,
      "presents that the X server did not complete before the recording ended or their window went",
      count: unanswered)
  }

  /// Adds the windows that only the Vulkan layer saw, because the driver shows their frames in another way.
  private func addUnseen(to builder: inout TraceBuilder) {
    for (number, seen) in vulkan.sorted(by: { $0.key < $1.key }) {
      guard windows[number]?.presents.isEmpty ?? true else { continue }
      let place = builder.surface("window \(number)") {
        Surface(
          id: "window \(number)", process: processes[seen.process],
          processID: Int(exactly: seen.process), bufferOwner: .app)
      }
      for frame in seen.frames {
        var row = Table<FrameColumn>.Row()
        frame.fill(&row, withStart: true)
        builder.trace.surfaces[place].frames.append(row)
      }
      builder.log.note(
        .conditions, .info,
        "frames that the driver did not present through the X server: when they were shown is not known",
        count: seen.frames.count)
    }
  }

  /// Adds a window's frames.
  /// - Returns: How many of them the server never answered.
  private func add(
    _ window: X11Window, _ layer: [VulkanFrame], _ clock: X11Clock, to place: Int,
    of builder: inout TraceBuilder
  ) -> Int {
    var buffers: [Int64: Int64] = [:]
    var unanswered = 0
    // The server's times are whole ms, before which the layer's cannot be.
    let commits = window.presents.map { clock.latest($0) }
    let matches = layer.isEmpty ? [] : VulkanFrame.match(commits.map { $0 }, layer)
    for (number, present) in window.presents.enumerated() {
      var row = Table<FrameColumn>.Row()
      let buffer = buffers[present.pixmap] ?? Int64(buffers.count)
      buffers[present.pixmap] = buffer
      row[.identifier] = present.serial
      row[.buffer] = buffer
      row[.commit] = clock.commit(present)
      row[.syncInterval] = window.syncInterval(number)
      row[.released] = present.idle
      if let completion = present.completion {
        row[.presentMode] = mode(completion, in: &builder.trace.surfaces[place].frames)
        if completion.isSkipped {
          row[.fate] = FrameColumn.Fate.discarded.rawValue
        } else {
          row[.displayed] = clock.time(completion)
          row[.displayedRefresh] = completion.refresh
          row[.fate] = FrameColumn.Fate.displayed.rawValue
        }
      } else {
        unanswered += 1
        row[.fate] = FrameColumn.Fate.unknown.rawValue
      }
      if let seen = matches.isEmpty ? nil : matches[number] {
        seen.fill(&row, withStart: true)
        // The GPU may still draw into a pixmap that the server has been asked to present.
        row[.queued] = nil
      }
      builder.trace.surfaces[place].frames.append(row)
    }
    return unanswered
  }

  private func mode(
    _ completion: X11Window.Completion, in frames: inout Table<FrameColumn>
  ) -> Int64? {
    guard let place = Int(exactly: completion.mode), X11Window.modes.indices.contains(place) else {
      return nil
    }
    return frames.texts.number(of: X11Window.modes[place])
  }
}
