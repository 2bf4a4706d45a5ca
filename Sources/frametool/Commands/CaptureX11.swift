import FrameKit

/// Records what a program presents through an X server, from outside.
struct CaptureX11: Command {
  static let name = "capture x11"
  static let summary = "records an X11 program's frames: OpenGL, Vulkan, Xwayland"
  static let operands = "-- COMMAND…"
  static let operandCount = 1...Int.max
  static let examples = [
    (
      command: "frametool capture x11 --then analyze -- glxgears",
      does: "runs an OpenGL program, and measures its frames when it ends"
    ),
    (
      command: "frametool capture x11 --vulkan --duration 60 -o run.jsonl -- ./game",
      does: "a minute of a Vulkan game, with its CPU and GPU times"
    ),
  ]
  static let options: [CommandOption<CaptureX11>] =
    [
      .flag(
        "--vulkan", \.takesLayer,
        help: "also record from inside a Vulkan program: CPU, GPU, buffers"),
      .text(
        "--folder", to: \.folder, metavar: "DIR",
        help: "record through this folder, too, which the program's container shares"
      ).needing("--vulkan"),
    ] + CaptureOptions.options(\.capture)

  var takesLayer = false
  var folder: String?
  var capture = CaptureOptions()

  func run(_ operands: [String], on console: Console) throws(CommandError) -> ExitStatus {
    try capture.check(writesTraces: true)
    let path = capture.path(of: operands[0])
    let display = console.variable("DISPLAY").flatMap { $0.isEmpty ? nil : $0 }
    guard let display else {
      throw CommandError(
        .unavailable, "there is no X server: DISPLAY is not set",
        help: "run it in an X11 session or in a Wayland session with Xwayland")
    }
    var layer = takesLayer ? try LayerFolder(console, named: folder) : nil
    if capture.isDry {
      let variables = (layer.map { changes($0, console) } ?? []).filter { $0.contains("=") }
        .map { ShellWords.quoted([$0]) }
      let environment = variables.isEmpty ? "" : "env \(variables.joined(separator: " ")) "
      try console.print(
        """
        follow the presents of all programs that connect to \(display)
        \(environment)\(ShellWords.quoted(operands))
        write \(path)

        """)
      return .success
    }
    let source = X11Capture(try X11Session(display))
    // A launcher may exit after it has started the game.
    LaunchedProcess.adopt()
    guard takesLayer else {
      return try capture.capture(source, of: operands, changes: [], to: path, on: console)
    }
    try layer?.make()
    defer { layer?.remove() }
    guard let layer else { return .success }
    return try capture.capture(
      JointCapture(source, LayerCapture(layer, as: .besideMessages)), of: operands,
      changes: changes(layer, console), to: path, on: console)
  }

  private func changes(_ folder: LayerFolder, _ console: Console) -> [String] {
    folder.changes(shared: console.variable("XDG_DATA_DIRS"))
  }
}
