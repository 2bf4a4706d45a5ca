import FrameKit

/// Measures frametool beside other tools that answer the same question, in turns, so that a
/// noisy machine is noisy for all of them.
@main
struct Benchmarks {
  static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    let others: [String: ([String]) throws -> Void] = [
      "false-alarms": FalseAlarms.run, "deciding": Deciding.run,
    ]
    if let other = arguments.first.flatMap({ others[$0] }) {
      do {
        try other(Array(arguments.dropFirst()))
      } catch {
        print("error: \(error)")
      }
      return
    }
    guard arguments.count >= 7, let frames = Int(arguments[3]), let count = Int(arguments[4]),
      let framesOfTraces = Int(arguments[6]), frames > 0, count > 0, framesOfTraces > 0
    else {
      print(
        "usage: benchmarks FRAMETOOL DUCKDB-COMMAND CSV FRAMES ROUNDS SAMPLES FRAMES [TRACE…]; see scripts/bench"
      )
      return
    }
    let tools = Workload.Tools(
      frametool: arguments[0], presentMon: arguments[2], duckdb: arguments[1], frames: frames,
      traces: Array(arguments.dropFirst(7)), framesOfTraces: framesOfTraces)
    do {
      var samples = "{\"schema\": \"frametool.trace/1\", \"unit\": \"ms\"}\n"
      for workload in Workload.all(tools) {
        let rounds = try Rounds(of: workload, count: count)
        print(rounds.line)
        samples += rounds.samples
      }
      let sink = try ByteSink(path: arguments[5])
      _ = try sink.write(Array(samples.utf8))
      try sink.finish()
    } catch {
      print("error: \(error)")
    }
  }
}
