import FrameKit

/// How often stutters without a rhythm are said to have one, and how often a rhythm is found.
struct RhythmRates {
  private static let spans: [Double] = [60, 180, 600]
  private static let beats = [6, 10, 20, 40]

  /// A rhythm among others.
  private struct Case: Sendable {
    let period, jitter, others: Double

    static let all = [1, 4, 20].flatMap { period in
      [0, 0.02, 0.05].flatMap { jitter in
        [0, 0.5, 1].map { Case(period: period, jitter: jitter, others: $0) }
      }
    }
  }

  private let runs: Int
  /// The number of false rhythms by kind and span.
  private let wrong: [Int]
  /// The number of found rhythms by case and number of beats.
  private let found: [Int]

  init(runs: Int) {
    self.runs = runs
    let spans = Self.spans
    wrong = InParallel.map(RandomStutters.allCases.count * spans.count, named: "rhythms") {
      number in
      var random = SplitMix64(seed: UInt64(800_000 + number))
      return Self.wrong(
        RandomStutters.allCases[number / spans.count], spans[number % spans.count], runs, &random)
    }
    let beats = Self.beats
    found = InParallel.map(Case.all.count * beats.count, named: "periods") { number in
      var random = SplitMix64(seed: UInt64(900_000 + number))
      let (rhythm, beats) = (Case.all[number / beats.count], beats[number % beats.count])
      return (0..<max(10, runs / 10)).count { _ in
        let times = RandomStutters.rhythm(
          rhythm.period, beats: beats, jitter: rhythm.jitter, others: rhythm.others, &random)
        let rhythms = Rhythm.find(in: times, span: rhythm.period * Double(beats))
        return rhythms.contains { abs($0.period / rhythm.period - 1) < 0.05 }
      }
    }
  }

  private static func wrong(
    _ kind: RandomStutters, _ span: Double, _ runs: Int, _ random: inout SplitMix64
  ) -> Int {
    var (made, wrong) = (0, 0)
    while made < runs {
      let rate = random.logUniform(8 / span..<min(1, 240 / span))
      let times = kind.times(span, rate: rate, &random)
      guard times.count >= 6 else { continue }
      made += 1
      if !Rhythm.find(in: times, span: span).isEmpty { wrong += 1 }
    }
    return wrong
  }

  var text: String {
    let kinds = RandomStutters.allCases.enumerated().map { number, kind in
      [kind.rawValue]
        + Self.spans.indices.map {
          Percent.text(
            Double(wrong[number * Self.spans.count + $0]) / Double(runs), decimals: 2)
        }
    }
    let cases = Case.all.enumerated().map { number, rhythm in
      [
        "\(Int(rhythm.period)) s", Percent.text(rhythm.jitter, decimals: 0),
        Percent.text(rhythm.others, decimals: 0),
      ]
        + Self.beats.indices.map {
          Percent.text(
            Double(found[number * Self.beats.count + $0]) / Double(max(10, runs / 10)), decimals: 0)
        }
    }
    return """
      ## Share of runs without a rhythm in which one is found

      n = \(runs) runs of each kind and length, with 8 to 240 stutters, at least six.

      \(MarkdownTable(["stutters"] + Self.spans.map { "\(Int($0)) s" }, kinds).text)

      ## Share of rhythms that is found

      n = \(max(10, runs / 10)) runs of each kind, to within 5 % of the period.

      \(MarkdownTable(["period", "jitter", "others"] + Self.beats.map { "\($0) beats" }, cases).text)
      """
  }
}
