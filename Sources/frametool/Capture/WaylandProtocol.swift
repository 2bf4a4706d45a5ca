/// The Wayland messages that a recording follows: the encoding of their arguments, the objects they
/// create, and the arguments that are recorded.
///
/// Signatures are those of libwayland: `i` is a signed number, `u` an unsigned number, `f` a fixed-point number, `s` a
/// string, `o` an object, `n` a new object, `a` an array, and `h` a file descriptor, which takes no bytes. Messages are
/// listed in the order of their opcodes in wayland.xml, wayland-protocols and Mesa's wayland-drm.xml. Trailing messages
/// of an interface are omitted if they are not needed: a message without an entry is forwarded unread.
enum WaylandProtocol {
  /// A known message.
  struct Message {
    let name: String
    let signature: [UInt8]
    /// The interface of the object that the message creates; `nil` if that object is not followed.
    let makes: Interface?
    /// The indices of the recorded arguments, in order; `nil` to omit the message.
    let kept: [Int]?
    /// Whether the message establishes state, which a new file must repeat at its beginning.
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
    case display = "wl_display"
    case registry = "wl_registry"
    case callback = "wl_callback"
    case compositor = "wl_compositor"
    case surface = "wl_surface"
    case subcompositor = "wl_subcompositor"
    case seat = "wl_seat"
    case pointer = "wl_pointer"
    case keyboard = "wl_keyboard"
    case touch = "wl_touch"
    case output = "wl_output"
    case sharedMemory = "wl_shm"
    case sharedMemoryPool = "wl_shm_pool"
    case buffer = "wl_buffer"
    case drm = "wl_drm"
    case dmabuf = "zwp_linux_dmabuf_v1"
    case dmabufParameters = "zwp_linux_buffer_params_v1"
    case singlePixelBuffers = "wp_single_pixel_buffer_manager_v1"
    case presentation = "wp_presentation"
    case presentationFeedback = "wp_presentation_feedback"
    case shell = "xdg_wm_base"
    case shellSurface = "xdg_surface"
    case toplevel = "xdg_toplevel"
    case layerShell = "zwlr_layer_shell_v1"

    var requests: [Message] { requestTable[self] ?? [] }
    var events: [Message] { eventTable[self] ?? [] }
  }

  private static let requestTable: [Interface: [Message]] = [
    .display: [
      Message("sync", "n", makes: .callback), Message("get_registry", "n", makes: .registry),
    ],
    .registry: [Message("bind", "usun", kept: [1, 2, 3])],
    .compositor: [Message("create_surface", "n", makes: .surface, kept: [0], stays: true)],
    .surface: [
      Message("destroy", kept: []), Message("attach", "oii", kept: [0]), Message("damage", "iiii"),
      Message("frame", "n", makes: .callback, kept: [0]), Message("set_opaque_region", "o"),
      Message("set_input_region", "o"), Message("commit", kept: []),
    ],
    .subcompositor: [
      Message("destroy"), Message("get_subsurface", "noo", kept: [0, 1, 2], stays: true),
    ],
    .seat: [
      Message("get_pointer", "n", makes: .pointer),
      Message("get_keyboard", "n", makes: .keyboard),
      Message("get_touch", "n", makes: .touch),
    ],
    .pointer: [Message("set_cursor", "uoii", kept: [0, 1], stays: true)],
    .sharedMemory: [Message("create_pool", "nhi", makes: .sharedMemoryPool)],
    .sharedMemoryPool: [
      Message("create_buffer", "niiiiu", makes: .buffer, kept: [0, 2, 3, 5], stays: true)
    ],
    .buffer: [Message("destroy", kept: [])],
    .drm: [
      Message("authenticate", "u"),
      Message("create_buffer", "nuiiuu", makes: .buffer, kept: [0, 2, 3], stays: true),
      Message(
        "create_planar_buffer", "nuiiuiiiiii", makes: .buffer, kept: [0, 2, 3], stays: true),
      Message(
        "create_prime_buffer", "nhiiuiiiiii", makes: .buffer, kept: [0, 2, 3], stays: true),
    ],
    .dmabuf: [
      Message("destroy"), Message("create_params", "n", makes: .dmabufParameters),
    ],
    .dmabufParameters: [
      Message("destroy"), Message("add", "huuuuu"), Message("create", "iiuu"),
      Message("create_immed", "niiuu", makes: .buffer, kept: [0, 1, 2], stays: true),
    ],
    .singlePixelBuffers: [
      Message("destroy"), Message("create_u32_rgba_buffer", "nuuuu", makes: .buffer),
    ],
    .presentation: [
      Message("destroy"),
      Message("feedback", "on", makes: .presentationFeedback, kept: [0, 1]),
    ],
    .shell: [
      Message("destroy"), Message("create_positioner", "n"),
      Message("get_xdg_surface", "no", makes: .shellSurface, kept: [0, 1], stays: true),
    ],
    .shellSurface: [
      Message("destroy"),
      Message("get_toplevel", "n", makes: .toplevel, kept: [0], stays: true),
    ],
    .toplevel: [
      Message("destroy"), Message("set_parent", "o"),
      Message("set_title", "s", kept: [0], stays: true),
    ],
    .layerShell: [Message("get_layer_surface", "noous", kept: [0, 1], stays: true)],
  ]

