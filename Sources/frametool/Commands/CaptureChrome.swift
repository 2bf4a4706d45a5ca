import FrameKit

/// Records a page in Chromium with the browser's tracing.
struct CaptureChrome: Command {
  static let name = "capture chrome"
  static let summary = "records a web page in Chromium: frames, stages, inputs"
  static let operands = "URL [-- BROWSER-OPTION…]"
  static let operandCount = 1...Int.max
  static let examples = [
    (
      command: "frametool capture chrome --duration 10 --then report https://example.org",
      does: "ten seconds of a page"
    ),
    (
      command:
        "frametool capture chrome --touch drag.txt --headless --duration 3 file:///tmp/page.html",
      does: "touches a page, in a browser without a window"
    ),
    (
      command:
        "frametool capture chrome --click '#search' --type shoes --duration 2 --then analyze https://example.org",
      does: "how long the page takes to answer a click and keys (INP), and why"
    ),
  ]
  static let options: [CommandOption<CaptureChrome>] =
    [
      .text(
        "--browser", to: \.path, metavar: "PATH",
        help: "the browser (default: chromium, google-chrome or chrome in PATH)"),
      .text(
        "--touch", to: \.touches, metavar: "FILE",
        help:
          "touch the page: lines such as '0 down 100 200', '16 move 110 200' and '32 up', in ms and CSS pixels"
      ),
      .flag(
        "--headless", \.isHeadless, help: "run without a window; the default if there is no display"
      ),
    ] + PageAction.options(\.actions) + CaptureOptions.options(\.capture, inParts: false)

  var path: String?
  var touches: String?
  var actions: [PageAction] = []
  var isHeadless = false
  var capture = CaptureOptions()

  private static let browsers = [
    "chromium", "google-chrome", "google-chrome-stable", "chrome", "chromium-browser",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  ]

  func run(_ operands: [String], on console: Console) throws(CommandError) -> ExitStatus {
    try capture.check()
    let tool = RecorderTool(
      path: path ?? Self.browsers.first { PageCache.file(named: $0) != nil } ?? Self.browsers[0],
      source: "install Chromium ('apt install chromium') or Chrome, or name it with --browser")
    let output = capture.path(of: Self.host(of: operands[0]), ending: ".trace.json")
    let hidden = isHeadless || !Self.hasDisplay(console)
    let words = { (profile: String) in
      [tool.path, "--remote-debugging-pipe", "--user-data-dir=\(profile)", "--no-first-run"]
        + ["--no-default-browser-check", "--disable-background-networking", "--disable-extensions"]
        + (hidden ? ["--headless=new"] : [])
        // Otherwise, the browser refuses to run as the superuser, for example in containers.
        + (LaunchedProcess.isSuperuser ? ["--no-sandbox"] : []) + operands.dropFirst()
        + ["about:blank"]
    }
    if capture.isDry {
      try console.print(
        """
        \(ShellWords.quoted(words("\(output).recording")))
        trace \(ChromeRecording.categories.joined(separator: ",")) of \(operands[0])
        write \(output)

        """)
      return .success
    }
    let script = try touches.map { path throws(CommandError) in try Self.script(path, console) }
    let folder = try CaptureFolder(beside: output)
    defer { folder.remove() }
    let written = try record(operands[0], words(folder.path), tool, script, to: output, on: console)
    if !capture.quiet {
      let megabytes = Megabytes.text(written)
      console.note("recorded \(PrintableText.line(output)): the browser's trace, \(megabytes) MB")
    }
    return try capture.goOn(with: [output], on: console)
  }

  private static func hasDisplay(_ console: Console) -> Bool {
    #if os(macOS)
      true
    #else
      console.variable("DISPLAY") != nil || console.variable("WAYLAND_DISPLAY") != nil
    #endif
  }

  private static func script(
    _ path: String, _ console: Console
  ) throws(CommandError) -> TouchScript {
    do throws(ParseError) {
      return try TouchScript(console.open(path))
    } catch {
      throw CommandError(error)
    }
  }

  /// The base name of a recording: the host of the address, or the last part of a file's path.
  static func host(of address: String) -> String {
    let parts = address.split(separator: "/").map(String.init)
    let isFile = address.hasPrefix("file:")
    let part = (isFile ? parts.last : parts.count > 1 ? parts[1] : parts.first) ?? "page"
    let name = part.prefix { $0 != "?" && $0 != "#" }.filter {
      $0.isASCII && ($0.isLetter || $0.isNumber || ".-_".contains($0))
    }
    return name.isEmpty ? "page" : name
  }

  /// - Returns: The size of the trace in bytes.
  private func record(
    _ page: String, _ words: [String], _ tool: RecorderTool, _ script: TouchScript?,
    to path: String,
    on console: Console
  ) throws(CommandError) -> Int {
    let wish = StopWish()
    let process = try RecorderTool.start(words, of: tool, [], .conversation)
    defer { _ = process.stop() }
    var recording = ChromeRecording(process, wish)
    var written = 0
    var failure: CommandError?
    try Output.writeUnlessGivenUp(to: path, on: console) { write in
      do throws(CommandError) {
        try recording.record(page, for: capture.duration, script, actions) { bytes in
          write(bytes)
          written += bytes.count
        }
      } catch {
        failure = error
      }
      return failure == nil
    }
    if let failure { throw failure }
    return written
  }
}
