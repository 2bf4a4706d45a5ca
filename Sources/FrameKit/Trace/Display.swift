/// A display and its refreshes.
public struct Display: Sendable {
  /// The name other records know it by.
  public var id: String
  /// The time between refreshes as the source states it; `nil` when it does not.
  public var interval: Nanoseconds?
  /// The shortest time between refreshes it can do, where refreshes vary; `nil` when not
  /// known.
  public var shortestInterval: Nanoseconds?
  /// Whether it waits for frames; `nil` when the source does not say.
  public var isVariable: Bool?
  /// The refreshes that were recorded, in order of time.
  public internal(set) var refreshes = Table<RefreshColumn>()
}
