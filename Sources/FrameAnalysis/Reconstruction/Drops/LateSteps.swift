/// How a frame's lateness splits into the steps of the pipeline, in refreshes.
///
/// Each step has an end and a deadline. A step takes the refreshes by which its end is past the deadline, minus those
/// taken by earlier steps, so the steps sum to the lateness.
struct LateSteps {
  /// A part of the pipeline that loses refreshes as a unit.
  enum Step: Hashable {
    /// The app; with its GPU work where it draws into the buffers.
    case app
    /// An earlier frame held the compositor or the GPU, or no buffer was free.
    case waiting
    /// Compositor and GPU; the compositor alone where the app draws into the buffers.
    case rendering
    /// The buffer was ready but was not shown.
    case display
    /// App, waiting and rendering in a chain that does not wait for refreshes in between.
    case all
    /// Steps between which the trace has no times.
    case unknown(String)
    /// Everything after the app's hand-over, if nothing else is known: the compositor's side.
    case compositorSide

    /// Steps without their details.
    enum Kind { case app, waiting, rendering, display, all, unknown }

    var kind: Kind {
      switch self {
      case .app: .app
      case .waiting: .waiting
      case .rendering: .rendering
      case .display: .display
      case .all: .all
      case .unknown, .compositorSide: .unknown
      }
    }
  }

  /// A step and how many refreshes it took.
  struct Part {
    let step: Step
    var count: Int64
  }

  private(set) var parts: [Part] = []
  private let ends: StepEnds
  /// How many refreshes before the display time the steps of an on-time frame end.
  private let lags: StepLags
  private let due: RefreshNumber
  private let lateness: Int64
  /// The step that is charged for the wait of a finished buffer.
  private let afterReady: Step
  private var taken: Int64 = 0

  /// Splits the lateness of a frame.
  /// - Parameters:
  ///   - isFree: Whether the chain does not wait for refreshes.
  ///   - lags: How many refreshes before the display time the steps of a frame usually end.
  init(
    _ times: StageTimes, due: RefreshNumber, shown: RefreshNumber, _ grid: RefreshGrid,
    isFree: Bool,
    _ lags: StepLags, _ rules: ChargeRules = .all
  ) {
    ends = StepEnds(times, grid, handOver: lags.handOver)
    self.lags = lags
    self.due = due
    lateness = max(0, shown - due)
    afterReady = times.isComposited && ends.composed == nil ? .compositorSide : .display
    if isFree || times.isLowLatency {
      splitAsOne(times)
    } else if times.isFilledByApp {
      splitFilledByApp()
    } else {
      splitFilledByCompositor(times, rules)
    }
  }

  /// How many refreshes the steps of a kind took.
  subscript(kind: Step.Kind) -> Int64 {
    parts.reduce(0) { $0 + ($1.step.kind == kind ? $1.count : 0) }
  }

  /// Assigns to a step the refreshes by which its end is past the deadline, minus those assigned before.
  /// - Parameter lag: How many refreshes before the due refresh the deadline is.
  private mutating func consume(_ step: Step, end: RefreshNumber?, lag: Int64) {
    guard let end else { return }
    let count = min(max(0, end - (due - lag) - taken), lateness - taken)
    if count > 0 { parts.append(Part(step: step, count: count)) }
    taken += count
  }

  private mutating func takeRest(_ step: Step) { consume(step, end: due + lateness, lag: 0) }

  private mutating func splitFilledByCompositor(_ times: StageTimes, _ rules: ChargeRules) {
    if ends.commit != nil {
      consume(.app, end: rules.contains(.appUntilStart) ? ends.app : ends.commit, lag: lags.app)
    } else {
      consume(.unknown("the app's commit"), end: ends.start, lag: lags.start)
    }
    if ends.start == nil && ends.queued == nil {
      let isHandOver =
        ends.commit != nil && times.gpuEnd == nil && times.compositorEnd == nil
      return takeRest(isHandOver ? .compositorSide : .unknown("the compositor's work"))
    }
    if ends.start == nil {
      consume(.unknown("the compositor's work"), end: ends.queued, lag: lags.queued)
    } else {
      consume(.waiting, end: ends.start, lag: lags.start)
      consume(.rendering, end: ends.queued, lag: lags.queued)
    }
    if ends.queued == nil {
      consume(.rendering, end: ends.composed, lag: lags.composed)
      return takeRest(.unknown("when the buffer was finished"))
    }
    takeRest(.display)
  }

  private mutating func splitFilledByApp() {
    // Without the GPU's times, only the app's part is certain.
    let isHandedOver = ends.queued != nil || ends.commit != nil
    if isHandedOver { consume(.app, end: ends.app, lag: lags.app) }
    if ends.start == nil && ends.composed == nil {
      return takeRest(isHandedOver ? .compositorSide : .unknown("the app's hand-over"))
    }
    if ends.start == nil {
      consume(.unknown("when the compositor started"), end: ends.composed, lag: lags.composed)
      return takeRest(.display)
    }
    let isQueued = ends.queued != nil
    consume(isQueued ? .waiting : .unknown("the GPU's work"), end: ends.start, lag: lags.start)
    guard ends.composed != nil else { return takeRest(.unknown("the compositor's end")) }
    consume(.rendering, end: ends.composed, lag: lags.composed)
    takeRest(.display)
  }

  private mutating func splitAsOne(_ times: StageTimes) {
    if let ready = ends.ready {
      consume(.all, end: ready, lag: lags.ready)
      return takeRest(afterReady)
    }
    // Lateness already present when the last known stage ends is charged to the known stages,
    // whatever came after them.
    consume(.app, end: ends.commit, lag: lags.commit)
    if ends.composed != nil { consume(.all, end: ends.composed, lag: lags.composed) }
    let isHandOver =
      ends.commit != nil && times.gpuEnd == nil && times.compositorEnd == nil
    // Between the hand-over and the display of a frame that the app draws itself, there is additional GPU work.
    if isHandOver, times.isComposited || !times.isFilledByApp { return takeRest(.compositorSide) }
    takeRest(.unknown(times.commit == nil ? "the app's commit" : "when the buffer was finished"))
  }
}
