/// The roads by which compositors let a program inject inputs.
enum InjectionRoad {
  /// The first road that takes an input.
  /// - Parameter path: That of the compositor's socket.
  static func injector(
    _ input: InjectedInput, _ target: InjectionTarget, compositor path: String
  ) throws(InjectionTrouble) -> any InputInjector {
    let client = try WaylandClient(compositor: path)
    if let injector = try FakeInputInjector(client, target) { return injector }
    if let injector = try VirtualDeviceInjector(client, for: input, target) { return injector }
    // GNOME's own interface of Wayland shows which compositor it is.
    if client.globals.contains(where: { $0.interface.hasPrefix("gtk_shell") }) {
      return try RemoteDesktopInjector(client, target)
    }
    throw InjectionTrouble(
      problem: "the compositor at \(path) lets no program inject \(input.words)",
      help:
        "KWin takes all three from programs that it permits (KWIN_WAYLAND_NO_PERMISSION_CHECKS=1 for a test session), Sway and others of wlroots pointer and key, GNOME's all three"
    )
  }
}
