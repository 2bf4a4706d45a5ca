import FrameTrace

/// What the source of a surface shows of the facts that judgments rest on. The analysis checks here what it can
/// conclude.
package struct SurfaceEvidence: Sendable {
  private var sources: [EvidenceFact: EvidenceSource] = [:]
  /// Whether the source records when the work on a frame began.
  let measuresStarts: Bool
  /// Whether the source uses the end of a frame as the start of the next one, so that it does not distinguish an app's
  /// rest from its work. Either the source says so, or nearly all starts are within 2 µs of the previous present call.
  package let derivesStarts: Bool
  /// Whether the source itself says that it derives starts.
  let statesDerivation: Bool

  /// - Parameters:
  ///   - joinsStarts: Whether nearly all starts are at the end of the previous frame.
  ///   - estimatesBusy: Whether busy times of the GPU are estimated.
  init(_ surface: Surface, joinsStarts: @autoclosure () -> Bool, estimatesBusy: Bool) {
    statesDerivation = surface.derivesStarts == true
    derivesStarts = surface.derivesStarts ?? joinsStarts()
    let frames = surface.frames
    for (fact, columns) in Self.columns where columns.contains(where: frames.has) {
      sources[fact] = fact.isStated ? .stated : .measured
    }
    measuresStarts = sources[.appStart] != nil && !derivesStarts
    if sources[.appStart] != nil, derivesStarts { sources[.appStart] = .derived }
    if !statesDerivation, frames.has(.gpuStart), frames.has(.gpuEnd) {
      sources[.gpuTime] = .measured
    }
    if estimatesBusy { sources[.gpuTime] = .estimated }
    let asksForRate = DisplayChanges.syncInterval(frames) ?? 1 > 1
    sources[.targetRate] = asksForRate || surface.targetInterval != nil ? .stated : nil
  }

  /// The columns of each fact; one of them is enough.
  private static let columns: [EvidenceFact: [FrameColumn]] = [
    .expectedTime: [.expectedDisplay], .startRefresh: [.startRefresh],
    .targetRate: [.syncInterval], .appStart: [.appStart], .commit: [.commit],
    .presentReturn: [.appEnd], .compositor: [.compositorStart], .gpuTime: [.gpuBusy],
    .gpuEnd: [.gpuEnd, .queued, .fenceSignaled], .displayTime: [.displayed],
  ]

  package subscript(fact: EvidenceFact) -> EvidenceSource { sources[fact] ?? .missing }

  /// Whether the source shows a fact in any way.
  func shows(_ fact: EvidenceFact) -> Bool { self[fact] != .missing }
}

extension MeasuredSurface {
  /// What the source of the surface shows, for all its frames.
  var evidence: SurfaceEvidence { (rebuilt?.timeline.stages ?? FrameStages(surface)).evidence }

  /// How the source shows a fact, and for how many frames; no number for a fact that is not about frames.
  package func evidence(_ fact: EvidenceFact) -> (source: EvidenceSource, frames: Int?) {
    switch fact {
    case .refresh: return (refreshEvidence, nil)
    case .input: return (touches == nil ? .missing : .measured, nil)
    case .targetRate where surface.targetInterval != nil: return (.stated, nil)
    default:
      let source = evidence[fact]
      guard source != .missing else { return (source, nil) }
      return (source, source == .estimated ? frames.count : SurfaceEvidence.count(fact, frames))
    }
  }

  private var refreshEvidence: EvidenceSource {
    switch rebuilt?.refreshes.source {
    case .measured: .measured
    case .stated: .stated
    case .inferred: .derived
    case .assumed, nil: .missing
    }
  }
}

extension SurfaceEvidence {
  /// The number of frames for which a fact is known.
  fileprivate static func count(_ fact: EvidenceFact, _ frames: Table<FrameColumn>) -> Int {
    if fact == .targetRate {
      return (0..<frames.count).count { frames[$0, .syncInterval] ?? 1 > 1 }
    }
    let span = fact == .gpuTime ? [.gpuStart, .gpuEnd].map(frames.valueCount).min() ?? 0 : 0
    return max(span, columns[fact, default: []].map(frames.valueCount).max() ?? 0)
  }
}
