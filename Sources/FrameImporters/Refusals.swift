import FrameTrace

/// Inputs that are not traces, or that cannot be read, each with a description of its actual content.
enum Refusals {
  /// What an input can be instead of a trace.
  private struct Refusal {
    /// What the input is, and what was expected.
    let problem: String
    /// What to do instead.
    let help: String
    /// Whether an input is of this kind, judged by its start.
    let matches: @Sendable (FileHead) -> Bool
  }

  /// The error that best describes the input.
  static func refuse(_ input: InputFile, _ head: FileHead) -> ParseError {
    if let refusal = refuse(input, head, among: all) { return refusal }
    return ParseError(
      path: input.path, problem: "expected a trace of frames, found \(describe(head))",
      help: isTable(head) ? nameColumns(head) : seeFormats)
  }

  /// The error for a log of samples, which column names cannot turn into frames; `nil` for any other input.
  static func refuseSamples(_ input: InputFile, _ head: FileHead) -> ParseError? {
    refuse(input, head, among: samples)
  }

  private static func refuse(
    _ input: InputFile, _ head: FileHead, among refusals: [Refusal]
  ) -> ParseError? {
    refusals.first { $0.matches(head) }
      .map { ParseError(path: input.path, problem: $0.problem, help: $0.help) }
  }

  private static let seeFormats = "'frametool list formats' lists what can be read"

  /// The advice for a table: which of its columns to name.
  private static func nameColumns(_ head: FileHead) -> String {
    let option =
      column(head).map { "--columns '\($0)'" }
      ?? "--columns frameTime=NAME, or --columns displayed=NAME:s"
    return
      "if one of its columns holds frame times or display times, name it: \(option)"
  }

