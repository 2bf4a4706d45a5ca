import FrameTrace

/// What one message between a program and its compositor states about frames, buffers and inputs.
enum WaylandFact {
  /// A width and a height, which the buffers of one surface share.
  struct Size: Hashable { let width, height: Int64 }

  /// An input as the compositor sends it.
  struct Input {
    var device: TouchColumn.Device
    var phase: TouchColumn.Phase?
    /// In ms, on a clock that the compositor chooses.
    var time: UInt32?
    /// The surface, if the message names it.
    var surface: UInt32?
    var finger: Int64?
    var x, y: Double?
  }

  case surface(UInt32)
  case surfaceGone
  /// A buffer; `isShared` means that the program writes its memory itself and it is finished once
  /// committed.
  case buffer(UInt32, Size?, isShared: Bool)
  case bufferGone
  case released
  /// The buffer; `nil` takes the surface off the display.
  case attach(UInt32?)
  case frameCallback(UInt32)
  case commit
  /// In ms, on a clock that the compositor chooses.
  case done(UInt32)
  case clock(UInt32)
  case feedback(surface: UInt32, UInt32)
  case shownOn(output: UInt32)
  /// In nanoseconds; the refresh is 0 where the compositor does not know it, and the kinds, bits of
  /// `wp_presentation_feedback.kind`, are 0 where it says nothing of how the frame was shown.
  case presented(Int64, refresh: Int64, kinds: Int64)
  case discarded
  case input(Input)
  /// The surface that gets the device's next inputs; `nil` for none.
  case focus(UInt32?)
  case cursor(UInt32)
  case subsurface(UInt32, of: UInt32)
  /// A role of a surface, or of an object that already has one.
  case role(UInt32, of: UInt32)
  case title(String)
  /// The refresh rate of an output, in mHz.
  case outputMode(Int64)
  case gone(UInt32)
}

extension WaylandFact {
  /// Creates the fact in a message of a log; `nil` if the message states none of these.
  init?(_ message: WaylandMessage) {
    let fact =
      message.isRequest ? Self.request(message) : Self.event(message) ?? Self.input(message)
    guard let fact else { return nil }
    self = fact
  }

  private static func request(_ message: WaylandMessage) -> WaylandFact? {
    let object = { (place: Int) in
      message.arguments.dropFirst(place).first.flatMap(WaylandMessage.object)
    }
    let number = { (place: Int) in message.arguments.dropFirst(place).first.flatMap { Int64($0) } }
    switch (message.interface, message.name) {
    case ("wl_compositor", "create_surface"): return message.newObject.map { .surface($0) }
    case ("wl_surface", "destroy"): return .surfaceGone
    case ("wl_surface", "attach"): return .attach(object(0))
    case ("wl_surface", "frame"): return message.newObject.map { .frameCallback($0) }
    case ("wl_surface", "commit"): return .commit
    case ("wl_buffer", "destroy"): return .bufferGone
    case ("wp_presentation", "feedback"):
      guard let surface = object(0), let feedback = message.newObject else { return nil }
      return .feedback(surface: surface, feedback)
    case ("wl_shm_pool", "create_buffer"):
      return buffer(message, number(2), number(3), isShared: true)
    case ("wl_drm", "create_buffer"), ("wl_drm", "create_planar_buffer"),
      ("wl_drm", "create_prime_buffer"):
      return buffer(message, number(2), number(3))
    case ("zwp_linux_buffer_params_v1", "create_immed"):
      return buffer(message, number(1), number(2))
    case ("wl_pointer", "set_cursor"): return object(1).map { .cursor($0) }
    case ("wl_subcompositor", "get_subsurface"):
      guard let surface = object(1), let parent = object(2) else { return nil }
      return .subsurface(surface, of: parent)
    case (_, "get_xdg_surface"), (_, "get_layer_surface"):
      guard let surface = object(1), let role = message.newObject else { return nil }
      return .role(role, of: surface)
    case (_, "get_toplevel"): return message.newObject.map { .role($0, of: message.object) }
    case (_, "set_title"): return message.arguments.first.map { .title(unquoted($0)) }
    default: return nil
    }
  }

  private static func buffer(
    _ message: WaylandMessage, _ width: Int64?, _ height: Int64?, isShared: Bool = false
  ) -> WaylandFact? {
    guard let buffer = message.newObject else { return nil }
    guard let width, let height else { return .buffer(buffer, nil, isShared: isShared) }
    return .buffer(buffer, Size(width: width, height: height), isShared: isShared)
  }

