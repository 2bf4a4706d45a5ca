import FrameKit

/// The program that shows the frames of a session, as a recording names it: `weston 10.0.1`.
///
/// The version matters, because compositors change how they schedule frames. A compositor has no message for it, so the
/// program is asked with `--version`.
enum CompositorProgram {
  /// The programs that print their version and end. Another one might start a session instead.
  private static let known: Set<String> = [
    "cage", "cosmic-comp", "gamescope", "gnome-shell", "hyprland", "kwin_wayland", "labwc",
    "mutter", "niri", "river",
    "sway", "wayfire", "weston",
  ]
  /// Only programs of the system are asked. The one at a socket may belong to another user, or to a container.
  private static let folders = ["/usr/bin/", "/usr/local/bin/", "/usr/libexec/"]

  /// The name, and the version if it is known.
  /// - Parameters:
  ///   - name: The name of the process.
  ///   - program: The path of its program; `nil` if the system does not tell.
  ///   - answer: What a program prints when asked for its version; `nil` if it fails.
  static func words(
    _ name: String, program: String?, answer: (_ program: String) -> String?
  ) -> String {
    guard let program, let folder = folders.first(where: program.hasPrefix),
      known.contains(program.dropFirst(folder.count).lowercased()), let text = answer(program),
      let version = version(in: text)
    else { return name }
    return "\(name) \(version)"
  }

  /// The program at a socket; `nil` if none listens there, or the system does not tell.
  static func words(at path: String) -> String? {
    guard let peer = RelaySocket.program(at: path) else { return nil }
    return words(peer.name, program: PageCache.file(named: "/proc/\(peer.process)/exe")) {
      // Without a session's variables, it cannot open one by mistake.
      let tool = RecorderTool(path: "/usr/bin/env", source: "coreutils")
      let found = try? tool.answer(
        ["-u", "WAYLAND_DISPLAY", "-u", "DISPLAY", "-u", "XDG_RUNTIME_DIR", $0, "--version"],
        within: 1, wish: nil)
      return found.flatMap { $0.status == 0 ? $0.text : nil }
    }
  }

  /// The first word of numbers with points between them: `43.9` in `GNOME Shell 43.9`.
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
