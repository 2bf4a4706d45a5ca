import FrameAnalysis
import FrameTrace

/// Why a frame was late, and what threads did around the frame, for an interactive page.
///
/// Times are in microseconds from the start of the trace.
struct ExploredCause: Sendable {
  /// The state of a thread, in the order of the page's numbers.
  enum State: Int, CaseIterable {
    case running, starved, kernel, waiting
  }

  struct Lane: Sendable {
    let name: String
    let states: [(start: Int64, end: Int64, state: State)]

    /// - Parameter microseconds: Converts a time to the page's microseconds.
    init(_ lane: ThreadWindow.Lane, _ microseconds: (Timestamp) -> Int64) {
      name = lane.name
      states = lane.states.prefix(ExploredCause.mostStates).map { stretch in
        let state: State =
          switch stretch.state {
          case .running: .running
          case .runnable, .preempted: .starved
          case .blocked: stretch.isUninterruptible ? .kernel : .waiting
          }
        return (
          microseconds(stretch.span.lowerBound), microseconds(stretch.span.upperBound), state
        )
      }
    }
  }

  let frame: Int
  let sentence: String
  let range, app: Range<Int64>
  let lanes: [Lane]

  /// The maximum number of late frames with a picture; the frames with the most dropped refreshes have one.
  private static let most = 2_000
  /// The maximum number of states drawn for a thread.
  private static let mostStates = 2_000

  /// The causes of a surface's late frames, in the order of the frames.
  static func all(_ measured: MeasuredSurface, from origin: Timestamp) -> [ExploredCause] {
    guard let causes = measured.causes, let drops = measured.drops?.drops else { return [] }
    var counts: [Int: Int64] = [:]
    for drop in drops where drop.refreshes.cause.surface == measured.index {
      guard causes.byFrame[drop.refreshes.cause] != nil else { continue }
      counts[drop.refreshes.cause.row, default: 0] += drop.refreshes.count
    }
    let own = Dictionary(
      causes.byFrame.filter { $0.key.surface == measured.index }.map { ($0.key.row, $0.value) },
      uniquingKeysWith: { first, _ in first })
    let worst = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(most)
    return worst.map(\.key).sorted().compactMap { frame in
      if let window = measured.threads(around: frame) { return ExploredCause(window, from: origin) }
      guard let cause = own[frame],
        let app = measured.appWork(on: frame)
      else { return nil }
      return ExploredCause(frame, cause, app, from: origin)
    }
  }

  /// A cause without states of threads.
  private init(
    _ frame: Int, _ cause: LateCause, _ app: Range<Timestamp>, from origin: Timestamp
  ) {
    (self.frame, sentence, lanes) = (frame, cause.sentence, [])
    let microseconds = { (time: Timestamp) in (time - origin).count / 1000 }
    self.app = microseconds(app.lowerBound)..<microseconds(app.upperBound)
    range = self.app
  }

  private init?(_ window: ThreadWindow, from origin: Timestamp) {
    guard let cause = window.cause else { return nil }
    let microseconds = { (time: Timestamp) in (time - origin).count / 1000 }
    frame = window.frame
    sentence = cause.sentence
    range = microseconds(window.range.lowerBound)..<microseconds(window.range.upperBound)
    app = microseconds(window.app.lowerBound)..<microseconds(window.app.upperBound)
    lanes = window.lanes.map { Lane($0, microseconds) }
  }
}
