import Foundation
import FrameKit

/// Measures how often `compare` and `history check` report a regression that does not exist, and
/// how often they find a real one.
enum FalseAlarms {
  /// Prints the tables.
  /// - Parameter arguments: How many comparisons of equal runs to make for each kind, the tool to
  ///   run on some of them, and how many of those.
  static func run(_ arguments: [String]) throws {
    let count = max(10, arguments.first.flatMap { Int($0) } ?? 3000)
    let tool = arguments.dropFirst().first
    let started = arguments.dropFirst(2).first.flatMap { Int($0) } ?? 120
    let comparisons = ComparisonAlarms(alike: count, changed: max(3, count / 10))
    print(comparisons.text)
    let histories = HistoryAlarms(series: max(2, count / 30), changed: max(2, count / 15))
    print("\n\(histories.text)")
    print("\n\(FirstJobs(series: max(20, count / 10)).text)")
    print("\n\(FleetAlarms(fleets: max(10, count / 10)).text)")
    let measurements = BenchAlarms(alike: max(20, 2 * count / 3), changed: max(10, count / 15))
    let searches = SearchAlarms(searches: max(20, 2 * count / 3))
    print("\n\(measurements.text)\n\n\(searches.text)")
    if let tool { try compareWithTool(tool, started) }
    print("\n\(histories.worst)\n\n\(comparisons.worst)")
    print("\n\(measurements.worst)\n\n\(searches.worst)")
  }

  /// Prints only the table of `compare` for runs that differ by their order or their day.
  static func designs(_ arguments: [String]) {
    let count = max(20, arguments.first.flatMap { Int($0) } ?? 1000)
    let kinds = GeneratedRuns.kinds.filter(\.hasDesign)
    print(ComparisonAlarms(alike: count, changed: max(10, count / 5), kinds: kinds).own)
  }

  /// Prints only the tables of `bench`.
  static func measurements(_ arguments: [String]) {
    let count = max(20, arguments.first.flatMap { Int($0) } ?? 2000)
    let measurements = BenchAlarms(alike: count, changed: max(10, count / 10))
    print("\(measurements.text)\n\n\(measurements.worst)")
  }

  /// Prints only the table of `bisect`.
  static func searches(_ arguments: [String]) {
    let searches = SearchAlarms(searches: max(20, arguments.first.flatMap { Int($0) } ?? 2000))
    print("\(searches.text)\n\n\(searches.worst)")
  }

  /// Prints only the table of fleets.
  static func fleets(_ arguments: [String]) {
    print(FleetAlarms(fleets: max(10, arguments.first.flatMap { Int($0) } ?? 200)).text)
  }

  /// Runs the shipped binary on the files of some comparisons, and prints on how many it agrees.
  private static func compareWithTool(_ tool: String, _ count: Int) throws {
    var agreed = 0
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "frametool-\(ProcessInfo.processInfo.processIdentifier)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    // These files contain neither the order in which the runs were made nor earlier runs.
    let kinds = GeneratedRuns.kinds.filter(\.isForOthers)
    var generators = kinds.map { GeneratedRuns($0, seed: 77) }
    for index in 0..<count {
      let kind = index % generators.count
      let change = RunChange.all[index / kinds.count % RunChange.all.count]
      let names = ["before", "after"].map { folder.appendingPathComponent($0).path }
      let sides = generators[kind].sides(of: 2 + index % 3, change, named: names)
      let interval = kinds[kind].statesRefresh ? kinds[kind].interval : nil
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

  /// The output of a tool.
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

  private static func write(_ run: RunTimes, interval: Double?) throws {
    var text = "{\"schema\": \"frametool.trace/1\"}\n"
    // If its interval is unknown, the display is left out.
    if let length = interval.map({ Int64($0 * 1e6) }) {
      text += "{\"type\": \"display\", \"id\": \"d\", \"interval\": \(length)}\n"
    }
    let display = interval == nil ? "" : ", \"display\": \"d\""
    text += "{\"type\": \"surface\", \"id\": \"s\"\(display)}\n"
    for time in run.times {
      text += "{\"type\": \"frame\", \"surface\": \"s\", \"presentInterval\": \(time)}\n"
    }
    let sink = try ByteSink(path: run.file)
    _ = try sink.write(Array(text.utf8))
    try sink.finish()
  }
}
