import FrameKit

/// The program that shows the frames of a session, as a recording names it: `weston 10.0.1`.
///
/// The version matters, because compositors change how they schedule frames. Compositors have no message for the
/// version, so it is read from the program's command-line output.
enum CompositorProgram {
  /// The programs that print their version and exit, with the option that requests it. Other programs might start a
  /// session instead.
  private static let known: [String: String] = [
    "cage": "-v", "gamescope": "--version", "gnome-shell": "--version", "hyprland": "--version",
    "kwin_wayland": "--version", "labwc": "--version", "mutter": "--version", "niri": "--version",
    "river": "-version", "sway": "--version", "wayfire": "--version", "weston": "--version",
  ]
  /// Only system programs are queried. The program at a socket may belong to another user, or to a container.
  private static let folders = ["/usr/bin/", "/usr/local/bin/", "/usr/libexec/"]

  /// The name, and the version if known.
  /// - Parameters:
  ///   - name: The name of the process.
  ///   - program: The path of the process's program; `nil` if the system does not report it.
  ///   - answer: The output of a program that is run with its version option; `nil` if it fails.
  static func words(
    _ name: String, program: String?, answer: (_ program: String, _ option: String) -> String?
  ) -> String {
    guard let program, let folder = folders.first(where: program.hasPrefix),
      let option = known[program.dropFirst(folder.count).lowercased()],
      let text = answer(program, option),
      let version = version(in: text)
    else { return name }
    return "\(name) \(version)"
  }

  /// The program at a socket; `nil` if no program listens there, or the system does not report it.
  static func words(at path: String) -> String? {
    guard let peer = RelaySocket.program(at: path) else { return nil }
    let running = "/proc/\(peer.process)/exe"
    return words(peer.name, program: PageCache.file(named: running)) { program, option in
      // In a container, another program may have the same path.
      guard FileDescriptor.isSame(running, program) else { return nil }
      // Without these variables, the program cannot accidentally open a window.
      let tool = RecorderTool(path: "/usr/bin/env", source: "coreutils")
      let found = try? tool.record(
        ["-u", "WAYLAND_DISPLAY", "-u", "DISPLAY", program, option], within: 1, patience: 0,
        wish: nil)
      return found.flatMap { $0.status == 0 ? $0.text : nil }
    }
  }

  /// The first word that consists of numbers separated by periods: `43.9` in `GNOME Shell 43.9`.
  static func version(in text: String) -> String? {
    let line = text.split(whereSeparator: \.isNewline).first ?? ""
    return line.split(whereSeparator: \.isWhitespace).map { word in
      word.first == "v" ? word.dropFirst() : word
    }.first { word in
      let parts = word.split(separator: ".", omittingEmptySubsequences: false)
      return parts.count > 1 && parts.allSatisfy { !$0.isEmpty && $0.allSatisfy(\.isWholeNumber) }
    }.map { String($0.prefix(32)) }
  }
}
