/// An interface through which a compositor lets programs inject inputs; the raw value is its name.
enum InjectionRoad: String {
  case fakeInput = "org_kde_kwin_fake_input"
  case virtualPointer = "zwlr_virtual_pointer_manager_v1"
  case virtualKeyboard = "zwp_virtual_keyboard_manager_v1"
  case remoteDesktop = "org.gnome.Mutter.RemoteDesktop"

  /// Chooses the interface for an input from those the compositor offers, without using it yet.
  init(of input: InjectedInput, in client: WaylandClient) throws(InjectionTrouble) {
    let virtual: InjectionRoad? =
      switch input {
      case .touch: nil
      case .pointer: .virtualPointer
      case .key: .virtualKeyboard
      }
    if client.offers(Self.fakeInput.rawValue) {
      self = .fakeInput
    } else if let virtual, client.offers(virtual.rawValue) {
      self = virtual
    } else if client.globals.contains(where: { $0.interface.hasPrefix("gtk_shell") }) {
      // GNOME's private Wayland interface identifies the compositor.
      self = .remoteDesktop
    } else {
      throw InjectionTrouble(
        problem: "the compositor at \(client.path) does not let programs inject \(input.words)",
        help:
          "GNOME accepts touch, pointer and key; so does KWin from permitted programs (KWIN_WAYLAND_NO_PERMISSION_CHECKS=1 for a test session); Sway and other wlroots compositors accept pointer and key"
      )
    }
  }

  /// Creates the injector for this interface.
  func injector(
    _ client: WaylandClient, _ target: InjectionTarget
  ) throws(InjectionTrouble) -> any InputInjector {
    switch self {
    case .fakeInput: try FakeInputInjector(client, target)
    case .virtualPointer: try VirtualPointerInjector(client, target)
    case .virtualKeyboard: try VirtualKeyboardInjector(client, target)
    case .remoteDesktop: try RemoteDesktopInjector(client, target)
    }
  }
}
