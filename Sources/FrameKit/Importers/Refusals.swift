/// Inputs that are no traces, or none that can be read, each told by what it is.
enum Refusals {
  /// What an input can be instead of a trace.
  private struct Refusal {
    /// Whether the input is this, by its start.
    let matches: @Sendable (FileHead) -> Bool
    /// What it is, and why it is no trace of frames.
    let problem: String
    /// What to do instead.
    let help: String
  }

  /// The error that says best what the input is.
  static func refuse(_ input: InputFile, _ head: FileHead) -> ParseError {
    if let refusal = all.first(where: { $0.matches(head) }) {
      return ParseError(path: input.path, problem: refusal.problem, help: refusal.help)
    }
    return ParseError(
      path: input.path,
      problem: "expected a trace of frames, found \(describe(head))",
      help: "'frametool formats' lists what can be read")
  }

  private static let all: [Refusal] = [
    Refusal(
      matches: { $0.bytes.isEmpty },
      problem: "an empty file, expected a trace of frames",
      help: "the capture wrote nothing; record again"),
    Refusal(
      matches: { $0.columnNames.contains("avg fps") && $0.columnNames.contains("1% low fps") },
      problem: "a FrameView summary of whole runs, expected a trace of single frames",
      help: "give the FrameView_…_Log.csv of the run"),
    Refusal(
      matches: { $0.firstLine.contains("1% Min FPS") && $0.firstLine.contains("Average FPS") },
      problem: "a MangoHud summary of a whole run, expected a trace of single frames",
      help: "give the log of the same name without _summary"),
    Refusal(
      matches: { $0.firstLine.contains("Timestamp (Elapsed time in seconds)") },
      problem: "an NVIDIA App log of samples every half second, expected a trace of single frames",
      help: "record with a tool that lists frames, such as PresentMon or FrameView"),
    Refusal(
      matches: { isAfterburner($0) },
      problem: "an MSI Afterburner log of samples every second, expected a trace of single frames",
      help: "record with a tool that lists frames, such as PresentMon"),
    Refusal(
      matches: {
        $0.columnNames.contains("polltime")
          || $0.columnNames.count > 150 && $0.columnNames[0].contains("poll")
      },
      problem: "a PresentMon log polled at fixed times, expected a trace of single frames",
      help: "record with the PresentMon console application"),
    Refusal(
      matches: { isHeaderOfSystemInformation($0) },
      problem: "a MangoHud log, which this version does not read yet",
      help: "'frametool formats' lists what can be read"),
    Refusal(
      matches: { $0.bytes.starts(with: "version https://git-lfs".utf8) },
      problem: "a pointer to a file kept in git LFS, expected the file itself",
      help: "'git lfs pull' fetches it"),
    Refusal(
      matches: { $0.bytes.starts(with: [0xff, 0xfe]) || $0.bytes.starts(with: [0xfe, 0xff]) },
      problem: "text in UTF-16, expected UTF-8",
      help: "convert it with 'iconv -f UTF-16 -t UTF-8'"),
  ]

  private static func isAfterburner(_ head: FileHead) -> Bool {
    head.lines(2).contains { $0.contains("Hardware monitoring log") }
  }

  private static func isHeaderOfSystemInformation(_ head: FileHead) -> Bool {
    head.lines(3).contains { $0.hasPrefix("os,cpu,gpu,ram,kernel,driver") }
  }

  private static func describe(_ head: FileHead) -> String {
    let isText = !head.bytes.prefix(1024).contains { $0 < 0x09 || ($0 > 0x0d && $0 < 0x20) }
    guard isText else { return "binary data of an unknown kind" }
    let line = head.firstLine.prefix(60)
    let names = head.columnNames
    if names.count > 3 {
      return "a table with the columns \(names.prefix(4).joined(separator: ", ")), …"
    }
    return "text that begins with \"\(line)\(head.firstLine.count > 60 ? "…" : "")\""
  }
}
