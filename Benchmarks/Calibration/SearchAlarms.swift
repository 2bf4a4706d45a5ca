import FrameKit
import FrameStatistics
import FrameVerdicts

/// How often `bisect` names the right commit, and the runs that it takes, beside `git bisect run` with a fixed number
/// of runs a step.
struct SearchAlarms {
  /// What noise depends on besides chance.
  private struct State {
    /// How many values there were before.
    var count = 0
    /// The deviation of the one before.
    var last = 0.0
    /// From which value on the machine is slower.
    var shift = 0
    /// The change that is searched for, in standard deviations, and how many values of the ends there are.
    var change = 0.0
    var ends = Int.max
  }

  /// A kind of noise, with a standard deviation of about 1.
  private struct Noise: Sendable {
    let name: String
    let next: @Sendable (inout SplitMix64, inout State) -> Double
    /// Whether values lie in two heaps, and the change is in how many lie in the higher one.
    var isInHeaps = false

    /// Noise of which each value takes over a part of the deviation of the one before.
    static func correlated(_ share: Double) -> Noise {
      Noise(name: "AR(1), \(share)") { random, state in
        state.last = share * state.last + random.nextNormal() * (1 - share * share).squareRoot()
        return state.last
      }
    }
  }

  private static let noises: [Noise] = [
    Noise(name: "normal") { random, _ in random.nextNormal() },
    Noise(name: "t with 3 degrees") { random, _ in
      let squares = (0..<3).reduce(0.0) { sum, _ in
        let value = random.nextNormal()
        return sum + value * value
      }
      return random.nextNormal() / squares.squareRoot()
    },
    Noise(name: "skewed (exponential)") { random, _ in -Elementary.log(1 - random.nextUnit()) - 1 },
    .correlated(0.4), .correlated(0.7),
    Noise(name: "one in ten 5 sd slower") { random, _ in
      random.nextNormal() + (random.nextUnit() < 0.1 ? 5 : 0)
    },
    Noise(name: "machine 4 sd slower from some run on") { random, state in
      if state.shift == 0 { state.shift = 1 + Int(random.next() % 40) }
      return random.nextNormal() + (state.count >= state.shift ? 4 : 0)
    },
    Noise(name: "machine slower by the change once the ends differ") { random, state in
      random.nextNormal() + (state.count >= state.ends ? state.change : 0)
    },
    Noise(name: "each run 0.05 sd slower") { random, state in
      random.nextNormal() + 0.05 * Double(state.count)
    },
    Noise(
      name: "slow in every fifth run, in four of five after",
      next: { random, _ in random.nextUnit() },
      isInHeaps: true),
    Noise(name: "random walk, steps of 0.3 sd") { random, state in
      state.last += 0.3 * random.nextNormal()
      return random.nextNormal() + state.last
    },
  ]
  private static let commits = 64
  private static let error = 0.05
  private static let buildCost = 3.0

  /// How searches ended.
  private struct Cell: Sendable {
    var (count, right, wrong, open) = (0, 0, 0, 0)
    var (runs, builds) = (0, 0)
    /// How many name another change beside the right one, and how many name none but say that there are several.
    var (named, said) = (0, 0)

    mutating func add(_ other: Cell) {
      count += other.count
      right += other.right
      wrong += other.wrong
      open += other.open
      runs += other.runs
      builds += other.builds
      named += other.named
      said += other.said
    }
  }

  private let rows: [[String]]
  private let worstWrong: (share: Double, name: String)

  /// - Parameter count: How many searches to make for each noise with one change of 5 % at a deviation of 2 %; for
  ///   others, which take longer, a twentieth, and with two changes a fifth.
  init(searches count: Int) {
    let settings = Self.noises.indices.flatMap { noise in
      [(0.05, 0.02), (0.05, 0.04), (0.02, 0.02)].flatMap { size, spread in
        [false, true].filter { !$0 || size / spread > 2 }.map { (noise, size, spread, $0) }
      }
    }
    let parts = 4
    let cells = InParallel.map(settings.count * parts, named: "searches") { number in
      let (noise, size, spread, isDouble) = settings[number / parts]
      var random = SplitMix64(seed: UInt64(9_000_000 + number))
      let isMain = size / spread > 2 && !isDouble
      return Self.searches(
        max(1, count / parts / (isMain ? 1 : isDouble ? 5 : 20)), Self.noises[noise], size: size,
        spread: spread,
        isDouble: isDouble, &random)
    }
    var rows: [[String]] = []
    var worst = (share: 0.0, name: "")
    for (position, setting) in settings.enumerated() {
      let (noise, size, spread, isDouble) = setting
      var own = Cell()
      var git = Cell()
      for cell in cells[position * parts..<(position + 1) * parts] {
        own.add(cell.own)
        git.add(cell.git)
      }
      let share = Double(own.wrong) / Double(own.count)
      let name =
        "\(Self.noises[noise].name), +\(Int(100 * size)) %\(isDouble ? " twice" : ""), sd \(Int(100 * spread)) %"
      if share > worst.share { worst = (share, name) }
      rows.append([
        Self.noises[noise].name, "+\(Int(100 * size)) %\(isDouble ? " twice" : "")",
        "\(Int(100 * spread)) %", Percent.text(Double(own.right) / Double(own.count)),
        Percent.text(share), Percent.text(Double(own.open) / Double(own.count)),
        FixedNumber.text(Double(own.runs) / Double(own.count), decimals: 0),
        FixedNumber.text(Double(own.builds) / Double(own.count), decimals: 1),
        isDouble ? Percent.text(Double(own.said) / Double(own.count)) : "",
        isDouble ? Percent.text(Double(own.named) / Double(own.count)) : "",
        isDouble ? "" : Percent.text(Double(git.right) / Double(git.count)),
        isDouble ? "" : FixedNumber.text(Double(git.runs) / Double(git.count), decimals: 0),
      ])
    }
    (self.rows, worstWrong) = (rows, worst)
  }

