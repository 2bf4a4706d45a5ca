import FrameAnalysis
import FrameImporters
import FrameStatistics
import FrameTrace

/// The findings from a surface's rebuilt pipeline, one line for each question that people ask first: what is wrong,
/// where, in which stage, and since when.
struct FindingLines {
  private let surface: SurfaceAnalysis
  private let analysis: TraceAnalysis

  init(_ surface: SurfaceAnalysis, of analysis: TraceAnalysis) {
    self.surface = surface
    self.analysis = analysis
  }

  /// The subject of a line, the most serious first.
  enum Kind: CaseIterable {
    case limits, engine, engineHitches, drops, contradiction, times, worstDrop, worstCause, causes
    case usualBudget, stated, eager, stops, stutters, rhythm, differences
    case hitches, rebuiltHitches, calm, holes
    case touches, layers, passes, buffers, changes, display, budget, coverage, outcomes

    /// Whether the line is of interest only after the first questions are answered.
    var isDetail: Bool { [.changes, .coverage, .outcomes].contains(self) }
  }

  /// The available lines.
  /// - Parameter said: The subject that was already covered.
  func lines(_ detail: AnalysisDetail, except said: Kind?) -> [String] {
    Kind.allCases.filter { $0 != said && (detail == .all || !$0.isDetail) }.flatMap { kind in
      kind == .touches
        ? TouchLines(surface, analysis.options).lines() : [self[kind]].compactMap { $0 }
    }
  }

  /// The line on one subject; `nil` if there is nothing to report.
  subscript(kind: Kind) -> String? {
    switch kind {
    case .limits: limits
    case .engine: EngineWords(surface)?.sentence
    case .engineHitches: EngineHitches(surface, of: analysis)?.sentence
    case .drops: drops
    case .contradiction: contradiction
    case .times: times
    case .worstDrop: worstDrop
    case .worstCause: worstCause
    case .causes: surface.causes.flatMap { $0.refreshes.isEmpty ? nil : $0.sentence }
    case .usualBudget: usualBudget
    case .stated: stated
    case .eager: eager
    case .stops: gaps
    case .stutters: stutters?.distribution
    case .rhythm: stutters?.rhythm
    case .differences: surface.stutterDifferences.flatMap(StutterWords.differences)
    case .hitches: hitches
    case .rebuiltHitches: rebuiltHitches
    case .calm: calm
    case .holes: holes
    case .touches: nil
    case .layers: layers
    case .passes: passes
    case .buffers: buffers
    case .changes: changes
    case .display: display
    case .budget: budget
    case .coverage: surface.coverage?.words
    case .outcomes: AnalysisTables.outcomes(surface.outcomes)
    }
  }

  private func seconds(_ time: Timestamp) -> String {
    EventTimes.text(time, from: analysis.origin)
  }

  private func milliseconds(_ length: Nanoseconds) -> String {
    FixedNumber.text(length.milliseconds, decimals: 1)
  }

  private func percent(_ share: Double) -> String {
    FixedNumber.text(share * 100, decimals: 1) + " %"
  }

  /// What limits the frames, or, for games, why that is unknown.
  private var limits: String? {
    // An engine's counters are more informative.
    if EngineWords(surface) != nil { return nil }
    if let limits = surface.limits.value { return limits.sentence(in: analysis.trace) }
    // Tools that record games state the time between frames.
    let frames = analysis.trace.surfaces[surface.index].frames
    let isGame = frames.has(.presentInterval) || frames.has(.startInterval)
    guard isGame, surface.outcomes.count >= 10, let why = surface.limits.whyMissing,
      FrameLimits.notRecorded.contains(why)
    else {
      return nil
    }
    return "what limits the frames is unknown: \(why)"
  }

  private var drops: String? {
    guard let drops = surface.drops.value else { return surface.unjudgedDrops?.words }
    var line = drops.sentence
    if let first = drops.drops.first, let last = drops.drops.last, first != last {
      line += "; from \(seconds(first.time)) to \(seconds(last.time))"
      line += ", at most \(drops.longestRun) in a row"
    }
    return line
  }

