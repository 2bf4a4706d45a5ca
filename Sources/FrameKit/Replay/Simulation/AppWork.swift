/// One interval of an app's work, and what becomes of it in the stages behind.
package struct AppWork: Sendable {
  /// The first refresh that may start the app on it.
  package var refresh: Int64
  /// How far from the refresh the app starts, before it or behind it.
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
