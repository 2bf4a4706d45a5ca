import FrameKit
import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Where the tool reads from and prints to; tests give it one of their own.
final class Console: Sendable {
  /// Writes bytes somewhere. Gives `false` when they are no longer read.
  typealias Sink = @Sendable ([UInt8]) throws(ParseError) -> Bool

  private let output: Sink
  private let errors: Sink
  private let opening: @Sendable (String) throws(ParseError) -> InputFile
  /// Standard input, where somebody looked at its start.
  private let peeked = Mutex<Peeked?>(nil)
  /// Whether standard error is a terminal, where progress may be shown.
  let showsProgress: Bool
  /// What draws plots.
  let gnuplot: GnuplotProgram
  /// The characters and lines of the terminal that standard output is; `nil` where it is none.
  let window: (width: Int, height: Int)?
  /// What text looks like on standard output.
  let look: TextLook
  /// What a variable of the environment holds; `nil` where it is not set.
  let variable: @Sendable (String) -> String?
  /// What git prints of a commit, its hash and its time; `nil` where it knows none of that name.
  let gitLog: @Sendable (String) -> String?
  /// Asks whether standard output is a terminal that takes pictures as sixels.
  let takesSixels: @Sendable () -> Bool

  init(
    output: @escaping Sink, errors: @escaping Sink, showsProgress: Bool = false,
    gnuplot: GnuplotProgram = GnuplotProgram(),
    takesSixels: @escaping @Sendable () -> Bool = { false },
    window: (width: Int, height: Int)? = nil, hasColor: Bool = false,
    variable: @escaping @Sendable (String) -> String? = { _ in nil },
    gitLog: @escaping @Sendable (String) -> String? = { _ in nil },
    open: @escaping @Sendable (String) throws(ParseError) -> InputFile
  ) {
    self.output = output
    self.errors = errors
    opening = open
    self.showsProgress = showsProgress
    self.gnuplot = gnuplot
    self.takesSixels = takesSixels
    self.window = window
    look = TextLook(width: window?.width, hasColor: hasColor)
    (self.variable, self.gitLog) = (variable, gitLog)
  }

  /// An input that is handed from who looked at its start to the one who reads it.
  private struct Peeked: @unchecked Sendable {
    let input: InputFile
  }

  /// Opens an input by the name the user gave.
  func open(_ path: String) throws(ParseError) -> InputFile {
    if path == "-", let kept = peeked.withLock({ kept in kept.take() }) { return kept.input }
    return try opening(path)
  }

  /// Opens an input for a look at its start. What has to be read from its beginning is opened again.
  func peek(_ path: String) throws(ParseError) -> InputFile {
    let input = try open(path)
    // Standard input comes once.
    if path == "-" {
      let kept = Peeked(input: input)
      peeked.withLock { $0 = kept }
    }
    return input
  }

  /// The process's own standard streams.
  static func system() -> Console {
    Console(
      output: { bytes throws(ParseError) in try ByteSink(stream: 1).write(bytes) },
      errors: { bytes throws(ParseError) in try ByteSink(stream: 2).write(bytes) },
      showsProgress: isatty(2) == 1, takesSixels: { Terminal.takesSixels() },
      window: Terminal.size, hasColor: Terminal.hasColor,
      variable: LaunchedProcess.variable, gitLog: JobOrigin.gitLog,
      open: { path throws(ParseError) in try InputFile(path: path) })
  }

  /// Prints a result.
  /// - Throws: `CommandError` when it cannot be written.
  func print(_ text: String) throws(CommandError) { try write(Array(text.utf8)) }

  /// Writes a part of a result.
  func write(_ bytes: [UInt8]) throws(CommandError) {
    let isRead: Bool
    do throws(ParseError) { isRead = try output(bytes) } catch { throw CommandError(error) }
    if !isRead { throw CommandError.readerGone }
  }

  /// Prints a line about the work, not its result.
  func note(_ line: String) {
    _ = try? errors(Array("\(PrintableText.lines(line))\n".utf8))
  }

  /// Passes on what a program prints.
  func noteRaw(_ bytes: [UInt8]) { _ = try? errors(bytes) }

  /// Shows a line in place of the one shown before; an empty one takes it away.
  func showProgress(_ line: String) { _ = try? errors(Array("\r\u{1b}[K\(line)".utf8)) }

  /// Prints an error and what to try.
  func report(_ error: CommandError) {
    guard !error.message.isEmpty else { return }
    note("error: \(PrintableText.line(error.message))")
    if let help = error.help { note("help: \(PrintableText.line(help))") }
  }
}
