/// The stutters of a run, and the time lost to them.
///
/// A frame is a stall if it is longer than a limit for the half second of frames before it, and than the limit for the
/// half second after it. No length is too great for a stall.
package struct StutterScan: Hashable, Sendable {
  /// The number of frames.
  package let frames: Int
  /// The stutters in order.
  package let stutters: [Stutter]
  /// The time lost in all stutters, in nanoseconds.
  package let lost: Int64
  /// The time of all frames without the excess of stalls, in nanoseconds: the denominator of rates.
  package let netTime: Int64
  /// The number of bursts: stutters with less than 1 s between them count once.
  package let bursts: Int
  /// The excess of stutters in the first 30 s; `nil` if there is none, or the run is too short.
  package let runIn: StutterRunIn?
  /// Stretches in which frames were long compared with the run, but not with the frames around them.
  package let slowStretches: SlowStretches

  /// The minimum number of frames that are judged.
  package static let fewestFrames = 60

  /// Finds the stutters of frames, in time linear in their number.
  /// - Parameters:
  ///   - lengths: The positive length of each frame, in nanoseconds; without rests.
  ///   - ends: The ascending times when frames ended, in nanoseconds.
  /// - Returns: `nil` for fewer than 60 frames, which are not judged.
  package init?(lengths: [Int64], ends: [Int64]) {
    guard lengths.count >= Self.fewestFrames, lengths.count == ends.count else { return nil }
    let stalls = Stalls(lengths)
    frames = lengths.count
    stutters = Stutter.all(stalls, lengths: lengths, ends: ends)
    lost = stutters.reduce(0) { $0 + $1.lost }
    netTime = zip(stalls.indices, stalls.usual).reduce(lengths.reduce(0, +)) { time, stall in
      time - max(0, lengths[stall.0] - stall.1)
    }
    bursts = Self.bursts(stutters)
    let start = ends[0] - lengths[0]
    runIn = StutterRunIn(stutters, from: start, to: ends[ends.count - 1])
    slowStretches = SlowStretches(lengths: lengths, ends: ends, without: stalls.indices)
  }

  /// The share of time that is lost, from 0 to 1.
  package var share: Double { Double(lost) / Double(netTime + lost) }

  /// The longest stall, in nanoseconds; `nil` if there is no stutter.
  package var longest: Int64? { stutters.lazy.map(\.longest).max() }

  /// The median of the longest frames of stutters, in nanoseconds; `nil` if there is no stutter.
  package var medianLongest: Double? {
    stutters.map(\.longest).sorted().middle.map { (Double($0.lower) + Double($0.upper)) / 2 }
  }

  private static func bursts(_ stutters: [Stutter]) -> Int {
    let apart = Int64(1_000_000_000)
    let gaps = zip(stutters, stutters.dropFirst()).map { $1.start - $0.end }
    return stutters.isEmpty ? 0 : 1 + gaps.count { $0 >= apart }
  }
}
