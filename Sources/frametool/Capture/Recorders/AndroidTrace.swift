import FrameKit

/// A Perfetto trace from a device: frame timelines, work of the app and the system, inputs,
/// scheduling.
struct AndroidTrace {
  private let device: AndroidDevice
  private let package: String
  private let capture: CaptureOptions
  private let path: String

  init(_ device: AndroidDevice, _ package: String, _ capture: CaptureOptions) {
    (self.device, self.package, self.capture) = (device, package, capture)
    path = capture.path(of: package, ending: ".perfetto-trace")
  }

  /// A path on the device where the shell user can write traces and read them.
  private static let remote = "/data/misc/perfetto-traces/frametool.perfetto-trace"

  /// The Perfetto configuration, on one line because it passes through two shells.
  private var configuration: String {
    let limit = capture.duration.map { " duration_ms: \(Int(($0 * 1000).rounded(.up)))" } ?? ""
    let categories = ["gfx", "view", "input", "wm", "am", "sched"]
      .map { "atrace_categories: \"\($0)\"" }.joined(separator: " ")
    return
      "buffers { size_kb: 131072 fill_policy: RING_BUFFER }"
      + " data_sources { config { name: \"android.surfaceflinger.frametimeline\" } }"
      + " data_sources { config { name: \"linux.process_stats\" process_stats_config { scan_all_processes_on_start: true } } }"
      + " data_sources { config { name: \"linux.ftrace\" ftrace_config { ftrace_events: \"sched/sched_switch\" ftrace_events: \"sched/sched_waking\" \(categories) atrace_apps: \"\(package)\" } } }"
      + limit
  }

  /// Starts recording, prints the recorder's process ID, and waits for it to end.
  private var start: [String] {
    device.words(
      "shell",
      "echo '\(configuration)' | perfetto --txt -c - -o \(Self.remote) & echo pid $!; wait $!")
  }

  private var pull: [String] { device.words("pull", Self.remote, path) }
  private var clean: [String] { device.words("shell", "rm -f \(Self.remote)") }

  /// All commands, in order.
  var words: [[String]] {
    [
      device.words("shell", "getprop ro.build.version.sdk"),
      device.words("shell", "pidof \(package)"), start, pull, clean,
    ]
  }

  /// - Returns: The trace's path.
  func record(on console: Console) throws(CommandError) -> [String] {
    if !capture.quiet, capture.duration == nil { console.note("recording; Ctrl-C ends it") }
    // The recorder on the device limits the duration; a broken connection must not block forever. Ending the recorder's
    // shell would lose the recorded data, so the recorder is asked to end through another shell.
    let answer = try device.tool.record(
      start, within: capture.duration.map { $0 + 30 }, patience: 60,
      ending: { said throws(CommandError) in try end(String(decoding: said, as: UTF8.self)) })
    if answer.status != 0 { throw Self.failure(answer) }
    _ = try device.answer(pull, within: 600)
    _ = try? device.answer(clean)
    if !capture.quiet { console.note("recorded \(PrintableText.line(path)): a Perfetto trace") }
    return [path]
  }

  /// Asks the recorder on the device to end and write its data.
  private func end(_ said: String) throws(CommandError) {
    let number = said.split(whereSeparator: \.isNewline).first { $0.hasPrefix("pid ") }
      .flatMap { Int($0.dropFirst(4).filter { !$0.isWhitespace }) }
    guard let number else {
      throw CommandError(
        .inputOutput, "stopped before the device began to record", help: "let it run for longer"
      )
    }
    _ = try device.shell("kill -INT \(number)")
  }

  private static func failure(_ answer: RecorderTool.Answer) -> CommandError {
    if answer.says("no space left") {
      return CommandError(
        .inputOutput, "the device's disk is full",
        help: "free some space, or record for less time with --duration")
    }
    let how = answer.status.map { "failed with status \($0)" } ?? "timed out"
    return CommandError(
      .unavailable, "Perfetto \(how) on the device: \(answer.lastLine)",
      help: "--gfxinfo records without it")
  }
}
