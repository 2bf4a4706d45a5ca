import Testing

@testable import FrameStatistics
@testable import FrameVerdicts

/// The rules for the newest jobs, compared with vectors from an independent implementation.
@Suite("The newest jobs")
struct NewestJobsTests {
  private static let level = (0..<50).map { index in
    0.02 * StandardNormal.quantile((Double(17 * index % 50) + 0.5) / 50)
  }
  private static let threshold = Elementary.log(1.03)

  private static func isNear(_ one: Double, _ other: Double) -> Bool {
    abs(one - other) <= 1e-9 * max(1e-3, abs(other))
  }

  private static func judged(newest: [Double]) -> NewestJobs {
    judged(level + newest)
  }

  private static func judged(_ values: [Double]) -> NewestJobs {
    NewestJobs(
      values, threshold: threshold, from: 0,
      noise: SeriesNoise(values, levels: [0, values.count]))
  }

  @Test("two jobs that agree are a regression")
  func two() throws {
    let found = Self.judged(newest: [0.05, 0.05])
    let two = try #require(found.findings.first { $0.count == 2 })
    #expect(found.isRed && two.isRed)
    #expect(Self.isNear(two.p, 0.0005380503920736548))
    #expect(Self.isNear(two.pOfLeast, 0.008274148800642278))
  }

  @Test("one bad job is suspected, and no regression")
  func one() throws {
    let found = Self.judged(newest: [0, 0.3])
    let two = try #require(found.findings.first { $0.count == 2 })
    #expect(!found.isRed && found.suspicion != nil)
    #expect(Self.isNear(two.p, 0.04465350152990098))
    #expect(Self.isNear(two.pOfLeast, 0.5))
  }

  @Test("three jobs can tell what two cannot")
  func three() throws {
    let found = Self.judged(newest: [0.03, 0.04, 0.035])
    let three = try #require(found.findings.first { $0.count == 3 })
    #expect(found.isRed && three.isRed)
    #expect(Self.isNear(three.p, 0.002419160570814304))
    #expect(Self.isNear(three.pOfLeast, 0.07143571687767217))
  }

  @Test("a level of fewer than twelve jobs tells nothing")
  func few() {
    let found = Self.judged(Array(Self.level.prefix(10)) + [0.5, 0.5])
    #expect(!found.isRed && found.suspicion == nil && found.findings.isEmpty)
  }

  @Test("a slow creep is found once it matters")
  func creep() throws {
    let values =
      Self.level + Self.level.enumerated().map { $0.element + 0.06 * Double($0.offset) / 49 }
    let early = try #require(
      Creep(Array(values.prefix(80)), threshold: Self.threshold, from: 0))
    #expect(!early.isFound && Self.isNear(early.difference, 0.03852100740630818))
    let later = try #require(
      Creep(Array(values.prefix(90)), threshold: Self.threshold, from: 0))
    #expect(later.isFound && Self.isNear(later.difference, 0.04788491359459232))
    #expect(abs(later.p - 9.184504675223978e-06) < 1e-12)
    #expect(Creep(Array(values.prefix(39)), threshold: Self.threshold, from: 0) == nil)
  }
}
