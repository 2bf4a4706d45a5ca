import FrameKit

/// Records a Vulkan program from inside, with a Vulkan layer.
struct CaptureVulkan: Command {
  static let name = "capture vulkan"
  static let summary = "records a Vulkan program's frames: CPU, GPU, buffers, display"
  static let operands = "-- COMMAND…"
  static let operandCount = 1...Int.max
  static let examples = [
    (
      command: "frametool capture vulkan --then analyze -- vkcube-wayland",
      does: "runs a program, and measures its frames when it ends"
    ),
    (
      command: "frametool capture vulkan --duration 60 -o run.jsonl -- ./game",
      does: "a minute of a game and of the programs it starts"
    ),
    (
      command: "frametool capture vulkan --inject pointer --then analyze -- ./game",
      does: "clicks into a game 100 times, and measures how long it takes to respond"
    ),
    (
      command: "frametool capture vulkan -o /tmp/game.jsonl -- %command%",
      does: "as a Steam game's launch options"
    ),
  ]
  static let options: [CommandOption<CaptureVulkan>] =
    [
      .flag(
        "--wayland", \.takesMessages,
        help: "also record the program's messages to its compositor, with inputs and buffers"),
      .text(
        "--folder", to: \.folder, metavar: "DIR",
        help: "record through this folder, too: one that the program's container shares"),
    ] + InjectionOptions.options(\.injection) + CaptureOptions.options(\.capture)

  var takesMessages = false
  var folder: String?
  var injection = InjectionOptions()
  var capture = CaptureOptions()

  func run(_ operands: [String], on console: Console) throws(CommandError) -> ExitStatus {
    try capture.check(writesTraces: true)
    try injection.check()
    try Self.check(operands[0])
    var folder = try LayerFolder(console, named: folder)
    let path = capture.path(of: operands[0])
    // The compositor forwards the inputs, and reports when the responses are displayed.
    let session = takesMessages || injects ? try WaylandSession(console) : nil
    if capture.isDry {
      let variables = changes(folder, session, console).filter { $0.contains("=") }
        .map { ShellWords.quoted([$0]) }
      let injected = try session.flatMap { session throws(CommandError) in
        try injection.words(session)
      }
      let first = [session?.words, injected].compactMap { $0.map { $0 + "\n" } }.joined()
      try console.print(
        """
        \(first)env \(variables.joined(separator: " ")) \(ShellWords.quoted(operands))
        write \(path)

        """)
      return .success
    }
    try folder.make()
    defer { folder.remove() }
    let changes = changes(folder, session, console)
    guard let session else {
      return try capture.capture(
        LayerCapture(folder, compositor: WaylandSession.compositorName(console)), of: operands,
        changes: changes, to: path, on: console)
    }
    let relay = try session.relay(asks: true, injection: injection.injection(session))
    defer { session.remove() }
    return try capture.capture(
      JointCapture(relay, LayerCapture(folder, as: .besideMessages)), of: operands,
      changes: changes, to: path, on: console)
  }

  /// The changes to the program's environment.
  private func changes(
    _ folder: LayerFolder, _ session: WaylandSession?, _ console: Console
  ) -> [String] {
    folder.changes(shared: console.variable("XDG_DATA_DIRS"), readsPictures: injects)
      + (session?.changes ?? [])
  }

  private var injects: Bool { injection.input != nil }

  /// Checks that a program can load the layer.
  private static func check(_ program: String) throws(CommandError) {
    guard let path = PageCache.file(named: program), let file = try? InputFile(path: path),
      file.head.starts(with: [0x7f, 0x45, 0x4c, 0x46, 1])
    else { return }
    throw CommandError(
      .unavailable, "\(program): expected a 64-bit program, found a 32-bit one",
      help: "MangoHud records 32-bit programs, and frametool reads its logs")
  }
}
