import FrameAnalysis
import FrameTrace

/// Launches as one table for spreadsheets and data frames: a row for the whole of each
/// launch, with `total` as its phase, and one for each of its phases. Times are in milliseconds;
/// missing cells are empty.
struct LaunchTable {
  private static let columns = [
    "file", "launch", "process", "kind", "until", "from", "counts", "phase", "called", "start_ms",
    "wall_ms", "cpu_ms", "running_ms", "runnable_ms", "preempted_ms", "blocked_ms", "unknown_ms",
    "inversion_ms",
  ]

  private(set) var rows = [columns]

  init(_ analysis: LaunchAnalysis) {
    for (trace, launches) in zip(analysis.traces, analysis.launches) {
      for launch in launches { rows += Self.rows(launch, in: trace.provenance.file) }
    }
  }

  private static func rows(_ launch: RebuiltLaunch, in file: String) -> [[String]] {
    let owner = [
      file, "\(launch.number)", launch.process ?? "", launch.kind.map { "\($0)" } ?? "",
      "\(launch.until)", launch.isFromTap ? "tap" : "process",
      launch.whyNoMeasurement.map { $0.rawValue } ?? "yes",
    ]
    let inverted = launch.inversions.reduce(.zero) { $0 + $1.length }
    let whole =
      ["total", "", cell(launch.start.map { _ in .zero }), cell(launch.total)]
      + [cell(launch.cpu), "", "", "", "", ""]
      + [cell(launch.mainThread == nil ? nil : inverted)]
    let phases = launch.phases.map { phase in
      [
        "\(phase.name)", phase.label ?? "", cell(launch.start.map { phase.start - $0 }),
        cell(phase.wall), cell(phase.cpu), cell(phase.times?.running),
        cell(phase.times?.runnable), cell(phase.times?.preempted), cell(phase.times?.blocked),
        cell(phase.times?.unknown), "",
      ]
    }
    return ([whole] + phases).map { owner + $0 }
  }

  private static func cell(_ length: Nanoseconds?) -> String {
    length.map { "\($0.milliseconds)" } ?? ""
  }
}
