#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The terminal in which the tool runs.
enum Terminal {
  /// How long a terminal may take to respond, in milliseconds.
  private static let patience: Int32 = 200

  /// The size of the terminal in characters and lines; `nil` if standard output is not a terminal, or if the terminal
  /// does not report its size.
  static var size: (width: Int, height: Int)? {
    var size = winsize()
    guard isatty(1) == 1, unsafe ioctl(1, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0,
      size.ws_row > 0
    else { return nil }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  /// Whether standard output is a terminal that shows colors, and the user did not disable them
  /// (<https://no-color.org>).
  static var hasColor: Bool {
    let isDumb = LaunchedProcess.variable("TERM").map { $0 == "dumb" || $0.isEmpty } ?? true
    return isatty(1) == 1 && !isDumb && (LaunchedProcess.variable("NO_COLOR") ?? "").isEmpty
  }

  /// Whether standard output is a terminal that supports sixels: its response to the request for primary device
  /// attributes contains attribute 4 (DEC VT series, DA1).
  static func takesSixels() -> Bool {
    // A terminal that another process uses must not be queried: that process would get the answer.
    guard isatty(1) == 1, isatty(0) == 1, tcgetpgrp(0) == getpgrp() else { return false }
    var usual = termios()
    guard unsafe tcgetattr(0, &usual) == 0 else { return false }
    var raw = usual
    raw.c_lflag &= ~tcflag_t(ICANON | ECHO)
    guard unsafe tcsetattr(0, TCSANOW, &raw) == 0 else { return false }
    defer { _ = unsafe tcsetattr(0, TCSANOW, &usual) }
    let question = Array("\u{1b}[c".utf8)
    guard unsafe write(1, question, question.count) == question.count else { return false }
    return attributes(in: answer()).contains(4)
  }

  /// The terminal's response, up to its final letter.
  private static func answer() -> [UInt8] {
    var answer: [UInt8] = []
    while answer.count < 64, answer.last != UInt8(ascii: "c") {
      var waiting = pollfd(fd: 0, events: Int16(POLLIN), revents: 0)
      guard unsafe poll(&waiting, 1, patience) == 1 else { break }
      var byte: UInt8 = 0
      guard unsafe read(0, &byte, 1) == 1 else { break }
      answer.append(byte)
    }
    return answer
  }

  /// The numbers in a response such as `ESC [ ? 62 ; 4 c`.
  static func attributes(in answer: [UInt8]) -> [Int] {
    guard answer.starts(with: Array("\u{1b}[?".utf8)), answer.last == UInt8(ascii: "c") else {
      return []
    }
    return answer.dropFirst(3).dropLast().split(separator: UInt8(ascii: ";"))
      .compactMap { Int(String(decoding: $0, as: UTF8.self)) }
  }
}

/// Full-screen output in the terminal, with keyboard input; the previous content is restored at the
/// end.
final class TerminalScreen {
  private let usual: termios
  private var linesShown = 0

  /// - Returns: `nil` if standard input or output is not a terminal.
  init?() {
    var found = termios()
    guard isatty(0) == 1, isatty(1) == 1, tcgetpgrp(0) == getpgrp(),
      unsafe tcgetattr(0, &found) == 0
    else { return nil }
    usual = found
    // Read keys immediately, without echo.
    found.c_lflag &= ~tcflag_t(ICANON | ECHO)
    _ = unsafe tcsetattr(0, TCSANOW, &found)
    // Switch to the alternate screen and hide the cursor.
    send("\u{1b}[?1049h\u{1b}[?25l\u{1b}[2J")
  }

  deinit {
    send("\u{1b}[?25h\u{1b}[?1049l")
    var usual = usual
    _ = unsafe tcsetattr(0, TCSANOW, &usual)
  }

  private func send(_ text: String) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { bytes in
        unsafe write(1, bytes.baseAddress, bytes.count)
      }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  /// Shows lines from the top, replacing the previous ones.
  func show(_ lines: [String]) {
    let cleared = max(0, linesShown - lines.count)
    linesShown = lines.count
    let whole = lines + [String](repeating: "", count: cleared)
    // The remainder of each line is cleared after the line is written, to avoid flicker; the last line has no line
    // feed.
    send("\u{1b}[H" + whole.map { "\($0)\u{1b}[K" }.joined(separator: "\r\n"))
  }

  /// Waits for a key.
  /// - Returns: Whether the key ends the view.
  func isQuit(within milliseconds: Int32) -> Bool {
    var waiting = pollfd(fd: 0, events: Int16(POLLIN), revents: 0)
    guard unsafe poll(&waiting, 1, milliseconds) == 1 else { return false }
    var key: UInt8 = 0
    // A closed terminal ends the view as well.
    guard unsafe read(0, &key, 1) == 1 else { return true }
    return key == UInt8(ascii: "q") || key == UInt8(ascii: "Q")
  }
}
