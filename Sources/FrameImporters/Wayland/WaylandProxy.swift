import FrameTrace

/// The messages that a proxy between programs and their compositor recorded, one JSON line each.
///
/// The array has the monotonic time in ns, the connection, the direction, the object's interface
/// and number, the message and its arguments. Only arguments that describe frames, buffers and
/// inputs are written:
///
///     [4287341953346,1,">","wl_surface",3,"commit",[]]
///     [4287375198713,1,"<","wp_presentation_feedback",74,"presented",[4287125301220,16666666,0,0]]
///
/// Lines with `"!"` are statements of the proxy about itself: the clocks, read together; the numbers of consecutive
/// files; and periods in which the proxy was delayed.
struct WaylandProxy: WaylandImporter {
  let name = "wayland-proxy"
  let title = "Wayland messages as JSON lines"
  let versions = "arrays of seven"
  let documentation = "Sources/FrameKit/FrameKit.docc/Wayland.md"
  let framesAdvice: String? = "for frames, record while a program draws"

  func recognize(_ head: FileHead) -> Recognition? {
    guard Self.isProxy(head) else { return nil }
    return Recognition(
      format: "Wayland messages as JSON lines",
      reason: "arrays of time, connection, direction, object and message")
  }

  static func isProxy(_ head: FileHead) -> Bool {
    guard let line = head.lines(1).first, line.hasPrefix("["),
      let node = try? JSONNode(Array(line.utf8))
    else { return false }
    return RecordedMessage(node).map { $0.interface != X11Presents.interface } ?? false
  }
}

/// The connections of a socket's recording.
struct WaylandProxyConnections {
  private var members: [Int64: WaylandConnection] = [:]
  private var readings: [[ClockSidecar.Clock: Int64]] = []
  /// Periods in which the proxy was delayed, so that it saw messages late.
  private(set) var gaps: [(start: Int64, end: Int64)] = []
  /// What the Vulkan layer saw, by process and surface.
  private(set) var vulkanFrames: [VulkanSurface: [VulkanFrame]] = [:]
  private(set) var notes: [String] = []
  private(set) var telemetry = RecordedTelemetry()
  /// The conditions that the recorder and the Vulkan layer saw.
  private(set) var setting = Setting.unknown
  /// What the recorder injected.
  private(set) var injected = InjectedInputs()
  /// Whether a file was read, and whether the lines of another file repeat its contents.
  private var hasPart = false
  private var repeats = false

  var connections: [WaylandConnection] {
    members.sorted { $0.key < $1.key }.map { number, member in
      var connection = member
      connection.number = number
      connection.finish()
      return connection
    }
  }

  /// The clocks in the recording; `nil` if it has none.
  var clocks: ClockSidecar? { ClockSidecar(readings) }

  mutating func read(_ input: InputFile, _ log: inout IssueLog) throws(ParseError) {
    let broken = try TextLines.read(input) { line in
      if !read(line.bytes) { log.note(malformed: line, "lines that are not messages") }
    }
    (hasPart, repeats) = (true, false)
    log.note(break: broken)
  }

  private mutating func read(_ line: ArraySlice<UInt8>) -> Bool {
    if line.trimmingBlanks().isEmpty { return true }
    guard let node = try? JSONNode(Array(line)), let message = RecordedMessage(node) else {
      return false
    }
    if message.isOwn {
      takeOwn(message)
    } else if repeats {
      return true
    } else if message.name == "connect" {
      var connection = members[message.connection] ?? WaylandConnection()
      connection.process = message.integer(0).flatMap { Int(exactly: $0) }
      connection.processName = message.text(1)
      members[message.connection] = connection
    } else if let fact = message.fact {
      members[message.connection, default: WaylandConnection()].consume(
        message.object, fact, at: message.time)
    }
    return true
  }

  private mutating func takeOwn(_ message: RecordedMessage) {
    guard message.interface != "inject" else {
      injected.consume(message)
      return
    }
    switch message.name {
    // A file begins by repeating earlier statements, which are new only in the first file read.
    case "part": repeats = hasPart
    case "begin": repeats = false
    case "clocks":
      let numbers: [ClockSidecar.Clock] = [.realtime, .monotonic, .raw, .boottime]
      var reading: [ClockSidecar.Clock: Int64] = [:]
      for (position, clock) in numbers.enumerated() {
        reading[clock] = message.integer(position).flatMap { 0...Timestamp.bound ~= $0 ? $0 : nil }
      }
      if reading[.monotonic] != nil { readings.append(reading) }
    case "gap":
      guard let start = message.integer(0), let end = message.integer(1), start < end,
        0...Timestamp.bound ~= start, end <= Timestamp.bound
      else { return }
      gaps.append((start, end))
    case "setting":
      guard let condition = message.text(0).flatMap(Setting.Condition.init),
        let value = message.text(1)
      else { return }
      setting.add(value, as: condition)
    case "reading": telemetry.consume(message)
    case "note":
      if let words = message.text(0) { notes.append(words) }
    case "frame":
      guard let frame = VulkanFrame(message) else { return }
      let surface = VulkanSurface(process: message.connection, object: message.object)
      vulkanFrames[surface, default: []].append(frame)
    default: break
    }
  }

