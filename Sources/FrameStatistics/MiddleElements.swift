/// The middle of elements in ascending order.
extension RandomAccessCollection {
  /// The two elements in the middle, which are the same element if their number is odd; `nil` if there are none. A
  /// median is the mean of the two.
  package var middle: (lower: Element, upper: Element)? {
    guard !isEmpty else { return nil }
    return (
      self[index(startIndex, offsetBy: (count - 1) / 2)],
      self[index(startIndex, offsetBy: count / 2)]
    )
  }

  /// The upper of the two elements in the middle: a median that is one of the elements; `nil` if there are none.
  package var medianOfSorted: Element? { middle?.upper }
}
