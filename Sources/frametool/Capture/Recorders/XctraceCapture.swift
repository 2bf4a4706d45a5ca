import FrameKit

/// A recording made with `xctrace` from Instruments, and the recording's tables that frametool reads.
struct XctraceCapture {
  let tool: RecorderTool
  let app: String
  let device: String?
  let template: String
  let duration: Double
  /// The bundle that Instruments writes.
  let path: String

  private var start: [String] {
    let seconds = Int(duration.rounded(.up))
    return ["xctrace", "record", "--template", template]
      + (device.map { ["--device", $0] } ?? [])
      + ["--attach", app, "--time-limit", "\(seconds)s", "--output", path, "--no-prompt"]
  }

  private var contents: [String] { ["xctrace", "export", "--input", path, "--toc"] }

  private func export(_ table: String) -> [String] {
    [
      "xctrace", "export", "--input", path, "--xpath",
      "/trace-toc/run[@number=\"1\"]/data/table[@schema=\"\(table)\"]", "--output", file(of: table),
    ]
  }

  private func file(of table: String) -> String { "\(CaptureOptions.stem(of: path)).\(table).xml" }

  /// All commands, in order; only tables that the recording contains are exported.
  var words: [[String]] { [start, contents] + XctraceExport.tables.map(export) }

  /// - Returns: The tables' paths.
  func record() throws(CommandError) -> [String] {
    // Instruments needs time to save; if the user stops the recording, the data recorded so far is kept.
    let recorded = try tool.record(start, within: duration + 120, patience: 60)
    if !recorded.wasStopped { try check(recorded) }
    let listed = try tool.answer(contents, within: 120)
    try check(listed)
    let tables = XctraceExport.tables.filter { listed.text.contains("schema=\"\($0)\"") }
    guard !tables.isEmpty else {
      throw CommandError(
        .badData,
        "\(PrintableText.line(path)): the recording has none of the tables that frametool reads",
        help: "record with the template Animation Hitches, the default")
    }
    for table in tables { try check(try tool.answer(export(table), within: 600)) }
    return tables.map(file)
  }

  /// Known errors of xctrace, each with an explanation and advice.
  private static let troubles: [RecorderTool.Trouble] = [
    .init(
      "unable to find utility \"xctrace\"", "Xcode is not installed, only its command-line tools",
      "install Xcode, and select it with 'sudo xcode-select -s /Applications/Xcode.app'"),
    .init(
      "cannot find process", "the app is not running on the device",
      "open it there, and use the name that 'xctrace' lists"),
    .init(
      "unable to find device", "the device was not found",
      "'xcrun xctrace list devices' lists the available ones"),
    .init(
      "device is locked", "the device is locked", "unlock it, and keep it unlocked while it records"
    ),
    .init(
      "not paired", "the device does not trust this Mac yet",
      "unlock it and accept the trust request"),
    .init(
      "developer mode", "the device is not in developer mode",
      "turn it on under Settings, Privacy & Security, Developer Mode"),
    .init(
      "unable to find template", "no template has that name",
      "'xcrun xctrace list templates' lists the available ones"),
    .init("already exists", "the output file already exists", "give another name with -o"),
    .fullDisk,
  ]

  private func check(_ answer: RecorderTool.Answer) throws(CommandError) {
    if answer.status == 0 { return }
    if let known = answer.error(among: Self.troubles) { throw known }
    let how = answer.status.map { "failed with status \($0)" } ?? "timed out"
    throw CommandError(
      .unavailable, "xctrace \(how): \(answer.lastLine)",
      help: "'--dry-run' prints the commands, to run them yourself")
  }
}
