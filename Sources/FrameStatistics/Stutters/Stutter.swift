/// One stutter: a stall, or several with less than 100 ms between them.
public struct Stutter: Hashable, Sendable {
  /// The index of the longest frame; the first one if several are equally long.
  public let index: Int
  /// The start of the first stall and the end of the last one, in nanoseconds.
  public let start, end: Int64
  /// The length of the longest frame, in nanoseconds.
  public let longest: Int64
  /// The usual length of frames around the longest frame, in nanoseconds.
  public let usual: Int64
  /// The time by which the stalls exceed the usual length, each by at most 10 s, in nanoseconds.
  public let lost: Int64
  /// The number of stalls.
  public let frames: Int

  /// The minimum time between two stutters, and the maximum time that one frame counts as lost, in nanoseconds.
  private static let (apart, most) = (Int64(100_000_000), Int64(10_000_000_000))

  /// The stutters formed by stalls, in linear time.
  ///
  /// A stall belongs to a stutter if it starts less than 100 ms after the first stall of that stutter ends. This gives
  /// as many stutters as there can be stalls with 100 ms between them, so an additional stall never lowers the number
  /// of stutters.
  static func all(_ stalls: Stalls, lengths: [Int64], ends: [Int64]) -> [Stutter] {
    var stutters: [Stutter] = []
    var firstEnd = Int64.min
    for (index, usual) in zip(stalls.indices, stalls.usual) {
      let lost = min(max(0, lengths[index] - usual), most)
      let stall = Stutter(
        index: index, start: ends[index] - lengths[index], end: ends[index],
        longest: lengths[index], usual: usual, lost: lost, frames: 1)
      if let last = stutters.last, stall.start < firstEnd + apart {
        stutters[stutters.count - 1] = last.joined(with: stall)
      } else {
        stutters.append(stall)
        firstEnd = stall.end
      }
    }
    return stutters
  }

  private func joined(with stall: Stutter) -> Stutter {
    let longer = stall.longest > longest ? stall : self
    return Stutter(
      index: longer.index, start: start, end: stall.end, longest: longer.longest,
      usual: longer.usual, lost: lost + stall.lost, frames: frames + 1)
  }
}
