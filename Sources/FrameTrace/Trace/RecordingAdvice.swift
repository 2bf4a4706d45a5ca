/// Something that a recording can lack, and that a better one has.
package enum RecordedFact: CaseIterable {
  case displayTimes, gpuTimes, touches

  var words: String {
    switch self {
    case .displayTimes: "display times"
    case .gpuTimes: "GPU times"
    case .touches: "touches or clicks"
    }
  }

  /// Whether a trace lacks it altogether.
  func isMissing(in trace: Trace) -> Bool {
    let columns: [FrameColumn] =
      switch self {
      case .displayTimes: [.displayed]
      case .gpuTimes: [.gpuEnd, .gpuTime, .gpuBusy, .fenceSignaled]
      case .touches: []
      }
    if self == .touches { return trace.touches.count == 0 }
    return !trace.surfaces.contains { surface in columns.contains(where: surface.frames.has) }
  }
}

/// What is known of the program that a recording was made with: where it runs, and how it records more.
package struct RecordingSource: Sendable {
  /// What its files are recorded on; `nil` where it can be anything.
  package var platform: Platform?
  /// How to record frames with it; `nil` where its files have them anyway, or cannot have any.
  package var framesAdvice: String?
  /// How to record what a file can be without.
  package var advice: [RecordedFact: String] = [:]

  package init(platform: Platform? = nil, framesAdvice: String? = nil) {
    (self.platform, self.framesAdvice) = (platform, framesAdvice)
  }

  /// Nothing is known of it.
  package static let unknown = RecordingSource()
}

extension Trace {
  /// What the trace lacks that its source could have recorded, each with how to record it the next time; nothing of a
  /// trace without frames, or of one that was not read for all that it has.
  package var recordingAdvice: [String] {
    guard frameCount > 0, !isPartial else { return [] }
    return RecordedFact.allCases.compactMap { fact in
      guard fact.isMissing(in: self) else { return nil }
      return provenance.source.advice[fact].map { "no \(fact.words) in the file: \($0)" }
    }
  }
}
