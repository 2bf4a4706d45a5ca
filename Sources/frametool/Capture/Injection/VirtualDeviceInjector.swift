/// Injects through the virtual devices of wlroots' compositors: clicks by `zwlr_virtual_pointer_manager_v1`, keys by
/// `zwp_virtual_keyboard_manager_v1`. There is none for touches.
struct VirtualDeviceInjector: InputInjector {
  let name: String
  private var client: WaylandClient
  private let device: UInt32
  private let target: InjectionTarget

  /// A keyboard as everybody's: the compositor puts it together from the files that it has itself.
  private static let keymap = """
    xkb_keymap { xkb_keycodes { include "evdev+aliases(qwerty)" }; xkb_types { include "complete" }; \
    xkb_compat { include "complete" }; xkb_symbols { include "pc+us+inet(evdev)" }; };
    """

  private enum Pointer {
    static let motionAbsolute = 1
    static let button = 2
    static let frame = 4
  }

  private enum Keyboard {
    static let keymap = 0
    static let key = 1
  }

  /// - Returns: `nil` where the compositor does not offer a device for the input.
  init?(
    _ client: WaylandClient, for input: InjectedInput, _ target: InjectionTarget
  ) throws(InjectionTrouble) {
    var client = client
    let interface: String
    switch input {
    case .touch: return nil
    case .pointer: interface = "zwlr_virtual_pointer_manager_v1"
    case .key: interface = "zwp_virtual_keyboard_manager_v1"
    }
    guard let manager = try client.bind(interface, atMost: 1),
      let seat = try client.bind("wl_seat", atMost: 1)
    else { return nil }
    device = client.newNumber()
    try client.send(manager, 0, [seat, device])
    if input == .key {
      let text = Array(Self.keymap.utf8) + [0]
      guard let file = SharedFile(holding: text) else {
        throw InjectionTrouble(problem: "no file for the keyboard's layout can be made")
      }
      try client.send(device, Keyboard.keymap, [1, UInt32(text.count)], file: file)
    }
    try client.findOutput()
    name = interface
    (self.client, self.target) = (client, target)
  }

  mutating func inject(
    _ input: InjectedInput, isDown: Bool, shift: (x: Double, y: Double)
  ) throws(InjectionTrouble) {
    try client.listen()
    let time = UInt32(truncatingIfNeeded: LaunchedProcess.now / 1_000_000)
    let state: UInt32 = isDown ? 1 : 0
    guard input == .pointer else {
      try client.send(device, Keyboard.key, [time, target.key, state])
      return
    }
    if isDown {
      try client.send(device, Pointer.motionAbsolute, [time] + place(shift))
      try client.send(device, Pointer.frame)
    }
    try client.send(device, Pointer.button, [time, LinuxInput.leftButton, state])
    try client.send(device, Pointer.frame)
  }

  /// Where the pointer goes, and the size that this is a part of.
  private func place(_ shift: (x: Double, y: Double)) -> [UInt32] {
    guard let size = client.outputSize else { return [1, 1, 2, 2] }
    let point = target.point ?? (Double(size.width) / 2, Double(size.height) / 2)
    return [
      UInt32(clamping: Int64((point.x + shift.x).rounded())),
      UInt32(clamping: Int64((point.y + shift.y).rounded())),
      UInt32(clamping: size.width), UInt32(clamping: size.height),
    ]
  }
}
