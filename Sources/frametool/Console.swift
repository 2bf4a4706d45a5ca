import FrameKit
import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The input and output of the tool; tests supply a replacement.
final class Console: Sendable {
  /// Writes bytes to an output. Returns `false` if the reader closed the output.
  typealias Sink = @Sendable ([UInt8]) throws(ParseError) -> Bool

  private let output: Sink
  private let errors: Sink
  private let opening: @Sendable (String) throws(ParseError) -> InputFile
  /// Standard input, after its start was examined.
  private let peeked = Mutex<Peeked?>(nil)
  /// The words of the running command.
  private let words = Mutex<[String]>([])
  private let options = Mutex(GivenOptions())
  /// Whether standard error is a terminal, where progress may be shown.
  let showsProgress: Bool
  /// The program that draws plots.
  let gnuplot: GnuplotProgram
  /// The terminal's width and height in characters, if standard output is a terminal; otherwise
  /// `nil`.
  let window: (width: Int, height: Int)?
  /// The formatting of text on standard output.
  let look: TextLook
  /// The value of an environment variable; `nil` if it is not set.
  let variable: @Sendable (String) -> String?
  /// The hash and the time that git prints for a commit; `nil` if git does not know it.
  let gitLog: @Sendable (String) -> String?
  /// Asks whether standard output is a terminal that displays sixel images.
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

  /// An input passed from the code that examines its start to the code that reads it.
  private struct Peeked: @unchecked Sendable {
    let input: InputFile
  }

  /// The words of the running command, after the name of the program.
  var arguments: [String] {
    get { words.withLock { $0 } }
    set { words.withLock { $0 = newValue } }
  }

  /// The options of the running command.
  var given: GivenOptions {
    get { options.withLock { $0 } }
    set { options.withLock { $0 = newValue } }
  }

  /// Opens an input by the name the user gave.
  func open(_ path: String) throws(ParseError) -> InputFile {
    if path == "-", let kept = peeked.withLock({ kept in kept.take() }) { return kept.input }
    return try opening(path)
  }

  /// Opens an input to examine its start. A file is opened again to read it from the beginning.
  func peek(_ path: String) throws(ParseError) -> InputFile {
    let input = try open(path)
    // Standard input can be read only once.
    if path == "-" {
      let kept = Peeked(input: input)
      peeked.withLock { $0 = kept }
    }
    return input
  }

  /// The standard streams of the process.
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
  /// - Throws: `CommandError` if the result cannot be written.
  func print(_ text: String) throws(CommandError) { try write(Array(text.utf8)) }

  /// Writes a part of a result.
  func write(_ bytes: [UInt8]) throws(CommandError) {
    let isRead: Bool
    do throws(ParseError) { isRead = try output(bytes) } catch { throw CommandError(error) }
    if !isRead { throw CommandError.readerGone }
  }

  /// Prints a message about the work on standard error.
  func note(_ line: String) {
    _ = try? errors(Array("\(PrintableText.lines(line))\n".utf8))
  }

  /// Forwards the output of a program to standard error.
  func noteRaw(_ bytes: [UInt8]) { _ = try? errors(bytes) }

  /// Replaces the progress line; an empty line removes it.
  func showProgress(_ line: String) { _ = try? errors(Array("\r\u{1b}[K\(line)".utf8)) }

  /// Prints an error and advice.
  func report(_ error: CommandError) {
    guard !error.message.isEmpty else { return }
    note("error: \(PrintableText.line(error.message, longest: 600))")
    if let help = error.help { note("help: \(PrintableText.line(help, longest: 600))") }
  }
}
