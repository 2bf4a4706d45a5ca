import FrameAnalysis
import FrameStatistics
import FrameTrace

/// The findings on a surface's touches, one per line.
struct TouchLines {
  private let surface: SurfaceAnalysis
  private let options: AnalysisOptions

  init(_ surface: SurfaceAnalysis, _ options: AnalysisOptions) {
    self.surface = surface
    self.options = options
  }

  func lines() -> [String] {
    guard let touches = surface.touches.value else { return [] }
    let lines: [String?] = [
      latency(touches), prediction(touches), breakdown(touches), errors(touches), counts(touches),
    ]
    return lines.compactMap { $0 }
  }

  private func text(_ value: Double, decimals: Int = 2) -> String {
    FixedNumber.text(value, decimals: decimals)
  }

  private func latency(_ touches: TouchSummary) -> String? {
    guard let latency = touches.touchToPhoton else {
      return touches.whyNoLatency.map { "no touch latency: \($0)" }
    }
    let frames = touches.touchToPhotonFrames.map { " (\(text($0.p50)) frames)" } ?? ""
    var line = "touch to photon p50 \(text(latency.p50)) ms\(frames), p99 \(text(latency.p99)) ms"
    line += ", n \(latency.n)"
    if options.deviceOffset.count != 0 {
      line += ", including a device offset of \(text(options.deviceOffset.milliseconds)) ms"
    }
    return line + (touches.isInferred ? " (inferred)" : "")
  }

  private func prediction(_ touches: TouchSummary) -> String? {
    guard touches.predictedFrames > 0, let effective = touches.effective else { return nil }
    let frames = touches.effectiveFrames.map { " (\(text($0.p50)) frames)" } ?? ""
    return
      "net of prediction p50 \(text(effective.p50)) ms\(frames); \(touches.predictedFrames) of \(effective.n.frames) use a prediction"
  }

  /// The mean latency as the sum of the means of its parts.
  private func breakdown(_ touches: TouchSummary) -> String? {
    guard let whole = touches.brokenDown else { return nil }
    let parts = touches.breakdown.map { part in
      part.parts.map(Self.words).joined(separator: " and ") + " "
        + text(part.lengths.mean, decimals: 1)
    }
    let share =
      switch options.scanOutShare {
      case 1: "whole frame"
      case 0: "top line"
      default: "\(FixedNumber.text(options.scanOutShare, decimals: 2)) of the frame"
      }
    let line = "mean \(text(whole.mean, decimals: 1)) ms = " + parts.joined(separator: " + ")
    return line + " (\(share))"
  }

  private static func words(_ part: String) -> String {
    part == "scanout" ? "scan-out" : part.replacing("_", with: " ")
  }

  private func errors(_ touches: TouchSummary) -> String? {
    guard !touches.predictionErrors.isEmpty else { return nil }
    let errors = touches.predictionErrors.prefix(4).map {
      "\(text($0.error.p50)) pt at \(FixedNumber.text($0.horizon.milliseconds, decimals: 1)) ms ahead (n \($0.error.n))"
    }
    let rest = touches.predictionErrors.count > 4 ? ", …" : ""
    return "prediction error p50 " + errors.joined(separator: ", ") + rest
  }

  private func counts(_ touches: TouchSummary) -> String {
    var parts = ["\(touches.main) touch sample\(touches.main == 1 ? "" : "s")"]
    let counts = [
      (touches.coalesced, "coalesced"), (touches.predicted, "predicted"),
      (touches.undelivered, "not used by any frame"), (touches.cancelled, "canceled"),
      (touches.unresolved, "still in flight at the end"),
      (touches.unknown, "of unknown fate"),
      (touches.impossible, "left out because their frame was shown before their scan"),
    ]
    for (count, words) in counts where count > 0 { parts.append("\(count) \(words)") }
    return parts.joined(separator: ", ")
  }
}
