import FrameAnalysis
import FrameImporters
import FrameTrace

/// Sentences about a trace without frames: what it contains, and how to record frames.
struct FramelessLines {
  private let analysis: TraceAnalysis

  init(_ analysis: TraceAnalysis) { self.analysis = analysis }

  private static func text(_ count: Int, _ plural: String) -> String {
    guard count == 1 else { return "\(count) \(plural)" }
    let ending = ["sses", "ches", "shes"].contains { plural.hasSuffix($0) } ? 2 : 1
    return "1 \(plural.dropLast(ending))"
  }

  /// The sentences; empty if there are frames or other answers, or if the trace was not read completely.
  var lines: [String] {
    let trace = analysis.trace
    let isAnswer =
      trace.launches.count > 0 || trace.figures.count > 0 || trace.bins.count > 0
      || trace.statedHitches.count > 0 || !analysis.interactions.ofPages.isEmpty
    guard trace.frameCount == 0, !isAnswer, !trace.isPartial else { return [] }
    var counts = TraceInfo.counts(trace).map { Self.text($0.count, $0.what) }
    let refreshes = trace.displays.reduce(0) { $0 + $1.refreshes.count }
    if refreshes > 0 { counts.append(Self.text(refreshes, "refreshes")) }
    return ["no frames; the trace has \(counts.joined(separator: ", "))"]
      + [trace.provenance.source.framesAdvice].compactMap(\.self)
  }
}
