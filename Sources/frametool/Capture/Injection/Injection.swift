import FrameKit

/// Injects inputs into a compositor in rounds, and counts the results.
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
  /// Whether something is pressed and not yet released.
  private var isDown = false
  private var findings: [Int: [ResponseSearch.Outcome]] = [:]

  struct Settings {
    /// The minimum duration of a round, in ns.
    var every: Int64
    var count: Int
    var seed: UInt64
    /// The largest distance of an input from the point, in the output's coordinates.
    var spread: Double
  }

  /// The number of inputs, by result.
  struct Counts: Equatable {
    var injected = 0
    var delivered = 0
    var answered = 0
    /// Inputs after which no frame could be read.
    var unreadable = 0
    /// Rounds without an input, and the number of those in which a change was found anyway.
    var blanks = 0
    var falsely = 0
  }

  /// The time from a program's first frame to the first input, in ns, used to learn which parts change by themselves.
  private static let prelude: Int64 = 1_500_000_000

  /// - Parameter road: The interface that the injector uses, for the report.
  init(
    _ input: InjectedInput, through injector: any InputInjector, of road: InjectionRoad,
    _ settings: Settings
  ) {
    (self.input, self.injector, self.road, self.settings) = (input, injector, road, settings)
    random = SplitMix64(seed: ~settings.seed)
  }

  /// Creates a watch for one connection.
  func watch() -> InjectionWatch {
    InjectionWatch(input, answerTime: InjectionPlan.answerTime(ofRounds: settings.every))
  }

  /// Whether all inputs were injected.
  var isDone: Bool { plan.map { $0.due == nil } ?? false || trouble != nil }

  /// The time of the next step; `nil` if there is none yet.
  var due: Int64? { plan?.due }

  /// Starts the injection, if it has not started, because a program has drawn.
  mutating func start(at time: Int64) {
    guard plan == nil else { return }
    plan = InjectionPlan(
      every: settings.every, count: settings.count, seed: settings.seed,
      start: time + Self.prelude)
  }

  /// Performs the step that is due.
  /// - Returns: The step with its exact time; `nil` if no further step is due.
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

  /// Stops permanently, because no program is left to receive inputs.
  mutating func stop() {
    letGo()
    plan?.stop()
  }

  /// Releases what is pressed, so that no key stays down in the user's session.
  mutating func letGo() {
    guard isDown else { return }
    isDown = false
    try? injector.inject(input, isDown: false, shift: shift)
  }

  /// Why the requested data is missing; `nil` if it is present.
  var failure: (problem: String, help: String)? {
    if let trouble {
      return (
        "no more inputs could be injected: \(trouble)",
        "the recording contains the inputs before that"
      )
    }
    guard counts.injected > 1, counts.delivered == 0 else { return nil }
    return (
      "none of \(counts.injected) inputs reached the program",
      input == .key
        ? "give its window the keyboard focus"
        : "set --inject-at X,Y to a point of its window on the output"
    )
  }

  /// Records a result from one connection.
  mutating func consume(_ finding: ResponseSearch.Finding) {
    if finding.isBlank {
      if case .changed = finding.outcome { counts.falsely += 1 }
    } else {
      findings[finding.number, default: []].append(finding.outcome)
    }
  }

  /// Ends a round: among several connections, the one that received the input counts.
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

  /// The results of the inputs, in a sentence.
  var summary: String {
    let found =
      counts.unreadable == counts.delivered && counts.delivered > 0
      ? "the program's pictures cannot be read, so no response can be detected"
      : "\(counts.answered) answered by a detected change"
    let blanks =
      counts.blanks == 0
      ? "" : "; of \(counts.blanks) rounds without an input, \(counts.falsely) showed a change"
    let elsewhere =
      input == .key || counts.delivered * 10 >= counts.injected * 9
      ? "" : " (set --inject-at X,Y to a point of its window)"
    return
      "injected \(counts.injected) × \(input.words) through \(road.rawValue): \(counts.delivered) reached the program\(elsewhere), \(found)\(blanks)"
  }
}
