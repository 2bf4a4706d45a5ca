/// The messages of Wayland that a recording follows: how their arguments lie in bytes, which objects they
/// make, and what of them is written down.
///
/// Signatures are those of libwayland: `i` a number with a sign, `u` without, `f` a fixed-point number, `s` a
/// text, `o` an object, `n` a new object, `a` an array, `h` a file, which takes no bytes. Messages stand in the
/// order of their numbers in wayland.xml, wayland-protocols and Mesa's wayland-drm.xml. The last ones of an
/// interface that nobody needs are left out: what has no entry passes unread.
enum WaylandProtocol {
  /// What is known of a message.
  struct Message {
    let name: String
    let signature: [UInt8]
    /// The interface of the object it makes; `nil` for none that is followed.
    let makes: Interface?
    /// Which of its arguments are written down, in order; `nil` leaves the message out.
    let kept: [Int]?
    /// Whether it says something that stays true after it, which a new file has to begin with.
    let stays: Bool

    init(
      _ name: String, _ signature: String = "", makes: Interface? = nil, kept: [Int]? = nil,
      stays: Bool = false
    ) {
      self.name = name
      self.signature = Array(signature.utf8)
      self.makes = makes
      self.kept = kept
      self.stays = stays
    }
  }

  enum Interface: String {
    case wl_display, wl_registry, wl_callback, wl_compositor, wl_surface, wl_subcompositor, wl_seat
    case wl_pointer, wl_keyboard, wl_touch, wl_output, wl_shm, wl_shm_pool, wl_buffer, wl_drm
    case zwp_linux_dmabuf_v1, zwp_linux_buffer_params_v1, wp_single_pixel_buffer_manager_v1
    case wp_presentation, wp_presentation_feedback
    case xdg_wm_base, xdg_surface, xdg_toplevel, zwlr_layer_shell_v1

    var requests: [Message] { requestTable[self] ?? [] }
    var events: [Message] { eventTable[self] ?? [] }
  }

  private static let requestTable: [Interface: [Message]] = [
    .wl_display: [
      Message("sync", "n", makes: .wl_callback), Message("get_registry", "n", makes: .wl_registry),
    ],
    .wl_registry: [Message("bind", "usun", kept: [1, 2, 3])],
    .wl_compositor: [Message("create_surface", "n", makes: .wl_surface, kept: [0], stays: true)],
    .wl_surface: [
      Message("destroy", kept: []), Message("attach", "oii", kept: [0]), Message("damage", "iiii"),
      Message("frame", "n", makes: .wl_callback, kept: [0]), Message("set_opaque_region", "o"),
      Message("set_input_region", "o"), Message("commit", kept: []),
    ],
    .wl_subcompositor: [Message("destroy"), Message("get_subsurface", "noo", kept: [0, 1, 2], stays: true)],
    .wl_seat: [
      Message("get_pointer", "n", makes: .wl_pointer),
      Message("get_keyboard", "n", makes: .wl_keyboard),
      Message("get_touch", "n", makes: .wl_touch),
    ],
    .wl_pointer: [Message("set_cursor", "uoii", kept: [0, 1], stays: true)],
    .wl_shm: [Message("create_pool", "nhi", makes: .wl_shm_pool)],
    .wl_shm_pool: [Message("create_buffer", "niiiiu", makes: .wl_buffer, kept: [0, 2, 3, 5], stays: true)],
    .wl_buffer: [Message("destroy", kept: [])],
    .wl_drm: [
      Message("authenticate", "u"),
      Message("create_buffer", "nuiiuu", makes: .wl_buffer, kept: [0, 2, 3], stays: true),
      Message("create_planar_buffer", "nuiiuiiiiii", makes: .wl_buffer, kept: [0, 2, 3], stays: true),
      Message("create_prime_buffer", "nhiiuiiiiii", makes: .wl_buffer, kept: [0, 2, 3], stays: true),
    ],
    .zwp_linux_dmabuf_v1: [
      Message("destroy"), Message("create_params", "n", makes: .zwp_linux_buffer_params_v1),
    ],
    .zwp_linux_buffer_params_v1: [
      Message("destroy"), Message("add", "huuuuu"), Message("create", "iiuu"),
      Message("create_immed", "niiuu", makes: .wl_buffer, kept: [0, 1, 2], stays: true),
    ],
    .wp_single_pixel_buffer_manager_v1: [
      Message("destroy"), Message("create_u32_rgba_buffer", "nuuuu", makes: .wl_buffer),
    ],
    .wp_presentation: [
      Message("destroy"),
      Message("feedback", "on", makes: .wp_presentation_feedback, kept: [0, 1]),
    ],
    .xdg_wm_base: [
      Message("destroy"), Message("create_positioner", "n"),
      Message("get_xdg_surface", "no", makes: .xdg_surface, kept: [0, 1], stays: true),
    ],
    .xdg_surface: [
      Message("destroy"), Message("get_toplevel", "n", makes: .xdg_toplevel, kept: [0], stays: true),
    ],
    .xdg_toplevel: [
      Message("destroy"), Message("set_parent", "o"), Message("set_title", "s", kept: [0], stays: true),
    ],
    .zwlr_layer_shell_v1: [Message("get_layer_surface", "noous", kept: [0, 1], stays: true)],
  ]

