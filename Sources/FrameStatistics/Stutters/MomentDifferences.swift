/// Finds series that differ at stutters from moments shortly before them.
package enum MomentDifferences {
  /// The values of a sensor or another quantity over time.
  package struct Series: Sendable {
    /// When each row ends, in nanoseconds and in order: a row describes the time before its end.
    package let times: [Int64]
    /// The value of each row; all are finite.
    package let values: [Double]
    /// Whether rows within a stutter describe what happened during the stutter, and do not merely follow from the
    /// stalled frame.
    package let coversStutters: Bool

    /// Creates a series; there must be as many values as times.
    package init(times: [Int64], values: [Double], coversStutters: Bool = false) {
      self.times = times
      self.values = values
      self.coversStutters = coversStutters
    }

    /// The sides of stutters on which the series is compared.
    var sides: [MomentDifference.Side] {
      coversStutters ? MomentDifference.Side.allCases : [.before, .after]
    }
  }

  /// The share of false findings that is acceptable.
  private static let level = 0.05

  /// The side of the stutters on which each series differs; `nil` if a difference is not shown.
  ///
  /// The window before a stutter has the rows later than `start - w` and not later than `start`. The frame that ends
  /// when the stutter starts is therefore in this window. The window after has the rows later than `end` and not later
  /// than `end + w`. A row later than `start` and not later than `end`, such as that of the stalled frame, is in no
  /// window, unless the series covers stutters. Then there is also a window during the stutter, with the rows later
  /// than `start` and not later than `end` or `start + w`, and its control windows are as long. `w` is the median time
  /// between rows, but at least 0.2 s and at most 1 s. A window without rows has the last earlier value.
  ///
  /// Both windows are compared with windows before the stutter; see ``QuietMoments``. A series has at most one finding.
  /// If it differs on several sides, the finding is on the first side, because a change that began there may last. The
  /// finding is on a later side if the difference there is more than twice as large.
  /// - Parameter events: The start and end of each stutter, in order and disjoint.
  /// - Returns: A finding or `nil` for each series, and the number of tests for which the
  ///   probabilities are adjusted. Constant series, and sides with fewer than 4 stutters to
  ///   compare, are not tested.
  /// - Complexity: O(n log n) in the number of rows, plus a bounded time for each series.
  package static func find(
    _ series: [Series], events: [Range<Int64>]
  ) -> (findings: [MomentDifference?], tests: Int) {
    let windowed = series.map { WindowedSeries($0, without: $0.coversStutters ? [] : events) }
    let tests = windowed.indices.map { index -> [MomentTest] in
      if windowed[index].isConstant { return [] }
      let moments = QuietMoments(events, spacing: spacing(series[index].times))
      return series[index].sides.compactMap {
        MomentTest($0, windowed[index], moments, events)
      }
    }
    let adjusted = MultipleTests.benjaminiHochberg(tests.joined().map(\.probability))
    var start = 0
    let findings = tests.indices.map { index -> MomentDifference? in
      // A lower value during a stutter follows from the stalled frame.
      let found = zip(tests[index], adjusted[start...]).filter {
        $1 <= level && ($0.side != .during || $0.effect > 0)
      }
      start += tests[index].count
      guard var chosen = found.first else { return nil }
      for later in found.dropFirst() where abs(later.0.effect) > 2 * abs(chosen.0.effect) {
        chosen = later
      }
      return chosen.0.difference(windowed[index], adjusted: chosen.1)
    }
    return (findings, adjusted.count)
  }

  /// The median time between rows.
  private static func spacing(_ times: [Int64]) -> Int64 {
    guard times.count > 1 else { return 0 }
    return RankSelection.select(
      [(times.count - 1) / 2], of: zip(times, times.dropFirst()).map { $1 - $0 })[0]
  }
}
