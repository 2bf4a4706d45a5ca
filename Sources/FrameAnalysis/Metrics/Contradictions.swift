import FrameStatistics
public import FrameTrace

/// Frames with recorded times that cannot all be right, such as a commit before the app started.
///
/// It is unknown which time is wrong, so lengths between these times are not valid: they are left out of metrics,
/// counted, and reported with the first frame.
public struct Contradictions: Hashable, Sendable {
  /// The number of frames with such times.
  public let frames: Int
  /// The row of the first such frame.
  public let first: Int
  /// The two times of that frame: `later` should not be before `earlier`, but is, by `distance`.
  public let earlier, later: FrameColumn
  /// How far apart the first frame's times are.
  public let distance: Nanoseconds

  /// Why a length is left out.
  static let reason = "times contradict each other"

  /// Sources round times to at most a microsecond, so a length can be that much too short without any
  /// contradiction. It then counts as 0.
  static let rounding = Nanoseconds(1000)

  /// The pairs of times of a frame that can have only one order. A GPU may finish before the present call, and a
  /// compositor may start before it, so those pairs are not among them.
  private static let orders: [(earlier: FrameColumn, later: FrameColumn)] = [
    (.appStart, .workStart), (.appStart, .commit), (.commit, .appEnd),
    (.compositorStart, .compositorEnd), (.gpuStart, .gpuEnd), (.commit, .displayed),
    (.compositorEnd, .displayed), (.gpuEnd, .displayed), (.fenceSignaled, .displayed),
    (.queued, .displayed), (.displayed, .replaced),
  ]

  /// - Returns: `nil` where no times contradict each other.
  /// - Complexity: O(n) in the frames.
  init?(_ surface: MeasuredSurface) {
    let frames = surface.frames
    var contradicting: Set<Int> = []
    var first: (row: Int, earlier: FrameColumn, later: FrameColumn, distance: Nanoseconds)?
    for (earlier, later) in Self.orders where frames.has(earlier) && frames.has(later) {
      let length = FrameExpression.between(earlier, later)
      for row in 0..<frames.count {
        guard let value = length.value(row, of: frames), value < -Self.rounding.count else {
          continue
        }
        contradicting.insert(row)
        if first.map({ row < $0.row }) ?? true {
          first = (row, earlier, later, Nanoseconds(value).magnitude)
        }
      }
    }
    guard let first else { return nil }
    self.frames = contradicting.count
    self.first = surface.rows.lowerBound + first.row
    (self.earlier, self.later, distance) = (first.earlier, first.later, first.distance)
  }

  /// Prepares durations that cannot be negative: those that are negative due to rounding become 0.
  /// - Returns: The other lengths, and how many were left out.
  static func lengths(_ sample: consuming Sample) -> (sample: Sample, leftOut: Int) {
    guard let low = sample.limits?.low, low < 0 else { return (sample, 0) }
    // In place: a second list of values for ten million frames would take a tenth of the total memory.
    var values = (consume sample).takeMemory()
    var kept = 0
    for position in values.indices where values[position] >= -rounding.count {
      values[kept] = max(0, values[position])
      kept += 1
    }
    let leftOut = values.count - kept
    values.removeLast(leftOut)
    return (Sample(values), leftOut)
  }
}

extension Measurement {
  /// Counts values that were left out because they would be negative.
  mutating func leaveOut(_ count: Int) {
    guard count > 0 else { return }
    exclusions.append(Exclusion(reason: Contradictions.reason, count: count))
  }
}
