/// Something to be measured, beside what it is measured against.
struct Workload {
  /// The name in tables and in saved samples.
  let name: String
  /// What it is about.
  let summary: String
  /// frametool's own command.
  let command: String
  /// What does the same work elsewhere; `nil` when nothing does.
  let peer: (name: String, command: String)?
  /// The least that can be done with the same input.
  let floor: (name: String, command: String)
  /// How many frames the input has.
  let frames: Int

  /// The workloads, with the tools they need.
  static func all(_ tools: Tools) -> [Workload] {
    let wc = ("wc -l", "wc -l \(tools.presentMon)")
    return [
      Workload(
        name: "presentmon-question",
        summary: "frame times, display latency and dropped frames for each process of a CSV",
        command:
          "\(tools.frametool) analyze --metrics frameTime,displayLatency \(tools.presentMon)",
        peer: ("duckdb", "\(tools.duckdb) \(tools.presentMon)"), floor: wc, frames: tools.frames),
      Workload(
        name: "presentmon-analyze", summary: "everything that can be told of a CSV",
        command: "\(tools.frametool) analyze \(tools.presentMon)",
        peer: ("duckdb", "\(tools.duckdb) \(tools.presentMon)"), floor: wc, frames: tools.frames),
      Workload(
        name: "presentmon-plot", summary: "frame times over time, with drops, as a PNG",
        command:
          "\(tools.frametool) plot frame-times \(tools.presentMon) -o \(tools.presentMon).png",
        peer: nil, floor: ("reading", "\(tools.frametool) info \(tools.presentMon)"),
        frames: tools.frames),
    ] + tools.traces.map { reading($0, tools) } + [
      Workload(
        name: "start", summary: "the start and the end of the program",
        command: "\(tools.frametool) --version", peer: nil, floor: ("true", "/bin/true"), frames: 1)
    ]
  }

  /// Reading a trace of a format, named by its ending, beside counting its lines.
  private static func reading(_ path: String, _ tools: Tools) -> Workload {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    return Workload(
      name: "read-\(name)", summary: "reading a trace",
      command: "\(tools.frametool) info \(path)", peer: nil, floor: ("wc -l", "wc -l \(path)"),
      frames: tools.framesOfTraces)
  }

  /// What workloads run and read.
  struct Tools {
    let frametool, presentMon, duckdb: String
    let frames: Int
    /// Traces of other formats, with so many frames each.
    let traces: [String]
    let framesOfTraces: Int
  }
}
