import FrameAnalysis
import FrameStatistics

/// The frames of a run, counted in stretches.
struct CountedFrames {
  private(set) var blocks: [RunBlock]
  /// The exact quantiles, in milliseconds; none where the times themselves are not known.
  private(set) var exact: [RunMetric: Double] = [:]
  /// How many times are near whole numbers of refreshes, and take as many as most do.
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
      for place in start..<end {
        blocks[block].add(times[place])
        guard let refresh, let beyond = kept?.beyond() else { continue }
        let ofRun = refresh.beyond(times[place])
        blocks[block].missed += beyond.refreshes
        blocks[block].late += beyond.time
        blocks[block].missedOfRun += ofRun.refreshes
        blocks[block].lateOfRun += ofRun.time
        counter.add(times[place])
      }
    }
    (onGrid, onKept) = (counter.onGrid, counter.onKept)
    exact = Self.exact(times)
  }

  /// Takes what a source counted. It does not say in which order frames came, so each is as likely in one
  /// stretch as in another: the stretches differ as those of frames that do not depend on each other. The
  /// draws are fixed, so that the same counts give the same stretches.
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
    return Dictionary(uniqueKeysWithValues: zip(metrics, values.map { $0 / 1e6 }))
  }
}

extension RunBlock {
  /// Counts times between two bounds in milliseconds, spread evenly over them.
  fileprivate mutating func add(_ total: Int64, from low: Double, to high: Double) {
    let places = min(total, 16)
    for place in 0..<places {
      let share = (Double(place) + 0.5) / Double(places)
      let time = max(low + (high - low) * share, 0.001)
      let many = total * (place + 1) / places - total * place / places
      histogram.add(many, toBin: FrameHistogram.bin(time))
      count += many
      sum += many * Int64((time * 1e6).rounded())
    }
  }
}

extension SplitMix64 {
  /// How many of a number of tries succeed, each with a probability; of many tries by the normal
  /// distribution, which is close to it there.
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
