import FrameTrace

/// One interval of an app's work to be replayed, with the resulting work of later stages. Durations are in nanoseconds.
struct ReplayedWork: Sendable {
  /// The row of the recorded frame that the interval was part of.
  var row: Int
  /// The first refresh at which the work may start, if refreshes start the app.
  var demand: Int64 = 0
  /// The distance of the app's start from that refresh.
  var offset: Int64 = 0
  /// The app's pause after the previous frame, if the app starts itself.
  var pause: Int64 = 0
  /// The time until the app's last commit, without waits for buffers, and the time from there until the app is free.
  var app: Int64 = 0
  var call: Int64 = 0
  /// How many more callbacks than usual the call waits for, for no known reason; negative if it waits for fewer. `nil`
  /// for a call that did not wait, such as the first ones.
  @CompactOptional var callbacksLater: Int64? = 0
  /// The distances of the earlier commits from the last one.
  var earlierCommits: [Int64] = []
  /// The time from the commit, or from the end of the compositor's previous work, to the
  /// compositor's start; `nil` if unknown.
  @CompactOptional var delaySinceCommit: Int64? = nil
  /// The delay from the compositor's wake-up to the start of its work, and the duration of that work.
  var compositorDelay: Int64 = 0
  var compositor: Int64 = 0
  /// The GPU's delay beyond the earliest possible start, the duration of its work, and how long before the compositor's
  /// end the GPU may start.
  var gpuDelay: Int64 = 0
  var gpu: Int64 = 0
  var gpuOverlap: Int64 = 0
  /// The time from the end of all work until the buffer is finished.
  var finish: Int64 = 0
  /// The smallest number of refreshes from the frame's end to its display; negative if the recorded end is later than
  /// the event that the display waited for.
  var shownLater: Int64 = 0
  /// The earliest refresh at which the frame is shown, because it waits for other content; `nil` if it does not wait.
  @CompactOptional var soonest: Int64? = nil
  /// The number of refreshes from the refresh that starts the app to the frame's due refresh, if the source records it.
  @CompactOptional var due: Int64? = nil
  /// When the frame's buffer becomes free; if `nil`, the time is unknown, and the buffer becomes free when the frame is
  /// swapped out.
  var release: Release?
  // These flags are adjacent so that they take one word for each item: a long replay has millions of items.
  /// Whether an app that is busy when it may start begins as soon as it is idle; otherwise, it starts at the next
  /// refresh.
  var startsWhenFree = false
  /// Whether the work starts an animation, which turns low latency off.
  var animates = false
  /// Whether the compositor takes the frame before its buffer is finished, so that only the display
  /// waits for the buffer.
  var isTakenUnfinished = false
  /// Whether the frame is not shown although frames are shown in order, for no known reason.
  var isNeverShown = false

  /// The event and the delay after which a buffer becomes free.
  enum Release: Sendable {
    /// The buffer becomes free this long after the frame was swapped out.
    case afterSwapOut(Int64)
    /// The buffer becomes free this long after the next frame was handed over: a compositor that copies frames releases
    /// them before they leave the display.
    case afterHandOver(Int64)

    fileprivate var length: Int64 {
      switch self {
      case .afterSwapOut(let length), .afterHandOver(let length): length
      }
    }
  }

  init(row: Int) { self.row = row }

  /// The total duration in nanoseconds, including the time between stages.
  @inline(__always)
  var length: Double {
    let length = { (stage: Int64) in abs(Double(stage)) }
    let ofApp = length(offset) + length(pause) + length(app) + length(call)
    let ofCompositor = length(compositorDelay) + length(compositor)
    let ofGPU = length(gpuDelay) + length(gpu) + length(gpuOverlap)
    return ofApp + ofCompositor + ofGPU + length(finish) + length(release?.length ?? 0)
  }
}

/// A change of work durations by conditions: stages that are scaled, and stages that start later.
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

/// A replayed frame; times are in nanoseconds.
struct ReplayedFrame: Sendable {
  /// The indices of the work items that the frame shows.
  var work: Range<Int>
  var appStart: Int64
  var appEnd: Int64
  var commit: Int64
  /// The app's further intervals, if several contribute to the frame; the times above are those of the oldest interval.
  var more: [(start: Int64, end: Int64, commit: Int64)] = []
  /// How long the app waited for a buffer before its work.
  @CompactOptionalRange var blocked: Range<Int64>? = nil
  /// The refresh that started the app; `nil` if none did.
  @CompactOptional var startRefresh: Int64? = nil
  var isLowLatency = false
  @CompactOptionalRange var compositor: Range<Int64>? = nil
  var gpu: Range<Int64>
  var queued: Int64
  /// The refresh at which the frame is shown; `nil` if it is never shown, or the display has a variable refresh rate.
  @CompactOptional var refresh: Int64? = nil
  @CompactOptional var displayed: Int64? = nil
  @CompactOptional var replaced: Int64? = nil
  @CompactOptional var released: Int64? = nil

  /// When the frame is shown, or handed over if it is never shown.
  var shown: Int64 { displayed ?? queued }

  /// When the frame's buffer becomes free, but not before the frame is handed over.
  /// - Parameters:
  ///   - next: The frame that replaces this frame on the display.
  ///   - handedOver: The frame that is handed over after this frame; `nil` if that is `next`.
  @inline(__always)
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
