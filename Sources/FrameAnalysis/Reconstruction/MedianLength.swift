import FrameStatistics
import FrameTrace

extension [Nanoseconds] {
  /// The length at a sorted position, found without sorting. Takes time linear in the number of
  /// lengths.
  ///
  /// - Precondition: The position is an index of the array.
  func ranked(_ position: Int) -> Nanoseconds {
    Nanoseconds(RankSelection.select([position], of: map(\.count))[0])
  }

  /// The upper of the two middle lengths: a median that is one of the lengths; `nil` if there are none.
  var upperMedian: Nanoseconds? { isEmpty ? nil : ranked(count / 2) }

  /// The median: the middle length, or the mean of the two middle lengths if their number is even; `nil` if there are
  /// none.
  var median: Nanoseconds? {
    guard !isEmpty else { return nil }
    let middle = RankSelection.select([(count - 1) / 2, count / 2], of: map(\.count))
    return (Nanoseconds(middle[0]) + Nanoseconds(middle[1])) / 2
  }
}
