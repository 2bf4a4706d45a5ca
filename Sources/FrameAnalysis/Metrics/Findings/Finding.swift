import FrameStatistics
public import FrameTrace

/// A result of the rebuilt pipeline, or the reason why there is none.
public enum Finding<Value: Sendable>: Sendable {
  case found(Value)
  case missing(String)

  init(_ value: Value?, _ rebuilt: RebuiltSurface?, why: (RebuiltSurface) -> String?) {
    if let value {
      self = .found(value)
    } else {
      self = .missing(
        rebuilt.map { why($0) ?? "the trace does not say" } ?? Self.notAsked)
    }
  }

  /// The reason given when the requested metrics do not need the finding.
  private static var notAsked: String { "the requested metrics do not need it" }

  /// What was found; `nil` when nothing was.
  public var value: Value? {
    if case .found(let value) = self { return value }
    return nil
  }

  /// Why nothing was found; `nil` when something was.
  public var whyMissing: String? {
    if case .missing(let why) = self { return why }
    return nil
  }
}

/// How many frames took longer than a budget.
public struct BudgetShare: Hashable, Sendable {
  /// How long a frame may take.
  public let budget: Nanoseconds
  /// How many frames have a longer frame time, and how many have a frame time at all.
  public let over, n: Int

  /// The sum of the frame times.
  public let total: Nanoseconds

  /// The share of frames over the budget.
  public var share: Double { Double(over) / Double(n) }

  /// Frames that take longer are frozen: the threshold of Android vitals.
  private static let frozen = Nanoseconds(700_000_000)

  /// The frames that take longer than one and a half refreshes (at 60 Hz if the refresh interval is unknown), and the
  /// frozen ones.
  static func jank(_ surface: MeasuredSurface) -> [BudgetShare] {
    let interval = surface.rebuilt?.refreshes.interval ?? RefreshGrid.sixtyHertz
    return [interval * 3 / 2, frozen].compactMap { BudgetShare(surface, budget: $0) }
  }

  /// - Returns: `nil` when no frame has a frame time.
  init?(_ surface: MeasuredSurface, budget: Nanoseconds) {
    guard case .sample(let sample) = FrameMetric.frameTime.measure(surface).content,
      !sample.values.isEmpty
    else { return nil }
    self.budget = budget
    n = sample.values.count
    over = sample.values.count { $0 > budget.count }
    total = Nanoseconds(sample.values.reduce(0, &+))
  }
}
