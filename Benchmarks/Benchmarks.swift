import FrameKit

// The C library, for exiting with a status.
#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Measures frametool against other tools that answer the same question, in alternation, so that
/// noise on the machine affects all of them.
@main
struct Benchmarks {
  static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    let others: [String: ([String]) throws -> Void] = [
      "false-alarms": FalseAlarms.run, "fleet-alarms": { FalseAlarms.fleets($0) },
      "design-alarms": { FalseAlarms.designs($0) },
      "deciding": Deciding.run, "bench-alarms": { FalseAlarms.measurements($0) },
      "search-alarms": { FalseAlarms.searches($0) }, "stutter-rates": { StutterRates.run($0) },
    ]
    do {
      if let other = arguments.first.flatMap({ others[$0] }) {
        try other(Array(arguments.dropFirst()))
      } else {
        try measure(arguments)
      }
    } catch {
      print("error: \(error)")
      exit(1)
    }
  }

  private static func measure(_ arguments: [String]) throws {
    guard arguments.count == 6, let count = Int(arguments[3]), count > 0 else {
      throw KnownRatios.Failure(
        description:
          "usage: benchmarks FRAMETOOL PYTHON FOLDER ROUNDS show|check|save RATIOS; see scripts/bench"
      )
    }
    let (task, path) = (arguments[4], arguments[5])
    let known = task == "check" ? try KnownRatios(path: path) : nil
    let tools = Workload.Tools(frametool: arguments[0], python: arguments[1], folder: arguments[2])
    let all = try Workload.all(tools).map { try Rounds(of: $0, count: count) }
    print(MarkdownTable(Rounds.headings, all.map(\.row)).text)
    let samples = all.map(\.samples).joined()
    try write(
      "{\"schema\": \"frametool.trace/1\", \"unit\": \"ms\"}\n\(samples)",
      to: "\(tools.folder)/samples.jsonl")
    if task == "save" { try write(KnownRatios.text(all), to: path) }
    if let worse = known?.worse(all), !worse.isEmpty {
      throw KnownRatios.Failure(description: "slower than before\n\(worse.joined(separator: "\n"))")
    }
  }

  private static func write(_ text: String, to path: String) throws {
    let sink = try ByteSink(path: path)
    _ = try sink.write(Array(text.utf8))
    try sink.finish()
  }
}
