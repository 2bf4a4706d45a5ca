/// Stretches in which frames were long compared with the run, but not with the frames around them: slow, but not
/// stutters.
public struct SlowStretches: Hashable, Sendable {
  /// Consecutive slow frames.
  public struct Stretch: Hashable, Sendable {
    /// The start of the first frame and the end of the last frame, in nanoseconds.
    public let start, end: Int64
    /// The number of slow frames.
    public let frames: Int
    /// The median length of the slow frames, in nanoseconds.
    public let median: Double
  }

  /// The usual length of the run, in nanoseconds: half of its time is in shorter frames, to 0.2 %.
  public let usual: Int64
  /// The stretches in order.
  public let all: [Stretch]

  /// The maximum number of frames from one slow frame to the next, and the minimum number of slow frames in a stretch.
  private static let (apart, fewest) = (8, 4)

  /// Finds the stretches, in linear time.
  init(lengths: [Int64], ends: [Int64], without stalls: [Int]) {
    usual = Self.usual(lengths)
    let limit = StallLimit.least(usual: usual)
    var stretches: [[Int]] = []
    var stall = 0
    for index in lengths.indices where lengths[index] >= limit {
      while stall < stalls.count, stalls[stall] < index { stall += 1 }
      if stall < stalls.count, stalls[stall] == index { continue }
      if let last = stretches.last?.last, index - last <= Self.apart {
        stretches[stretches.count - 1].append(index)
      } else {
        if let last = stretches.last, last.count < Self.fewest { stretches.removeLast() }
        stretches.append([index])
      }
    }
    all = stretches.filter { $0.count >= Self.fewest }.compactMap { frames in
      guard let first = frames.first, let last = frames.last,
        let middle = frames.map({ lengths[$0] }).sorted().middle
      else { return nil }
      return Stretch(
        start: ends[first] - lengths[first], end: ends[last], frames: frames.count,
        median: (Double(middle.lower) + Double(middle.upper)) / 2)
    }
  }

  /// The start of the bin that contains the middle of the time, with frames in order of length.
  private static func usual(_ lengths: [Int64]) -> Int64 {
    let first = FrameHistogram.bin(1)
    var times = [Int64](repeating: 0, count: FrameHistogram.bin(0x1p63) - first)
    for length in lengths { times[FrameHistogram.bin(Double(length)) - first] += length }
    var rest = times.reduce(0, +) / 2
    let middle = times.firstIndex { time in
      rest -= time
      return rest <= 0
    }
    return Int64(FrameHistogram.start(of: first + (middle ?? 0)))
  }
}
