/// Injects keys through wlroots' `zwp_virtual_keyboard_v1`.
struct VirtualKeyboardInjector: InputInjector {
  private var client: WaylandClient
  private let device: UInt32
  private let key: UInt32

  /// A standard US keymap, which the compositor compiles from the compositor's files.
  private static let keymap = """
    xkb_keymap { xkb_keycodes { include "evdev+aliases(qwerty)" }; xkb_types { include "complete" }; \
    xkb_compat { include "complete" }; xkb_symbols { include "pc+us+inet(evdev)" }; };
    """

  private enum Request {
    static let keymap = 0
    static let key = 1
  }

  init(_ client: WaylandClient, _ target: InjectionTarget) throws(InjectionTrouble) {
    self.client = client
    device = try self.client.virtualDevice(InjectionRoad.virtualKeyboard.rawValue)
    key = target.key
    let text = Array(Self.keymap.utf8) + [0]
    guard let file = SharedFile(holding: text) else {
      throw InjectionTrouble(problem: "cannot create a file for the keyboard layout")
    }
    try self.client.send(device, Request.keymap, [1, UInt32(text.count)], file: file)
    try self.client.settle()
  }

  mutating func inject(
    _ input: InjectedInput, isDown: Bool, shift: (x: Double, y: Double)
  ) throws(InjectionTrouble) {
    try client.listen()
    try client.send(
      device, Request.key, [WaylandClient.milliseconds, key, isDown ? 1 : 0])
  }
}
