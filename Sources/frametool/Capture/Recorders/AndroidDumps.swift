import FrameKit

/// Dumps of the window system's per-frame list of an app, made often enough to lose no frame: the list contains the
/// last 120 frames.
struct AndroidDumps {
  private let device: AndroidDevice
  private let package: String
  private let capture: CaptureOptions
  /// The path of the first dump, from which the other names are derived.
  let path: String

  init(_ device: AndroidDevice, _ package: String, _ capture: CaptureOptions) {
    (self.device, self.package, self.capture) = (device, package, capture)
    path = capture.path(of: package, ending: ".gfxinfo.txt") { ByteSink.exists($0) }
  }

  private var reset: [String] { device.words("shell", "dumpsys gfxinfo \(package) reset") }
  private var dump: [String] { device.words("shell", "dumpsys gfxinfo \(package) framestats") }

  /// The duration of 120 frames at the highest frame rates, in seconds.
  private static let interval = 0.5
  private static let usualDuration = 10.0

  var words: [[String]] { [reset, dump] }

  /// The path of a dump; all dumps except the first have a number.
  private func path(of dump: Int) -> String {
    guard dump > 1 else { return path }
    let number = String(repeating: "0", count: max(0, 3 - String(dump).count)) + String(dump)
    return "\(CaptureOptions.stem(of: path)).\(number).txt"
  }

  /// - Returns: The paths of the dumps.
  func record(on console: Console) throws(CommandError) -> [String] {
    let wish = StopWish()
    _ = try device.answer(reset, wish: nil)
    let end =
      LaunchedProcess.now + Nanoseconds.seconds(capture.duration ?? Self.usualDuration).count
    var files: [String] = []
    repeat {
      let begun = LaunchedProcess.now
      let answer = try device.answer(dump, wish: nil)
      files.append(path(of: files.count + 1))
      try Output.write(to: files[files.count - 1], on: console) { $0(answer.bytes) }
      wish.rest(until: min(begun + Nanoseconds.seconds(Self.interval).count, end))
    } while LaunchedProcess.now < end && !wish.hasCome
    if !capture.quiet {
      console.note(
        "recorded \(PrintableText.line(path)): \(files.count) gfxinfo dump\(files.count == 1 ? "" : "s")"
      )
    }
    return files
  }
}
