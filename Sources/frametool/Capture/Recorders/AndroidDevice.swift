import FrameKit

/// A device connected through adb, and the commands to query it.
struct AndroidDevice {
  let tool: RecorderTool
  private let serial: String?

  /// - Parameters:
  ///   - path: The path of adb; `nil` to use the one in PATH.
  ///   - serial: The device's serial number; `nil` for the only connected device.
  init(adb path: String?, serial: String?) {
    tool = RecorderTool(
      path: path ?? "adb",
      source:
        "install Android's platform tools: 'apt install adb', 'brew install android-platform-tools', or Android Studio"
    )
    self.serial = serial
  }

  /// The arguments of adb for this device.
  func words(_ arguments: String...) -> [String] { (serial.map { ["-s", $0] } ?? []) + arguments }

  /// Runs a command of adb.
  func answer(
    _ arguments: [String], within seconds: Double = 30, wish: StopWish? = StopWish()
  ) throws(CommandError) -> RecorderTool.Answer {
    let answer = try tool.answer(arguments, within: seconds, wish: wish)
    if let trouble = Self.trouble(answer, PrintableText.line(tool.line(arguments))) {
      throw trouble
    }
    return answer
  }

  /// Runs a command on the device.
  func shell(_ command: String, within seconds: Double = 30) throws(CommandError)
    -> RecorderTool.Answer
  {
    try answer(words("shell", command), within: seconds)
  }

  /// Known errors of adb, each with an explanation and advice.
  private static let troubles: [RecorderTool.Trouble] = [
    .init(
      "unauthorized", "the device does not trust this computer yet",
      "unlock it and allow USB debugging when asked"),
    .init(
      "more than one device", "several devices are connected",
      "'adb devices' lists them; choose one with --serial"),
    .init(
      "no devices", "no device is connected",
      "connect one and turn on USB debugging in its developer options; 'adb devices' then lists it"),
    .init(
      "' not found", "no connected device has that serial number",
      "'adb devices' lists the connected devices"),
    .init("offline", "the device is offline", "reconnect it, or run 'adb reconnect'"),
    .init(
      "no permissions", "the current user is not allowed to use the device",
      "install the udev rules ('apt install android-sdk-platform-tools-common') and reconnect it"
    ),
    .fullDisk,
  ]

  /// Why a command of adb failed; `nil` if it succeeded.
  private static func trouble(_ answer: RecorderTool.Answer, _ line: String) -> CommandError? {
    if answer.status == 0 { return nil }
    if let known = answer.error(among: troubles) { return known }
    guard let status = answer.status else {
      return CommandError(
        .unavailable, "\(line): timed out",
        help: "run it yourself; 'adb reconnect' may help")
    }
    return CommandError(
      .unavailable, "\(line): failed with status \(status): \(answer.lastLine)",
      help: "run it yourself")
  }
}

extension AndroidDevice {
  /// The Android API level of the device, from 1.
  func level() throws(CommandError) -> Int {
    let answer = try shell("getprop ro.build.version.sdk")
    guard let level = Int(answer.lastLine.filter { !$0.isWhitespace }) else {
      throw CommandError(
        .unavailable, "the device does not report its API level: \(answer.lastLine)",
        help: "check that it runs Android")
    }
    return level
  }

  /// Checks that a package is running.
  func checkRuns(_ package: String) throws(CommandError) {
    let answer = try tool.answer(words("shell", "pidof \(package)"))
    if answer.status == 0, answer.text.contains(where: \.isNumber) { return }
    if let known = answer.error(among: Self.troubles) { throw known }
    throw CommandError(
      .unavailable, "\(package) is not running on the device",
      help:
        "open it, or start it with 'adb shell monkey -p \(package) 1'; 'adb shell pm list packages' lists all packages"
    )
  }
}
