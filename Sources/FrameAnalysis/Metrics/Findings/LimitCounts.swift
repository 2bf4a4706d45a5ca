import FrameTrace

/// How many frames each limit holds back, in one run or several.
public struct LimitCounts: Hashable, Sendable {
  private var counts: [FrameLimits.Limit: Int]

  /// - Parameter counts: Frames by limit; limits without a frame may be missing.
  package init(_ counts: [FrameLimits.Limit: Int] = [:]) {
    self.counts = counts.filter { $0.value > 0 }
  }

  /// The total number of frames.
  public var n: Int { counts.values.reduce(0, +) }

  /// How many frames a limit holds back.
  public subscript(limit: FrameLimits.Limit) -> Int { counts[limit] ?? 0 }

  /// The share of the frames that a limit holds back; 0 if there are no frames.
  public func share(_ limit: FrameLimits.Limit) -> Double {
    n > 0 ? Double(self[limit]) / Double(n) : 0
  }

  /// The limit that most frames have; if several are equal, the first in the order of the cases.
  public var main: FrameLimits.Limit {
    FrameLimits.Limit.allCases.reduce(.gpu) { self[$1] > self[$0] ? $1 : $0 }
  }

  /// The limit of most frames with its share, in words.
  package var words: String {
    "\(main.words) in \(FixedNumber.text(share(main) * 100, decimals: 1)) %"
  }

  /// The combined counts of several runs.
  package static func sum(_ parts: some Sequence<LimitCounts>) -> LimitCounts {
    LimitCounts(parts.reduce(into: [:]) { $0.merge($1.counts, uniquingKeysWith: +) })
  }

  /// The minimum share of frames whose limit differs between two runs: half the sum of the differences of their shares,
  /// from 0 to 1.
  package func distance(to other: LimitCounts) -> Double {
    FrameLimits.Limit.allCases.reduce(0) { $0 + abs(share($1) - other.share($1)) } / 2
  }
}

extension FrameLimits.Limit {
  /// The limit as a word in sentences about frames.
  package var words: String {
    switch self {
    case .gpu: "GPU-bound"
    case .cpu: "CPU-bound"
    case .limited: "limited"
    case .display: "waiting for the display"
    case .unknown: "limit unknown"
    }
  }
}
