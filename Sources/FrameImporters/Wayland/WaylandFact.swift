import FrameTrace

/// The facts that one message between a program and its compositor states about frames, buffers and inputs.
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
  /// In nanoseconds. The refresh is 0 if the compositor does not know it. The kinds are bits of
  /// `wp_presentation_feedback.kind`, and 0 if the compositor does not state how the frame was shown.
  case presented(Int64, refresh: Int64, kinds: Int64)
  case discarded
  /// Stored indirectly, because inputs are rare and large: otherwise, all other facts would take as much memory when
  /// they are passed on.
  indirect case input(Input)
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
  /// Reads what a message of one kind states; `nil` if its arguments do not follow the protocol.
  struct Reader: Sendable {
    let read: @Sendable (WaylandMessage) -> WaylandFact?

    init(_ read: @escaping @Sendable (WaylandMessage) -> WaylandFact?) { self.read = read }
  }

  /// Creates the fact in a message of a log; `nil` if the message states no such fact.
  init?(_ message: WaylandMessage) {
    let reader = Self.reader(
      of: message.interface, message.name, isRequest: message.isRequest)
    guard let fact = reader?.read(message) else { return nil }
    self = fact
  }

  /// The reader of an interface's messages with a given name; `nil` if the messages state no such facts.
  static func reader(of interface: String, _ name: String, isRequest: Bool) -> Reader? {
    isRequest ? request(interface, name) : event(interface, name) ?? input(interface, name)
  }

  private static func request(_ interface: String, _ name: String) -> Reader? {
    switch (interface, name) {
    case ("wl_compositor", "create_surface"): Reader { $0.newObject.map { .surface($0) } }
    case ("wl_surface", "destroy"): Reader { _ in .surfaceGone }
    case ("wl_surface", "attach"): Reader { .attach($0.object(at: 0)) }
    case ("wl_surface", "frame"): Reader { $0.newObject.map { .frameCallback($0) } }
    case ("wl_surface", "commit"): Reader { _ in .commit }
    case ("wl_buffer", "destroy"): Reader { _ in .bufferGone }
    case ("wp_presentation", "feedback"): Reader(feedback)
    case ("wl_shm_pool", "create_buffer"): Reader { buffer($0, sizeAt: 2, isShared: true) }
    case ("wl_drm", "create_buffer"), ("wl_drm", "create_planar_buffer"),
      ("wl_drm", "create_prime_buffer"):
      Reader { buffer($0, sizeAt: 2) }
    case ("zwp_linux_buffer_params_v1", "create_immed"): Reader { buffer($0, sizeAt: 1) }
    case ("wl_pointer", "set_cursor"): Reader { $0.object(at: 1).map { .cursor($0) } }
    case ("wl_subcompositor", "get_subsurface"): Reader(subsurface)
    case (_, "get_xdg_surface"), (_, "get_layer_surface"): Reader(role)
    case (_, "get_toplevel"):
      Reader { message in message.newObject.map { .role($0, of: message.object) } }
    case (_, "set_title"): Reader { $0.text(at: 0).map { .title(unquoted($0)) } }
    default: nil
    }
  }

  private static func feedback(_ message: WaylandMessage) -> WaylandFact? {
    guard let surface = message.object(at: 0), let feedback = message.newObject else { return nil }
    return .feedback(surface: surface, feedback)
  }

  private static func subsurface(_ message: WaylandMessage) -> WaylandFact? {
    guard let surface = message.object(at: 1), let parent = message.object(at: 2) else {
      return nil
    }
    return .subsurface(surface, of: parent)
  }

  private static func role(_ message: WaylandMessage) -> WaylandFact? {
    guard let surface = message.object(at: 1), let role = message.newObject else { return nil }
    return .role(role, of: surface)
  }

  private static func buffer(
    _ message: WaylandMessage, sizeAt position: Int, isShared: Bool = false
  ) -> WaylandFact? {
    guard let buffer = message.newObject else { return nil }
    guard let width = message.integer(at: position), let height = message.integer(at: position + 1)
    else {
      return .buffer(buffer, nil, isShared: isShared)
    }
    return .buffer(buffer, Size(width: width, height: height), isShared: isShared)
  }

  private static func event(_ interface: String, _ name: String) -> Reader? {
    switch (interface, name) {
    case ("wl_callback", "done"): Reader { $0.milliseconds(at: 0).map { .done($0) } }
    case ("wl_buffer", "release"): Reader { _ in .released }
    case ("wl_display", "delete_id"): Reader { number($0).map { .gone($0) } }
    case ("wp_presentation", "clock_id"): Reader { number($0).map { .clock($0) } }
    case ("wp_presentation_feedback", "sync_output"):
      Reader { $0.object(at: 0).map { .shownOn(output: $0) } }
    case ("wp_presentation_feedback", "presented"): Reader(presented)
    case ("wp_presentation_feedback", "discarded"): Reader { _ in .discarded }
    case ("zwp_linux_buffer_params_v1", "created"):
      Reader { $0.newObject.map { .buffer($0, nil, isShared: false) } }
    case ("wl_output", "mode"): Reader(mode)
    default: nil
    }
  }

  private static func number(_ message: WaylandMessage) -> UInt32? {
    message.integer(at: 0).flatMap { UInt32(exactly: $0) }
  }

  private static func mode(_ message: WaylandMessage) -> WaylandFact? {
    guard message.argumentCount == 4, let flags = message.integer(at: 0), flags & 1 == 1 else {
      return nil
    }
    return message.integer(at: 3).map { .outputMode($0) }
  }

  private static func presented(_ message: WaylandMessage) -> WaylandFact? {
    // A clock that has run for more than 68 years is not valid.
    guard message.integer(at: 0) == 0, let seconds = message.integer(at: 1),
      let part = message.integer(at: 2), let refresh = message.integer(at: 3),
      0..<1 << 31 ~= seconds, 0..<1_000_000_000 ~= part, 0..<1 << 32 ~= refresh
    else { return nil }
    return .presented(
      seconds * 1_000_000_000 + part, refresh: refresh, kinds: message.integer(at: 6) ?? 0)
  }

  private static func unquoted(_ text: String) -> String {
    text.hasPrefix("\"") ? String(text.dropFirst().dropLast(text.hasSuffix("\"") ? 1 : 0)) : text
  }
}

