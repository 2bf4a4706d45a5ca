import Testing

@testable import FrameStatistics

@Suite("Theil–Sen")
struct TheilSenTests {
  @Test("the example of Hollander and Wolfe, its ten slopes worked out by hand")
  func example() throws {
    // "Nonparametric Statistical Methods", example 9.1, the effect of cloud seeding: slopes
    // −0.15, −0.13, −0.08, −0.07, −0.0575, −0.055, −0.045, −0.0333, 0.01 and 0.04.
    let points: [(x: Double, y: Double)] = [(1, 1.26), (2, 1.27), (3, 1.12), (4, 1.16), (5, 1.03)]
    let line = try #require(TheilSen(points))
    #expect(abs(line.slope - -0.05625) < 1e-6)
    #expect(line.n == 5)
    #expect(line.low <= line.slope && line.slope <= line.high)
  }

  @Test("points on a line give its slope, whatever a few others do")
  func outliers() throws {
    var points: [(x: Double, y: Double)] = (0..<60).map { index in
      let x = Double(index % 6)
      return (x, 3 + 1.2 * x)
    }
    for index in stride(from: 0, to: 60, by: 7) { points[index].y += 50 }
    let line = try #require(TheilSen(points))
    #expect(abs(line.slope - 1.2) < 1e-9)
  }

  @Test("points with one x have no slope")
  func alike() { #expect(TheilSen([(1, 2), (1, 3), (1, 4)]) == nil) }
}
