/// A fact that a recording may lack and that a better one would have.
package enum RecordedFact: CaseIterable {
  case displayTimes, gpuTimes, touches

  var words: String {
    switch self {
    case .displayTimes: "display times"
    case .gpuTimes: "GPU times"
    case .touches: "touches or clicks"
    }
  }

  /// Whether a trace lacks the fact entirely.
  func isMissing(in trace: Trace) -> Bool {
    let columns: [FrameColumn] =
      switch self {
      case .displayTimes: [.displayed]
      case .gpuTimes: [.gpuEnd, .gpuTime, .gpuBusy, .fenceSignaled]
      case .touches: []
      }
    if self == .touches { return trace.touches.count == 0 }
    // A frame that the source reports as discarded has no display time to record.
    if self == .displayTimes,
      trace.surfaces.allSatisfy({ surface in
        (0..<surface.frames.count).allSatisfy {
          surface.frames[$0, .fate] == FrameColumn.Fate.discarded.rawValue
        }
      })
    {
      return false
    }
    return !trace.surfaces.contains { surface in columns.contains(where: surface.frames.has) }
  }
}

/// What is known about the program that made a recording: where it runs, and how it can record more.
package struct RecordingSource: Sendable {
  /// The platform that its files are recorded on; `nil` if it can be any platform.
  package var platform: Platform?
  /// How to record frames with it; `nil` if its files always or never have frames.
  package var framesAdvice: String?
  /// How many rows after a frame's row the counters of its threads may be, for engines that count them.
  package var counterLag = 0
  /// How to record each fact that a file may lack.
  package var advice: [RecordedFact: String] = [:]

  package init(platform: Platform? = nil, framesAdvice: String? = nil) {
    (self.platform, self.framesAdvice) = (platform, framesAdvice)
  }

  /// A source about which nothing is known.
  package static let unknown = RecordingSource()
}

extension Trace {
  /// How to record each fact that the trace lacks and its source could have recorded. Empty for a
  /// trace without frames, or one that was read only in part.
  package var recordingAdvice: [String] {
    guard frameCount > 0, !isPartial else { return [] }
    return RecordedFact.allCases.compactMap { fact in
      guard fact.isMissing(in: self) else { return nil }
      return provenance.source.advice[fact].map { "no \(fact.words) in the file: \($0)" }
    }
  }
}
