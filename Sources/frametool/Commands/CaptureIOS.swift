import FrameKit

/// Records an app on an iOS device with Instruments, and exports the tables that frametool reads.
struct CaptureIOS: Command {
  static let name = "capture ios"
  static let summary = "records an iOS app's hitches with xctrace, on a Mac"
  static let operands = "APP"
  static let operandCount = 1...1
  static let examples = [
    (
      command: "frametool capture ios --device 'My iPhone' --duration 10 --then report Sketch",
      does: "ten seconds of an app running on a device, and a report"
    ),
    (
      command: "frametool capture ios --dry-run Sketch",
      does: "prints the xctrace commands"
    ),
  ]
  static let options: [CommandOption<CaptureIOS>] =
    [
      .text(
        "--device", to: \.device, metavar: "NAME",
        help: "the device's name or identifier (default: this Mac)"),
      .text(
        "--template", to: \.template, metavar: "NAME",
        help: "the Instruments template (default: Animation Hitches)"),
      .text(
        "--xcrun", to: \.path, metavar: "PATH", help: "the path of xcrun (default: search PATH)"),
    ] + CaptureOptions.options(\.capture, inParts: false)

  var device: String?
  var template: String?
  var path: String?
  var capture = CaptureOptions()

  private static let usualDuration = 10.0

  func run(_ operands: [String], on console: Console) throws(CommandError) -> ExitStatus {
    try capture.check()
    let recording = XctraceCapture(
      tool: RecorderTool(
        path: path ?? "xcrun",
        source: "recording iOS needs a Mac with Xcode; frametool reads the exports on any system"),
      app: operands[0], device: device, template: template ?? "Animation Hitches",
      duration: capture.duration ?? Self.usualDuration,
      path: capture.path(of: operands[0], ending: ".trace"))
    if capture.isDry {
      try console.print(recording.words.map { recording.tool.line($0) + "\n" }.joined())
      return .success
    }
    let files = try recording.record()
    if !capture.quiet {
      console.note(
        "recorded \(PrintableText.line(recording.path)), and \(files.count) of its tables as XML next to it"
      )
    }
    return try capture.goOn(with: files, named: recording.path, on: console)
  }
}
