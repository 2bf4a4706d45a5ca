/// The frames that are stalls, and the usual length around each.
///
/// Stalls that are already found are left out of all windows, and the remaining frames are searched again. Whether a
/// frame is a stall then depends on the length of another stall only if a fifth of all frames are stalls, and even then
/// in only about one of 100,000 random cases.
package struct Stalls {
  /// The indices of the stalls, ascending.
  package private(set) var indices: [Int] = []
  /// For each stall, the usual length around it, in nanoseconds.
  package private(set) var usual: [Int64] = []

  /// The maximum number of searches, which bounds the work for content without a usual length.
  private static let mostSearches = 8
  /// The number of frames that are searched at once, which bounds the memory.
  private static let part = 1 << 16

  /// Finds all stalls. Takes linear time, and sorts half a second of frames
  /// for each candidate.
  package init(_ lengths: [Int64]) {
    var rest = lengths
    var ranges = [0..<lengths.count]
    for _ in 0..<Self.mostSearches {
      let found = ranges.flatMap { Self.search($0, of: rest) }
      guard !found.isEmpty else { break }
      rest.remove(at: found)
      add(found)
      ranges = Self.surroundings(of: found, count: rest.count)
    }
    usual = indices.enumerated().map { number, index in
      let position = index - number
      return StallWindow.limit(rest, before: position, after: position)?.usual ?? lengths[index]
    }
  }

  /// The positions of stalls in a range of the remaining frames.
  private static func search(_ range: Range<Int>, of lengths: [Int64]) -> [Int] {
    stride(from: range.lowerBound, to: range.upperBound, by: part).flatMap { start in
      let part = start..<min(start + part, range.upperBound)
      return StallCandidates.positions(in: part, of: lengths).filter { position in
        let length = lengths[position]
        let limit = StallWindow.limit(lengths, before: position, after: position + 1, of: length)
        return limit.map { length >= $0.length } ?? false
      }
    }
  }

  /// Adds stalls by their positions among the remaining frames.
  private mutating func add(_ positions: [Int]) {
    var merged: [Int] = []
    merged.reserveCapacity(indices.count + positions.count)
    var known = 0
    for position in positions {
      while known < indices.count, indices[known] - known <= position {
        merged.append(indices[known])
        known += 1
      }
      merged.append(position + known)
    }
    indices = merged + indices[known...]
  }

  /// The ranges of frames with a window from which frames were removed.
  private static func surroundings(of positions: [Int], count: Int) -> [Range<Int>] {
    let reach = StallWindow.frames.upperBound
    var ranges: [Range<Int>] = []
    for (number, position) in positions.enumerated() {
      let start = max(0, position - number - reach)
      let end = min(count, position - number + reach)
      if let last = ranges.last, last.upperBound >= start {
        ranges[ranges.count - 1] = last.lowerBound..<end
      } else if start < end {
        ranges.append(start..<end)
      }
    }
    return ranges
  }
}

extension [Int64] {
  /// Removes the elements at ascending indices, in linear time.
  fileprivate mutating func remove(at removed: [Int]) {
    guard var target = removed.first else { return }
    for (number, index) in removed.enumerated() {
      let next = number + 1 < removed.count ? removed[number + 1] : count
      for source in index + 1..<next {
        self[target] = self[source]
        target += 1
      }
    }
    removeLast(count - target)
  }
}
