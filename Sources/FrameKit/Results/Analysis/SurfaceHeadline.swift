/// One line with what people ask of a surface first.
struct SurfaceHeadline {
  let focus: SurfaceFocus
  /// The finding that it begins with, so that it need not be said again.
  let finding: FindingLines.Kind?
  let sentence: String

  init(_ surface: SurfaceAnalysis, of analysis: TraceAnalysis) {
    focus = SurfaceFocus(surface, on: analysis.platform)
    let findings = FindingLines(surface, of: analysis)
    switch focus {
    case .rate:
      finding = nil
      sentence = (Self.rates(surface) + [Self.shown(surface.outcomes)]).joined(separator: "; ")
    case .smoothness:
      let isSaid = surface.drops.value != nil || surface.unjudgedDrops != nil
      finding = isSaid ? .drops : .hitches
      let rate = surface.figure("displayedFrameRate") ?? surface.figure("averageFrameRate")
      let parts = [
        findings[finding ?? .drops] ?? "no hitch", rate.map { "\($0) fps while active" },
        Self.shown(surface.outcomes),
      ]
      sentence = parts.compactMap { $0 }.joined(separator: "; ")
    }
  }

  /// The rate and its lows, as far as they were measured.
  static func rates(_ surface: SurfaceAnalysis) -> [String] {
    var parts: [String] = []
    if let rate = surface.figure("averageFrameRate") { parts.append("\(rate) fps on average") }
    let lows = [("1 %", "onePercentLowAverage"), ("0.1 %", "pointOnePercentLowAverage")]
      .compactMap { share, name in surface.figure(name).map { "\(share) low \($0) fps" } }
    if !lows.isEmpty { parts.append(lows.joined(separator: ", ")) }
    if case .summary(let summary) = surface["frameTime"]?.figures {
      let p50 = FixedNumber.text(summary.p50 / 1e6, decimals: 2)
      let p99 = FixedNumber.text(summary.p99 / 1e6, decimals: 2)
      parts.append("frame time p50 \(p50) ms, p99 \(p99) ms")
    }
    return parts
  }

  /// How many frames were shown, in words, and how many of them no app drew.
  private static func shown(_ counts: FrameOutcomes) -> String {
    let generated = counts.generated > 0 ? ", \(counts.generated) of them generated" : ""
    return fates(counts) + generated
  }

  private static func fates(_ counts: FrameOutcomes) -> String {
    if counts.count == 0 { return "no frames" }
    let frames = counts.count.frames
    if counts.displayed == counts.count {
      return counts.count == 1 ? "1 frame" : "\(frames), all shown"
    }
    if counts.displayed == 0, counts.dropped == 0 { return "\(frames) without a display time" }
    if counts.dropped > 0 { return "\(counts.dropped) of \(frames) never shown" }
    return "\(counts.displayed) of \(frames) shown, \(counts.unresolved) without a known end"
  }
}

extension SurfaceAnalysis {
  /// The figure of a metric that has one, with one decimal; `nil` when it has none.
  fileprivate func figure(_ name: String) -> String? {
    guard case .figure(let figure, _) = self[name]?.figures else { return nil }
    return FixedNumber.text(figure, decimals: 1)
  }
}

extension TraceAnalysis {
  /// The platform that the trace was recorded on; `nil` where nothing tells.
  var platform: Platform? { Importers.platform(of: trace) }
}
