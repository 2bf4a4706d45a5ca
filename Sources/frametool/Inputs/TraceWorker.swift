import FrameKit

/// A process that summarizes traces for another process. If a trace needs too much memory, never ends, or exposes a
/// defect of this program, only the row of that trace is lost.
///
/// The processes exchange parcels: a length in decimal digits, a line feed, and the given number of bytes. A request
/// contains the strings of a file (its path, its position and its tags). An answer contains the reason why the file
/// could not be read, or nothing, and the file's row.
enum TraceWorker {
  /// The first word of a worker's arguments, followed by those of `analyze`; this is not a command for users.
  static let word = "analyze-worker"
  /// The variable with the maximum memory of a worker, in megabytes.
  static let memoryVariable = "FRAMETOOL_WORKER_MEMORY"
  /// The exit status of a worker that needs more memory; the crash handler also uses this status.
  static let outOfMemory: Int32 = 75

  /// Answers requests until none are left.
  static func run(_ words: [String], on console: Console) throws(CommandError) -> ExitStatus {
    var analyze = Analyze()
    _ = try ArgumentParser.parse(
      words, into: &analyze, options: Analyze.options, command: Analyze.name)
    // Each processor has a worker.
    analyze.choice.jobs = 1
    if let megabytes = console.variable(memoryVariable).flatMap(Int64.init) {
      LaunchedProcess.limitMemory(to: megabytes << 20)
    }
    LaunchedProcess.reuseMemory()
    let summaries = try analyze.summaries(of: [], on: console)
    var requests = Parcels()
    while true {
      while let request = requests.next() {
        let row = summaries.row(of: TraceLists.File(parcel: request))
        guard LaunchedProcess.answer(Parcels.parcel([row.reason ?? "", row.line])) else {
          return .success
        }
      }
      let bytes = LaunchedProcess.hear()
      if bytes.isEmpty { return .success }
      requests.consume(bytes)
    }
  }
}

/// Parcels of strings in a stream of bytes.
struct Parcels {
  private var bytes: [UInt8] = []

  mutating func consume(_ more: [UInt8]) { bytes += more }

  /// The strings of the next parcel; `nil` if the parcel is incomplete.
  mutating func next() -> [String]? {
    guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")),
      let count = Int(String(decoding: bytes[..<end], as: UTF8.self)), count >= 0,
      bytes.count - end - 1 >= count
    else { return nil }
    let texts = bytes[(end + 1)...].prefix(count).split(
      separator: 0, omittingEmptySubsequences: false
    )
    .map { String(decoding: $0, as: UTF8.self) }
    bytes.removeFirst(end + 1 + count)
    return texts
  }

  /// The bytes of a parcel. No string contains a zero byte: paths and arguments cannot contain it, and JSON escapes it.
  static func parcel(_ texts: [String]) -> [UInt8] {
    let content = Array(texts.joined(separator: "\0").utf8)
    return Array("\(content.count)\n".utf8) + content
  }
}

extension TraceLists.File {
  /// The strings of a parcel.
  var parcel: [String] {
    [path, position] + tags.sorted { $0.key < $1.key }.flatMap { [$0.key, $0.value] }
  }

  init(parcel: [String]) {
    self.init(parcel.first ?? "")
    position = parcel.count > 1 ? parcel[1] : path
    for name in stride(from: 2, to: parcel.count - 1, by: 2) {
      tags[parcel[name]] = parcel[name + 1]
    }
  }
}
