import Testing

@testable import FrameStatistics

struct MiddleElementsTests {
  /// The middle of elements by their number, from none on.
  @Test(arguments: [([], nil, nil), ([7], 7, 7), ([1, 2], 1, 2), ([1, 2, 9], 2, 2)])
  func middle(_ sorted: [Int], _ lower: Int?, _ upper: Int?) {
    #expect(sorted.middle?.lower == lower && sorted.middle?.upper == upper)
    #expect(sorted.medianOfSorted == upper)
  }

  @Test func aSliceHasItsOwnMiddle() {
    #expect([0, 0, 1, 2, 3][2...].medianOfSorted == 2)
  }
}
