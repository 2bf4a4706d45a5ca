/// The slowest frames of a sample, by the meanings that "1 % low" has.
enum SlowestFrames {
  /// The mean of the frames that are as slow as the quantile or slower.
  static func mean(_ values: [Int64], slowest share: Double) -> Double? {
    guard let limit = Quantile.type7(values, [1 - share])?.first else { return nil }
    let slow = values.filter { Double($0) >= limit }
    return slow.isEmpty ? nil : Double(Summary.sum(slow)) / Double(slow.count)
  }

  /// The quantile itself.
  static func quantile(_ values: [Int64], slowest share: Double) -> Double? {
    Quantile.type7(values, [1 - share])?.first
  }

  /// The frame at which the slowest frames, added up, fill that share of the whole time.
  static func integral(_ values: [Int64], slowest share: Double) -> Double? {
    let wanted = Double(Summary.sum(values)) * share
    // The slowest frames fill a share of the time with at most that share of the frames.
    let most = min(values.count, Int((Double(values.count) * share).rounded(.up)) + 1)
    let limit = RankSelection.select([values.count - most], of: values)[0]
    var filled = 0.0
    for value in values.filter({ $0 >= limit }).sorted(by: >) {
      filled += Double(value)
      if filled >= wanted { return Double(value) }
    }
    return nil
  }
}
