import FrameKit

/// The work of a surface's app, for a simulation to play.
package struct SurfaceWork: Sendable {
  package var id: String
  package var process: String
  /// Whether the app draws into the buffers; if not, the compositor does.
  package var isFilledByApp = false
  /// The maximum number of buffers of the surface.
  package var buffers = 3
  package var units: [AppWork]
  /// The surface that shows its frame of the same unit at the same refresh; `nil` if each surface is shown as soon as
  /// possible.
  package var shownWith: Int?
  /// Whether an app that is still busy at a refresh starts as soon as it is idle; if not, it starts at the next
  /// refresh.
  package var startsWhenFree = false
  /// The scans of a finger that the app receives; `nil` if there are none.
  package var scans: SimulatedScans?

  package init(id: String = "window", process: String = "App", _ units: [AppWork]) {
    self.id = id
    self.process = process
    self.units = units
  }
}

/// One interval of an app's work, and the resulting work in later stages.
package struct AppWork: Sendable {
  /// The first refresh that may start the interval.
  package var refresh: Int64
  /// How far from the refresh the app starts, before or after it.
  package var startOffset: Int64 = 0
  /// How long the app works before its last commit.
  package var app: Int64
  /// The earlier commits, as times before the last commit.
  package var earlierCommits: [Int64] = []
  /// How long the app continues after its last commit.
  package var afterCommit: Int64 = 0
  package var compositor: Int64
  package var gpu: Int64
  /// How long before the compositor's end the GPU may start.
  package var gpuOverlap: Int64 = 0
  /// The number of refreshes at which the display misses the finished frame.
  package var missedRefreshes = 0
  /// How long the frame's buffer is still held after the frame was swapped out.
  package var releaseDelay: Int64 = 0
  /// Whether the interval starts an animation, which turns low latency off.
  package var animates = false

  package init(at refresh: Int64, app: Int64, compositor: Int64, gpu: Int64) {
    self.refresh = refresh
    self.app = app
    self.compositor = compositor
    self.gpu = gpu
  }
}
