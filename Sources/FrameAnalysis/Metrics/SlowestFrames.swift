import FrameStatistics

/// The slowest frames of a sample, from which all meanings of "1 % low" follow.
struct SlowestFrames {
  /// The number of frames in the sample.
  let count: Int
  /// The sum of all frame times.
  private let total: Int128
  /// The slowest frame times, slowest first: at least one in a hundred, and all that are as slow as the last of these.
  private let slowest: [Int64]

  /// The largest share of the frames or of the time that can be requested.
  static let largestShare = 0.01

  /// - Precondition: There is at least one value.
  init(of sample: Sample) {
    count = sample.values.count
    total = sample.sum
    let rank = Int(Double(count - 1) * (1 - Self.largestShare))
    let limits = sample.limits ?? (0, 0)
    let limit = RankSelection.select([max(0, rank - 1)], of: sample.values, limits: limits)[0]
    slowest = sample.values.filter { $0 >= limit }.sorted(by: >)
  }

  /// The mean of all frames.
  var overallMean: Double { Double(total) / Double(count) }

  /// The frame time that all frames except the slowest share stay within: the quantile of type 7 at one minus the
  /// share.
  func quantile(slowest share: Double) -> Double {
    let position = Double(count - 1) * (1 - share)
    let lower = Double(value(atRank: Int(position)))
    let upper = Double(value(atRank: min(Int(position) + 1, count - 1)))
    return lower + (position - position.rounded(.down)) * (upper - lower)
  }

  /// The mean of the frames that are as slow as that quantile or slower.
  func mean(slowest share: Double) -> Double {
    let limit = quantile(slowest: share)
    let slow = slowest.prefix { Double($0) >= limit }
    return Double(Sample(Array(slow)).sum) / Double(max(slow.count, 1))
  }

  /// The frame time at which the slowest frames together fill a share of the total time. This needs at most the same
  /// share of the frames, because they are the longest.
  func integral(slowest share: Double) -> Double {
    let wanted = Double(total) * share
    var filled = 0.0
    for value in slowest {
      filled += Double(value)
      if filled >= wanted { return Double(value) }
    }
    return Double(slowest.last ?? 0)
  }

  private func value(atRank rank: Int) -> Int64 { slowest[count - 1 - rank] }
}
