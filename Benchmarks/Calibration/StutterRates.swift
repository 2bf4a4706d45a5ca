import FrameKit

/// How many stutters are found in content without any, and which part of added ones is found.
struct StutterRates {
  /// The time that stalls add, in milliseconds.
  fileprivate static let sizes: [Double] = [12, 20, 30, 50, 100, 400]
  /// The number of stalls that are added to a minute.
  fileprivate static let added = 12

  /// What was counted in the content of one kind.
  fileprivate struct Counts: Sendable {
    var minutes = 0.0
    /// The frames that are wrongly reported, here and by each peer.
    var wrong = [Int](repeating: 0, count: 1 + StutterPeer.all.count)
    /// The share of added stalls that is found, and the other frames reported then, per size.
    var found = [Int](repeating: 0, count: sizes.count)
    var others = 0
  }

  /// Prints the tables of stutters, of rhythms, and of what differs around stutters.
  /// - Parameter arguments: The number of runs of each kind.
  static func run(_ arguments: [String]) {
    let runs = max(10, arguments.first.flatMap { Int($0) } ?? 100)
    print("\(StutterRates(runs: runs).text)\n\n\(RhythmRates(runs: 20 * runs).text)\n")
    print(DifferenceRates.tables(runs: 2 * runs))
  }

  private let runs: Int
  private let counts: [Counts]

  init(runs: Int) {
    self.runs = runs
    let kinds = CleanContent.allCases
    counts = InParallel.map(kinds.count, named: "stutters") { number in
      var counts = Counts()
      for run in 0..<runs {
        var random = SplitMix64(seed: UInt64(700_000 + 10_000 * number + run))
        let times = kinds[number].times(&random)
        counts.addClean(times)
        if CleanContent.forStalls.contains(kinds[number]) { counts.addStalls(times, &random) }
      }
      return counts
    }
  }

  var text: String {
    let clean = zip(CleanContent.allCases, counts).map { kind, counts in
      [kind.rawValue]
        + counts.wrong.map { FixedNumber.text(Double($0) / counts.minutes, decimals: 2) }
    }
    let found = zip(CleanContent.allCases, counts).filter { kind, _ in
      CleanContent.forStalls.contains(kind)
    }.map { kind, counts in
      [kind.rawValue]
        + counts.found.map { Percent.text(Double($0) / Double(runs * Self.added), decimals: 0) } + [
          FixedNumber.text(
            Double(counts.others) / counts.minutes / Double(Self.sizes.count), decimals: 2)
        ]
    }
    return """
      ## Stutters in content that has none, per minute

      n = \(runs) runs of about one minute of each kind.

      \(MarkdownTable(["content", "here"] + StutterPeer.all.map(\.name), clean).text)

      ## Share of added stalls that is found

      n = \(runs) runs of each kind and size, with \(Self.added) frames that take longer in each.

      \(MarkdownTable(["content"] + Self.sizes.map { "+\(Int($0)) ms" } + ["others a minute"], found).text)
      """
  }
}

extension StutterRates.Counts {
  fileprivate mutating func addClean(_ times: [Double]) {
    minutes += times.reduce(0, +) / 60_000
    wrong[0] += Stalls(Self.nanoseconds(times)).indices.count
    for (number, peer) in StutterPeer.all.enumerated() {
      wrong[number + 1] += peer.indices(times).count
    }
  }

  fileprivate mutating func addStalls(_ times: [Double], _ random: inout SplitMix64) {
    var chosen: Set<Int> = []
    while chosen.count < StutterRates.added {
      chosen.insert(Int(random.nextUnit() * Double(times.count)))
    }
    for (number, size) in StutterRates.sizes.enumerated() {
      var longer = times
      for index in chosen { longer[index] += size }
      let reported = Stalls(Self.nanoseconds(longer)).indices
      let right = reported.count { chosen.contains($0) }
      found[number] += right
      others += reported.count - right
    }
  }

  private static func nanoseconds(_ times: [Double]) -> [Int64] {
    times.map { Int64(Millionths.of($0)) }
  }
}
