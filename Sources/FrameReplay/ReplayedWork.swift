import FrameTrace

/// One interval of an app's work, and what later stages made of it, to be played again. Lengths are in nanoseconds.
struct ReplayedWork: Sendable {
  /// The row of the recorded frame that it was part of.
  var row: Int
  /// The refresh from which on it may start, where refreshes start the app.
  var demand: Int64 = 0
  /// How far from that refresh the app starts.
  var offset: Int64 = 0
  /// Whether an app that is busy then starts as soon as it is free; else at the next refresh.
  var startsWhenFree = false
  /// Where nothing but the app itself starts it: how long it rests after the frame before.
  var pause: Int64 = 0
  /// How long it works until its last commit, waits for buffers left out, and from then until it is free.
  var app: Int64 = 0
  var call: Int64 = 0
  /// How many times more the display let calls go on before this one, for no known reason, or fewer; `nil` for a call that
  /// did not wait, as the first ones do not.
  var callbacksLater: Int64? = 0
  /// How long before its last commit it commits already.
  var earlierCommits: [Int64] = []
  /// Whether it starts an animation, which turns low latency off.
  var animates = false
  /// How long after the commit, or the end of its work before, the compositor starts; `nil` where that is not known.
  var delaySinceCommit: Int64?
  /// How long after it is woken the compositor starts, and how long it works.
  var compositorDelay: Int64 = 0
  var compositor: Int64 = 0
  /// How long after it could the GPU starts, how long it works, and how long before the compositor's end it may start.
  var gpuDelay: Int64 = 0
  var gpu: Int64 = 0
  var gpuOverlap: Int64 = 0
  /// Whether the compositor takes the frame before its buffer is finished, so that only the display waits for that.
  var isTakenUnfinished = false
  /// How long after all work the buffer is finished.
  var finish: Int64 = 0
  /// How many refreshes after it is finished it is shown at the soonest; fewer than none where what is recorded as
  /// the end is later than what the display waited for.
  var shownLater: Int64 = 0
  /// Whether it is not shown although frames are shown in order, for no known reason.
  var isNeverShown = false
  /// The refresh at which it is shown at the soonest, as it waits for other content; `nil` for none.
  var soonest: Int64?
  /// From when on its buffer is free; `nil` where that is not known, and then it is once the frame was swapped out.
  var release: Release?
  /// How many refreshes after the one that starts the app its frame is due, where the source states it.
  var due: Int64?

  /// From when on a buffer is free.
  enum Release: Sendable {
    /// So long after the frame was swapped out.
    case afterSwapOut(Int64)
    /// So long after the next frame was handed over: a compositor that copies frames gives them back before they leave
    /// the display.
    case afterHandOver(Int64)

    fileprivate var length: Int64 {
      switch self {
      case .afterSwapOut(let length), .afterHandOver(let length): length
      }
    }
  }

  init(row: Int) { self.row = row }

  /// How long all of it takes, what lies between stages included, in nanoseconds.
  var length: Double {
    [
      offset, pause, app, call, compositorDelay, compositor, gpuDelay, gpu, gpuOverlap, finish,
      release?.length ?? 0,
    ]
    .reduce(0.0) { $0 + abs(Double($1)) }
  }

}

/// What conditions make of the lengths of work: stages that take another share of their time, and that start later.
struct WorkChange {
  private let app, compositor, gpu: Double?
  private let appLater, compositorLater, gpuLater: Int64

  init(_ conditions: ReplayConditions) {
    (app, compositor, gpu) = (
      conditions.scales[.app], conditions.scales[.compositor], conditions.scales[.gpu]
    )
    let later = { (stage: ReplayConditions.Stage) in conditions.defers[stage]?.count ?? 0 }
    (appLater, compositorLater, gpuLater) = (later(.app), later(.compositor), later(.gpu))
  }

  func apply(to work: inout ReplayedWork) {
    if let app {
      work.app = Self.scaled(work.app, app)
      if !work.earlierCommits.isEmpty {
        work.earlierCommits = work.earlierCommits.map { Self.scaled($0, app) }
      }
    }
    if let compositor { work.compositor = Self.scaled(work.compositor, compositor) }
    if let gpu { work.gpu = Self.scaled(work.gpu, gpu) }
    work.offset += appLater
    work.pause += appLater
    work.compositorDelay += compositorLater
    work.gpuDelay += gpuLater
  }

  private static func scaled(_ length: Int64, _ scale: Double) -> Int64 {
    Int64((Double(length) * scale).rounded())
  }
}

/// A frame that was played, with its times in nanoseconds.
struct ReplayedFrame: Sendable {
  /// The work that it shows, by place.
  var work: Range<Int>
  var appStart: Int64
  var appEnd: Int64
  var commit: Int64
  /// The app's further intervals, where several make the frame: the times above are the oldest's.
  var more: [(start: Int64, end: Int64, commit: Int64)] = []
  /// How long the app waited for a buffer before its work.
  var blocked: Range<Int64>?
  /// The refresh that started the app; `nil` where none did.
  var startRefresh: Int64?
  var isLowLatency = false
  var compositor: Range<Int64>?
  var gpu: Range<Int64>
  var queued: Int64
  /// The refresh at which it is shown; `nil` when it never is, or the display waits for frames.
  var refresh: Int64?
  var displayed: Int64?
  var replaced: Int64?
  var released: Int64?

  /// When it is shown, or handed over where it never is.
  var shown: Int64 { displayed ?? queued }

  /// When its buffer is free: at the soonest once it was handed over itself.
  /// - Parameters:
  ///   - next: The frame that takes its place on the display.
  ///   - handedOver: The frame that is handed over after it; `nil` where that is the same.
  func free(
    before next: ReplayedFrame, handedOver: ReplayedFrame? = nil, _ work: [ReplayedWork]
  ) -> Int64 {
    let free =
      switch work[self.work.upperBound - 1].release {
      case .afterSwapOut(let length): next.shown + length
      case .afterHandOver(let length): (handedOver ?? next).queued + length
      case nil: next.shown
      }
    return max(queued, free)
  }

  init(_ work: Range<Int>, appStart: Int64, commit: Int64, appEnd: Int64) {
    (self.work, self.appStart, self.commit, self.appEnd) = (work, appStart, commit, appEnd)
    gpu = commit..<commit
    queued = commit
  }
}
