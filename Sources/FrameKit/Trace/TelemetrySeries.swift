/// Readings of a sensor or counter over time, beside the frames: power, clocks, heat.
public struct TelemetrySeries: Sendable {
  /// The name as the source spells it.
  public let name: String
  /// The unit as the source states it; `nil` when it states none.
  public let unit: String?
  /// When the readings were taken, and what they were: as many of each.
  public internal(set) var times: [Timestamp] = []
  public internal(set) var values: [Double] = []
}
