import FrameAnalysis
import FrameTrace

/// A launch for an interactive page: its phases, threads and slices over time.
///
/// Times are in microseconds from the start of the launch.
public struct ExploredLaunch: Sendable {
  let name: String
  /// The end of the launch, and the end of the displayed time.
  let end: Int64?
  let length: Int64
  let phases: [(name: String, start: Int64, end: Int64)]
  let lanes: [ExploredCause.Lane]
  let slices: [(name: String, start: Int64, end: Int64, depth: Int)]

  /// The maximum number of launches of a trace that can be explored.
  private static let most = 20

  /// The launches of a study.
  static func all(_ study: Study) -> [ExploredLaunch] {
    LaunchWindow.all(study.launches, of: study.trace, atMost: most).map(ExploredLaunch.init)
  }

  private init(_ window: LaunchWindow) {
    let origin = window.range.lowerBound
    let microseconds = { (time: Timestamp) in (time - origin).count / 1000 }
    let launch = window.launch
    name = [launch.process, "launch \(launch.name)"].compactMap { $0 }.joined(separator: ", ")
    end = launch.end.map(microseconds)
    length = microseconds(window.range.upperBound)
    phases = launch.phases.map { phase in
      (phase.label ?? phase.name.words, microseconds(phase.start), microseconds(phase.end))
    }
    lanes = window.lanes.map { ExploredCause.Lane($0, microseconds) }
    slices = window.slices.map { slice in
      (
        slice.name, microseconds(slice.span.lowerBound), microseconds(slice.span.upperBound),
        slice.depth
      )
    }
  }
}
