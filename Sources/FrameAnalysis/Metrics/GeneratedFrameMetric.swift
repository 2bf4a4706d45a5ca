import FrameStatistics
package import FrameTrace

/// A metric of the frames that a driver generated between those of the app.
package struct GeneratedFrameMetric: Metric {
  private enum Content { case share, pacing }

  /// The share of the displayed frames that a driver generated.
  package static let generatedShare = GeneratedFrameMetric(
    .share, "generatedShare", .percent, .neither,
    "The share of the displayed frames that a driver generated.",
    "100 · generated / displayed, where the source tells generated frames apart")

  /// How unevenly generated frames and those of the app alternate.
  package static let generatedPacing = GeneratedFrameMetric(
    .pacing, "generatedPacing", .milliseconds, .lowerIsBetter,
    "How much longer or shorter the step to one of the app's frames is than that to the generated frame before it; 0 is even.",
    "|(displayed(i) − displayed(i−1)) − (displayed(i−1) − displayed(i−2))|, where i−1 is generated and i is the app's"
  )

  package let name: String
  package let unit: MetricUnit
  package let direction: MetricDirection
  package let summary: String
  package let formula: String
  package var source: String? { nil }
  private let content: Content

  package var demand: TraceDemand { TraceDemand(frameColumns: [.displayed, .kind]) }

  private init(
    _ content: Content, _ name: String, _ unit: MetricUnit, _ direction: MetricDirection,
    _ summary: String, _ formula: String
  ) {
    (self.content, self.name, self.unit, self.direction) = (content, name, unit, direction)
    (self.summary, self.formula) = (summary, formula)
  }

  package func measure(_ surface: MeasuredSurface) -> Measurement {
    let frames = surface.frames
    guard frames.has(.kind) else {
      return .unavailable("the source does not tell generated frames apart")
    }
    guard frames.has(.displayed) else {
      return .unavailable(FrameMetric.notRecorded + "displayed")
    }
    let generated = FrameColumn.Kind.generated.rawValue
    let missing = IntegerColumn(missing: frames.count)
    let kinds = frames.stored(.kind) ?? missing
    let count = (frames.stored(.displayed) ?? missing).count(with: kinds) { time, kind in
      time != IntegerColumn.missing && kind == generated
    }
    switch content {
    case .share:
      let all = frames.stored(.displayed)?.valueCount ?? 0
      guard all > 0 else { return .unavailable("no frame was displayed") }
      return Measurement(
        content: .figure(100 * Double(count) / Double(all), n: all),
        exclusions: surface.selection(.displayed).exclusions)
    case .pacing:
      guard count > 0 else { return .unavailable("no displayed frame was generated") }
      let shown = (0..<frames.count).compactMap { row in
        frames[row, .displayed].map { (time: $0, isGenerated: frames[row, .kind] == generated) }
      }.sorted { $0.time < $1.time }
      var values: [Int64] = []
      for position in shown.indices.dropFirst(2)
      where shown[position - 1].isGenerated && !shown[position].isGenerated {
        let (first, middle, last) = (
          shown[position - 2].time, shown[position - 1].time, shown[position].time
        )
        let rested = surface.rests.isBetween(
          Timestamp(nanoseconds: first), Timestamp(nanoseconds: last))
        if !rested { values.append(abs((last - middle) - (middle - first))) }
      }
      return values.isEmpty
        ? .unavailable("no frame of the app follows a generated one")
        : Measurement(content: .sample(Sample(values)))
    }
  }
}