  /// Frames at a refresh that already showed another frame; if there are too many such frames, drops are unknown.
  private var contradiction: String? {
    guard let drops = surface.drops.value, drops.sharedRefreshes > 0 else { return nil }
    return
      "\(drops.sharedRefreshes) of \(drops.displayedFrames) frames share a refresh with an earlier frame"
  }

  /// Frames whose recorded times contradict each other.
  private var times: String? {
    guard let found = surface.contradictions else { return nil }
    let (earlier, later) = (found.earlier.schema.key, found.later.schema.key)
    return
      "times contradict each other in \(found.frames) of \(surface.outcomes.count.frames), left out of figures between them; first frame \(found.first): \(later) is \(milliseconds(found.distance)) ms before \(earlier)"
  }

  /// The longest run of drops with one charge, and the evidence.
  private var worstDrop: String? {
    guard let drops = surface.drops.value?.drops,
      let worst = drops.max(by: { $0.refreshes.count < $1.refreshes.count })
    else { return nil }
    return "worst: \(analysis.dropWords.sentence(of: worst, on: surface.index))"
  }

  /// Why the frame with the longest run of drops that has a cause was late.
  private var worstCause: String? {
    guard let causes = surface.causes, let drops = surface.drops.value?.drops else { return nil }
    let worst = drops.filter { causes.byFrame[$0.refreshes.cause] != nil }
      .max { $0.refreshes.count < $1.refreshes.count }
    return worst.flatMap { drop in
      causes.byFrame[drop.refreshes.cause].map { cause in
        "why, frame \(drop.refreshes.cause.row): \(cause.sentence)"
      }
    }
  }

  /// Stages that exceed their budget even when nothing is wrong.
  private var usualBudget: String? {
    guard let budget = surface.usualBudget else { return nil }
    let times = "\(milliseconds(budget.used)) of \(milliseconds(budget.budget)) ms"
    let stages = budget.stages.map(\.words).joined(separator: " + ")
    return
      "over budget even at usual stage times (\(times) for \(stages), n \(budget.n)), so each late frame costs more"
  }

  /// The source's statements about the same refreshes.
  private var stated: String? {
    guard let verdicts = surface.verdicts else { return nil }
    let parts = (surface.drops.value?.stated.map(compared) ?? late(verdicts)) + others(verdicts)
    return parts.isEmpty ? nil : "the source's own verdict: \(parts.joined(separator: "; "))"
  }

  private func list(_ counts: [PipelineStage: Int]) -> String {
    counts.sorted { ($1.value, $0.key.words) < ($0.value, $1.key.words) }
      .map { "\($0.value) by \($0.key.words)" }.joined(separator: ", ")
  }

  /// The frames that the source calls late, if nothing can be compared with them.
  private func late(_ verdicts: StatedVerdicts) -> [String] {
    let judged = verdicts.onTime + verdicts.late + verdicts.partial
    guard verdicts.onTime + verdicts.late > 0 else { return [] }
    let unstated = verdicts.late - verdicts.byStage.values.reduce(0, +)
    let rest = unstated == 0 ? "" : ", \(unstated) without a stage"
    let stages = verdicts.byStage.isEmpty ? "" : ": \(list(verdicts.byStage))\(rest)"
    return ["\(verdicts.late) of \(judged.frames) late\(stages)"]
  }

  /// The source's charges next to those of the rebuilt drops.
  private func compared(_ stated: StatedCharges) -> [String] {
    var parts: [String] = []
    if !stated.byStage.isEmpty {
      var line = list(stated.byStage)
      if let share = stated.agreement {
        line +=
          "; the same stage as here for \(stated.agreeing) of \(stated.agreeing + stated.differing) (\(percent(share)))"
      }
      if !stated.ofUnknown.isEmpty {
        line += "; of those of unknown stage here, \(list(stated.ofUnknown))"
      }
      parts.append(line)
    }
    if stated.onTime > 0 {
      parts.append(
        "\(stated.onTime) by \(stated.onTime == 1 ? "a frame" : "frames") that it calls on time")
    }
    if stated.lateWithoutDrop > 0 {
      parts.append("\(stated.lateWithoutDrop.frames) called late that dropped no refresh")
    }
    return parts
  }

