extension PipelineMetric {
  /// The share of refreshes that were dropped.
  static let droppedShare = PipelineMetric(
    name: "droppedShare", unit: .percent,
    summary:
      "The share of refreshes in active time that repeated an older frame while one was due.",
    formula: "dropped refreshes / refreshes in active time"
  ) { rebuilt, surface in
    guard let drops = surface.drops else {
      return .unavailable(DropFindings.whyMissing(rebuilt) ?? "nothing was displayed")
    }
    guard let share = drops.share else { return .unavailable("no refresh was in active time") }
    return Measurement(content: .figure(share * 100, n: drops.activeRefreshes))
  }
}
