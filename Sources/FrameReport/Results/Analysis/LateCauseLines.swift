import FrameAnalysis
import FrameTrace

/// Why each frame that cost its app refreshes was late, one line per frame.
struct LateCauseLines {
  private let surface: SurfaceAnalysis
  private let analysis: TraceAnalysis

  init(_ surface: SurfaceAnalysis, of analysis: TraceAnalysis) {
    (self.surface, self.analysis) = (surface, analysis)
  }

  /// How to record the data from which causes are found; empty if no source of the platform has that data.
  private var advice: String {
    switch analysis.platform {
    case .android:
      "; record scheduling in a Perfetto trace with linux.ftrace and atrace's slices"
    case .linux, nil:
      "; record scheduling: ftrace's sched_switch and sched_waking with atrace's slices, on Android in a Perfetto trace with linux.ftrace"
    case .apple: "; record the template System Trace, and export the table thread-state"
    case .windows, .browser: ""
    }
  }

  var lines: [String] {
    guard let drops = surface.drops.value else { return [] }
    let charged = drops.drops.filter { $0.refreshes.stage == .app }
    guard !charged.isEmpty else { return ["no frame is charged to the app"] }
    guard let causes = surface.causes else {
      return [
        "why frames were late is not known: the trace does not record the app's threads\(advice)"
      ]
    }
    let counts = Dictionary(
      charged.map { ($0.refreshes.cause, Int($0.refreshes.count)) }, uniquingKeysWith: +)
    var seen: Set<FrameReference> = []
    return charged.compactMap { drop in
      let frame = drop.refreshes.cause
      guard seen.insert(frame).inserted else { return nil }
      let count = counts[frame] ?? 0
      let time = FixedNumber.text((drop.time - analysis.origin).seconds, decimals: 3)
      let refreshes = count == 1 ? "1 refresh" : "\(count) refreshes"
      let why = causes.byFrame[frame]?.sentence ?? "nothing that its frames in time have less of"
      return "frame \(frame.row), \(refreshes) from \(time) s: \(why)"
    }
  }
}
