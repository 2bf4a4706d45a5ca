package import FrameAnalysis
package import FrameTrace

extension DetectorOutput {
  /// What the pipeline model finds in a trace.
  package init(analyzing study: Study, trace name: String) {
    self.init(trace: name)
    let measured = study.surfaces.map { study.surface($0) }
    let judged = measured.filter { $0.drops != nil }
    if judged.isEmpty { whyUnjudged = measured.first?.whyNoDrops ?? "there is no surface" }
    // In the truth, surfaces without frames have no position.
    let positions = study.trace.surfaces.indices.filter {
      study.trace.surfaces[$0].frames.count > 0
    }
    for surface in measured {
      for drop in surface.drops?.drops ?? [] {
        let refreshes = drop.refreshes
        findings.append(
          Finding(
            surface: positions.firstIndex(of: surface.index), refresh: refreshes.refresh.number,
            time: drop.time.nanoseconds, count: refreshes.count, stage: refreshes.stage,
            culprit: .init(
              surface: positions.firstIndex(of: refreshes.cause.surface), row: refreshes.cause.row))
        )
      }
    }
  }

  /// What the source of a trace itself reports: its verdicts on frames, its hitches, or its count of janky frames.
  /// - Returns: `nil` if the source judges nothing.
  package init?(stated trace: Trace, name: String) {
    self.init(trace: name)
    let drawn = trace.surfaces.filter { $0.frames.count > 0 }
    var isJudged = false
    for (position, surface) in drawn.enumerated() where surface.frames.has(.verdict) {
      isJudged = true
      findings += Self.verdicts(surface.frames, position)
    }
    if isJudged { return }
    if trace.statedHitches.count > 0 {
      findings = Self.hitches(trace.statedHitches)
      return
    }
    let counted = (0..<trace.figures.count).first { row in
      trace.figures.text(row, .metric).flatMap(StatedMetric.init(ofFigure:)) == .jankCount
    }
    guard let counted, let value = trace.figures.real(counted, .value) else { return nil }
    count = Int(exactly: value.rounded())
  }

  private static func verdicts(_ frames: Table<FrameColumn>, _ position: Int) -> [Finding] {
    (0..<frames.count).compactMap { row in
      guard let verdict = frames[row, .verdict].flatMap(FrameColumn.StatedVerdict.init),
        verdict.isLate
      else { return nil }
      return Finding(
        surface: position, frame: row, stage: PipelineStage(rawValue: verdict.word) ?? .unknown)
    }
  }

  /// A hitch begins when its frame was due: the refreshes from that time are dropped.
  private static func hitches(_ hitches: Table<HitchColumn>) -> [Finding] {
    (0..<hitches.count).compactMap { row in
      hitches[row, .start].map { start in
        let stage: PipelineStage? =
          hitches[row, .kind] == HitchColumn.Kind.commit.rawValue ? .app : nil
        var finding = Finding(surface: nil, refresh: nil, time: start, stage: stage)
        finding.length = hitches.duration(row, .duration)
        return finding
      }
    }
  }
}

extension FrameColumn.StatedVerdict {
  /// The name of the stage that the kind blames, if any.
  fileprivate var word: String { "\(self)" }
}
