/// How a frame's lateness splits into the steps of the pipeline, in refreshes.
///
/// Each step has an end and a deadline and takes as many refreshes as its end passes the
/// deadline by, less what the steps before took. So the steps sum to the lateness.
struct LateSteps {
  /// A part of the pipeline that loses refreshes as one.
  enum Step: Hashable {
    /// The app; with its GPU work where it draws into the buffers.
    case app
    /// An earlier frame held the compositor or the GPU, or no buffer was free.
    case waiting
    /// Compositor and GPU; the compositor alone where the app draws into the buffers.
    case rendering
    /// The buffer was ready and was not shown.
    case display
    /// App, waiting and rendering in a chain that does not wait for refreshes in between.
    case all
    /// Steps between which the trace has no times.
    case unknown(String)
    /// All behind the app's hand-over, where nothing else is known: the compositor's side.
    case compositorSide

    /// Steps without what is known of them.
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
  private let lateness: Int64
  private let rules: ChargeRules
  private var taken: Int64 = 0

  /// Splits the lateness of a frame.
  /// - Parameters:
  ///   - isFree: Whether the chain does not wait for refreshes.
  ///   - lag: How many refreshes behind its queue time a frame is usually shown in such a
  ///     chain.
  init(
    _ times: StageTimes, due: Int64, shown: Int64, _ grid: RefreshGrid, isFree: Bool,
    lag: Int64 = 0, _ rules: ChargeRules = .all
  ) {
    self.rules = rules
    lateness = max(0, shown - due)
    if isFree || times.isLowLatency {
      splitAsOne(times, due, grid, lag: lag)
    } else if times.isFilledByApp {
      splitFilledByApp(times, due, grid)
    } else {
      splitFilledByCompositor(times, due, grid)
    }
  }

  /// How many refreshes the steps of a kind took.
  subscript(kind: Step.Kind) -> Int64 {
    parts.reduce(0) { $0 + ($1.step.kind == kind ? $1.count : 0) }
  }

  /// Gives a step what its end passes the deadline by, less what was given before.
  private mutating func take(_ step: Step, end: Int64?, deadline: Int64) {
    guard let end else { return }
    let count = min(max(0, end - deadline - taken), lateness - taken)
    if count > 0 { parts.append(Part(step: step, count: count)) }
    taken += count
  }

  private mutating func takeRest(_ step: Step) { take(step, end: lateness, deadline: 0) }

  private mutating func splitFilledByCompositor(
    _ times: StageTimes, _ due: Int64, _ grid: RefreshGrid
  ) {
    let commit = times.commit.map(grid.first)
    let start = times.compositorStart.map(grid.last)
    let queued = times.queued.map(grid.first)
    if let commit {
      let limit = rules.contains(.appUntilStart) ? start : nil
      take(.app, end: min(commit, limit ?? commit), deadline: due - 1)
    } else {
      take(.unknown("the app's commit"), end: start, deadline: due - 1)
    }
    if start == nil && queued == nil {
      let isHandOver = commit != nil && times.gpuEnd == nil && times.compositorEnd == nil
      return takeRest(isHandOver ? .compositorSide : .unknown("the compositor's work"))
    }
    if start == nil {
      take(.unknown("the compositor's work"), end: queued, deadline: due)
    } else {
      take(.waiting, end: start, deadline: due - 1)
      take(.rendering, end: queued, deadline: due)
    }
    if queued == nil {
      take(.rendering, end: times.compositorEnd.map(grid.first), deadline: due)
      return takeRest(.unknown("when the buffer was finished"))
    }
    takeRest(.display)
  }

  private mutating func splitFilledByApp(_ times: StageTimes, _ due: Int64, _ grid: RefreshGrid) {
    let commit = times.commit.map(grid.first)
    let queued = times.queued.map(grid.first)
    let start = times.compositorStart.map(grid.last)
    let end = times.compositorEnd.map(grid.first)
    if let queued {
      take(.app, end: min(queued, start ?? queued), deadline: due - 1)
    } else {
      // Without the GPU's times only the app's own part is sure.
      take(.app, end: commit.map { min($0, start ?? $0) }, deadline: due - 1)
    }
    if start == nil && end == nil {
      return takeRest(
        queued != nil || commit != nil ? .compositorSide : .unknown("the app's hand-over"))
    }
    if start == nil {
      take(.unknown("when the compositor started"), end: end, deadline: due)
      return takeRest(.display)
    }
    if queued == nil {
      take(.unknown("the GPU's work"), end: start, deadline: due - 1)
    } else {
      take(.waiting, end: start, deadline: due - 1)
    }
    guard end != nil else { return takeRest(.unknown("the compositor's end")) }
    take(.rendering, end: end, deadline: due)
    takeRest(.display)
  }

  private mutating func splitAsOne(
    _ times: StageTimes, _ due: Int64, _ grid: RefreshGrid, lag: Int64
  ) {
    let ready = times.isFilledByApp ? times.compositorEnd ?? times.queued : times.queued
    if let ready {
      take(.all, end: grid.first(ready) + lag, deadline: due)
      return takeRest(.display)
    }
    let nothingBehind = times.gpuEnd == nil && times.compositorEnd == nil
    if let commit = times.commit, nothingBehind {
      take(.app, end: grid.first(commit) + lag, deadline: due)
      return takeRest(.compositorSide)
    }
    takeRest(.unknown(times.commit == nil ? "the app's commit" : "when the buffer was finished"))
  }
}
