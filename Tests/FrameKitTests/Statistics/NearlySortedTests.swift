import Testing

@testable import FrameStatistics

/// Sorting by insertion gives the same result as the sort of the standard library.
@Suite struct NearlySortedTests {
  private struct Element: Equatable {
    let key, position: Int
  }

  /// Elements moved up to a distance: in order, a few positions away, and so far away that the standard library sorts them.
  @Test(arguments: [0, 1, 2, 3, 8, 20, 500], [0, 1, 2, 17, 18, 1000])
  func elementsAreSorted(_ distance: Int, _ count: Int) {
    for seed in 0..<20 as Range<UInt64> {
      var random = SplitMix64(seed: seed)
      let elements = (0..<count).map { position in
        // Half as many keys as elements, so that some are equal.
        Element(key: (position + .random(in: 0...distance, using: &random)) / 2, position: position)
      }
      var sorted = elements
      sorted.sortNearlySorted { $0.key < $1.key }
      // Equal elements keep their order.
      #expect(sorted == elements.sorted { ($0.key, $0.position) < ($1.key, $1.position) })
    }
  }

  /// One element that belongs far away, on both sides of the most that is moved by insertion, and all in reverse.
  @Test(arguments: [1, 7, 8, 9, 15, 16, 17, 18, 19, 300])
  func distantElementsAreSorted(_ count: Int) {
    for last in 0...count {
      var elements = Array(0..<count).map { $0 * 2 } + [last * 2 - 1]
      elements += (0..<count).map { _ in last * 2 - 1 }
      var sorted = elements
      sorted.sortNearlySorted(by: <)
      #expect(sorted == elements.sorted())
    }
    var reversed = Array((0..<count).reversed())
    reversed.sortNearlySorted(by: <)
    #expect(reversed == Array(0..<count))
  }

  /// How often elements are compared is bounded, however they are ordered: by 9n before the rest is left to the standard
  /// library, which makes about n log n comparisons.
  @Test(arguments: [1000, 8000]) func reversedElementsAreNotComparedInPairs(_ count: Int) {
    var comparisons = 0
    var reversed = Array((0..<count).reversed())
    reversed.sortNearlySorted {
      comparisons += 1
      return $0 < $1
    }
    #expect(reversed == Array(0..<count) && comparisons < 40 * count)
  }
}
