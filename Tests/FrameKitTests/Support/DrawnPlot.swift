import Fixtures
import Testing

@testable import FrameAnalysis
@testable import FrameReport
@testable import FrameTrace
@testable import FrameVerdicts

/// Plots of scenarios, and the elements drawn in them.
enum DrawnPlot {
  static func trace(_ scenario: String, frames: Int? = nil, seed: UInt64 = 1) throws -> Trace {
    let found = try #require(Scenarios.all.first { $0.name == scenario })
    return found.play(.init(seed: seed, frames: frames ?? found.frames)).trace
  }

  static func of(
    _ kind: String, _ trace: Trace, of region: TraceRegion? = nil,
    _ change: (inout PlotOptions) -> Void = { _ in }
  ) throws -> Plot {
    var options = PlotOptions()
    change(&options)
    var measured = AnalysisOptions()
    measured.region = region
    return try named(kind).draw([Study(of: trace, measured)], options)
  }

  /// The plot of traces with that name.
  static func named(_ kind: String) throws -> TracePlot {
    guard case .traces(let plot) = Plots.named(kind) else {
      throw PlotRefusal("\(kind) is no plot of traces")
    }
    return plot
  }

  /// The runs of some traces, for comparisons and histories.
  static func runs(_ scenario: String, seeds: ClosedRange<UInt64>) throws -> [RunSummary] {
    // Some scenarios give the same frame times for all runs of a length.
    try seeds.map {
      try RunTimes.of(Study(of: trace(scenario, frames: 600 + Int($0), seed: $0))).summary
    }
  }
}

extension Plot {
  /// The layers of that name in any panel.
  func layers(_ name: String) -> [PlotLayer] { panels.flatMap(\.layers).filter { $0.name == name } }

  /// All boxes that stand for something.
  func boxes(_ color: PlotColor) -> [[Double]] {
    panels.flatMap(\.layers).filter { $0.shape == .boxes && $0.color == color }.flatMap(\.rows)
  }
}