  /// The column that most likely holds frame times, or otherwise the times of frames, in the form that `--columns`
  /// accepts; `nil` if no column name suggests either.
  private static func column(_ head: FileHead) -> String? {
    let line = head.firstLine
    let separator = separators.first { line.contains($0) } ?? ","
    let names = line.split(separator: separator).map { name in
      String(name.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
    let letters = { (name: String) in name.lowercased().filter(\.isLetter) }
    let isFrameTime = { (name: String) in letters(name).hasPrefix("frametime") }
    let isTime = { (name: String) in
      letters(name).hasPrefix("time") && !letters(name).hasSuffix("zone")
    }
    if let name = names.first(where: isFrameTime) { return "frameTime=\(name)" }
    return names.first(where: isTime).map { name in
      let unit = ["ms", "us", "ns"].first { letters(name).hasSuffix($0) } ?? "s"
      return "time=\(name):\(unit)"
    }
  }

  private static let separators: [Character] = [",", ";", "\t"]

  /// Whether an input is a table of numbers under column names.
  private static func isTable(_ head: FileHead) -> Bool {
    // A few lines are enough, and a short file may end with lines of another kind.
    let lines = head.lines(5).filter { !$0.isEmpty }
    return separators.contains { separator in
      let rows = lines.map { $0.split(separator: separator, omittingEmptySubsequences: false) }
      // The last of these lines can be truncated.
      guard rows.count > 2, let names = rows.first,
        rows.dropLast().allSatisfy({ $0.count == names.count })
      else { return false }
      let isNumber = { (cell: Substring) in Double(cell.drop { $0 == " " }) != nil }
      let rest = rows.dropFirst().dropLast()
      return !names.allSatisfy(isNumber)
        && (names.count > 1
          ? rest.allSatisfy { $0.contains(where: isNumber) }
          : rest.allSatisfy { $0.allSatisfy(isNumber) })
    }
  }

  private static let all: [Refusal] =
    [
      Refusal(
        problem: "expected a trace of frames, found an empty file",
        help: "the capture wrote nothing; record again"
      ) { $0.bytes.isEmpty },
      Refusal(
        problem: "expected a trace of frames, found a Git LFS pointer",
        help: "'git lfs pull' fetches the file"
      ) { $0.firstLine.hasPrefix("version https://git-lfs") },
      Refusal(
        problem: "expected text in UTF-8, found UTF-16",
        help: "convert it with 'iconv -f UTF-16 -t UTF-8'"
      ) { [[0xff, 0xfe], [0xfe, 0xff]].contains(Array($0.bytes.prefix(2))) },
    ] + archives + summaries + samples + companions

  /// Archives and compressed files of kinds that are not opened.
  private static let archives = [
    Refusal(
      problem: "expected a trace, plain or compressed with gzip or zstd, found an xz file",
      help: "'xz --decompress --keep FILE' unpacks it"
    ) { $0.bytes.starts(with: [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00]) },
    Refusal(
      problem: "expected a trace, plain or compressed with gzip or zstd, found a bzip2 file",
      help: "'bzip2 --decompress --keep FILE' unpacks it"
    ) { head in
      head.bytes.starts(with: Array("BZh".utf8))
        && head.bytes.dropFirst(4).starts(with: [0x31, 0x41, 0x59, 0x26, 0x53, 0x59])
    },
    Refusal(
      problem: "expected a trace of frames, found a 7-Zip archive", help: "'7z x FILE' unpacks it"
    ) { $0.bytes.starts(with: [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c]) },
    Refusal(
      problem: "expected a trace of frames, found a tar archive",
      help: "'tar -xf FILE' unpacks it; a folder of traces can be given"
    ) { head in
      head.bytes.count > 262 && head.bytes.dropFirst(257).prefix(5).elementsEqual("ustar".utf8)
    },
  ]

  /// Summaries with one row for a whole run.
  private static let summaries = [
    Refusal(
      problem: "expected a trace of single frames, found a FrameView summary of whole runs",
      help: "give the FrameView_…_Log.csv of the run"
    ) { $0.columnNames.contains("avg fps") },
    Refusal(
      problem: "expected a trace of single frames, found a MangoHud summary of a whole run",
      help: "give the log of the same name without _summary"
    ) { $0.firstLine.contains("1% Min FPS") && $0.firstLine.contains("Average FPS") },
  ]

  /// Logs of samples at fixed times.
  private static let samples = [
    Refusal(
      problem:
        "expected a trace of single frames, found an NVIDIA App log of samples every half second",
      help: "record with a tool that lists frames, such as PresentMon or FrameView"
    ) { $0.firstLine.contains("Timestamp (Elapsed time in seconds)") },
    Refusal(
      problem:
        "expected a trace of single frames, found an MSI Afterburner log of samples every second",
      help: "record with a tool that lists frames, such as PresentMon"
    ) { $0.firstLine.contains("Hardware monitoring log") },
    Refusal(
      problem: "expected a trace of single frames, found a PresentMon log polled at fixed times",
      help: "record with the PresentMon console application"
    ) { $0.columnNames.first?.filter(\.isLetter) == "polltime" },
    Refusal(
      problem: "expected a trace of single frames, found an HWiNFO log of averages at fixed times",
      help: "record with a tool that lists frames, such as PresentMon"
    ) { head in
      head.columnNames.starts(with: ["date", "time"])
        && head.columnNames.contains { $0.hasPrefix("frame") && $0.contains("(avg)") }
    },
    Refusal(
      problem:
        "expected a trace of single frames, found an OVR Metrics Tool log of samples every second",
      help: "record with Perfetto"
    ) { Set(["average_frame_rate", "stale_frame_count"]).isSubset(of: $0.columnNames) },
    Refusal(
      problem:
        "expected a trace of single frames, found OpenXR Toolkit statistics of samples every second",
      help: "record with a tool that lists frames, such as XRFrameTools or PresentMon"
    ) { Set(["fps", "appcpu (us)", "appgpu (us)"]).isSubset(of: $0.columnNames) },
  ]

  /// Files that accompany traces, and the output of other tools about the same things.
  private static let companions = [
    Refusal(
      problem: "expected a recording, found the file with its clocks",
      help:
        "give NAME.wayland.log, NAME.proxy.jsonl or NAME.timeline.jsonl; the clocks are read with it"
    ) { ClockSidecar.recognizes($0) },
    Refusal(
      problem: "expected a trace of frames, found a Firefox profile (Gecko profiler)",
      help: "record the compositor as well: a Wayland log, PresentMon, Perfetto or Instruments"
    ) { head in
      let isProfile =
        head.contains("\"meta\"")
        && (head.contains("\"preprocessedProfileVersion\"") || head.contains("\"processType\"")
          || (head.contains("\"threads\"") && head.contains("\"startTime\"")))
      return head.firstByte == UInt8(ascii: "{") && isProfile
        && !head.contains("\"traceEvents\"")
    },
    Refusal(
      problem: "expected getevent output with times, found output without",
      help: "record with 'adb shell getevent -lt'"
    ) { head in
      head.lines(200).contains { line in
        !line.contains("[") && line.contains("/dev/input/event")
          && (line.contains(" EV_ABS ") || line.contains(": 0003 "))
      }
    },
    Refusal(
      problem:
        "expected a trace of frames, found xtrace output of an X11 connection, which has no times",
      help: "record the Wayland side, or the compositor"
    ) { $0.lines(3).contains { $0.contains("lsb-first want") || $0.contains("msb-first want") } },
    Refusal(
      problem:
        "expected a trace of frames, found bpftrace output, which has no fixed format",
      help: "record the kernel's events with trace-cmd or perfetto"
    ) { head in head.lines(3).contains { $0.hasPrefix("Attaching ") || $0.contains(" for bpf") } },
  ]

  /// The description of an input of an unknown kind.
  private static func describe(_ head: FileHead) -> String {
    let isText = !head.bytes.prefix(1024).contains { $0 < 0x09 || ($0 > 0x0d && $0 < 0x20) }
    guard isText else { return "binary data of an unknown kind" }
    let line = head.firstLine
    switch line.first {
    case "{", "[": return "JSON of an unknown kind"
    case "<": return "XML or HTML of an unknown kind"
    default: break
    }
    let names = head.columnNames
    if names.count > 3 {
      return "a table with the columns \(names.prefix(4).joined(separator: ", ")), …"
    }
    return "text that begins with \"\(line.prefix(60))\(line.count > 60 ? "…" : "")\""
  }
}
