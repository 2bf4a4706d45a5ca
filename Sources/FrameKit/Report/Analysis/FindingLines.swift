/// What the rebuilt pipeline tells of a surface, a line for each thing a person asks first:
/// what is wrong, where, which stage, and since when.
struct FindingLines {
  private let surface: SurfaceAnalysis
  private let origin: Timestamp
  private let options: AnalysisOptions

  init(_ surface: SurfaceAnalysis, of analysis: TraceAnalysis) {
    self.surface = surface
    origin = analysis.origin
    options = analysis.options
  }

  /// The lines, the gravest first.
  func lines() -> [String] {
    [
      drops, worstDrop, hitches, calm, latency, breakdown, touches, buffers, changes, display,
      budget,
    ]
    .compactMap { $0 }
  }

  private func seconds(_ time: Timestamp) -> String {
    FixedNumber.text((time - origin).milliseconds / 1e3, decimals: 3) + " s"
  }

  private func milliseconds(_ length: Nanoseconds) -> String {
    FixedNumber.text(length.milliseconds, decimals: 1)
  }

  private func percent(_ share: Double) -> String {
    FixedNumber.text(share * 100, decimals: 1) + " %"
  }

  private var drops: String? {
    guard let drops = surface.drops.value else { return nil }
    if drops.refreshes == 0 { return "no refresh of \(drops.activeRefreshes) was dropped" }
    let share = drops.share.map { " (\(percent($0)))" } ?? ""
    var line = "\(drops.refreshes) of \(drops.activeRefreshes) refreshes dropped\(share): "
    let stages = drops.byStage.sorted { ($1.value, $0.key.words) < ($0.value, $1.key.words) }
    line += stages.map { "\($0.value) by \($0.key.words)" }.joined(separator: ", ")
    if let first = drops.drops.first, let last = drops.drops.last, first != last {
      line += "; from \(seconds(first.time)) to \(seconds(last.time))"
      line += ", \(drops.longestRun) in a row at most"
    }
    return line
  }

  /// The longest run of one charge, with what shows why.
  private var worstDrop: String? {
    guard let drops = surface.drops.value?.drops,
      let worst = drops.max(by: { $0.refreshes.count < $1.refreshes.count })
    else { return nil }
    let refreshes = worst.refreshes
    let count = refreshes.count == 1 ? "1 refresh" : "\(refreshes.count) refreshes"
    var line = "worst: \(count) at \(seconds(worst.time)), frame \(refreshes.frame) by "
    line += refreshes.stage.words
    if refreshes.cause.row != refreshes.frame { line += " of frame \(refreshes.cause.row)" }
    if let stage = worst.stages.first(where: { $0.stage == refreshes.stage }) {
      line += ", \(milliseconds(stage.time)) ms where \(milliseconds(stage.usual)) is usual"
      line += " and \(milliseconds(worst.budget)) an interval"
    }
    if let why = refreshes.whyUnknown { line += ", as \(why)" }
    return line + (refreshes.isInferred ? " (inferred)" : "")
  }

  private var hitches: String? {
    guard let hitches = surface.hitches.value, !hitches.times.isEmpty else { return nil }
    let count = hitches.times.count
    var line = "\(count) hitch\(count == 1 ? "" : "es"), \(milliseconds(hitches.total)) ms in all"
    if let ratio = hitches.ratio {
      let grades = HitchFindings.Scale.allCases.map { "\($0.grade(ratio)) (\($0.rawValue))" }
      line += ": \(FixedNumber.text(ratio, decimals: 1)) ms/s, " + grades.joined(separator: ", ")
    }
    return line + (hitches.source == .stated ? "; by the source's own reckoning" : "")
  }

  /// Time in which nothing was due, which is no fault.
  private var calm: String? {
    guard let drops = surface.drops.value else { return nil }
    var parts: [String] = []
    if drops.restTime.count > 0 { parts.append("at rest for \(milliseconds(drops.restTime)) ms") }
    // A start left out here and there is no rate.
    if drops.cadenceFrames >= 10 {
      let frames = surface.outcomes.count
      parts.append(
        "\(drops.cadenceFrames) of \(frames.frames) keep a lower rate on purpose (inferred)")
    }
    return parts.isEmpty ? nil : parts.joined(separator: "; ")
  }