  /// The frames that the source calls dropped or partial, and the longest run of such frames.
  private func others(_ verdicts: StatedVerdicts) -> [String] {
    var parts: [String] = []
    if verdicts.dropped > 0 { parts.append("\(verdicts.dropped.frames) dropped") }
    if verdicts.droppedInvisibly > 0 {
      parts.append("\(verdicts.droppedInvisibly.frames) dropped without an effect on smoothness")
    }
    if let run = verdicts.longestRun, run.frames > 1 {
      let start = FixedNumber.text((run.start - analysis.origin).seconds, decimals: 3)
      parts.append(
        "the longest run has \(run.frames.frames) from \(start) s on, \(milliseconds(run.length)) ms"
      )
    }
    if verdicts.partial > 0 {
      parts.append(
        "\(verdicts.partial.frames) shown without the app's update, which is not a drop")
    }
    return parts
  }

  private var hitches: String? {
    guard let hitches = surface.hitches.value else { return nil }
    let (count, unknown) = (hitches.times.count, hitches.withoutLength)
    let words = { (count: Int) in "\(count) hitch\(count == 1 ? "" : "es")" }
    guard count > 0 else {
      return unknown > 0 ? "\(words(unknown)), as the source states, none with a length" : nil
    }
    var line = "\(words(count)), \(milliseconds(hitches.total)) ms in all"
    if let ratio = hitches.ratio {
      line += ": \(FixedNumber.text(ratio, decimals: 2)) ms/s"
      line += hitches.ratioSpan == .hitches ? " of the \(hitches.ratioSpan.rawValue)" : ""
      line += grades(ratio).map { ", \($0)" }.joined()
    }
    guard hitches.source == .stated else { return line }
    line +=
      hitches.isLengthStated
      ? "; as computed by the source"
      : "; as the source states, with the lengths from due and display times (derived)"
    let rest = unknown > 0 ? "; \(unknown) more without a length" : ""
    let kinds = [("commit", HitchColumn.Kind.commit), ("render", .render), ("unknown", .unknown)]
      .compactMap { name, kind in hitches.byKind?[kind].map { "\($0) \(name)" } }
    return line + (kinds.isEmpty ? "" : " (\(kinds.joined(separator: ", ")))") + rest
  }

  /// The grade of the ratio on the scales for the platform.
  private func grades(_ ratio: Double) -> [String] {
    guard analysis.platform == .apple, surface.coverage?.allowsGrade != false else { return [] }
    return HitchFindings.Scale.allCases.map { "\($0.grade(ratio)) (\($0.rawValue))" }
  }

  /// What the trace's due times and display times show about the hitches that the source states.
  private var rebuiltHitches: String? {
    guard let agreement = surface.hitches.value?.agreement else { return nil }
    let tally = { (tally: HitchAgreement.Tally) in
      "\(tally.count), \(milliseconds(tally.time)) ms"
    }
    let both = agreement.bothRebuilt
    var parts = ["rebuilt from due and display times: \(tally(agreement.rebuilt))"]
    if both.count > 0 {
      parts.append(
        "in both \(tally(both)) (\(milliseconds(agreement.bothStated.time)) ms as stated)"
      )
    }
    for reason in HitchAgreement.Reason.allCases {
      if let only = agreement.statedOnly[reason] {
        parts.append("only stated \(tally(only)), \(reason.words)")
      }
    }
    if agreement.rebuiltOnly.count > 0 {
      parts.append("only rebuilt \(tally(agreement.rebuiltOnly))")
    }
    return parts.joined(separator: "; ")
  }

  /// The time in which nothing was due, which is not a fault.
  private var calm: String? {
    guard let drops = surface.drops.value else { return nil }
    var parts: [String] = []
    if drops.restTime >= .milliseconds(1) {
      parts.append("at rest for \(milliseconds(drops.restTime)) ms")
    }
    if let cadence = drops.cadence { parts.append(words(cadence)) }
    let hasLongWork = drops.drops.contains {
      $0.refreshes.isInferred && $0.refreshes.stage == .app
    }
    if drops.derivesStarts, hasLongWork {
      parts.append(
        "the source takes the end of a frame as the start of the next, so idle time in the app looks like work (inferred)"
      )
    }
    return parts.isEmpty ? nil : parts.joined(separator: "; ")
  }

