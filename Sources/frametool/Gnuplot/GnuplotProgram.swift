import FrameKit

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The gnuplot program that draws plots.
struct GnuplotProgram: Sendable {
  /// The program's name in PATH, or its path.
  var name = "gnuplot"
  /// The time limit, in milliseconds.
  var limit: Int32 = 60_000

  private static let help =
    "install it: 'apt-get install gnuplot-nox', or 'brew install gnuplot' on macOS"

  /// Checks that gnuplot is installed and not too old.
  func check() throws(CommandError) {
    let process = try begin()
    let end = process.finish(name, nil, milliseconds: limit)
    try check(end, process.messages)
    let words = String(decoding: process.picture.prefix(200), as: UTF8.self)
    let oldest = GnuplotScript.oldestVersion
    guard let version = Self.version(words) else {
      throw CommandError(
        .unavailable, "\(name) does not report its version", help: Self.help)
    }
    guard version >= oldest else {
      throw CommandError(
        .unavailable,
        "gnuplot \(version.major).\(version.minor) is too old; \(oldest.major).\(oldest.minor) or later is required",
        help: Self.help)
    }
  }

  /// Draws a plot.
  /// - Returns: The bytes of the complete picture.
  func draw(_ plot: Plot, on canvas: PlotCanvas) throws(CommandError) -> [UInt8] {
    let script = GnuplotScript(plot, on: canvas)
    let process = try begin()
    var paths: [String] = []
    for numbers in script.data {
      guard let path = process.add(numbers) else { throw Self.noRoom(errno) }
      paths.append(path)
    }
    let text = script.text(picture: process.picturePath, data: paths)
    let end = process.finish(name, text, milliseconds: limit)
    try check(end, process.messages)
    let picture = process.picture
    guard canvas.isWhole(picture) else {
      throw CommandError(
        .inputOutput, "gnuplot wrote an incomplete picture of \(picture.count) bytes",
        help: "check the installation with 'gnuplot --version'")
    }
    return canvas.withoutDate(picture)
  }

  /// The error if the temporary files for gnuplot cannot be created, by error number.
  private static func noRoom(_ number: Int32) -> CommandError {
    CommandError(.inputOutput, "cannot create temporary files for gnuplot: \(systemError(number))")
  }

  private func begin() throws(CommandError) -> GnuplotProcess {
    guard let process = GnuplotProcess() else { throw Self.noRoom(errno) }
    return process
  }

  private func check(_ end: GnuplotProcess.End, _ messages: String) throws(CommandError) {
    if end.failure == ENOENT || end.failure == EACCES {
      throw CommandError(
        .unavailable, "gnuplot is required but cannot be started: \(systemError(end.failure))",
        help: Self.help)
    }
    if end.failure != 0 {
      throw CommandError(
        .inputOutput, "gnuplot cannot be started: \(systemError(end.failure))")
    }
    if end.isStopped {
      throw CommandError(
        .inputOutput, "gnuplot did not finish within \(Double(limit) / 1000) s and was stopped")
    }
    if end.signal != 0 {
      throw CommandError(.inputOutput, "gnuplot was killed by signal \(end.signal)")
    }
    guard end.status == 0 else {
      let first = messages.split(whereSeparator: \.isNewline).map(String.init)
        .first { line in line.contains { $0.isLetter } }
      throw CommandError(
        .inputOutput, "gnuplot failed with status \(end.status): \(first ?? "no reason given")")
    }
  }

  /// The version in a string such as `gnuplot 5.4 patchlevel 4`.
  static func version(_ words: String) -> (major: Int, minor: Int)? {
    let parts = words.split(whereSeparator: \.isWhitespace)
    guard parts.count >= 2, parts[0] == "gnuplot" else { return nil }
    let numbers = parts[1].split(separator: ".").map { Int($0) }
    guard numbers.count >= 2, let major = numbers[0], let minor = numbers[1] else { return nil }
    return (major, minor)
  }
}
