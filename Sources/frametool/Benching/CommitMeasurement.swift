import FrameKit

/// Checks out commits, builds them, and measures them until the commit that changed a figure is found.
struct CommitMeasurement {
  let folder: BisectFolder
  let git: GitRepository
  let words: [String]
  let build: String?
  let measurement: RunMeasurement
  /// The cost of a build in runs; `nil` to compute it from the time of builds and runs.
  let buildCost: Double?
  let showsOutput: Bool
  let console: Console
  let progress: Progress
  private(set) var bisection: Bisection
  private(set) var skipped: [Int: String] = [:]
  private(set) var machine = MachineWatch()
  /// The positions that were built in this process or an earlier one.
  private(set) var built: Set<Int> = []
  /// The checked-out commits that can be run.
  private var ready: [Int: MeasuredCommand] = [:]
  private var (buildTime, runTime): (Double, Double) = (0, 0)
  private var ran = 0
  /// The time after which nothing new is started.
  private var limit = Int64.max

  init(
    _ folder: BisectFolder, _ bisection: Bisection, words: [String], build: String?,
    _ measurement: RunMeasurement, buildCost: Double?, showsOutput: Bool, progress: Progress,
    on console: Console
  ) {
    (self.folder, self.bisection, self.words, self.build) = (folder, bisection, words, build)
    (self.measurement, self.buildCost, self.showsOutput) = (measurement, buildCost, showsOutput)
    (self.progress, self.console) = (progress, console)
    git = GitRepository(folder: folder.header.repository)
    for entry in folder.entries {
      switch entry {
      case .run(let position, let value): self.bisection.add(value, at: position)
      case .pair(let good, let bad, let goodFirst):
        self.bisection.add(good: good, bad: bad, goodFirst: goodFirst)
      case .built(let position, let seconds):
        built.insert(position)
        buildTime += seconds
      case .skipped(let position, let reason):
        skipped[position] = reason
        self.bisection.skip(position)
      }
    }
  }

  /// Why the search stopped before it reached an answer.
  enum Stop { case wish, time }

  /// Runs the search.
  /// - Parameter limit: When to stop, on the monotonic clock.
  /// - Returns: Why the search stopped; `nil` if it ended by itself.
  mutating func search(_ wish: StopWish, until limit: Int64) throws(CommandError) -> Stop? {
    self.limit = limit
    while true {
      if wish.hasCome { return .wish }
      if LaunchedProcess.now >= limit { return .time }
      bisection.buildCost = buildCost ?? measuredCost
      switch bisection.next {
      case .end: return nil
      case .pair(let goodFirst):
        let positions = goodFirst ? [0, bisection.last] : [bisection.last, 0]
        var values: [Int: Double] = [:]
        for position in positions {
          progress.update("comparing the ends, run \(bisection.steps.count + values.count + 1)")
          guard let value = try measure(position, wish, isEnd: true) else {
            return wish.hasCome ? .wish : .time
          }
          values[position] = value
        }
        guard let good = values[0], let bad = values[bisection.last] else { return .wish }
        bisection.add(good: good, bad: bad, goodFirst: goodFirst)
        try folder.append(.pair(good: good, bad: bad, goodFirst: goodFirst))
      case .run(let position):
        progress.update(words(position))
        if let value = try measure(
          position, wish, isEnd: position == 0 || position == bisection.last)
        {
          try add(value, at: position)
        } else if wish.hasCome {
          return .wish
        }
      }
    }
  }

  private func words(_ position: Int) -> String {
    let best = bisection.chances.enumerated().max { $0.element < $1.element }
    let so = best.map { best in
      ", so far \(folder.header.commits[best.offset + 1].prefix(10)) \(FixedNumber.text(100 * best.element, decimals: 0)) %"
    }
    return
      "run \(bisection.steps.count + 1) at \(folder.header.commits[position].prefix(10))\(so ?? "")"
  }