extension WaylandFact {
  private static func input(_ interface: String, _ name: String) -> Reader? {
    switch (interface, name) {
    case ("wl_touch", "down"):
      Reader {
        .input(
          Input(
            device: .touch, phase: .began, time: $0.milliseconds(at: 1), surface: $0.object(at: 2),
            finger: finger($0, at: 3), x: $0.real(at: 4), y: $0.real(at: 5)))
      }
    case ("wl_touch", "motion"):
      Reader {
        .input(
          Input(
            device: .touch, phase: .moved, time: $0.milliseconds(at: 0), finger: finger($0, at: 1),
            x: $0.real(at: 2), y: $0.real(at: 3)))
      }
    case ("wl_touch", "up"):
      Reader {
        .input(
          Input(
            device: .touch, phase: .ended, time: $0.milliseconds(at: 1), finger: finger($0, at: 2)))
      }
    case ("wl_touch", "cancel"): Reader { _ in .input(Input(device: .touch, phase: .cancelled)) }
    case ("wl_pointer", "enter"), ("wl_keyboard", "enter"): Reader { .focus($0.object(at: 1)) }
    case ("wl_pointer", "leave"), ("wl_keyboard", "leave"): Reader { _ in .focus(nil) }
    case ("wl_pointer", "motion"):
      Reader {
        .input(
          Input(
            device: .pointer, phase: .moved, time: $0.milliseconds(at: 0), x: $0.real(at: 1),
            y: $0.real(at: 2)))
      }
    case ("wl_pointer", "button"):
      Reader {
        .input(
          Input(
            device: .click, phase: phase($0.real(at: 3)), time: $0.milliseconds(at: 1), finger: nil
          ))
      }
    case ("wl_keyboard", "key"):
      Reader {
        .input(
          Input(device: .key, phase: phase($0.real(at: 3)), time: $0.milliseconds(at: 1)))
      }
    default: nil
    }
  }

  private static func finger(_ message: WaylandMessage, at position: Int) -> Int64? {
    message.real(at: position).flatMap { Int64(exactly: $0) }
  }

  static func phase(_ state: Double?) -> TouchColumn.Phase? {
    switch state {
    case 0: .ended
    case 1: .began
    default: nil
    }
  }
}
