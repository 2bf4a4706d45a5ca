import FrameKit

/// Records an app on an Android device.
struct CaptureAndroid: Command {
  static let name = "capture android"
  static let summary = "records an Android app over adb, with Perfetto or gfxinfo"
  static let operands = "PACKAGE"
  static let operandCount = 1...1
  static let examples = [
    (
      command: "frametool capture android --duration 10 --then analyze com.example.app",
      does: "ten seconds of a running app"
    ),
    (
      command: "frametool capture android --dry-run com.example.app",
      does: "prints the adb commands"
    ),
  ]
  static let options: [CommandOption<CaptureAndroid>] =
    [
      .text(
        "--serial", "-s", to: \.serial, metavar: "SERIAL",
        help: "the device's serial number, if there are several devices"),
      .text("--adb", to: \.path, metavar: "PATH", help: "the path of adb (default: search PATH)"),
      .flag(
        "--gfxinfo", \.takesDumps,
        help:
          "use gfxinfo, the window manager's list of frames, even if the device has frame timelines"
      ),
    ] + CaptureOptions.options(\.capture, inParts: false)

  var serial: String?
  var path: String?
  var takesDumps = false
  var capture = CaptureOptions()

  /// The first API levels with frame timelines, and with dumps of individual frames.
  private static let timelineLevel = 31
  private static let dumpLevel = 23

  func run(_ operands: [String], on console: Console) throws(CommandError) -> ExitStatus {
    try capture.check()
    let package = operands[0]
    guard package.allSatisfy({ $0.isLetter || $0.isNumber || "._".contains($0) }) else {
      throw CommandError(
        .usage, "expected a package name, found \(PrintableText.line(package))",
        help: "'adb shell pm list packages' lists them")
    }
    let device = AndroidDevice(adb: path, serial: serial)
    let trace = AndroidTrace(device, package, capture)
    let dumps = AndroidDumps(device, package, capture)
    if capture.isDry {
      try console.print(
        (takesDumps ? dumps.words : trace.words).map { device.tool.line($0) + "\n" }.joined())
      return .success
    }
    let level = try device.level()
    guard level >= Self.dumpLevel else {
      throw CommandError(
        .unavailable,
        "the device has API level \(level); frame lists need level \(Self.dumpLevel) (Android 6) or higher",
        help: "record on a newer device or an emulator")
    }
    try device.checkRuns(package)
    if !takesDumps, level >= Self.timelineLevel {
      let files = try trace.record(on: console)
      return try capture.goOn(with: files, on: console)
    }
    if !takesDumps {
      console.note(
        "note: the device has API level \(level), frame timelines need \(Self.timelineLevel) (Android 12) or higher: recording gfxinfo, without display times"
      )
    }
    let files = try dumps.record(on: console)
    return try capture.goOn(with: files, named: dumps.path, on: console)
  }
}