  /// The average cost of a build so far, in runs; 1 if unknown.
  private var measuredCost: Double {
    guard build != nil, !built.isEmpty, ran > 0, runTime > 0 else { return 1 }
    return min(1000, buildTime / Double(built.count) / (runTime / Double(ran)))
  }

  private mutating func add(_ value: Double, at position: Int) throws(CommandError) {
    bisection.add(value, at: position)
    try folder.append(.run(position: position, value: value))
  }

  /// Measures a commit; a failing run is retried once.
  /// - Parameter isEnd: Whether the search cannot continue without the commit.
  /// - Returns: `nil` if the commit is skipped from now on, or the user requested a stop.
  private mutating func measure(
    _ position: Int, _ wish: StopWish, isEnd: Bool
  ) throws(CommandError) -> Double? {
    var reason = ""
    switch try prepare(position, wish) {
    case .failure(let why): reason = why.reason
    case .success(let command):
      for _ in 0..<2 {
        machine.begin()
        let started = LaunchedProcess.now
        switch try command.run("\(command.name)-\(bisection.steps.count + 1)", wish, on: console) {
        case .stopped: return nil
        case .failed(let why): reason = why
        case .measured(let run, let cpu):
          machine.end(cpu: cpu)
          runTime += Nanoseconds(LaunchedProcess.now - started).seconds
          ran += 1
          if let value = run.run.flatMap(bisection.figure.value) { return value }
          reason = "its run has no \(bisection.figure.name)"
        }
      }
    }
    if wish.hasCome || LaunchedProcess.now >= limit { return nil }
    guard !isEnd else {
      throw CommandError(
        .badData, "\(folder.header.commits[position].prefix(10)): \(reason)",
        help: "both ends have to be built and measured; --show-output shows what is printed")
    }
    skipped[position] = reason
    bisection.skip(position)
    try folder.append(.skipped(position: position, reason: reason))
    return nil
  }

  private struct Failure: Error { let reason: String }

  /// Checks out and builds a commit, unless this process already did so, and runs it once to warm up.
  private mutating func prepare(
    _ position: Int, _ wish: StopWish
  ) throws(CommandError) -> Result<MeasuredCommand, Failure> {
    if let command = ready[position] { return .success(command) }
    let commit = folder.header.commits[position]
    let path = folder.checkout(commit)
    let checkedOut = CheckedOutCommit(name: String(commit.prefix(10)), commit: commit, folder: path)
    if !(built.contains(position) && ((try? FileFolder.files(in: path)) ?? nil) != nil) {
      progress.update("building \(checkedOut.name)")
      git.removeWorktree(at: path)
      try git.addWorktree(commit, at: path)
      if let build {
        let started = LaunchedProcess.now
        let log = "\(path).log"
        let left = limit == .max ? nil : max(0.01, Nanoseconds(limit - LaunchedProcess.now).seconds)
        if let reason = try checkedOut.build(
          build, wish, showsOutput: showsOutput, log: log, duration: left)
        {
          return .failure(Failure(reason: reason))
        }
        FileDescriptor.remove(log)
        let seconds = Nanoseconds(LaunchedProcess.now - started).seconds
        buildTime += seconds
        try folder.append(.built(position: position, seconds: seconds))
      }
      built.insert(position)
    }
    let command = MeasuredCommand(
      name: checkedOut.name, words: words, folder: path, variables: checkedOut.variables,
      measurement: measurement)
    // The first run after a build reads files that are not in memory.
    if case .failed = try command.run("warm-up", wish, on: console),
      case .failed(let reason) = try command.run("warm-up", wish, on: console)
    {
      return .failure(Failure(reason: reason))
    }
    ready[position] = command
    return .success(command)
  }

  /// Removes the checked-out commits.
  func removeCheckouts() {
    for position in folder.header.commits.indices {
      let path = folder.checkout(folder.header.commits[position])
      if ((try? FileFolder.files(in: path)) ?? nil) != nil { git.removeWorktree(at: path) }
    }
  }
}
