import FrameKit

/// The options shared by all captures: the output, the end, and the next step.
struct CaptureOptions: Sendable {
  /// The step that immediately follows the capture.
  enum Next: String, CaseIterable, Sendable { case analyze, report }

  var output: String?
  var duration: Double?
  var partSize: Double?
  var partTime: Double?
  var kept: Int?
  var next: Next?
  var noTelemetry = false
  var isDry = false
  var quiet = false

  /// - Parameter inParts: Whether a capture can continue in a new file.
  static func options<Root>(
    _ path: any WritableKeyPath<Root, CaptureOptions> & Sendable, inParts: Bool = true
  ) -> [CommandOption<Root>] {
    (inParts ? options : options.filter { !partNames.contains($0.names[0]) })
      .map { $0.within(path) }
  }

  private static let partNames = ["--part-size", "--part-time", "--keep", "--no-telemetry"]

  private static var options: [CommandOption<CaptureOptions>] {
    [
      .text(
        "--output", "-o", to: \.output, metavar: "FILE",
        help: "write here (default: the program's name with the first free number)"),
      .real(
        "--duration", to: \.duration, metavar: "S", in: 0.01...1e7,
        help: "end the program after this time (default: when it exits, or at Ctrl-C)"),
      .real(
        "--part-size", to: \.partSize, metavar: "MB", in: 0.01...1e6,
        help: "start a new file when one reaches this size"),
      .real(
        "--part-time", to: \.partTime, metavar: "S", in: 0.1...1e7,
        help: "start a new file after this time"),
      .number(
        "--keep", to: \.kept, metavar: "N", in: 1...1_000_000,
        help: "keep only the newest N files"
      ).needing("--part-size", "--part-time"),
      .choice(
        "--then", to: \.next, help: "then analyze the capture, or write a report of it"
      ).conflicting(with: "--part-size", "--part-time"),
      .flag(
        "--no-telemetry", \.noTelemetry,
        help: "do not read temperatures, power, clock rates and load once a second"),
      .flag("--dry-run", \.isDry, help: "print what would be done, without doing it"),
      .flag("--quiet", \.quiet, help: "no summary"),
    ]
  }

  /// Rejects conflicting options.
  /// - Parameter writesTraces: Whether the capture is a trace in the native format, which can be packed.
  func check(writesTraces: Bool = false) throws(CommandError) {
    if let output, PackedCapture.isPacked(output) {
      try PackedCapture.check(output, isTrace: writesTraces, inParts: isInParts)
    }
    if output == "-" {
      throw CommandError(.usage, "-o: a capture cannot be written to standard output")
    }
    if let output, ByteSink.isCompressed(output) {
      throw CommandError(
        .usage, "-o: a capture is not compressed while it is written, found \(output)",
        help: "record without '.zst', and compress the file afterwards: every command reads it")
    }
  }

  private var isInParts: Bool { partSize != nil || partTime != nil }

  /// The path of the capture.
  /// - Parameter exists: Whether a file with a given name already exists.
  func path(
    of program: String, ending: String = ".jsonl", exists: (String) -> Bool = ByteSink.exists
  ) -> String {
    if let output { return output }
    let name = program.split(separator: "/").last.map(String.init) ?? "capture"
    let free = (1...).first { !exists("\(name)-\($0)\(ending)") } ?? 1
    return "\(name)-\(free)\(ending)"
  }
}

extension CaptureOptions {
  /// Captures a program and runs the next step.
  /// - Parameter changes: The changes to the program's environment.
  func capture(
    _ source: some CaptureSource, of words: [String], changes: [String], to path: String,
    on console: Console
  ) throws(CommandError) -> ExitStatus {
    let packed = PackedCapture(path)
    var run = try CaptureRun(source, to: packed?.recording ?? path, self, on: console)
    let status = try run.run(words, changes: changes)
    try packed?.pack(quiet: quiet, on: console)
    // A program's activity until it crashed is also of interest.
    let next = try goOn(with: [path], on: console)
    return next == .success ? status : next
  }

  /// Runs the step after a capture.
  /// - Parameters:
  ///   - files: The files of the capture; several files are one recording.
  ///   - name: The name for a report; `nil` to use the first file.
  func goOn(
    with files: [String], named name: String? = nil, on console: Console
  ) throws(CommandError) -> ExitStatus {
    let inputs = files + (files.count > 1 ? ["--one-recording"] : [])
    switch next {
    case nil: return .success
    case .analyze: return try Analyze.start(inputs, on: console)
    case .report:
      let page = "\(Self.stem(of: name ?? files[0])).html"
      let status = try ReportCommand.start(inputs + ["-o", page], on: console)
      if !quiet { console.note("report: \(PrintableText.line(page))") }
      return status
    }
  }

  /// A file's path without its extension.
  static func stem(of path: String) -> String {
    let start = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
    // A name may begin with a dot.
    let dot = path[start...].dropFirst().lastIndex(of: ".")
    return String(path[..<(dot ?? path.endIndex)])
  }
}
