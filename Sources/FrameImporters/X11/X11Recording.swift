import FrameTrace

/// The windows in a recording of an X server, and the trace built from these windows.
struct X11Recording {
  /// A window of a process, because a server gives the numbers of a program that is gone to the next program.
  private struct Key: Hashable, Comparable {
    let number: Int64
    let process: Int64

    static func < (one: Key, other: Key) -> Bool {
      (one.number, one.process) < (other.number, other.process)
    }
  }

  private var windows: [Key: X11Window] = [:]
  private var processes: [Int64: String] = [:]
  /// What the Vulkan layer saw, by window.
  private var vulkan: [Key: [VulkanFrame]] = [:]
  private var setting = Setting.unknown
  private var notes: [String] = []
  private var telemetry = RecordedTelemetry()

  /// - Returns: Whether the line is a message.
  mutating func consume(_ line: ArraySlice<UInt8>) -> Bool {
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
    case "setting":
      guard let condition = message.text(0).flatMap(Setting.Condition.init),
        let value = message.text(1)
      else { return }
      setting.add(value, as: condition)
    case "reading": telemetry.consume(message)
    case "note": if let words = message.text(0) { notes.append(words) }
    case "frame":
      guard let frame = VulkanFrame(message) else { return }
      let key = Key(number: Int64(message.object), process: message.connection)
      vulkan[key, default: []].append(frame)
    default: break
    }
  }

  private mutating func takeServer(_ message: RecordedMessage) {
    guard message.name != "connect" else {
      processes[message.connection] = message.text(0)
      return
    }
    let key = Key(number: Int64(message.object), process: message.connection)
    switch message.name {
    case "title": change(key) { $0.title = message.text(0) }
    case "present":
      guard let serial = message.integer(0), let pixmap = message.integer(1) else { return }
      let present = X11Window.Present(
        serial: serial, pixmap: pixmap, options: message.integer(2) ?? 0,
        target: message.integer(3) ?? 0, arrival: message.time,
        serverTime: message.integer(4).flatMap { UInt32(exactly: $0) })
      change(key) { $0.consume(present) }
    case "complete":
      guard let serial = message.integer(0), let refresh = message.integer(1),
        let time = message.integer(2), 0...Timestamp.bound ~= time,
        0...Timestamp.bound ~= refresh
      else { return }
      let completion = X11Window.Completion(
        refresh: refresh, time: time, arrival: message.time, mode: message.integer(3) ?? 0)
      change(key) { $0.complete(serial, completion) }
    case "idle":
      if let serial = message.integer(0) { change(key) { $0.idle(serial, at: message.time) } }
    default: break
    }
  }

  /// Changes a window in place; copying all its presents for each present would take quadratic time.
  private mutating func change(_ key: Key, _ body: (inout X11Window) -> Void) {
    body(&windows[key, default: X11Window(process: key.process)])
  }

  /// What the layer saw of a window of a process. If the layer and the server number processes differently, as in a
  /// container, the only process of the layer with a window of that number is used.
  private func seen(_ key: Key) -> [VulkanFrame] {
    if let own = vulkan[key] { return own }
    let others = vulkan.filter { $0.key.number == key.number && windows[$0.key] == nil }
    let sharers = windows.keys.count { $0.number == key.number }
    return others.count == 1 && sharers == 1 ? others.first?.value ?? [] : []
  }

  /// Creates a surface for each window that presented something.
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
    let numbers = Dictionary(grouping: found, by: \.key.number)
    for (key, window) in found {
      let isAlone = numbers[key.number]?.count == 1
      let id = isAlone ? "window \(key.number)" : "window \(key.number) of \(key.process)"
      let layer = seen(key)
      let position = builder.surface(id) {
        Surface(
          id: id, name: window.title.flatMap { $0.isEmpty ? nil : $0 },
          process: processes[window.process],
          processID: window.process > 0 ? Int(exactly: window.process) : nil, display: display,
          bufferOwner: .app, derivesStarts: layer.isEmpty ? true : nil)
      }
      unanswered += add(window, layer, clock, to: position, of: &builder)
    }
    builder.log.note(
      .conditions, .info,
      "presents that the X server did not complete before the recording ended or their window went",
      count: unanswered)
  }

  /// Adds the windows that only the Vulkan layer saw, because the driver shows their frames in another way.
  private func addUnseen(to builder: inout TraceBuilder) {
    let joined = Set(windows.filter { !$0.value.presents.isEmpty }.keys.map(\.number))
    for (key, frames) in vulkan.sorted(by: { $0.key < $1.key })
    where !joined.contains(key.number) {
      let position = builder.surface("window \(key.number) of \(key.process)") {
        Surface(
          id: "window \(key.number)", process: processes[key.process],
          processID: Int(exactly: key.process), bufferOwner: .app)
      }
      for frame in frames {
        var row = Table<FrameColumn>.Row()
        frame.fill(&row, withStart: true)
        builder.trace.surfaces[position].frames.append(row)
      }
      builder.log.note(
        .conditions, .info,
        "frames that the driver did not present through the X server: when they were shown is not known",
        count: frames.count)
    }
  }

  /// Adds a window's frames.
  /// - Returns: The number of frames that the server never answered.
  private func add(
    _ window: X11Window, _ layer: [VulkanFrame], _ clock: X11Clock, to position: Int,
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
        row[.presentMode] = mode(completion, in: &builder.trace.surfaces[position].frames)
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
      builder.trace.surfaces[position].frames.append(row)
    }
    return unanswered
  }

  private func mode(
    _ completion: X11Window.Completion, in frames: inout Table<FrameColumn>
  ) -> Int64? {
    guard let position = Int(exactly: completion.mode), X11Window.modes.indices.contains(position)
    else {
      return nil
    }
    return frames.texts.number(of: X11Window.modes[position])
  }
}
