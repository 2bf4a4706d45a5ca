extension Array {
  /// Sorts elements of which each is in its position or a few away from it, as frames are by when they were displayed.
  ///
  /// Each element moves before those that it belongs before, in the memory of the array. Equal elements keep their order,
  /// as they do in the sort of the standard library.
  /// - Complexity: O(n + m) for n elements that move m positions in all. Once they have moved 8n, the rest is left to the
  ///   sort of the standard library, which takes O(n log n) and half as much memory again.
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
