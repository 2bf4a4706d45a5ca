// Reads a trace of any format and prints the 99th percentile of its frame times.
import FrameKit

let path = CommandLine.arguments.dropFirst().first ?? "Samples/game.csv"

// snippet.show
do {
  let trace = try Importers.read(InputFile(path: path))
  for surface in TraceAnalysis(of: Study(of: trace)).surfaces {
    guard case .summary(let frameTime) = surface["frameTime"]?.figures else { continue }
    print(surface.id, "p99:", frameTime.p99 / 1e6, "ms of", frameTime.n, "frames")
  }
  for issue in trace.issues { print(issue.severity, issue.message, issue.count) }
} catch {
  print(error)
}
