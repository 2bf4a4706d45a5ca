import FrameKit

/// Records the debug log of a program's Wayland library.
struct CaptureWaylandDebug: Command {
  static let name = "capture wayland-debug"
  static let summary = "records a Wayland program's WAYLAND_DEBUG log, without a relay"
  static let operands = "-- COMMAND…"
  static let operandCount = 1...Int.max
  static let examples = [
    (
      command: "frametool capture wayland-debug --then analyze -- foot",
      does: "runs a program with WAYLAND_DEBUG=1, and measures its frames when it ends"
    )
  ]
  static let options: [CommandOption<CaptureWaylandDebug>] = CaptureOptions.options(
    \.capture, inParts: false)

  var capture = CaptureOptions()

  func run(_ operands: [String], on console: Console) throws(CommandError) -> ExitStatus {
    try capture.check()
    let path = capture.path(of: operands[0], ending: ".wayland.log")
    let clocks = "\(CaptureOptions.stem(of: path)).meta.json"
    if capture.isDry {
      try console.print(
        """
        env WAYLAND_DEBUG=1 \(ShellWords.quoted(operands)) 2> \(ShellWords.quoted([path]))
        write \(clocks)

        """)
      return .success
    }
    let begin = SystemClocks()
    let written = try record(operands, to: path)
    let sidecar = SystemClocks.sidecar(begin, SystemClocks())
    try Output.write(to: clocks, on: console) { $0(sidecar) }
    if !capture.quiet {
      let megabytes = Megabytes.text(written)
      console.note(
        "recorded \(PrintableText.line(path)): \(megabytes) MB, and the clocks beside it")
    }
    return try capture.goOn(with: [path], on: console)
  }

  /// - Returns: The number of bytes logged.
  private func record(_ words: [String], to path: String) throws(CommandError) -> Int {
    let file: CaptureFile
    do throws(ParseError) {
      file = try CaptureFile(path: path, kept: nil, opening: [])
    } catch {
      throw CommandError(error)
    }
    do throws(CommandError) {
      // The program's standard error is part of the log.
      _ = try ProgramRun(
        words, changes: ["WAYLAND_DEBUG=1"], output: .errors, duration: capture.duration,
        taking: file.write)
    } catch {
      file.discard()
      throw error
    }
    let written = file.finish().written
    if written > 0 || file.failure == nil { file.keep() } else { file.discard() }
    if let failure = file.failure { throw CommandError(failure) }
    return written
  }
}