  private static let eventTable: [Interface: [Message]] = [
    .wl_display: [Message("error", "ous", kept: [0, 1, 2]), Message("delete_id", "u")],
    .wl_registry: [Message("global", "usu")],
    .wl_callback: [Message("done", "u", kept: [0])],
    .wl_buffer: [Message("release", kept: [])],
    .wl_output: [Message("geometry", "iiiiissi"), Message("mode", "uiii", kept: [0, 1, 2, 3], stays: true)],
    .wl_pointer: [
      Message("enter", "uoff", kept: [0, 1], stays: true), Message("leave", "uo", kept: [0, 1]),
      Message("motion", "uff", kept: [0, 1, 2]), Message("button", "uuuu", kept: [0, 1, 2, 3]),
    ],
    .wl_keyboard: [
      Message("keymap", "uhu"), Message("enter", "uoa", kept: [0, 1], stays: true),
      Message("leave", "uo", kept: [0, 1]), Message("key", "uuuu", kept: [1, 2, 3]),
    ],
    .wl_touch: [
      Message("down", "uuoiff", kept: [0, 1, 2, 3, 4, 5]), Message("up", "uui", kept: [0, 1, 2]),
      Message("motion", "uiff", kept: [0, 1, 2, 3]), Message("frame"),
      Message("cancel", kept: []),
    ],
    .zwp_linux_buffer_params_v1: [Message("created", "n", makes: .wl_buffer, kept: [0], stays: true)],
    .wp_presentation: [Message("clock_id", "u", kept: [0], stays: true)],
    .wp_presentation_feedback: [
      Message("sync_output", "o", kept: [0]),
      // The three words of the time, and the two of the number, are each written as one.
      Message("presented", "uuuuuuu", kept: [0, 3, 4, 6]), Message("discarded", kept: []),
    ],
  ]
}

/// An argument of a message.
enum WaylandArgument {
  case number(Int64)
  case real(Double)
  case text(String)
  case none

  var integer: UInt32? {
    if case .number(let value) = self { UInt32(truncatingIfNeeded: value) } else { nil }
  }
}

/// A message as it lies in bytes: the object, its number and size, and its arguments, in words.
struct WaylandWireMessage {
  let object: UInt32
  let opcode: Int
  /// Where it lies.
  let bytes: Range<Int>

  static let headerSize = 8

  /// The message that begins at a place; `nil` where it is not there in full.
  /// - Throws: Where its size cannot be one.
  init?(in buffer: [UInt8], at start: Int) throws(WaylandWireTrouble) {
    guard buffer.count - start >= Self.headerSize else { return nil }
    let second = Self.word(in: buffer, at: start + 4)
    let size = Int(second >> 16)
    guard size >= Self.headerSize, size % 4 == 0 else {
      throw WaylandWireTrouble(problem: "expected a size of 8 bytes or more, found \(size)")
    }
    guard buffer.count - start >= size else { return nil }
    object = Self.word(in: buffer, at: start)
    opcode = Int(second & 0xffff)
    bytes = start..<start + size
  }

  /// A word of a message; the machines that frametool runs on are little-endian.
  static func word(in buffer: [UInt8], at place: Int) -> UInt32 {
    UInt32(buffer[place]) | UInt32(buffer[place + 1]) << 8 | UInt32(buffer[place + 2]) << 16
      | UInt32(buffer[place + 3]) << 24
  }

  /// The bytes of a message of words.
  static func bytes(_ object: UInt32, _ opcode: Int, _ words: [UInt32] = []) -> [UInt8] {
    let size = UInt32(headerSize + 4 * words.count)
    return ([object, size << 16 | UInt32(opcode)] + words).flatMap { word in
      [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: word >> $0) }
    }
  }

  /// Its arguments by their kinds; `nil` where they do not fit into it.
  func arguments(in buffer: [UInt8], _ signature: [UInt8]) -> [WaylandArgument]? {
    var found: [WaylandArgument] = []
    found.reserveCapacity(signature.count)
    var place = bytes.lowerBound + Self.headerSize
    for kind in signature {
      if kind == UInt8(ascii: "h") {
        found.append(.none)
        continue
      }
      guard place + 4 <= bytes.upperBound else { return nil }
      let word = Self.word(in: buffer, at: place)
      place += 4
      switch kind {
      case UInt8(ascii: "i"): found.append(.number(Int64(Int32(bitPattern: word))))
      case UInt8(ascii: "f"): found.append(.real(Double(Int32(bitPattern: word)) / 256))
      case UInt8(ascii: "s"), UInt8(ascii: "a"):
        let size = Int(word)
        guard size <= bytes.upperBound - place else { return nil }
        let text = buffer[place..<place + size].prefix { $0 != 0 }
        found.append(
          kind == UInt8(ascii: "s") ? .text(String(decoding: text, as: UTF8.self)) : .none)
        place += (size + 3) / 4 * 4
      default: found.append(.number(Int64(word)))
      }
    }
    return found
  }
}

/// Why bytes are no messages.
struct WaylandWireTrouble: Error {
  let problem: String
}