  /// A surface as the Vulkan layer knows it.
  struct VulkanSurface: Hashable {
    let process: Int64
    let object: UInt32
  }
}

/// The facts in a message of a Wayland socket.
extension RecordedMessage {
  /// The message's fact; `nil` if it states nothing about frames, buffers and inputs.
  var fact: WaylandFact? {
    switch (interface, name) {
    case ("wl_compositor", "create_surface"): object(0).map { .surface($0) }
    case ("wl_surface", "destroy"): .surfaceGone
    case ("wl_surface", "attach"): .attach(object(0).flatMap { $0 == 0 ? nil : $0 })
    case ("wl_surface", "frame"): object(0).map { .frameCallback($0) }
    case ("wl_surface", "commit"): .commit
    case ("wl_buffer", "destroy"): .bufferGone
    case ("wl_buffer", "release"): .released
    case ("wl_shm_pool", "create_buffer"): buffer(isShared: true)
    case ("wl_drm", "create_buffer"), ("zwp_linux_buffer_params_v1", "create_immed"),
      ("zwp_linux_buffer_params_v1", "created"):
      buffer(isShared: false)
    case ("wp_presentation", "feedback"): feedback
    case ("wp_presentation", "clock_id"): object(0).map { .clock($0) }
    case ("wp_presentation_feedback", "presented"): presented
    case ("wp_presentation_feedback", "discarded"): .discarded
    case ("wp_presentation_feedback", "sync_output"): object(0).map { .shownOn(output: $0) }
    case ("wl_callback", "done"): milliseconds(0).map { .done($0) }
    default: role ?? input.map { .input($0) }
    }
  }

  /// The message's fact about the roles of surfaces, about outputs, or about the focus.
  private var role: WaylandFact? {
    switch (interface, name) {
    case ("wl_pointer", "set_cursor"): return object(1).flatMap { $0 == 0 ? nil : .cursor($0) }
    case ("wl_subcompositor", "get_subsurface"):
      guard let surface = object(1), let parent = object(2) else { return nil }
      return .subsurface(surface, of: parent)
    case (_, "get_xdg_surface"), (_, "get_layer_surface"):
      guard let role = object(0), let surface = object(1) else { return nil }
      return .role(role, of: surface)
    case (_, "get_toplevel"): return object(0).map { .role($0, of: self.object) }
    case (_, "set_title"): return text(0).map { .title($0) }
    case ("wl_output", "mode"):
      guard let flags = integer(0), flags & 1 == 1 else { return nil }
      return integer(3).map { .outputMode($0) }
    case ("wl_pointer", "enter"), ("wl_keyboard", "enter"): return .focus(object(1))
    case ("wl_pointer", "leave"), ("wl_keyboard", "leave"): return .focus(nil)
    default: return nil
    }
  }

  private func buffer(isShared: Bool) -> WaylandFact? {
    let size = integer(1).flatMap { width in
      integer(2).map { WaylandFact.Size(width: width, height: $0) }
    }
    return object(0).map { .buffer($0, size, isShared: isShared) }
  }

  private var feedback: WaylandFact? {
    guard let surface = object(0), let feedback = object(1) else { return nil }
    return .feedback(surface: surface, feedback)
  }

  private var presented: WaylandFact? {
    guard let time = integer(0), 0...Timestamp.bound ~= time else { return nil }
    let refresh = integer(1) ?? 0
    return .presented(
      time, refresh: 0..<1 << 32 ~= refresh ? refresh : 0, kinds: integer(3) ?? 0)
  }

  private var input: WaylandFact.Input? {
    switch (interface, name) {
    case ("wl_touch", "down"):
      WaylandFact.Input(
        device: .touch, phase: .began, time: milliseconds(1), surface: object(2),
        finger: integer(3), x: number(4), y: number(5))
    case ("wl_touch", "motion"):
      WaylandFact.Input(
        device: .touch, phase: .moved, time: milliseconds(0), finger: integer(1), x: number(2),
        y: number(3))
    case ("wl_touch", "up"):
      WaylandFact.Input(
        device: .touch, phase: .ended, time: milliseconds(1), finger: integer(2))
    case ("wl_pointer", "motion"):
      WaylandFact.Input(
        device: .pointer, phase: .moved, time: milliseconds(0), x: number(1), y: number(2))
    case ("wl_pointer", "button"):
      WaylandFact.Input(
        device: .click, phase: WaylandFact.phase(number(3)), time: milliseconds(1))
    case ("wl_keyboard", "key"):
      WaylandFact.Input(device: .key, phase: WaylandFact.phase(number(2)), time: milliseconds(0))
    default: nil
    }
  }
}
