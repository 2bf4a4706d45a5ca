import FrameStatistics
import FrameTrace

/// The invariants of every analysis, for any trace. Tests and the fuzzer check them wherever they run an analysis.
extension TraceAnalysis {
  /// The violated invariants, in words; empty for a valid analysis.
  package var violations: [String] {
    var found: [String] = []
    if let range = timeRange, range.upperBound < range.lowerBound {
      found.append("the trace ends before it starts")
    }
    for surface in surfaces {
      found += surface.violations(within: timeRange?.length).map { "surface \(surface.id): \($0)" }
    }
    return found
  }
}

extension SurfaceAnalysis {
  fileprivate func violations(within recording: Nanoseconds?) -> [String] {
    var found: [String] = []
    let parts =
      outcomes.displayed + outcomes.replaced + outcomes.discarded + outcomes.unresolved
    if parts != outcomes.count { found.append("\(parts) outcomes of \(outcomes.count) frames") }
    if let drops = drops.value {
      found += violations(of: drops, within: recording)
    }
    if let ratio = hitches.value?.ratio, !(0...1000.001).contains(ratio) {
      found.append("a hitch time ratio of \(ratio) ms/s")
    }
    if let shares = buffers.value?.depthShares?.reduce(0, +),
      abs(shares - 1) > 1e-6, shares != 0
    {
      found.append("shares of depths that add up to \(shares)")
    }
    for metric in metrics { found += metric.violations }
    return found
  }

  private func violations(of drops: DropFindings, within recording: Nanoseconds?) -> [String] {
    var found: [String] = []
    if drops.byStage.values.reduce(0, +) != drops.refreshes {
      found.append("the stages' drops are not all drops")
    }
    if drops.longestRun > drops.refreshes { found.append("a run longer than all drops") }
    if !(0...1).contains(drops.share ?? 0) { found.append("a share of \(drops.share ?? 0)") }
    if drops.excess > 1 { found.append("\(drops.excess) more shown and dropped than refreshes") }
    if drops.activeTime < .zero || drops.restTime < .zero { found.append("a negative time") }
    let slack = (refreshes?.interval ?? RefreshGrid.sixtyHertz) * 2
    if let recording, drops.activeTime + drops.restTime > recording + slack {
      found.append("more time active and at rest than recorded")
    }
    return found
  }
}

extension MetricResult {
  /// Whether a metric may be negative because the end of the measured time may come before its start.
  private static func isSigned(_ name: String) -> Bool {
    if ["frameOverrun", "effectiveLatency", "animationError"].contains(name) { return true }
    let metric = Metrics.all.first { $0.name == name } as? FrameMetric
    return metric?.isSigned ?? false
  }

  fileprivate var violations: [String] {
    switch figures {
    case .figure(let value, _):
      return value.isFinite ? [] : ["\(name) is not finite"]
    case .unavailable: return []
    case .summary(let summary):
      let values = ["min", "p50", "p90", "p95", "p99", "max"].compactMap { self[$0]?.value }
      var found: [String] = []
      if zip(values, values.dropFirst()).contains(where: { $0 > $1 + abs($1) * 1e-9 }) {
        found.append("\(name)'s quantiles fall: \(values)")
      }
      if let low = values.first, let high = values.last {
        let slack = max(abs(low), abs(high)) * 1e-9 + 1e-9
        if !(low - slack...high + slack).contains(summary.mean) {
          found.append("\(name)'s mean \(summary.mean) is not between its ends")
        }
        if low < 0, unit == .milliseconds, !Self.isSigned(name) {
          found.append("\(name) is negative: \(low)")
        }
      }
      return found
    }
  }
}