  private static func event(_ message: WaylandMessage) -> WaylandFact? {
    let first = message.arguments.first
    switch (message.interface, message.name) {
    case ("wl_callback", "done"): return first.flatMap(milliseconds).map { .done($0) }
    case ("wl_buffer", "release"): return .released
    case ("wl_display", "delete_id"): return first.flatMap { UInt32($0) }.map { .gone($0) }
    case ("wp_presentation", "clock_id"): return first.flatMap { UInt32($0) }.map { .clock($0) }
    case ("wp_presentation_feedback", "sync_output"):
      return first.flatMap(WaylandMessage.object).map { .shownOn(output: $0) }
    case ("wp_presentation_feedback", "presented"): return presented(message)
    case ("wp_presentation_feedback", "discarded"): return .discarded
    case ("zwp_linux_buffer_params_v1", "created"):
      return message.newObject.map { .buffer($0, nil, isShared: false) }
    case ("wl_output", "mode"):
      guard message.arguments.count == 4, let flags = Int64(message.arguments[0]), flags & 1 == 1
      else { return nil }
      return Int64(message.arguments[3]).map { .outputMode($0) }
    default: return nil
    }
  }

  /// A time in ms, which some print as a signed number.
  private static func milliseconds(_ text: String) -> UInt32? {
    UInt32(text) ?? Int32(text).map { UInt32(bitPattern: $0) }
  }

  private static func presented(_ message: WaylandMessage) -> WaylandFact? {
    let numbers = message.arguments.prefix(4).compactMap { Int64($0) }
    // A clock that has run for more than 68 years is not valid.
    guard numbers.count == 4, numbers[0] == 0, 0..<1 << 31 ~= numbers[1],
      0..<1_000_000_000 ~= numbers[2], 0..<1 << 32 ~= numbers[3]
    else { return nil }
    let kinds = message.arguments.dropFirst(6).first.flatMap { Int64($0) } ?? 0
    return .presented(
      numbers[1] * 1_000_000_000 + numbers[2], refresh: numbers[3], kinds: kinds)
  }

  private static func unquoted(_ text: String) -> String {
    text.hasPrefix("\"") ? String(text.dropFirst().dropLast(text.hasSuffix("\"") ? 1 : 0)) : text
  }
}

extension WaylandFact {
  private static func input(_ message: WaylandMessage) -> WaylandFact? {
    let arguments = message.arguments
    let object = { (place: Int) in
      arguments.dropFirst(place).first.flatMap(WaylandMessage.object)
    }
    let number = { (place: Int) in arguments.dropFirst(place).first.flatMap { Double($0) } }
    let time = { (place: Int) in arguments.dropFirst(place).first.flatMap(milliseconds) }
    switch (message.interface, message.name) {
    case ("wl_touch", "down"):
      return .input(
        Input(
          device: .touch, phase: .began, time: time(1), surface: object(2),
          finger: number(3).flatMap { Int64(exactly: $0) }, x: number(4), y: number(5)))
    case ("wl_touch", "motion"):
      return .input(
        Input(
          device: .touch, phase: .moved, time: time(0),
          finger: number(1).flatMap { Int64(exactly: $0) }, x: number(2), y: number(3)))
    case ("wl_touch", "up"):
      return .input(
        Input(
          device: .touch, phase: .ended, time: time(1),
          finger: number(2).flatMap { Int64(exactly: $0) }))
    case ("wl_touch", "cancel"): return .input(Input(device: .touch, phase: .cancelled))
    case ("wl_pointer", "enter"), ("wl_keyboard", "enter"): return .focus(object(1))
    case ("wl_pointer", "leave"), ("wl_keyboard", "leave"): return .focus(nil)
    case ("wl_pointer", "motion"):
      return .input(
        Input(device: .pointer, phase: .moved, time: time(0), x: number(1), y: number(2)))
    case ("wl_pointer", "button"):
      return .input(
        Input(device: .click, phase: phase(number(3)), time: time(1), finger: nil))
    case ("wl_keyboard", "key"):
      return .input(Input(device: .key, phase: phase(number(3)), time: time(1)))
    default: return nil
    }
  }

  static func phase(_ state: Double?) -> TouchColumn.Phase? {
    switch state {
    case 0: .ended
    case 1: .began
    default: nil
    }
  }
}
