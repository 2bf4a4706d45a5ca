import Foundation
import FrameKit

/// Measures how often a comparison of runs that are alike says "regressed", and how often it
/// finds a regression that is there.
enum FalseAlarms {
  private static let sides = [3, 5, 10]
  private static let slower = [0.05, 0.1, 0.2]

  /// Prints the table.
  /// - Parameter arguments: How many comparisons of each kind, the tool to start on some of them,
  ///   and how many of them.
  static func run(_ arguments: [String]) throws {
    let count = arguments.first.flatMap { Int($0) } ?? 2000
    let tool = arguments.dropFirst().first
    let started = arguments.dropFirst(2).first.flatMap { Int($0) } ?? 120
    print(
      "| runs a side | kind of runs | A/A: regressed | \(slower.map { "+\(Int($0 * 100)) %" }.joined(separator: " | ")) |"
    )
    print("| --- | --- | --- | \(slower.map { _ in "---" }.joined(separator: " | ")) |")
    for runs in sides {
      for (number, kind) in GeneratedRuns.kinds.enumerated() {
        var generator = GeneratedRuns(kind, seed: UInt64(1000 * runs + number))
        let alarms = try rate(count, runs, &generator, slower: 0)
        let found = try slower.map { try rate(count / 4, runs, &generator, slower: $0) }
        let cells = found.map { percent($0) }.joined(separator: " | ")
        print("| \(runs) v \(runs) | \(kind.name) | \(percent(alarms)) | \(cells) |")
      }
    }
    if let tool { try compareWithTool(tool, started) }
  }

  private static func percent(_ share: Double) -> String {
    FixedNumber.text(share * 100, decimals: 1) + " %"
  }

  private static func rate(
    _ count: Int, _ runs: Int, _ generator: inout GeneratedRuns, slower: Double
  ) throws -> Double {
    var regressed = 0
    for _ in 0..<count {
      let before = (0..<runs).map { generator.run(named: "a\($0)").summary }
      let after = (0..<runs).map { generator.run(named: "b\($0)", slower: slower).summary }
      if try Comparison(before, after).overall == .regressed { regressed += 1 }
    }
    return Double(regressed) / Double(count)
  }

  /// Starts the shipped binary on the files of some comparisons, and says on how many it agrees.
  private static func compareWithTool(_ tool: String, _ count: Int) throws {
    var agreed = 0
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "frametool-\(ProcessInfo.processInfo.processIdentifier)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    var generators = GeneratedRuns.kinds.map { GeneratedRuns($0, seed: 77) }
    for index in 0..<count {
      let kind = index % generators.count
      let slower = index % 2 == 0 ? 0 : 0.1
      let runs = 2 + index % 3
      let sides = ["before", "after"].map { side in
        (0..<runs).map { run in
          generators[kind].run(
            named: folder.appendingPathComponent("\(side)\(run).jsonl").path,
            slower: side == "after" ? slower : 0)
        }
      }
      let interval = GeneratedRuns.kinds[kind].interval
      for run in sides.joined() { try write(run, interval: interval) }
      let own = try Comparison(sides[0].map(\.summary), sides[1].map(\.summary))
      let found = try output(
        tool,
        ["compare", "--format", "csv", "--before"] + sides[0].map(\.file) + ["--after"]
          + sides[1].map(\.file))
      let verdicts = own.metrics.map {
        "\($0.name),\($0.unit),\($0.before),\($0.after),\($0.effect),"
      }
      if verdicts.allSatisfy(found.contains) { agreed += 1 }
    }
    print("\nThe shipped binary, started on files, agrees in \(agreed) of \(count) comparisons.")
  }

  /// What a tool prints.
  private static func output(_ tool: String, _ arguments: [String]) throws -> String {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(filePath: tool)
    process.arguments = arguments
    process.standardOutput = pipe
    try process.run()
    let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self)
  }

  private static func write(_ run: RunTimes, interval: Double) throws {
    let length = Int64(interval * 1e6)
    var text = "{\"schema\": \"frametool.trace/1\"}\n"
    text += "{\"type\": \"display\", \"id\": \"d\", \"interval\": \(length)}\n"
    text += "{\"type\": \"surface\", \"id\": \"s\", \"display\": \"d\"}\n"
    for time in run.times {
      text += "{\"type\": \"frame\", \"surface\": \"s\", \"presentInterval\": \(time)}\n"
    }
    let sink = try ByteSink(path: run.file)
    _ = try sink.write(Array(text.utf8))
    try sink.finish()
  }
}