  private static let eventTable: [Interface: [Message]] = [
    .display: [Message("error", "ous", kept: [0, 1, 2]), Message("delete_id", "u")],
    .registry: [Message("global", "usu")],
    .callback: [Message("done", "u", kept: [0])],
    .buffer: [Message("release", kept: [])],
    .output: [
      Message("geometry", "iiiiissi"), Message("mode", "uiii", kept: [0, 1, 2, 3], stays: true),
    ],
    .pointer: [
      Message("enter", "uoff", kept: [0, 1], stays: true), Message("leave", "uo", kept: [0, 1]),
      Message("motion", "uff", kept: [0, 1, 2]), Message("button", "uuuu", kept: [0, 1, 2, 3]),
    ],
    .keyboard: [
      Message("keymap", "uhu"), Message("enter", "uoa", kept: [0, 1], stays: true),
      Message("leave", "uo", kept: [0, 1]), Message("key", "uuuu", kept: [1, 2, 3]),
    ],
    .touch: [
      Message("down", "uuoiff", kept: [0, 1, 2, 3, 4, 5]), Message("up", "uui", kept: [0, 1, 2]),
      Message("motion", "uiff", kept: [0, 1, 2, 3]), Message("frame"),
      Message("cancel", kept: []),
    ],
    .dmabufParameters: [
      Message("created", "n", makes: .buffer, kept: [0], stays: true)
    ],
    .presentation: [Message("clock_id", "u", kept: [0], stays: true)],
    .presentationFeedback: [
      Message("sync_output", "o", kept: [0]),
      // The three words of the time, and the two of the refresh number, are each recorded as one
      // number.
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

/// An encoded message: the object, the opcode and size, and the arguments, in words.
struct WaylandWireMessage {
  let object: UInt32
  let opcode: Int
  /// The message's range in the buffer.
  let bytes: Range<Int>

  static let headerSize = 8

  /// The message that begins at an index; `nil` if the message is incomplete.
  /// - Throws: If the message's size is invalid.
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

  /// A word of a message; frametool supports only little-endian machines.
  static func word(in buffer: [UInt8], at position: Int) -> UInt32 {
    UInt32(buffer[position]) | UInt32(buffer[position + 1]) << 8 | UInt32(buffer[position + 2])
      << 16
      | UInt32(buffer[position + 3]) << 24
  }

  /// The bytes of a message that consists of words.
  static func bytes(_ object: UInt32, _ opcode: Int, _ words: [UInt32] = []) -> [UInt8] {
    let size = UInt32(headerSize + 4 * words.count)
    return ([object, size << 16 | UInt32(opcode)] + words).flatMap { word in
      [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: word >> $0) }
    }
  }

  /// A string argument: its length including the terminating zero, and its bytes.
  static func words(of text: String) -> [UInt32] {
    let bytes = Array(text.utf8) + [0]
    return [UInt32(bytes.count)]
      + stride(from: 0, to: bytes.count, by: 4).map { start in
        bytes[start..<min(start + 4, bytes.count)].reversed().reduce(0 as UInt32) {
          $0 << 8 | UInt32($1)
        }
      }
  }

  /// A fixed-point argument.
  static func fixed(_ value: Double) -> UInt32 {
    UInt32(bitPattern: Int32(clamping: Int64((value * 256).rounded())))
  }

  /// The arguments decoded by their signature; `nil` if they exceed the message.
  func arguments(in buffer: [UInt8], _ signature: [UInt8]) -> [WaylandArgument]? {
    var found: [WaylandArgument] = []
    found.reserveCapacity(signature.count)
    var position = bytes.lowerBound + Self.headerSize
    for kind in signature {
      if kind == UInt8(ascii: "h") {
        found.append(.none)
        continue
      }
      guard position + 4 <= bytes.upperBound else { return nil }
      let word = Self.word(in: buffer, at: position)
      position += 4
      switch kind {
      case UInt8(ascii: "i"): found.append(.number(Int64(Int32(bitPattern: word))))
      case UInt8(ascii: "f"): found.append(.real(Double(Int32(bitPattern: word)) / 256))
      case UInt8(ascii: "s"), UInt8(ascii: "a"):
        let size = Int(word)
        guard size <= bytes.upperBound - position else { return nil }
        let text = buffer[position..<position + size].prefix { $0 != 0 }
        found.append(
          kind == UInt8(ascii: "s") ? .text(String(decoding: text, as: UTF8.self)) : .none)
        position += (size + 3) / 4 * 4
      default: found.append(.number(Int64(word)))
      }
    }
    return found
  }
}

/// Why bytes are not valid messages.
struct WaylandWireTrouble: Error {
  let problem: String
}
