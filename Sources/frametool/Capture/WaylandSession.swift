import FrameKit

/// The user's Wayland session, with the socket that a program uses instead of the compositor's.
struct WaylandSession {
  private let compositor: String
  private let display: String
  private let folder: String
  private let socket: String

  /// - Throws: If there is no compositor.
  init(_ console: Console) throws(CommandError) {
    guard let folder = console.variable("XDG_RUNTIME_DIR"), !folder.isEmpty else {
      throw CommandError(
        .unavailable, "there is no Wayland session: XDG_RUNTIME_DIR is not set",
        help:
          "run it in a Wayland session; 'frametool capture vulkan' needs none without --wayland and --inject"
      )
    }
    // Otherwise, another user could replace this socket.
    guard FileFolder.isTrustworthy(folder) else {
      throw CommandError(
        .unavailable, "XDG_RUNTIME_DIR: others can replace files in \(folder)",
        help: "it must name a folder that only you can write to")
    }
    let name = console.variable("WAYLAND_DISPLAY").flatMap { $0.isEmpty ? nil : $0 } ?? "wayland-0"
    compositor = Self.path(of: name, in: folder)
    display = "frametool-wayland-\(LaunchedProcess.ownIdentifier)"
    socket = "\(folder)/\(display)"
    self.folder = folder
    do throws(SystemError) {
      _ = try RelaySocket.connected(to: compositor)
    } catch {
      throw CommandError(
        .unavailable,
        "there is no Wayland compositor at \(compositor): \(systemError(error.number))",
        help: "run it in a Wayland session; WAYLAND_DISPLAY names the compositor's socket")
    }
  }

  /// The name of the session's compositor, with its version if known; `nil` if there is none.
  static func compositorName(_ console: Console) -> String? {
    guard let folder = console.variable("XDG_RUNTIME_DIR"), !folder.isEmpty else { return nil }
    let name = console.variable("WAYLAND_DISPLAY").flatMap { $0.isEmpty ? nil : $0 } ?? "wayland-0"
    return CompositorProgram.words(at: path(of: name, in: folder))
  }

  private static func path(of display: String, in folder: String) -> String {
    display.hasPrefix("/") ? display : "\(folder)/\(display)"
  }

  /// The socket path of another compositor; for `nil`, the path of the session's compositor.
  func compositor(_ display: String?) -> String {
    display.map { Self.path(of: $0, in: folder) } ?? compositor
  }

  /// The changes to the program's environment; an inherited socket is removed, because it would take precedence over
  /// the named socket.
  var changes: [String] {
    ["WAYLAND_DISPLAY=\(display)", "WAYLAND_SOCKET", "XDG_RUNTIME_DIR=\(folder)"]
  }

  /// A description of the relay, for a dry run.
  var words: String { "listen on \(socket), forward everything to \(compositor)" }

  /// - Parameters:
  ///   - asks: Whether to request display times if the program does not.
  ///   - injection: Injects inputs during the capture; `nil` for none.
  func relay(
    asks: Bool, injection: Injection? = nil
  ) throws(CommandError) -> WaylandRelay {
    removeOld()
    do throws(SystemError) {
      return try WaylandRelay(
        compositor: compositor, listeningAt: socket, asks: asks, injection: injection)
    } catch {
      throw CommandError(
        .unavailable, "\(socket): cannot be created: \(systemError(error.number))",
        help: "XDG_RUNTIME_DIR must name a folder that you own")
    }
  }

  /// Removes the sockets left by killed recorders.
  private func removeOld() {
    let files = ((try? FileFolder.files(in: folder)) ?? nil) ?? []
    let start = FileFolder.path(of: "frametool-wayland-", in: folder)
    for file in files where file.hasPrefix(start) {
      guard let process = Int(file.dropFirst(start.count)),
        !LaunchedProcess.isRunning(process)
      else { continue }
      ByteSink.remove(unfinished: file)
    }
  }

  func remove() { ByteSink.remove(unfinished: socket) }
}
