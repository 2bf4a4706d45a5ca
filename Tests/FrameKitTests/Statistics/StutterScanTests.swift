import Testing

@testable import FrameStatistics

/// What a stutter is, on small runs whose results another implementation, in NumPy, gives too.
@Suite struct StutterScanTests {
  private static let millisecond: Int64 = 1_000_000

  /// Whole numbers below 32,768 that look random, which are easy to repeat in another language.
  private static func numbers(_ count: Int, seed: Int64) -> [Int64] {
    var state = seed
    return (0..<count).map { _ in
      state = (state * 1_103_515_245 + 12_345) % (1 << 31)
      return state >> 16
    }
  }

  private static func replacing(_ lengths: [Int64], _ milliseconds: [Int: Int64]) -> [Int64] {
    var lengths = lengths
    for (index, length) in milliseconds { lengths[index] = length * millisecond }
    return lengths
  }

  @Test func stallsLessThan100MillisecondsApartAreOneStutter() throws {
    let usual = Self.numbers(600, seed: 1).map { 16_667_000 + $0 * 10 }
    let scan = try #require(
      StutterScan(lengths: Self.replacing(usual, [100: 50, 102: 70, 300: 41, 450: 900])))
    #expect(
      scan.stutters == [
        Stutter(
          index: 102, start: 1_683_591_040, end: 1_820_349_750, longest: 70_000_000,
          usual: 16_925_850, lost: 86_148_300, frames: 2),
        Stutter(
          index: 300, start: 5_134_400_780, end: 5_175_400_780, longest: 41_000_000,
          usual: 16_916_990, lost: 24_083_010, frames: 1),
        Stutter(
          index: 450, start: 7_681_693_130, end: 8_581_693_130, longest: 900_000_000,
          usual: 16_905_660, lost: 883_094_340, frames: 1),
      ])
    // The other implementation keeps stalls in the windows: 4,210 ns less are lost there.
    #expect(scan.lost == 993_325_650 && scan.bursts == 3)
    #expect(abs(scan.share - 0.08955252996506727) < 1e-6)
    #expect(scan.longest == 900_000_000 && scan.medianLongest == 70_000_000)
  }

  @Test func aChangeOfLevelIsNotAStallButALongerFrameAtItsBorderIs() throws {
    let fast = [Int64](repeating: 8 * Self.millisecond, count: 200)
    let slow = [Int64](repeating: 33 * Self.millisecond, count: 301)
    #expect(StutterScan(lengths: fast + slow + fast)?.stutters == [])
    let scan = try #require(
      StutterScan(lengths: Self.replacing(fast + [0] + slow, [200: 90, 401: 56])))
    #expect(scan.stutters.map(\.index) == [200, 401])
    #expect(scan.stutters.map(\.usual) == [33_000_000, 33_000_000])
    #expect(scan.stutters.map(\.lost) == [57_000_000, 23_000_000])
    #expect(abs(scan.share - 0.006869311351537008) < 1e-12)
  }

  @Test func noiseIsNotAStall() throws {
    let noisy = Self.numbers(800, seed: 3).map { 5_000_000 + $0 * 300 }
    let scan = try #require(
      StutterScan(lengths: Self.replacing(noisy, [200: 31, 201: 29, 600: 24])))
    #expect(scan.stutters == [] && scan.longest == nil && scan.medianLongest == nil)
    #expect(scan.share == 0 && scan.bursts == 0)
  }

  @Test func theFirstAndTheLastFrameCanBeStalls() throws {
    let usual = [Int64](repeating: 10 * Self.millisecond, count: 60)
    let scan = try #require(
      StutterScan(lengths: Self.replacing(usual, [0: 100, 8: 100, 59: 40, 52: 33])))
    #expect(scan.stutters.map(\.index) == [0, 59] && scan.stutters.map(\.frames) == [2, 2])
    #expect(scan.stutters.map(\.lost) == [180_000_000, 53_000_000] && scan.bursts == 1)
    #expect(abs(scan.share - 0.2797118847539016) < 1e-12)
  }

  @Test func twoUsualLengthsAreNotStalls() throws {
    let usual = Self.numbers(500, seed: 9).map { $0 % 4 == 0 ? 33_333_000 : 16_667_000 as Int64 }
    let scan = try #require(
      StutterScan(lengths: Self.replacing(usual, [40: 90, 250: 60, 253: 48])))
    #expect(scan.stutters.map(\.index) == [40, 250] && scan.stutters.map(\.frames) == [1, 2])
    #expect(scan.stutters.map(\.lost) == [73_333_000, 74_666_000])
  }

  @Test func fewerThan60FramesAreNotJudged() {
    let usual = [Int64](repeating: 10 * Self.millisecond, count: 59)
    #expect(StutterScan(lengths: Self.replacing(usual, [30: 500])) == nil)
    #expect(StutterScan(lengths: Self.replacing(usual + [1], [30: 500]))?.stutters.count == 1)
    #expect(StutterScan(lengths: [], ends: []) == nil)
  }

  @Test func oneFrameLosesTenSecondsAtMost() throws {
    let usual = [Int64](repeating: 10 * Self.millisecond, count: 200)
    let scan = try #require(StutterScan(lengths: Self.replacing(usual, [100: 60_010])))
    #expect(scan.lost == 10_000_000_000 && scan.longest == 60_010_000_000)
    #expect(scan.netTime == 2_000_000_000)
  }

  @Test func slowFramesWithoutFasterOnesAroundAreASlowStretch() throws {
    let fast = [Int64](repeating: 8 * Self.millisecond, count: 1000)
    let slow = [Int64](repeating: 33 * Self.millisecond, count: 50)
    let scan = try #require(StutterScan(lengths: fast + slow + fast))
    #expect(scan.stutters.isEmpty && abs(scan.slowStretches.usual - 8_000_000) < 16_000)
    #expect(
      scan.slowStretches.all == [
        SlowStretches.Stretch(
          start: 8_000_000_000, end: 9_650_000_000, frames: 50, median: 33_000_000)
      ])
  }

  /// Stutters at seconds of a run of five minutes.
  private static func scan(at seconds: [Int]) -> StutterScan? {
    let lengths = (0..<30_000).map { index in
      index % 100 == 0 && seconds.contains(index / 100) ? 60 * millisecond : 10 * millisecond
    }
    return StutterScan(lengths: lengths)
  }

  @Test func theFirst30SecondsAreComparedWithTheRest() throws {
    let runIn = try #require(Self.scan(at: [1, 7, 13, 19, 25, 26, 120, 260])?.runIn)
    #expect(runIn.early == 6 && runIn.later == 2)
    // At least five of seven, each with a probability of 30 in 300.4 s.
    #expect(abs(runIn.probability - 0.000175) < 1e-5)
    #expect(runIn.laterTime == 270_400_000_000)
    #expect(Self.scan(at: [1, 40, 90, 140, 190, 240, 290])?.runIn == nil)
    // In quick succession, they have one reason.
    #expect(Self.scan(at: [1, 2, 3, 4, 5, 120, 260])?.runIn == nil)
  }
}
