/// Something that a recording can lack, and that a better one has.
enum RecordedFact: CaseIterable {
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
      case .gpuTimes: [.gpuEnd, .gpuTime, .gpuBusy, .fenceSignalled]
      case .touches: []
      }
    if self == .touches { return trace.touches.count == 0 }
    return !trace.surfaces.contains { surface in columns.contains(where: surface.frames.has) }
  }
}

extension Importers {
  /// What a trace with frames lacks that its format can have, each with how to record it the next time.
  static func advice(for trace: Trace) -> [String] {
    guard trace.frameCount > 0, !trace.isPartial, let importer = importer(of: trace) else {
      return []
    }
    return RecordedFact.allCases.compactMap { fact in
      guard fact.isMissing(in: trace) else { return nil }
      return importer.advice(fact).map { "no \(fact.words) in the file: \($0)" }
    }
  }
}
