public import FrameTrace

/// How often values fell between bounds, as devices in the field count them.
public struct FieldHistogram: Hashable, Sendable {
  /// How many values lie in a range.
  public struct Bin: Hashable, Sendable {
    /// The ends of the range, in the histogram's unit.
    public let low, high: Double
    /// The number of values in the range.
    public let count: Int64

    package init(
      low: Double, high: Double, count: Int64
    ) {
      self.low = low
      self.high = high
      self.count = count
    }
  }

  /// The metric's name, such as `launchTime`.
  public let metric: String
  /// The unit of the bins' ends.
  public let unit: String
  /// The bins in the order of their lower bounds; there may be gaps between them. If the bounds of the last bin are
  /// equal, it has no upper bound.
  public let bins: [Bin]

  /// - Returns: `nil` if no bin has a count, or if bounds are out of order.
  public init?(metric: String, unit: String, bins: [Bin]) {
    // Equal bins of several files are merged.
    var counts: [[Double]: Int64] = [:]
    for bin in bins where bin.count > 0 {
      let sum = (counts[[bin.low, bin.high]] ?? 0).addingReportingOverflow(bin.count)
      counts[[bin.low, bin.high]] = sum.overflow ? .max : sum.partialValue
    }
    let used = counts.map { Bin(low: $0.key[0], high: $0.key[1], count: $0.value) }
    guard !used.isEmpty,
      used.allSatisfy({ $0.low <= $0.high && abs($0.low) < 1e15 && abs($0.high) < 1e15 })
    else { return nil }
    self.metric = metric
    self.unit = unit
    self.bins = used.sorted { ($0.low, $0.high) < ($1.low, $1.high) }
  }

  /// How many values there are in all bins.
  public var count: Int64 {
    bins.reduce(0) { sum, bin in
      let (next, overflow) = sum.addingReportingOverflow(bin.count)
      return overflow ? .max : next
    }
  }

  /// A quantile, interpolated as if the values of a bin were spread evenly.
  public func quantile(_ share: Double) -> Double {
    let wanted = share * Double(count)
    var before: Int64 = 0
    for bin in bins {
      if Double(before) + Double(bin.count) >= wanted {
        return bin.low + (bin.high - bin.low) * (wanted - Double(before)) / Double(bin.count)
      }
      before = before &+ bin.count
    }
    return bins.last?.high ?? 0
  }

  /// Whether the last bin has no upper bound.
  public var isOpen: Bool { bins.last.map { $0.low == $0.high } ?? false }

  /// Whether a quantile may be larger than ``quantile(_:)``: whether it is in a bin without an upper bound.
  public func isLowerBound(_ share: Double) -> Bool {
    guard isOpen, let last = bins.last else { return false }
    return share * Double(count) > Double(count &- last.count)
  }

  /// The shares of the quantiles in summaries.
  package static let shares = ["p50": 0.5, "p90": 0.9, "p95": 0.95, "p99": 0.99]

  /// A quantile by its name in summaries; `nil` for other statistics.
  public func statistic(_ name: String) -> Double? {
    Self.shares[name].map(quantile)
  }
}

extension Table<BinColumn> {
  /// The histograms by their metrics, in order.
  public var histograms: [FieldHistogram] {
    var order: [MetricAndUnit] = []
    var bins: [MetricAndUnit: [FieldHistogram.Bin]] = [:]
    for row in 0..<count {
      guard let metric = text(row, .metric), let unit = text(row, .unit),
        let low = real(row, .low), let high = real(row, .high), let count = self[row, .count],
        Int64.counts.contains(count)
      else { continue }
      let key = MetricAndUnit(metric: metric, unit: unit)
      if bins[key] == nil { order.append(key) }
      bins[key, default: []].append(.init(low: low, high: high, count: count))
    }
    return order.compactMap {
      FieldHistogram(metric: $0.metric, unit: $0.unit, bins: bins[$0] ?? [])
    }
  }
}

/// The metric and unit shared by the bins of a histogram.
private struct MetricAndUnit: Hashable {
  let metric, unit: String
}
