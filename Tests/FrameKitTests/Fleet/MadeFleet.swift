import Fixtures
import Testing

@testable import FrameAnalysis
@testable import FrameImporters
@testable import FrameStatistics
@testable import FrameTrace
@testable import FrameVerdicts

/// Fleets with a known truth: runs of devices and versions, each with frame times around a given
/// value.
enum MadeFleet {
  /// A run with frame times around the given number of milliseconds.
  static func run(
    _ name: String, tags: [String: String], milliseconds: Double, frames: Int = 120,
    using random: inout SplitMix64
  ) throws -> SummarizedRun {
    // Runs differ as a whole, and frames differ within a run.
    let own = milliseconds * (1 + Double.random(in: -0.02...0.02, using: &random))
    let times = (0..<frames).map { _ in own * (1 + Double.random(in: -0.1...0.1, using: &random)) }
    let lines = times.map {
      "{\"type\": \"frame\", \"startInterval\": \(FixedNumber.text($0, decimals: 4))}"
    }
    let text =
      "{\"schema\": \"frametool.trace/1\", \"unit\": \"ms\"}\n" + lines.joined(separator: "\n")
      + "\n"
    let trace = try Importers.read(InputFile(bytes: Array(text.utf8), path: name))
    let selection = try #require(MetricSelection(["frameTime"]))
    return try SummarizedRun(
      of: Study(of: trace), selection, tags: tags, size: nil, isComparable: false)
  }

  /// The fleet made from the runs.
  static func fleet(_ runs: [SummarizedRun], _ options: Fleet.Options) throws -> Fleet {
    var builder = Fleet.Builder(options)
    for run in runs { try builder.add(run) }
    return builder.fleet
  }
}
