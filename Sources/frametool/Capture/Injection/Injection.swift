import FrameKit

/// Injects inputs into a compositor in rounds, and counts what became of them.
struct Injection {
  let input: InjectedInput
  private let road: InjectionRoad
  private var injector: any InputInjector
  private let settings: Settings
  private var plan: InjectionPlan?
  /// Why no more inputs can be injected.
  private(set) var trouble: String?
  private(set) var counts = Counts()
  private var random: SplitMix64
  private var shift = (x: 0.0, y: 0.0)
  /// Whether something is pressed and was not let go.
  private var isDown = false
  private var findings: [Int: [ResponseSearch.Outcome]] = [:]

  struct Settings {
    /// How long a round is at least, in ns.
    var every: Int64
    var count: Int
    var seed: UInt64
    /// How far from the point an input may be, in the output's coordinates.
    var spread: Double
  }

  /// Inputs, and what became of them.
  struct Counts: Equatable {
    var injected = 0
    var delivered = 0
    var answered = 0
    /// Those after which no frame could be read.
    var unreadable = 0
    /// Rounds without an input, and those of them in which a change was found all the same.
    var blanks = 0
    var falsely = 0
  }

  /// How long a program is let alone after its first frame, in ns: to see what moves by itself.
  private static let prelude: Int64 = 1_500_000_000

  /// - Parameter road: What the injector goes through, for a report.
  init(
    _ input: InjectedInput, through injector: any InputInjector, of road: InjectionRoad,
    _ settings: Settings
  ) {
    (self.input, self.injector, self.road, self.settings) = (input, injector, road, settings)
    random = SplitMix64(seed: ~settings.seed)
  }

  /// A watch for one connection.
  func watch() -> InjectionWatch {
    InjectionWatch(input, answerTime: InjectionPlan.answerTime(ofRounds: settings.every))
  }

  /// Whether all inputs were injected.
  var isDone: Bool { plan.map { $0.due == nil } ?? false || trouble != nil }

  /// When it has something to do; `nil` for nothing yet.
  var due: Int64? { plan?.due }

  /// Begins, if it has not: a program has drawn.
  mutating func start(at time: Int64) {
    guard plan == nil else { return }
    plan = InjectionPlan(
      every: settings.every, count: settings.count, seed: settings.seed,
      start: time + Self.prelude)
  }

  /// Does what is due.
  /// - Returns: What was done, and exactly when; `nil` when nothing more is due.
  mutating func work() -> (step: InjectionPlan.Step, time: Int64)? {
    guard trouble == nil, let step = plan?.next(at: LaunchedProcess.now) else { return nil }
    let time = LaunchedProcess.now
    do throws(InjectionTrouble) {
      switch step {
      case .press:
        let reach = -settings.spread...settings.spread
        shift = (.random(in: reach, using: &random), .random(in: reach, using: &random))
        try injector.inject(input, isDown: true, shift: shift)
        isDown = true
        counts.injected += 1
      case .release:
        try injector.inject(input, isDown: false, shift: shift)
        isDown = false
      case .blank: counts.blanks += 1
      case .end: break
      }
    } catch {
      trouble = error.problem
      return nil
    }
    return (step, time)
  }

  /// Ends for good: nobody is there whom inputs are for.
  mutating func stop() {
    letGo()
    plan?.stop()
  }

  /// Lets go of what is pressed, so that no key stays down in the user's session.
  mutating func letGo() {
    guard isDown else { return }
    isDown = false
    try? injector.inject(input, isDown: false, shift: shift)
  }

  /// Why what was asked for is not there; `nil` where it is.
  var failure: (problem: String, help: String)? {
    if let trouble {
      return ("no more inputs could be injected: \(trouble)", "the recording has those before")
    }
    guard counts.injected > 1, counts.delivered == 0 else { return nil }
    return (
      "none of \(counts.injected) inputs reached the program",
      input == .key
        ? "give its window the keyboard" : "--inject-at X,Y says where its window is on the output"
    )
  }

  /// Takes what was found on one connection.
  mutating func take(_ finding: ResponseSearch.Finding) {
    if finding.isBlank {
      if case .changed = finding.outcome { counts.falsely += 1 }
    } else {
      findings[finding.number, default: []].append(finding.outcome)
    }
  }

  /// Ends a round: of several connections, the one that got the input counts.
  mutating func end(_ number: Int) {
    guard let outcomes = findings.removeValue(forKey: number) else { return }
    let got = outcomes.filter { $0 != .undelivered }
    guard !got.isEmpty else { return }
    counts.delivered += 1
    if got.contains(where: { if case .changed = $0 { true } else { false } }) {
      counts.answered += 1
    } else if !got.contains(.unchanged) {
      counts.unreadable += 1
    }
  }

  /// What became of the inputs, in a sentence.
  var summary: String {
    let found =
      counts.unreadable == counts.delivered && counts.delivered > 0
      ? "the program's pictures cannot be read, so that no answer could be looked for"
      : "\(counts.answered) answered by a change that was found"
    let blanks =
      counts.blanks == 0
      ? "" : "; of \(counts.blanks) rounds without an input, \(counts.falsely) showed a change"
    let elsewhere =
      input == .key || counts.delivered * 10 >= counts.injected * 9
      ? "" : " (--inject-at X,Y where its window is)"
    return
      "injected \(counts.injected) × \(input.words) through \(road.rawValue): \(counts.delivered) reached the program\(elsewhere), \(found)\(blanks)"
  }
}
