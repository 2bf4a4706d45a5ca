/// Finds the values at given ranks without sorting.
///
/// Values are counted in 16 384 equal ranges, and only ranges that contain a requested rank are examined again. Up to
/// 1024 values are partitioned instead (quickselect; Hoare, "Algorithm 65: Find", Communications of the ACM 4, 1961).
/// The result is exact, and the time is linear in the number of values.
package struct RankSelection {
  private static let bits = 14
  /// The maximum number of values that are partitioned.
  private static let few = 1024

  /// The values at `ranks`, counted from 0 for the smallest.
  /// - Precondition: `ranks` are in order and less than the number of values.
  package static func select(_ ranks: [Int], of values: [Int64]) -> [Int64] {
    limits(values).map { select(ranks, of: values, limits: $0) } ?? []
  }

  /// The values at `ranks`, for values with known limits.
  package static func select(
    _ ranks: [Int], of values: [Int64], limits: (low: Int64, high: Int64)
  ) -> [Int64] {
    if values.count <= few { return selectFew(ranks, of: values) }
    let (low, high) = limits
    if low == high { return ranks.map { _ in low } }
    let width = UInt64(bitPattern: high &- low)
    let shift = UInt64(max(0, 64 - width.leadingZeroBitCount - bits))
    let counts = count(values, from: low, shift: shift)
    return look(into: hits(ranks, counts), of: values, from: low, shift: shift)
  }

  private static func selectFew(_ ranks: [Int], of values: [Int64]) -> [Int64] {
    var values = values
    var placed: Int?
    return ranks.map { rank in
      if let placed, rank == placed + 1 {
        // For example, the two middle values: the second one is the smallest of the rest.
        positionSmallest(of: &values, at: rank)
      } else if placed != rank {
        position(rank, of: &values, from: placed ?? 0)
      }
      placed = rank
      return values[rank]
    }
  }

  /// Moves the smallest of the values from a position onward to that position.
  private static func positionSmallest(of values: inout [Int64], at start: Int) {
    var values = values.mutableSpan
    var least = start
    for position in start..<values.count where values[position] < values[least] { least = position }
    values.swapAt(start, least)
  }

  /// Partitions values so that the value at a rank is in its sorted position, with no smaller value after it and no
  /// larger value before it.
  /// - Parameter start: The first value that can move: the values before it are no larger than the rest.
  private static func position(_ rank: Int, of values: inout [Int64], from start: Int) {
    var values = values.mutableSpan
    var (low, high) = (start, values.count - 1)
    while low < high {
      let (first, middle, last) = (values[low], values[(low + high) / 2], values[high])
      let pivot = max(min(first, middle), min(max(first, middle), last))
      var (left, right) = (low, high)
      while left <= right {
        while values[left] < pivot { left &+= 1 }
        while values[right] > pivot { right &-= 1 }
        guard left <= right else { break }
        values.swapAt(left, right)
        left &+= 1
        right &-= 1
      }
      if rank <= right {
        high = right
      } else if rank >= left {
        low = left
      } else {
        return
      }
    }
  }

  /// The smallest and the largest value; `nil` if there are none.
  static func limits(_ values: [Int64]) -> (low: Int64, high: Int64)? {
    guard !values.isEmpty else { return nil }
    var low = Int64.max
    var high = Int64.min
    for value in values {
      low = min(low, value)
      high = max(high, value)
    }
    return (low, high)
  }

  private static func count(_ values: [Int64], from low: Int64, shift: UInt64) -> [UInt32] {
    var storage = [UInt32](repeating: 0, count: 1 << bits)
    var counts = storage.mutableSpan
    for value in values {
      let range = Int(truncatingIfNeeded: UInt64(bitPattern: value &- low) &>> shift)
      counts[range] &+= 1
    }
    return storage
  }

  /// A range that contains requested ranks.
  private struct Hit {
    let range: Int
    let count: Int
    /// The requested ranks, counted from the smallest value of the range.
    var ranks: [Int]
  }

  private static func hits(_ ranks: [Int], _ counts: [UInt32]) -> [Hit] {
    var hits: [Hit] = []
    var before = 0
    var range = 0
    for rank in ranks {
      while before + Int(counts[range]) <= rank {
        before += Int(counts[range])
        range += 1
      }
      if hits.last?.range != range {
        hits.append(Hit(range: range, count: Int(counts[range]), ranks: []))
      }
      hits[hits.count - 1].ranks.append(rank - before)
    }
    return hits
  }

  private static func look(
    into hits: [Hit], of values: [Int64], from low: Int64, shift: UInt64
  ) -> [Int64] {
    if shift == 0 { return hits.flatMap { hit in hit.ranks.map { _ in low &+ Int64(hit.range) } } }
    var positions = [Int16](repeating: -1, count: 1 << bits)
    for (position, hit) in hits.enumerated() { positions[hit.range] = Int16(position) }
    var members = hits.map { hit in
      var values: [Int64] = []
      values.reserveCapacity(hit.count)
      return values
    }
    let positionOfRange = positions.span
    for value in values {
      let range = Int(truncatingIfNeeded: UInt64(bitPattern: value &- low) &>> shift)
      let position = positionOfRange[range]
      if position >= 0 { members[Int(position)].append(value) }
    }
    return zip(hits, members).flatMap { select($0.ranks, of: $1) }
  }
}
