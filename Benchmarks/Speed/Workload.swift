/// A task to measure, and the peer to measure it against.
struct Workload {
  /// The name in tables and in saved samples.
  let name: String
  /// Its inputs, the large one last: it has eight times as many frames or runs, to show how the cost grows.
  let inputs: [Input]
  /// The frametool command for an input.
  let command: @Sendable (String) -> String
  /// What it is measured against.
  let peer: Peer

  /// A trace, or summaries of runs, generated if they do not exist.
  struct Input {
    let path: String
    /// How many frames it has; of summaries, how many runs.
    let frames: Int
    /// The command that generates it.
    let making: String
  }

  /// A tool that does the same work, or the minimum that can be done with the same bytes.
  struct Peer {
    let name: String
    let command: @Sendable (String) -> String
  }

  /// The programs that workloads run, and the folder of their traces.
  struct Tools {
    let frametool, python, folder: String
  }

  /// All workloads.
  static func all(_ tools: Tools) -> [Workload] {
    let program = tools.frametool
    let presentMon = inputs("presentmon-v2", "variable-refresh", [375_000, 3_000_000], tools)
    let importing = Peer(name: "frametool info", command: { "\(program) info \($0)" })
    let start = Workload(
      name: "start", inputs: [Input(path: "", frames: 1, making: "")],
      command: { _ in "\(program) --version" },
      peer: Peer(name: "true", command: { _ in "/bin/true" }))
    return [
      Workload(
        name: "presentmon-question", inputs: presentMon,
        command: { "\(program) analyze --metrics frameTime,displayLatency \($0)" },
        peer: asked("duckdb", tools)),
      Workload(
        name: "presentmon-analyze", inputs: presentMon, command: { "\(program) analyze \($0)" },
        peer: asked("duckdb-columns", tools)),
      Workload(
        name: "presentmon-report", inputs: presentMon, command: { "\(program) report \($0) -o -" },
        peer: importing),
      Workload(
        name: "presentmon-replay",
        inputs: inputs("presentmon-v2", "dropped-frames", [125_000, 1_000_000], tools),
        command: { "\(program) replay --scale app=0.8 \($0)" }, peer: importing),
      reading(
        "mangohud", "uncapped-game", asked("polars", tools), tools,
        asks: "analyze --metrics frameTime"),
      reading("chrome", "app-overrun", asked("simdjson", tools), tools, sizes: [10_000, 80_000]),
      reading("native", "app-overrun", asked("simdjson-lines", tools), tools),
      reading("perfetto", "layer-app-overrun", asked("upb", tools), tools),
      reading(
        "xctrace", "talk-triple", Peer(name: "xmllint", command: { "xmllint --sax --noout \($0)" }),
        tools),
      reading("wayland-debug", "steady-60", lineCount, tools),
      reading("systrace", "layer-app-overrun", lineCount, tools, sizes: [20_000, 160_000]),
      Workload(
        name: "fleet", inputs: runs([1250, 10_000], tools),
        command: { "\(program) fleet --by scene,device \($0)" },
        peer: asked("json-runs", tools)),
      Workload(
        name: "merge", inputs: runs([1250, 10_000], tools),
        command: { "\(program) merge -o /dev/null \($0)" },
        peer: asked("json-runs", tools)),
      start,
    ]
  }

  /// The least that a reader of lines can do.
  private static let lineCount = Peer(name: "wc -l", command: { "wc -l \($0)" })

  /// A peer in Python, by its name in `peers.py`.
  private static func asked(_ name: String, _ tools: Tools) -> Peer {
    Peer(name: name, command: { "\(tools.python) Benchmarks/Speed/peers.py \(name) \($0)" })
  }

  private static func reading(
    _ format: String, _ scenario: String, _ peer: Peer, _ tools: Tools,
    asks question: String = "info",
    sizes: [Int] = [40_000, 320_000]
  ) -> Workload {
    let program = tools.frametool
    return Workload(
      name: "\(format)-\(question.split(separator: " ")[0])",
      inputs: inputs(format, scenario, sizes, tools),
      command: { "\(program) \(question) \($0)" }, peer: peer)
  }

  private static func runs(_ counts: [Int], _ tools: Tools) -> [Input] {
    counts.map { count in
      let path = "\(tools.folder)/runs-\(count)"
      return Input(
        path: path, frames: count,
        making:
          "\(tools.python) Benchmarks/Speed/runs.py \(tools.frametool) \(count) \(path)")
    }
  }

  private static func inputs(_ format: String, _ scenario: String, _ sizes: [Int], _ tools: Tools)
    -> [Input]
  {
    sizes.map { frames in
      let path = "\(tools.folder)/\(format)-\(frames)"
      return Input(
        path: path, frames: frames,
        making:
          "\(tools.frametool) generate \(scenario) --frames \(frames) --encode \(format) -o \(path)"
      )
    }
  }
}
