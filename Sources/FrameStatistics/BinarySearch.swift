extension RandomAccessCollection {
  /// The first index with an element that satisfies a condition, which must also hold for all elements after it; the
  /// end index if no element does. Takes time logarithmic in the number of elements.
  @inlinable
  package func partitioningIndex(where condition: (Element) -> Bool) -> Index {
    var low = startIndex
    var count = self.count
    while count > 0 {
      let half = count / 2
      let middle = index(low, offsetBy: half)
      if condition(self[middle]) {
        count = half
      } else {
        low = index(after: middle)
        count -= half + 1
      }
    }
    return low
  }
}
