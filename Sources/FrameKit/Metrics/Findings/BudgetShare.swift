/// How many frames took longer than a budget.
public struct BudgetShare: Hashable, Sendable {
  public let budget: Nanoseconds
  /// Frames whose frame time is longer, and all that have one.
  public let over, n: Int

  /// The share of frames over the budget.
  public var share: Double { Double(over) / Double(n) }

  /// - Returns: `nil` when no frame has a frame time.
  init?(_ surface: MeasuredSurface, budget: Nanoseconds) {
    guard case .sample(let sample) = FrameMetric.frameTime.measure(surface).content,
      !sample.values.isEmpty
    else { return nil }
    self.budget = budget
    n = sample.values.count
    over = sample.values.count { $0 > budget.count }
  }
}