  private static func searches(
    _ count: Int, _ noise: Noise, size: Double, spread: Double, isDouble: Bool,
    _ random: inout SplitMix64
  ) -> (own: Cell, git: Cell) {
    var (own, git) = (Cell(), Cell())
    for _ in 0..<count {
      let changes = (0..<(isDouble ? 2 : 1)).map { _ in 1 + Int(random.next() % UInt64(commits)) }
      var state = State()
      state.change = Elementary.log(1 + size) / spread
      let measure = { (position: Int, random: inout SplitMix64) -> Double in
        if position != 0, position != commits { state.ends = min(state.ends, state.count) }
        let deviation = noise.next(&random, &state)
        state.count += 1
        if noise.isInHeaps {
          let share = changes.contains { position >= $0 } ? 0.8 : 0.2
          return deviation < share ? 1 + size : 1
        }
        let level = Elementary.log(1 + size) * Double(changes.count { position >= $0 })
        return Elementary.exp(level + spread * deviation)
      }
      search(&own, changes, seed: random.next(), measure, &random)
      if !isDouble { halve(&git, changes[0], runs: size / spread > 2 ? 10 : 20, measure, &random) }
    }
    return (own, git)
  }

  /// A search as `bisect` makes it.
  private static func search(
    _ cell: inout Cell, _ changes: [Int], seed: UInt64,
    _ measure: (Int, inout SplitMix64) -> Double, _ random: inout SplitMix64
  ) {
    guard let figure = try? SearchedFigure(.launch, []) else { return }
    var bisection = Bisection(
      last: commits, figure: figure, error: error, seed: seed, mostRuns: 500, buildCost: buildCost)
    cell.count += 1
    defer {
      cell.runs += bisection.steps.count
      cell.builds += Set(bisection.steps.map(\.position)).count
    }
    while true {
      switch bisection.next {
      case .pair(let goodFirst):
        let first = measure(goodFirst ? 0 : commits, &random)
        let second = measure(goodFirst ? commits : 0, &random)
        bisection.add(
          good: goodFirst ? first : second, bad: goodFirst ? second : first, goodFirst: goodFirst)
      case .run(let position): bisection.add(measure(position, &random), at: position)
      case .end(.found(let positions, _)):
        let isRight = changes.contains(where: positions.contains)
        cell.right += isRight ? 1 : 0
        // Of several changes, an answer that names none is right if it says that there are several.
        let isSaid = changes.count > 1 && !bisection.otherChanges(besides: positions).isEmpty
        cell.said += isRight || !isSaid ? 0 : 1
        cell.wrong += isRight || isSaid ? 0 : 1
        let others = changes.filter { !positions.contains($0) }
        let named = bisection.otherChanges(besides: positions)
        // The first position of a range is before the change.
        if others.contains(where: { other in named.contains { $0.dropFirst().contains(other) } }) {
          cell.named += 1
        }
        return
      case .end:
        cell.open += 1
        return
      }
    }
  }

  /// `git bisect run` with a script that measures a commit and the good one, and calls it bad if a test says so.
  private static func halve(
    _ cell: inout Cell, _ change: Int, runs: Int, _ measure: (Int, inout SplitMix64) -> Double,
    _ random: inout SplitMix64
  ) {
    var (low, high) = (0, commits)
    let good = (0..<runs).map { _ in Elementary.log(measure(0, &random)) }
    cell.count += 1
    cell.runs += runs
    while high - low > 1 {
      let middle = (low + high) / 2
      let values = (0..<runs).map { _ in Elementary.log(measure(middle, &random)) }
      cell.runs += runs
      let test = TwoSampleT.welch(good, values)
      if test.pSecondGreater < 0.05 { high = middle } else { low = middle }
    }
    if high == change { cell.right += 1 } else { cell.wrong += 1 }
  }

  /// The table.
  var text: String {
    let table = MarkdownTable(
      [
        "noise", "change", "sd", "right", "wrong", "open", "runs", "builds",
        "only says there are two", "other change named",
        "`git bisect run`: right", "runs",
      ], rows)
    return """
      ## `bisect`: \(Self.commits) commits, stated error \(Int(100 * Self.error)) %, a build costs \(Int(Self.buildCost)) runs

      `git bisect run` measures each commit 10 times (20 where the change is at most 2 sd), and compares it with as many
      runs of the good one by Welch's t at 0.05. Where there are two changes, either is right.

      \(table.text)
      """
  }

  var worst: String {
    "most wrong answers of bisect: \(Percent.text(worstWrong.share)) for \(worstWrong.name)"
  }
}

extension SplitMix64 {
  /// A standard normal number.
  ///
  /// G. E. P. Box and M. E. Muller, "A note on the generation of random normal deviates", Annals of Mathematical
  /// Statistics 29 (1958).
  fileprivate mutating func nextNormal() -> Double {
    let radius = (-2 * Elementary.log(1 - nextUnit())).squareRoot()
    return radius * Elementary.cosine(2 * .pi * nextUnit())
  }
}
