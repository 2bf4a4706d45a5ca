extension Array {
  /// Sorts elements that are at most a few positions away from their sorted positions, such as frames by display time.
  ///
  /// Each element moves before the elements that it must precede, within the array's memory. Equal elements keep their
  /// order, as in the standard library's sort.
  /// - Complexity: O(n + m) for n elements that move m positions in all. After 8n positions, the standard library's
  ///   sort takes over, with O(n log n) time and half as much memory again.
  @inlinable
  package mutating func sortNearlySorted(by isBefore: (Element, Element) -> Bool) {
    var left = 8 * count
    var position = 1
    while position < count {
      let element = self[position]
      var free = position
      while free > 0, left > 0, isBefore(element, self[free &- 1]) {
        self[free] = self[free &- 1]
        free &-= 1
        left &-= 1
      }
      if free < position { self[free] = element }
      if left == 0 { return sort(by: isBefore) }
      position &+= 1
    }
  }
}
