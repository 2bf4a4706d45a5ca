public import FrameStatistics
import FrameTrace

/// Counts of the frame times in a stretch of a run.
public struct RunBlock: Hashable, Sendable {
  /// The frame times of the block.
  public package(set) var histogram = FrameHistogram()
  /// The number of frames.
  public package(set) var count: Int64 = 0
  /// The sum of the frame times in nanoseconds.
  public package(set) var sum: Int64 = 0
  /// The missed refreshes, beyond those that the neighboring frames take.
  public package(set) var missed: Int64 = 0
  /// The time that late frames take beyond their neighbors, in nanoseconds.
  public package(set) var late: Int64 = 0
  /// The missed refreshes, beyond those that most frames of the run take.
  public package(set) var missedOfRun: Int64 = 0
  /// The time that late frames take beyond most frames of the run, in nanoseconds.
  public package(set) var lateOfRun: Int64 = 0

  package init() {}

  /// Counts a frame time.
  @inline(__always)
  mutating func add(_ time: Int64) {
    histogram.add(Nanoseconds(time).milliseconds)
    count += 1
    sum &+= time
  }
}

/// The figures of frame times, computed from counts.
struct RunFigures {
  private(set) var histogram: [Int64]
  private let firstBin: Int
  private(set) var count: Int64 = 0
  private(set) var sum = 0.0
  private(set) var missed: Int64 = 0
  private(set) var late = 0.0
  private(set) var missedOfRun: Int64 = 0
  private(set) var lateOfRun = 0.0

  /// The figures of the blocks, each counted as many times as its weight.
  init(_ blocks: [RunBlock], weights: [Int64]) {
    let starts = blocks.filter { $0.count > 0 }.map(\.histogram)
    firstBin = starts.map(\.firstBin).min() ?? 0
    let end = starts.map { $0.firstBin + $0.counts.count }.max() ?? firstBin
    histogram = [Int64](repeating: 0, count: end - firstBin)
    for (block, weight) in zip(blocks, weights) where weight > 0 && block.count > 0 {
      let shift = block.histogram.firstBin - firstBin
      for (index, value) in block.histogram.counts.enumerated() {
        histogram[shift + index] += weight * value
      }
      count += weight * block.count
      sum += Double(weight) * Double(block.sum)
      missed += weight * block.missed
      late += Double(weight) * Double(block.late)
      missedOfRun += weight * block.missedOfRun
      lateOfRun += Double(weight) * Double(block.lateOfRun)
    }
  }

  /// A quantile of the frame times, in milliseconds; `nil` if there are none.
  func quantile(_ share: Double) -> Double? {
    FrameHistogram(firstBin: firstBin, counts: histogram).quantile(share)
  }

  /// A figure in its unit.
  func value(_ metric: RunMetric) -> Double {
    switch metric {
    case .mean: Millionths.value(sum / Double(max(1, count)))
    case .missedRefreshShare: 100 * Double(missed) / Double(max(1, count + missed))
    case .intervalHitchRatio: sum > 0 ? 1000 * late / sum : 0
    case .missedRefreshShareOfRun:
      100 * Double(missedOfRun) / Double(max(1, count + missedOfRun))
    case .intervalHitchRatioOfRun: sum > 0 ? 1000 * lateOfRun / sum : 0
    // Not known for a part of a run.
    case .stuttersPerMinute, .stutterTimeShare, .worstStutter, .stopsPerMinute, .stopTimeShare: 0
    case .p50, .p90, .p95, .p99:
      quantile(metric.probability ?? 0.5) ?? 0
    }
  }
}