  private var latency: String? {
    guard let touches = surface.touches.value, let latency = touches.touchToPhoton,
      let frames = touches.touchToPhotonFrames
    else { return nil }
    var line = "touch to photon p50 \(text(latency.p50)) ms = \(text(frames.p50)) frames"
    line += ", p95 \(text(latency.p95)) ms, n \(latency.n)"
    if touches.predicted > 0, let effective = touches.effective,
      let left = touches.effectiveFrames
    {
      line += "; \(text(effective.p50)) ms = \(text(left.p50)) frames with prediction"
    }
    return line + (touches.isInferred ? " (inferred)" : "")
  }

  private func text(_ value: Double) -> String { FixedNumber.text(value / 1e6, decimals: 2) }

  private var breakdown: String? {
    guard let parts = surface.touches.value?.breakdown, !parts.isEmpty else { return nil }
    let means = parts.map { part in
      let names = part.parts.map { $0.replacing("_", with: " ") }
      return
        "\(names.joined(separator: " + ")) \(FixedNumber.text(part.lengths.mean / 1e6, decimals: 1))"
    }
    let share = FixedNumber.text(options.scanOutShare, decimals: 2)
    return "of that on average, in ms: " + means.joined(separator: ", ") + " (share \(share))"
  }

  private var touches: String? {
    guard let touches = surface.touches.value else { return nil }
    var parts = ["\(touches.main) touch sample\(touches.main == 1 ? "" : "s")"]
    let counts = [
      (touches.coalesced, "coalesced"), (touches.predicted, "predicted"),
      (touches.undelivered, "never delivered"), (touches.cancelled, "cancelled"),
      (touches.unresolved, "still on their way at the end"),
    ]
    for (count, words) in counts where count > 0 { parts.append("\(count) \(words)") }
    return parts.joined(separator: ", ")
  }

  private var buffers: String? {
    guard let buffers = surface.buffers.value else { return nil }
    let names = ["one buffer", "two buffers", "three buffers", "four buffers or more"]
    var parts: [String] = []
    for (name, share) in zip(names, buffers.depthShares ?? []) where share > 0 {
      parts.append("\(name) for \(percent(share))")
    }
    var line = parts.isEmpty ? "" : parts.joined(separator: ", ") + " of the active time; "
    line += "\(buffers.count) in all"
    if buffers.isInferred { line += " (inferred)" }
    let counts = [
      (buffers.used, "used"), (buffers.allocated, "allocated"),
      (buffers.held, "held by the compositor at once"),
    ]
    let known = counts.compactMap { count, words in count.map { "\($0) \(words)" } }
    if !known.isEmpty { line += "; " + known.joined(separator: ", ") }
    return line + (buffers.isPool ? "; they come from a pool, not from a swap chain" : "")
  }

  private var changes: String? {
    guard let changes = surface.buffers.value?.changes, let first = changes.first else {
      return nil
    }
    var line =
      "from \(first.from) buffers to \(first.to) at \(seconds(first.time)), frame \(first.frame)"
    line += first.stage.map { ", by \($0.words)" } ?? ""
    return changes.count > 1 ? line + "; \(changes.count) such changes in all" : line
  }

  private var display: String? {
    guard let refreshes = surface.refreshes, let interval = refreshes.interval else { return nil }
    var line = "refresh interval \(FixedNumber.text(interval.milliseconds, decimals: 3)) ms"
    line += ", \(refreshes.source.rawValue)"
    if refreshes.isVariable { line = "variable refresh, at least " + line }
    if let contradicted = refreshes.contradicted {
      line += "; the trace states \(FixedNumber.text(contradicted.milliseconds, decimals: 3)) ms"
      line += ", which its own times contradict"
    }
    return line
  }

  private var budget: String? {
    guard let over = surface.overBudget else { return nil }
    let budget = FixedNumber.text(over.budget.milliseconds, decimals: 2)
    return "\(over.over) of \(over.n) frame times are over \(budget) ms (\(percent(over.share)))"
  }
}

extension PipelineStage {
  /// The stage as people read it.
  var words: String {
    switch self {
    case .app: "the app"
    case .compositor: "the compositor"
    case .gpu: "the GPU"
    case .display: "the display"
    case .unknown: "an unknown stage"
    }
  }
}
