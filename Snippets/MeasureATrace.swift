// Reads a trace of any format and prints the 99th percentile of its frame times.
import FrameKit

let path = CommandLine.arguments.dropFirst().first ?? "Samples/game.csv"

// snippet.show
do {
  let trace = try Importers.read(InputFile(path: path))
  for surface in TraceAnalysis(of: Study(of: trace)).surfaces {
    guard let p99 = surface["frameTime"]?["p99"] else { continue }
    print(surface.id, "p99:", p99.value, p99.unit.rawValue)
  }
  for issue in trace.issues { print(issue.severity, issue.message, issue.count) }
} catch {
  print(error)
}