  /// The lower rate that the surface keeps, and the evidence for it.
  private func words(_ cadence: CadenceFinding) -> String {
    let rate = FixedNumber.text(1000 / cadence.interval.milliseconds, decimals: 1)
    let line =
      "\(cadence.frames) of \(surface.outcomes.count) frames keep \(rate) fps"
    switch cadence.source {
    case .stated: return line + " (stated)"
    case .kept where waitsForSecondCallback:
      return line + "; the app waits for a second frame callback before each"
    case .kept where cadence.isInferred: return line + "; the app is idle in between (inferred)"
    case .kept: return line + "; the app is idle in between"
    case .limited:
      return line
        + " (inferred: this source counts a limiter's sleep as work; an equally steady load looks the same)"
    case .displayed:
      return line + " (inferred from display times; an app that slow looks the same)"
    }
  }

  /// Whether the source shows that frames wait for a second frame callback, which is no purpose.
  private var waitsForSecondCallback: Bool {
    // The source counts them over all surfaces.
    let frames = analysis.trace.surfaces.reduce(0) { $0 + $1.frames.count }
    return analysis.trace.issues.contains {
      $0.message == TraceIssue.secondCallbacks && $0.count * 10 >= frames * 9
    }
  }

  /// How many refreshes would be dropped if the lower rate were not deliberate.
  private var eager: String? {
    guard let cadence = surface.drops.value?.cadence, let dropped = cadence.droppedIfEager,
      let share = cadence.shareIfEager
    else { return nil }
    return
      "if the app aimed at every refresh, \(dropped) would be dropped (\(percent(share)))"
      + (cadence.source == .kept ? ": its stages take longer than one refresh" : "")
  }

  private var stutters: StutterWords? {
    surface.stutters.map { StutterWords($0, from: analysis.origin) }
  }

  /// Gaps that are freezes, or may be freezes.
  private var gaps: String? {
    let tell = { (gaps: [DropFindings.Gap], one: String, many: String) -> String? in
      guard let longest = gaps.max(by: { $0.length < $1.length }) else { return nil }
      return
        "\(gaps.count) \(gaps.count == 1 ? one : many), the longest \(milliseconds(longest.length)) ms at \(seconds(longest.time))"
    }
    let parts = [
      tell(surface.drops.value?.freezes ?? [], "freeze", "freezes"),
      StopWords(surface.stops, from: analysis.origin).causes,
    ].compactMap { $0 }
    return parts.isEmpty ? nil : parts.joined(separator: "; ")
  }

  /// Frames that are missing from the recording.
  private var holes: String? {
    guard let drops = surface.drops.value, drops.missingFrames > 0 else { return nil }
    let count = drops.missingFrames
    let what = drops.isMissingByNumber ? "frame numbers" : "buffers"
    return
      "\(count) frame\(count == 1 ? " is" : "s are") missing from the recording, judging by the \(what) of the others; no drops are counted there"
  }

  private var layers: String? {
    guard case .summary(let skew) = surface["layerSkew"]?.figures else { return nil }
    let words = { (value: Double) -> String in
      let count = Int(abs(value).rounded())
      if count == 0 { return "together with" }
      return "\(count) refresh\(count == 1 ? "" : "es") \(value < 0 ? "before" : "after")"
    }
    let extremes =
      skew.minimum == skew.maximum
      ? "in all \(skew.n) transactions"
      : "in the median of \(skew.n) transactions, from \(words(skew.minimum)) it to \(words(skew.maximum)) it"
    return "GPU content is shown \(words(skew.p50)) the compositor's \(extremes)"
  }

  private var passes: String? {
    guard let passes = surface.passes else { return nil }
    let numbers = [passes.slope, passes.low, passes.high].map {
      FixedNumber.text($0, decimals: 3)
    }
    return
      "an offscreen pass costs \(numbers[0]) ms of GPU time (95 % interval \(numbers[1]) to \(numbers[2]), n \(passes.n))"
  }

