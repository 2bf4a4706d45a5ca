import FrameKit

/// The work of a surface's app, as a simulation plays it.
package struct SurfaceWork: Sendable {
  package var id: String
  package var process: String
  /// Whether the app draws into the buffers; else the compositor does.
  package var isFilledByApp = false
  /// The most buffers the surface may have.
  package var buffers = 3
  package var units: [AppWork]
  /// The surface whose frame of the same unit is shown at the same refresh; `nil` when each
  /// is shown as soon as it can.
  package var shownWith: Int?
  /// Whether an app that was still busy at a refresh starts as soon as it is free; else at the
  /// next one.
  package var startsWhenFree = false
  /// The scans of a finger that the app is given; `nil` for none.
  package var scans: SimulatedScans?

  package init(id: String = "window", process: String = "App", _ units: [AppWork]) {
    self.id = id
    self.process = process
    self.units = units
  }
}

/// One interval of an app's work, and what becomes of it in the later stages.
package struct AppWork: Sendable {
  /// The first refresh that may start the app on it.
  package var refresh: Int64
  /// How far from the refresh the app starts, before it or after it.
  package var startOffset: Int64 = 0
  /// How long the app works until its last commit.
  package var app: Int64
  /// How long before its last commit it commits already.
  package var earlierCommits: [Int64] = []
  /// How long the app goes on after its last commit.
  package var afterCommit: Int64 = 0
  package var compositor: Int64
  package var gpu: Int64
  /// How long before the compositor's end the GPU may start.
  package var gpuOverlap: Int64 = 0
  /// At how many refreshes the display misses the finished frame.
  package var missedRefreshes = 0
  /// How long its buffer is still held once it was swapped out.
  package var releaseDelay: Int64 = 0
  /// Whether it starts an animation, which turns low latency off.
  package var animates = false

  package init(at refresh: Int64, app: Int64, compositor: Int64, gpu: Int64) {
    self.refresh = refresh
    self.app = app
    self.compositor = compositor
    self.gpu = gpu
  }
}
