import FrameTrace

/// A fact that judgments rest on.
package enum EvidenceFact: String, CaseIterable, Sendable {
  case expectedTime = "expected display time"
  case startRefresh = "refresh that starts the app"
  case targetRate = "target rate"
  case appStart = "start of the app's work"
  case commit = "commit or present"
  case presentReturn = "return of the present call"
  case compositor = "work of the compositor"
  case gpuTime = "working time of the GPU"
  case gpuEnd = "end of the GPU's work"
  case displayTime = "display time"
  case refresh = "refreshes"
  case input = "input"
}

/// How a source shows a fact.
package enum EvidenceSource: String, CaseIterable, Sendable {
  /// The source records it.
  case measured
  /// The source or the user states it.
  case stated
  /// It is the end of something else.
  case derived
  /// It follows from a coarser figure.
  case estimated
  case missing
}

/// A judgment about the frames of a surface, and the facts that carry it.
package enum Judgment: String, CaseIterable, Sendable {
  case drop, stage, cadence, limit, latency, refresh

  /// What a fact shows if it comes from one of the sources.
  package struct Reason: Sendable {
    package let fact: EvidenceFact
    package let sources: Set<EvidenceSource>
    package let shows: String

    fileprivate init(_ fact: EvidenceFact, _ sources: Set<EvidenceSource>, _ shows: String) {
      (self.fact, self.sources, self.shows) = (fact, sources, shows)
    }

    fileprivate init(_ fact: EvidenceFact, _ shows: String) { self.init(fact, [.measured], shows) }
  }

  /// The judgment of that name, or the one that a metric rests on; `nil` for none.
  package init?(named word: String) {
    let metrics: [Judgment: [String]] = [
      .drop: ["droppedShare", "hitchRatio", "hitchTime"], .limit: ["cpuBusy", "gpuBusy"],
      .latency: ["displayLatency", "touchToPhoton", "clickToPhoton", "inputToPhoton"],
      .refresh: ["displayChange", "displayedFrameRate"],
    ]
    let name = Metrics.name(word) ?? word
    let found =
      Judgment(rawValue: word) ?? Judgment.allCases.first { metrics[$0]?.contains(name) == true }
    guard let found else { return nil }
    self = found
  }

  /// The reasons for the judgment, the strongest first.
  package var reasons: [Reason] {
    switch self {
    case .drop:
      [
        Reason(.expectedTime, [.stated], "when the frame was due"),
        Reason(.targetRate, [.stated], "when the next frame was due"),
        Reason(.startRefresh, [.stated], "when the frame was due: one or two refreshes later"),
        Reason(.appStart, "that the app paused, or could have been in time"),
        Reason(
          .gpuTime, [.measured, .estimated],
          "that work takes longer than a refresh, where starts are derived"),
        Reason(.displayTime, "when the frame was shown, and a steady clock of the frames"),
        Reason(
          .refresh, [.measured, .stated, .derived], "which refreshes repeated an older frame"),
      ]
    case .stage:
      [
        Reason(.appStart, "the app's time"), Reason(.commit, "the end of the app's work"),
        Reason(.compositor, "the compositor's time"),
        Reason(.gpuEnd, "when the frame was finished"),
        Reason(.gpuTime, [.measured, .estimated], "the GPU's time"),
        Reason(.displayTime, "whether a finished frame waited for the display"),
      ]
    case .cadence:
      [
        Reason(.targetRate, [.stated], "the rate"), Reason(.appStart, "that the app rests"),
        Reason(.presentReturn, "that the app does not wait in the present call"),
        Reason(.gpuTime, [.measured, .estimated], "that the GPU has time to spare"),
        Reason(.displayTime, "a steady clock of the frames"),
      ]
    case .limit:
      [
        Reason(.gpuTime, [.measured, .estimated], "whether the GPU was busy all the time"),
        Reason(.appStart, [.measured, .derived], "how long the app worked"),
        Reason(.presentReturn, "how long the app waited in the present call"),
        Reason(.displayTime, "whether frames came as soon as the display allows"),
        Reason(.refresh, [.measured, .stated, .derived], "the budget of a frame"),
      ]
    case .latency:
      [
        Reason(.input, "when the latency begins"),
        Reason(.appStart, [.measured, .derived], "when the frame began to be worked on"),
        Reason(.displayTime, "when the latency ends"),
      ]
    case .refresh:
      [
        Reason(.refresh, [.measured, .stated], "the interval"),
        Reason(.displayTime, "the distances that show the interval"),
      ]
    }
  }
}

/// What the source of a surface shows of the facts that judgments rest on.
package struct SurfaceEvidence: Sendable {
  /// How the source shows a fact, and for how many frames; no number for a fact that is not one of frames.
  package typealias Entry = (source: EvidenceSource, frames: Int?)

  private let entries: [EvidenceFact: Entry]
  /// The number of frames.
  package let count: Int

  package init(_ surface: MeasuredSurface) {
    let frames = surface.frames
    count = frames.count
    let known = { (columns: [FrameColumn]) in
      columns.map { frames.stored($0)?.valueCount ?? 0 }.max() ?? 0
    }
    var entries: [EvidenceFact: Entry] = [:]
    let add = { (fact: EvidenceFact, source: EvidenceSource, frames: Int) in
      if frames > 0 { entries[fact] = (source, frames) }
    }
    add(.expectedTime, .stated, known([.expectedDisplay]))
    add(.startRefresh, .stated, known([.startRefresh]))
    add(.targetRate, .stated, (0..<count).count { frames[$0, .syncInterval] ?? 1 > 1 })
    if surface.surface.targetInterval != nil { entries[.targetRate] = (.stated, nil) }
    let measuresStarts = surface.rebuilt?.timeline.schedule.measuresStarts == true
    add(.appStart, measuresStarts ? .measured : .derived, known([.appStart]))
    add(.commit, .measured, known([.commit]))
    add(.presentReturn, .measured, known([.appEnd]))
    add(.compositor, .measured, known([.compositorStart]))
    let estimates = surface.rebuilt?.timeline.stages.estimatesBusy == true
    let gpuTime = max(known([.gpuBusy]), min(known([.gpuStart]), known([.gpuEnd])))
    add(.gpuTime, gpuTime > 0 ? .measured : .estimated, gpuTime > 0 || !estimates ? gpuTime : count)
    add(.gpuEnd, .measured, known([.gpuEnd, .queued, .fenceSignaled]))
    add(.displayTime, .measured, known([.displayed]))
    switch surface.rebuilt?.refreshes.source {
    case .measured: entries[.refresh] = (.measured, nil)
    case .stated: entries[.refresh] = (.stated, nil)
    case .inferred: entries[.refresh] = (.derived, nil)
    case .assumed, nil: break
    }
    if surface.touches != nil { entries[.input] = (.measured, nil) }
    self.entries = entries
  }

  package subscript(fact: EvidenceFact) -> Entry { entries[fact] ?? (.missing, nil) }
}
