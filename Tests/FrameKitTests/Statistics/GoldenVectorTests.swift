import Testing

@testable import FrameStatistics

/// Vectors that other libraries also return (SciPy 1.16, arch 8.0, statsmodels 0.15), or that are
/// computed by hand.
@Suite("Golden vectors")
struct GoldenVectorTests {
  static func near(_ found: Double, _ wanted: Double, _ tolerance: Double = 1e-12) -> Bool {
    abs(found - wanted) <= tolerance * max(1, abs(wanted))
  }

  @Test("Mann–Whitney, exact and by the normal distribution")
  func mannWhitney() {
    let (a, b) = ([16.9, 17.2, 17.5, 18.1, 19.0], [17.8, 18.4, 18.9, 19.6, 20.3])
    let test = MannWhitney(a, b)
    #expect(test.u == 4 && test.isExact)
    #expect(Self.near(test.pTwoSided, 0.0952380952380952))
    #expect(Self.near(test.pSecondGreater, 0.0476190476190476))
    #expect(
      Self.near(MannWhitney.asymptotic(u: 4, 5, 5, MidRanks(a + b)).twoSided, 0.0946929425994759))
  }

  @Test("Mann–Whitney with ties, all 924 ways to deal the ranks out")
  func ties() {
    let a = [16.7, 16.7, 16.7, 33.3, 16.7, 33.3]
    let b = [16.7, 33.3, 33.3, 33.3, 50.0, 16.7]
    let test = MannWhitney(a, b)
    #expect(test.u == 11 && test.isExact)
    #expect(Self.near(test.pTwoSided, 0.404761904761905))
    #expect(
      Self.near(MannWhitney.asymptotic(u: 11, 6, 6, MidRanks(a + b)).twoSided, 0.246810153261812))
  }

  @Test("Hodges–Lehmann")
  func hodgesLehmann() {
    let shift = HodgesLehmann([1.2, 2.1, 3.3, 4.7, 5.0], [2.5, 3.9, 5.4, 6.0, 8.8])
    #expect(Self.near(shift.shift, 1.8))
    #expect(Self.near(shift.low, -1.1) && Self.near(shift.high, 5.5))
    #expect(Self.near(shift.coverage, 0.968253968253968))
  }

  @Test("type 7")
  func quantiles() {
    let x = [8.3, 8.4, 8.4, 8.5, 9.1, 9.9, 12.2, 16.7, 16.8, 33.4]
    for (p, type7) in [(0.5, 9.5), (0.9, 18.46), (0.95, 25.93), (0.99, 31.906)] {
      #expect(Self.near(RealQuantile.type7(x, p), type7))
    }
  }

  @Test("type 8, worked out by hand")
  func type8() {
    // (5 + 1/3) · 0.5 + 1/3 = 3, the third of five; at 0.9: 5.133, beyond the last.
    #expect(RealQuantile.type8([5, 1, 4, 2, 3], 0.5) == 3)
    #expect(RealQuantile.type8([5, 1, 4, 2, 3], 0.9) == 5)
    // (4 + 1/3) · 0.25 + 1/3 = 1.41667.
    #expect(Self.near(RealQuantile.type8([10, 20, 30, 40], 0.25), 14.1666666666667))
  }

  @Test("E-divisive: the profile of a step")
  func divisive() throws {
    let x = [
      10.0, 10.2, 9.9, 10.1, 10.0, 9.8, 10.1, 12.0, 12.1, 11.9, 12.2, 12.0, 11.8, 12.1,
    ]
    let wanted = [
      1.73506493506494, 3.12285714285714, 4.65396825396826, 6.75357142857143, 9.54857142857143,
      12.8666666666667, 9.37877551020408, 6.61428571428571, 4.77777777777778, 3.01142857142858,
      1.63376623376623,
    ]
    let profile = ChangePoints.profile(x, shortest: 2)
    #expect(profile.map(\.position) == Array(2...12))
    #expect(zip(profile, wanted).allSatisfy { Self.near($0.distance, $1) })
    let best = try #require(ChangePoints.bestSplit(x))
    #expect(best.position == 7 && Self.near(best.distance, 12.8666666666667))
    #expect(ChangePoints(x, seed: 3, level: 0.05).positions == [7])
  }

  @Test("t on logarithms: pooled, Welch, and with a variance known from elsewhere")
  func logT() {
    let a = [14.91, 15.20, 15.02].map(Elementary.log)
    let b = [15.71, 15.44, 15.93].map(Elementary.log)
    let percent = { (value: Double) in 100 * (Elementary.exp(value) - 1) }
    let pooled = TwoSampleT.pooled(a, b)
    #expect(Self.near(percent(pooled.difference), 4.31562495442835))
    #expect(Self.near(pooled.t, 3.97166330122106) && pooled.degrees == 4)
    #expect(Self.near(pooled.pTwoSided, 0.0165157121289615))
    #expect(Self.near(percent(pooled.interval(0.95).low), 1.27960345675566))
    #expect(Self.near(percent(pooled.interval(0.95).high), 7.44265615415093))
    let welch = TwoSampleT.welch(a, b)
    #expect(Self.near(welch.degrees, 3.34305964152701))
    #expect(Self.near(welch.pTwoSided, 0.0233117387933169))
    let moderated = TwoSampleT.moderated(a, b, variance: 0.012 * 0.012, degrees: 9)
    #expect(Self.near(moderated.t, 4.19825427522021) && moderated.degrees == 13)
    #expect(Self.near(moderated.pTwoSided, 0.00104294731065725))
    #expect(Self.near(percent(moderated.interval(0.95).low), 2.07209133367114))
    #expect(Self.near(percent(moderated.interval(0.95).high), 6.60847120356126))
  }

  @Test("runs needed, by the noncentral t")
  func runsNeeded() {
    let wanted: [(ratio: Double, five: Int, one: Int)] = [
      (0.3, 3, 4), (0.5, 4, 7), (0.75, 8, 13), (1, 14, 22), (1.5, 29, 47), (2, 51, 82),
      (3, 112, 183),
    ]
    for (ratio, five, one) in wanted {
      #expect(TwoSampleT.sizeNeeded(toFind: 1, spread: ratio, level: 0.05) == five)
      #expect(TwoSampleT.sizeNeeded(toFind: 1, spread: ratio, level: 0.01) == one)
    }
    #expect(TwoSampleT.sizeNeeded(toFind: 1, spread: 10, level: 0.05) == nil)
  }

  @Test("bins of the histogram")
  func bins() {
    let wanted = [
      (8.3, 525_331), (16.6667, 525_845), (33.3333, 526_357), (0.01, 520_335), (1, 523_776),
      (1000, 528_872),
    ]
    for (time, bin) in wanted { #expect(FrameHistogram.bin(time) == bin) }
    #expect(FrameHistogram.start(of: 525_331) == 8.296875)
    #expect(FrameHistogram.start(of: 525_332) == 8.3125)
    #expect(FrameHistogram.start(of: 525_845) == 16.65625)
    #expect(FrameHistogram.start(of: 528_873) == 1001)
  }

  @Test("all 462 draws of six blocks")
  func blocks() {
    #expect(BlockWeights.all.count == 462)
    #expect(Self.near(BlockWeights.all.reduce(0) { $0 + $1.probability }, 1))
    let y = [16.6, 16.7, 16.8, 33.3, 16.5, 16.7, 16.7, 16.6, 50.1, 16.7, 16.6, 16.8]
    let blocks = (0..<6).map { block in
      y.indices.filter { BlockWeights.block(of: $0, count: y.count) == block }.map { y[$0] }
    }
    let figures = BlockWeights.all.map { draw -> Double in
      let sum = zip(draw.weights, blocks).reduce(0) { $0 + Double($1.0) * $1.1.reduce(0, +) }
      let count = zip(draw.weights, blocks).reduce(0) { $0 + Double($1.0) * Double($1.1.count) }
      return sum / count
    }
    #expect(Self.near(BlockWeights.variance(figures), 8.190236111111108))
  }

  @Test("the sequences of SplitMix64")
  func splitMix() {
    var one = SplitMix64(seed: 1_234_567)
    #expect(
      (0..<3).map { _ in one.next() } == [
        6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
      ])
    var other = SplitMix64(seed: 42)
    #expect(
      (0..<3).map { _ in other.next() } == [
        13_679_457_532_755_275_413, 2_949_826_092_126_892_291, 5_139_283_748_462_763_858,
      ])
  }

  @Test("quantiles of what a grid has rounded")
  func grid() {
    let ticks: [Int64] = [10, 10, 11, 11, 11, 11, 12, 12, 13, 17]
    let step = 25.0 / 6
    #expect(Self.near(RealQuantile.onGrid(ticks, step: step, 0.5), 44.7916666666667))
    #expect(Self.near(RealQuantile.onGrid(ticks, step: step, 0.95), 54.375))
  }
}
