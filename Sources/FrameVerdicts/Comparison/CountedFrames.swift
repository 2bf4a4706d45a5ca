import FrameAnalysis
import FrameStatistics
import FrameTrace

/// The frames of a run, counted in consecutive stretches.
struct CountedFrames {
  private(set) var blocks: [RunBlock]
  /// The exact quantiles, in milliseconds; empty if the individual times are unknown.
  private(set) var exact: [RunMetric: Double] = [:]
  /// The number of times close to a whole number of refreshes, and of those that take as many
  /// refreshes as most frames do.
  private(set) var onGrid: Int64 = 0
  private(set) var onKept: Int64 = 0

  private init() {
    blocks = [RunBlock](repeating: RunBlock(), count: BlockWeights.blockCount)
  }

  /// Counts times, in nanoseconds and in order.
  init(_ times: [Int64], _ refresh: RunRefresh?) {
    self.init()
    var counter = GridCounter(refresh)
    var kept = refresh.map { LocallyKeptRate(times, $0) }
    for block in blocks.indices {
      let start = (block * times.count + blocks.count - 1) / blocks.count
      let end = ((block + 1) * times.count + blocks.count - 1) / blocks.count
      for position in start..<end {
        blocks[block].add(times[position])
        guard let refresh, let beyond = kept?.beyond() else { continue }
        let ofRun = refresh.beyond(times[position])
        blocks[block].missed += beyond.refreshes
        blocks[block].late += beyond.time
        blocks[block].missedOfRun += ofRun.refreshes
        blocks[block].lateOfRun += ofRun.time
        counter.add(times[position])
      }
    }
    (onGrid, onKept) = (counter.onGrid, counter.onKept)
    exact = Self.exact(times)
  }

  /// Uses the counts that a source reports. The source does not report the order of frames, so each
  /// frame is equally likely in any stretch: stretches differ as if frames were independent. The
  /// random draws are fixed, so that the same counts give the same stretches.
  init(_ histogram: FieldHistogram) {
    self.init()
    var random = SplitMix64(seed: 0x6672_616d_6573)
    for bin in histogram.bins {
      var left = bin.count
      for block in blocks.indices {
        let share = 1 / Double(blocks.count - block)
        let count = random.binomial(left, share)
        blocks[block].add(count, from: bin.low, to: bin.high)
        left -= count
      }
    }
  }

  private static func exact(_ times: [Int64]) -> [RunMetric: Double] {
    let metrics: [RunMetric] = [.p50, .p90, .p95, .p99]
    guard let values = Quantile.type7(times, metrics.compactMap(\.probability)) else { return [:] }
    return Dictionary(uniqueKeysWithValues: zip(metrics, values.map { Millionths.value($0) }))
  }
}

extension RunBlock {
  /// Counts times between two bounds in milliseconds, spread evenly between them.
  fileprivate mutating func add(_ total: Int64, from low: Double, to high: Double) {
    let positions = min(total, 16)
    for position in 0..<positions {
      let share = (Double(position) + 0.5) / Double(positions)
      let time = max(low + (high - low) * share, 0.001)
      let many = total * (position + 1) / positions - total * position / positions
      histogram.add(many, toBin: FrameHistogram.bin(time))
      count += many
      sum += many * Nanoseconds.milliseconds(time).count
    }
  }
}

extension SplitMix64 {
  /// The number of successes among a number of tries with the given probability; above 1000 tries,
  /// approximated by the normal distribution.
  fileprivate mutating func binomial(_ tries: Int64, _ probability: Double) -> Int64 {
    if probability >= 1 || tries == 0 { return tries }
    guard tries > 1000 else {
      return (0..<tries).reduce(0) { sum, _ in sum + (nextUnit() < probability ? 1 : 0) }
    }
    let normal = (0..<12).reduce(-6.0) { sum, _ in sum + nextUnit() }
    let mean = Double(tries) * probability
    let drawn = mean + normal * (mean * (1 - probability)).squareRoot()
    return min(max(Int64(drawn.rounded()), 0), tries)
  }
}
