import FrameAnalysis
import FrameTrace

/// The words for dropped refreshes of a trace.
struct DropWords {
  let trace: Trace
  /// The instant that times are relative to.
  let origin: Timestamp

  /// A sentence about consecutive dropped refreshes: their number and time, the charged stage, and the evidence.
  /// - Parameter surface: The surface that dropped the refreshes, by its index in the trace's list.
  func sentence(of drop: DropFindings.Drop, on surface: Int) -> String {
    let milliseconds = { (length: Nanoseconds) in
      FixedNumber.text(length.milliseconds, decimals: 1)
    }
    let refreshes = drop.refreshes
    let count = refreshes.count == 1 ? "1 refresh" : "\(refreshes.count) refreshes"
    let time = FixedNumber.text((drop.time - origin).seconds, decimals: 3)
    var line = "\(count) at \(time) s, frame \(refreshes.frame), by \(refreshes.stage.words)"
    if let other = otherFrame(refreshes.cause, than: refreshes.frame, on: surface) {
      line += " of \(other), which held it up"
    }
    if let stage = drop.stages.first(where: { $0.stage == refreshes.stage }),
      (stage.time - (stage.usual ?? .zero)).count >= drop.budget.count / 16
    {
      let usual = stage.usual.map { "usually \(milliseconds($0))" } ?? "usual time unknown"
      line += ": \(milliseconds(stage.time)) ms, \(usual)"
      line += " (interval \(milliseconds(drop.budget)) ms)"
    }
    if refreshes.stage == .app, let blocked = drop.uiThreadBlocked, blocked > drop.budget / 4 {
      line += ", its UI thread blocked for \(milliseconds(blocked)) ms"
    }
    if drop.changedMode { line += ", as the present mode changed" }
    if let why = refreshes.whyUnknown { line += ", because \(why)" }
    if let verdict = drop.verdict, verdict.stage != refreshes.stage {
      line += "; the source says: \(verdict.words)"
    }
    return line + (refreshes.isInferred ? " (inferred)" : "")
  }

  /// The words for a cause other than the due frame; `nil` if the due frame is the cause.
  func otherFrame(_ cause: FrameReference, than frame: Int, on surface: Int) -> String? {
    if cause.surface == surface { return cause.row == frame ? nil : "frame \(cause.row)" }
    let other = trace.surfaces[cause.surface]
    return "frame \(cause.row) of \(other.name ?? other.id)"
  }
}

extension TraceAnalysis {
  /// The words for the trace's dropped refreshes.
  var dropWords: DropWords { DropWords(trace: trace, origin: origin) }
}
