import FrameKit

/// A simulated swap chain whose app fills the buffers: app, then GPU, then display.
///
/// The simulation is independent of the analysis of traces: it plays work through the stages by the rules of one
/// presentation mode, and records what happens.
package struct GameChain: Sendable {
  /// How finished frames reach the display.
  package enum Presentation: Sendable {
    /// Each frame is shown at a separate refresh, in order; the app must wait while all buffers are in use.
    case firstInFirstOut(buffers: Int)
    /// Each refresh shows the newest finished frame; other frames are replaced unseen.
    case latest
    /// Like `latest`, through a compositor that takes the frame at one refresh and shows it at the next.
    case composedLatest
    /// The display waits for frames, and refreshes no faster than its interval.
    case variableRefresh
  }

  /// The work of one frame.
  package struct Work: Sendable {
    package var app: Int64
    package var gpu: Int64
    /// The earliest time at which the app starts the work; `nil` for as soon as possible.
    package var start: Int64?
    /// How long before its start the user clicked; `nil` for no click.
    package var clickBefore: Int64?

    package init(app: Int64, gpu: Int64, start: Int64? = nil, clickBefore: Int64? = nil) {
      self.app = app
      self.gpu = gpu
      self.start = start
      self.clickBefore = clickBefore
    }
  }

  /// The times of one frame's stages, in nanoseconds.
  package struct Stages: Sendable {
    package var appStart: Int64
    package var commit: Int64
    package var appEnd: Int64
    package var gpuStart: Int64
    package var gpuEnd: Int64
    package var displayed: Int64?
    package var replaced: Int64?
    package var click: Int64?
  }

  /// The refreshes. With `variableRefresh`, the interval is the shortest time between two refreshes.
  package let display: SimulatedDisplay
  package let presentation: Presentation
  /// The duration of a present call that does not have to wait.
  package let callTime: Int64
  /// The smallest number of refreshes between a frame's finish and its display, for example through a compositor.
  package var shownLater: Int64 = 0
  /// Whether a driver makes its frames only from the previous frames, and not also from the next one.
  var extrapolates = false

  package init(interval: Int64, presentation: Presentation, callTime: Int64 = 100_000) {
    self.init(
      on: SimulatedDisplay(interval: interval), presentation: presentation, callTime: callTime)
  }

  package init(
    on display: SimulatedDisplay, presentation: Presentation, callTime: Int64 = 100_000
  ) {
    self.display = display
    self.presentation = presentation
    self.callTime = callTime
  }

  /// Plays the frames' work through the stages of a chain that is already running: the two frames
  /// before were displayed at refreshes 0 and 1, and refresh 0 is at time 0.
  package func play(_ work: [Work]) -> [Stages] {
    var frames: [Stages] = []
    for (index, item) in work.enumerated() { frames.append(start(item, index, after: frames)) }
    switch presentation {
    case .firstInFirstOut: break
    case .latest: showLatest(&frames, delay: 0)
    case .composedLatest: showLatest(&frames, delay: 1)
    case .variableRefresh: break
    }
    addReplacements(&frames)
    return frames
  }

  private func start(_ work: Work, _ index: Int, after frames: [Stages]) -> Stages {
    let appStart = max(frames.last?.appEnd ?? 0, work.start ?? 0)
    let commit = appStart + work.app
    let gpuStart = max(commit, frames.last?.gpuEnd ?? 0)
    var stages = Stages(
      appStart: appStart, commit: commit, appEnd: commit + callTime, gpuStart: gpuStart,
      gpuEnd: gpuStart + work.gpu, click: work.clickBefore.map { appStart - $0 })
    switch presentation {
    case .firstInFirstOut(let buffers):
      let shown = display.time(
        max(
          display.first(atOrAfter: stages.gpuEnd) + shownLater,
          display.first(atOrAfter: displayTime(index - 1, frames)) + 1))
      stages.displayed = shown
      // The next frame's buffer becomes free when the frame after the buffer's last use is shown.
      let free = buffers == 2 ? shown : displayTime(index + 2 - buffers, frames)
      stages.appEnd = max(stages.appEnd, free)
    case .variableRefresh:
      stages.displayed = max(stages.gpuEnd, displayTime(index - 1, frames) + display.interval)
      stages.appEnd = max(stages.appEnd, displayTime(index - 1, frames))
    case .latest, .composedLatest: break
    }
    return stages
  }

  private func displayTime(_ index: Int, _ frames: [Stages]) -> Int64 {
    if index < 0 { return display.time(Int64(index + 2)) }
    return frames[index].displayed ?? 0
  }

  private func showLatest(_ frames: inout [Stages], delay: Int64) {
    var last: Int64 = -1
    for index in frames.indices.reversed() {
      let taken = display.first(atOrAfter: frames[index].gpuEnd)
      // In reverse order, the first frame found for a refresh is the newest one.
      if taken != last { frames[index].displayed = display.time(taken + delay) }
      last = taken
    }
  }

  private func addReplacements(_ frames: inout [Stages]) {
    var next: Int64?
    for index in frames.indices.reversed() {
      guard let shown = frames[index].displayed else { continue }
      frames[index].replaced = next ?? shown + display.interval
      next = shown
    }
  }
}
