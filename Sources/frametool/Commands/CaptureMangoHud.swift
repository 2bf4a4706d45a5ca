import FrameKit

/// Records a program's frames with MangoHud.
struct CaptureMangoHud: Command {
  static let name = "capture mangohud"
  static let summary = "records a game's frame times with MangoHud, Vulkan or OpenGL"
  static let operands = "-- COMMAND…"
  static let operandCount = 1...Int.max
  static let examples = [
    (
      command: "frametool capture mangohud --then analyze -- glxgears",
      does: "30 seconds of an OpenGL program under X11, which no other capture command records"
    ),
    (
      command: "frametool capture mangohud --duration 60 -o run.csv -- ./game",
      does: "a minute of a game"
    ),
  ]
  static let options: [CommandOption<CaptureMangoHud>] =
    [
      .text(
        "--mangohud", to: \.path, metavar: "PATH",
        help: "the path of the mangohud command (default: search PATH)")
    ] + CaptureOptions.options(\.capture, inParts: false)

  var path: String?
  var capture = CaptureOptions()

  /// The delay before MangoHud starts recording, and the time it gets to write its log, in seconds.
  private static let delay = 1
  private static let patience = 10.0
  private static let usualDuration = 30.0

  func run(_ operands: [String], on console: Console) throws(CommandError) -> ExitStatus {
    try capture.check()
    let tool = RecorderTool(
      path: path ?? "mangohud",
      source: "install MangoHud: 'apt install mangohud', or your system's package")
    // MangoHud counts whole seconds, and never writes a log without an end.
    let duration = max(1, (capture.duration ?? Self.usualDuration).rounded(.up))
    let output = capture.path(of: operands[0], ending: ".csv")
    let words = [tool.path, "--dlsym"] + operands
    let configuration = { (folder: String) in
      "MANGOHUD_CONFIG=output_folder=\(folder),log_interval=0,autostart_log=\(Self.delay),log_duration=\(Int(duration)),no_display"
    }
    if capture.isDry {
      try console.print(
        """
        env \(ShellWords.quoted([configuration("\(output).recording")])) \(ShellWords.quoted(words))
        write \(output)

        """)
      return .success
    }
    let folder = try CaptureFolder(beside: output)
    defer { folder.remove() }
    let isSummarized = { folder.files.contains { $0.hasSuffix("_summary.csv") } }
    let run = try ProgramRun(
      words, of: tool, changes: [configuration(folder.path)], output: .shown,
      duration: Double(Self.delay) + duration + Self.patience, isDone: isSummarized)
    guard
      let log = folder.files.first(where: { $0.hasSuffix(".csv") && !$0.hasSuffix("_summary.csv") })
    else { throw Self.nothing(run, operands[0], duration) }
    try folder.move(log, to: output, on: console)
    if !capture.quiet {
      console.note("recorded \(PrintableText.line(output)): MangoHud's log of \(Int(duration)) s")
    }
    return try capture.goOn(with: [output], on: console)
  }

  private static func nothing(
    _ run: ProgramRun, _ program: String, _ duration: Double
  ) -> CommandError {
    switch run.stop {
    case .wish:
      return CommandError(
        .badData, "MangoHud wrote no log: it writes one only when its duration is over",
        help: "let it run for \(Int(duration) + delay) s, or give a shorter --duration")
    case .done:
      return CommandError(
        .badData, "MangoHud wrote no log of \(PrintableText.line(program))",
        help:
          "MangoHud records Vulkan and OpenGL on X11 and Wayland; 'capture wayland' records other Wayland programs"
      )
    case nil:
      let how = run.end.status.map { "with status \($0)" } ?? "by signal \(run.end.signal)"
      return CommandError(
        .badData,
        "\(PrintableText.line(program)) ended \(how) before MangoHud wrote its log",
        help: run.end.status == 0
          ? "MangoHud writes it \(Int(duration) + delay) s after the start: give a shorter --duration"
          : "run it by itself to see why")
    }
  }
}
