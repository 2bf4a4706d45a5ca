import FrameStatistics

/// Distances between frames that have only display times, used to see whether the frames keep a
/// rate on both sides of a gap.
struct KeptDistances {
  private let shown: [RefreshNumber]

  /// The fewest frames of a stretch.
  private static let frames = 10

  /// - Parameter shown: The refreshes at which frames were displayed, in order.
  init(_ shown: [RefreshNumber]) { self.shown = shown }

  /// The rate before a gap, in refreshes from frame to frame; `nil` where frames keep none on either side of it.
  /// - Parameters:
  ///   - place: That of the first frame after the gap.
  ///   - rests: The places of the frames after other gaps.
  func around(_ place: Int, rests: Set<Int>) -> Int64? {
    let before = place - Self.frames..<place
    let after = place..<place + Self.frames
    guard before.lowerBound >= 0, after.upperBound <= shown.count, kept(after, rests) != nil else {
      return nil
    }
    return kept(before, rests)
  }

  /// The median distance of some frames, which four in five keep within half a refresh.
  private func kept(_ frames: Range<Int>, _ rests: Set<Int>) -> Int64? {
    let places = frames.dropFirst()
    guard !places.contains(where: rests.contains) else { return nil }
    let distances = places.map { shown[$0] - shown[$0 - 1] }.sorted()
    guard let middle = distances.medianOfSorted else { return nil }
    let keeping = distances.count { $0 == middle }
    return keeping * 5 >= distances.count * 4 ? middle : nil
  }
}
