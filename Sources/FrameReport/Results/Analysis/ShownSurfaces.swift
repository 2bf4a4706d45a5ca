import FrameAnalysis
import FrameTrace

/// The surfaces of a trace that are shown with their figures, and the lines about the others.
struct ShownSurfaces {
  /// The surfaces shown in full, starting with the surface that a person most likely looked at.
  let whole: [SurfaceAnalysis]
  /// A line for each other surface; surfaces with hardly any frames share one line.
  let others: [String]

  init(_ analysis: TraceAnalysis, _ detail: AnalysisDetail) {
    let ranked = analysis.ordered
    guard detail == .answer, analysis.surfaces.count > 1 else {
      (whole, others) = (ranked, [])
      return
    }
    let large = ranked.filter { surface in
      surface.outcomes.count >= AnalysisDetail.fewestFrames
        || surface.hasStatedHitches
    }
    let shown = large.isEmpty ? ranked.prefix(1) : large.prefix(AnalysisDetail.mostSurfaces)
    whole = Array(shown)
    let known = Set(shown.map(\.index))
    let named = large.filter { !known.contains($0.index) }
    let namedPositions = Set(named.map(\.index))
    let small = ranked.filter { surface in
      !known.contains(surface.index) && !namedPositions.contains(surface.index)
    }
    others =
      named.map { surface in
        "\(AnalysisTables.title(surface)): \(SurfaceHeadline(surface, of: analysis).sentence)"
      } + Self.line(small)
  }

  /// How many surfaces are not analyzed.
  static func words(leftOut count: Int) -> String {
    "\(count) more surface\(count == 1 ? "" : "s") with no more frames than these left out; --surface and --process choose among them"
  }

  private static func line(_ surfaces: [SurfaceAnalysis]) -> [String] {
    guard !surfaces.isEmpty else { return [] }
    let names = surfaces.prefix(mostNamed).map { surface in
      "\(AnalysisTables.title(surface)) (\(surface.outcomes.count.frames))"
    }
    let rest = surfaces.count > mostNamed ? ", …" : ""
    let count = "\(surfaces.count) more surface\(surfaces.count == 1 ? "" : "s")"
    return [
      "\(count) of fewer than \(AnalysisDetail.fewestFrames) frames: "
        + names.joined(separator: ", ") + rest
    ]
  }

  /// The maximum number of small surfaces to name.
  private static let mostNamed = 6
}

extension SurfaceAnalysis {
  /// Whether the source states hitches for the surface, so that it matters regardless of its frames.
  fileprivate var hasStatedHitches: Bool {
    hitches.value.map { $0.source == .stated && $0.times.count + $0.withoutLength > 0 } ?? false
  }
}