  private var buffers: String? {
    guard let buffers = surface.buffers.value else { return nil }
    let names = ["one buffer", "two buffers", "three buffers", "four or more buffers"]
    var parts: [String] = []
    for (name, share) in zip(names, buffers.depthShares ?? []) where share > 0 {
      parts.append("\(name) for \(percent(share))")
    }
    var line = parts.isEmpty ? "" : parts.joined(separator: ", ") + " of the active time; "
    line += "\(buffers.count) buffer\(buffers.count == 1 ? "" : "s") in all"
    if buffers.isInferred || buffers.hasInferredUse { line += " (inferred)" }
    if let allocated = buffers.allocated { line += ", \(allocated) allocated" }
    if let held = buffers.held { line += ", at most \(held) held by the compositor at once" }
    if buffers.isPool, let used = buffers.used {
      line += "; \(used) buffer names come from a pool, not from a swap chain"
    }
    return line
  }

  private var changes: String? {
    guard let changes = surface.buffers.value?.changes, let first = changes.first else {
      return nil
    }
    var line =
      "from \(first.from) buffer\(first.from == 1 ? "" : "s") to \(first.to) at \(seconds(first.time)), frame \(first.frame)"
    line += first.stage.map { ", by \($0.words)" } ?? ""
    return changes.count > 1 ? line + "; \(changes.count) such changes in all" : line
  }

  private var display: String? {
    guard let refreshes = surface.refreshes else { return nil }
    let text = { (length: Nanoseconds) in FixedNumber.text(length.milliseconds, decimals: 3) }
    guard let interval = refreshes.interval else {
      guard surface.drops.whyMissing == DropsUnknown.noRefresh.words else { return nil }
      let stated = refreshes.contradicted.map { "; the trace states \(text($0)) ms" } ?? ""
      return "no fixed refresh found\(stated)"
    }
    let isAsked = refreshes.isOfUser && refreshes.source == .stated
    let source = refreshes.source.map { isAsked ? ", set by --refresh" : ", \($0.rawValue)" } ?? ""
    if refreshes.isVariable {
      let line =
        "variable refresh rate: usually \(text(interval)) ms between refreshes\(source)"
      return line + (refreshes.shortest.map { "; at least \(text($0)) ms, stated" } ?? "")
    }
    let phase = refreshes.coherence.map { ": display times fit it (\(percent($0)))" }
    var line = "refresh interval \(text(interval)) ms\(source)\(phase ?? "")"
    if let share = refreshes.stepShare, refreshes.hasUnevenSteps, surface.drops.value != nil {
      line +=
        ": \(percent(share)) of \(refreshes.stepCount) steps between display times are whole refreshes"
    }
    if let factor = refreshes.mayBe {
      let rates = [1, factor].map { rate($0, interval) }
      line += "; \(rates[0]) Hz, or \(rates[1]) Hz with \(Self.each(factor)) refresh used"
    }
    let stretches = refreshes.rateStretches
    if !stretches.isEmpty { line += "; \(words(stretches))" }
    guard let contradicted = refreshes.contradicted else { return line }
    if refreshes.isOfUser { return line + "; the trace's times show \(text(contradicted)) ms" }
    return line + "; the trace states \(text(contradicted)) ms, but its times contradict that"
  }

  /// The rates in order, with the time of each change.
  private func words(_ stretches: [RateStretch]) -> String {
    let parts = stretches.prefix(4).enumerated().map { position, stretch in
      "\(rate(1, stretch.interval)) Hz" + (position > 0 ? " from \(seconds(stretch.start))" : "")
    }
    let more = stretches.count > 4 ? ", …; \(stretches.count - 1) changes of rate in all" : ""
    return "the display changed its rate: \(parts.joined(separator: ", "))\(more)"
  }

  private func rate(_ factor: Int64, _ interval: Nanoseconds) -> String {
    let rate = Double(factor) * 1000 / interval.milliseconds
    let whole = rate.rounded()
    return abs(rate - whole) < 0.05 ? "\(Int(whole))" : FixedNumber.text(rate, decimals: 1)
  }

  private static func each(_ factor: Int64) -> String {
    switch factor {
    case 2: "every second"
    case 3: "every third"
    default: "every \(factor)th"
    }
  }

  private var budget: String? {
    guard let over = surface.overBudget else { return nil }
    guard let share = over.value else { return over.whyMissing.map { "no budget: \($0)" } }
    let budget = FixedNumber.text(share.budget.milliseconds, decimals: 2)
    return "\(share.over) of \(share.n) frame times are over \(budget) ms (\(percent(share.share)))"
  }
}
