import Testing

@testable import FrameStatistics

/// What holds for stutters in content of any kind.
@Suite struct StutterPropertyTests {
  /// The definition of stalls, read off without any shortcut.
  private static func stallsByDefinition(_ lengths: [Int64]) -> [Int] {
    var stalls: [Int] = []
    for _ in 0..<8 {
      let rest = lengths.indices.filter { !stalls.contains($0) }
      let found = rest.indices.filter { position in
        let before = rest[..<position].reversed().map { lengths[$0] }
        let after = rest[(position + 1)...].map { lengths[$0] }
        let limits = [before, after].filter { $0.count >= 8 }.map(limit)
        return limits.max().map { Double(lengths[rest[position]]) >= $0 } ?? false
      }
      if found.isEmpty { break }
      stalls = (stalls + found.map { rest[$0] }).sorted()
    }
    return stalls
  }

  /// The limit by the frames on one side, the nearest first.
  private static func limit(_ side: [Int64]) -> Double {
    let value = { (frames: [Int64], share: Double) in
      Double(frames[Int((share * Double(frames.count) - 1e-9).rounded(.up)) - 1])
    }
    let halfSecond = 500_000_000 / value(side.prefix(30).sorted(), 0.5)
    let doubling = [1, 2, 4, 8, 16].first { halfSecond < 30 * $0 * 2.0.squareRoot() } ?? 16
    let window = side.prefix(30 * Int(doubling)).sorted()
    let usual = value(window, 0.75)
    let median = value(window, 0.5)
    let spread = min(
      Elementary.log(usual / median) / 0.6744897501960817,
      Elementary.log(median / value(window, 0.1)) / 1.2815515655446004)
    let ratio = max(1 + min(1.5, 23_000_000 / usual), min(4, Elementary.exp(6 * spread)))
    return max(usual * ratio, usual + 8_000_000)
  }

  @Test(arguments: StutterContent.allCases)
  func stallsAreThoseOfTheDefinition(_ content: StutterContent) {
    for seed in 0..<2 as Range<UInt64> {
      var random = SplitMix64(seed: seed)
      let lengths = content.stalling(60 + Int(random.nextUnit() * 200), &random)
      #expect(Stalls(lengths).indices == Self.stallsByDefinition(lengths))
    }
  }

  @Test(arguments: StutterContent.allCases)
  func contentWithoutStallsHasNone(_ content: StutterContent) {
    var random = SplitMix64(seed: 5)
    #expect(StutterScan(lengths: content.lengths(5000, &random))?.stutters == [])
  }

  @Test(arguments: StutterContent.allCases)
  func aLongerStallIsNeverBetter(_ content: StutterContent) throws {
    for seed in 0..<12 as Range<UInt64> {
      var random = SplitMix64(seed: seed)
      var lengths = content.stalling(60 + Int(random.nextUnit() * 700), &random)
      let stalls = Stalls(lengths).indices
      guard !stalls.isEmpty else { continue }
      let before = try #require(StutterScan(lengths: lengths))
      // One refresh to 60 s.
      let excess = Millionths.of(8 * Elementary.exp(8.9 * random.nextUnit()))
      lengths[stalls[Int(random.nextUnit() * Double(stalls.count))]] += Int64(excess)
      let after = try #require(StutterScan(lengths: lengths))
      #expect(Self.isNoBetter(after, than: before))
    }
  }

  @Test(arguments: StutterContent.allCases)
  func aFurtherStutterIsNeverBetter(_ content: StutterContent) throws {
    for seed in 0..<12 as Range<UInt64> {
      var random = SplitMix64(seed: seed)
      var lengths = content.stalling(60 + Int(random.nextUnit() * 700), &random)
      let before = try #require(StutterScan(lengths: lengths))
      let index = Int(random.nextUnit() * Double(lengths.count))
      let end = StutterContent.ends(lengths)[index]
      let apart = 1_000_000_000 + lengths[index]
      guard before.stutters.allSatisfy({ $0.start > end + apart || $0.end < end - apart }) else {
        continue
      }
      lengths[index] += Int64(Millionths.of(8 * Elementary.exp(8.9 * random.nextUnit())))
      guard Stalls(lengths).indices.contains(index) else { continue }
      let after = try #require(StutterScan(lengths: lengths))
      #expect(Self.isNoBetter(after, than: before) && after.stutters.count > before.stutters.count)
    }
  }

  private static func isNoBetter(_ after: StutterScan, than before: StutterScan) -> Bool {
    after.stutters.count >= before.stutters.count && after.lost >= before.lost
      && (after.longest ?? 0) >= (before.longest ?? 0) && after.share >= before.share - 1e-12
  }

  @Test(arguments: StutterContent.allCases)
  func theDirectionAndTheStartOfTimeDoNotMatter(_ content: StutterContent) throws {
    var random = SplitMix64(seed: 8)
    let lengths = content.stalling(1500, &random)
    let last = lengths.count - 1
    #expect(
      Stalls(lengths.reversed()).indices.map { last - $0 }.reversed() == Stalls(lengths).indices)
    let scan = try #require(StutterScan(lengths: lengths))
    let ends = StutterContent.ends(lengths).map { $0 + 1_000_000_000_000 }
    let later = try #require(StutterScan(lengths: lengths, ends: ends))
    #expect(later.stutters.map(\.start) == scan.stutters.map { $0.start + 1_000_000_000_000 })
    #expect(later.lost == scan.lost && later.runIn == scan.runIn && later.bursts == scan.bursts)
  }
}
