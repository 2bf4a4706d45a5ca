import FrameAnalysis
import FrameTrace

/// The question that people ask first about a surface.
enum SurfaceFocus {
  /// Whether the motion was smooth: dropped refreshes and hitches.
  case smoothness
  /// How many frames per second the surface made: rates and their lows, as for games.
  case rate

  init(_ surface: SurfaceAnalysis, on platform: Platform?) {
    let knowsSmoothness = surface.drops.value != nil || surface.hitches.value != nil
    let isGame = platform == .windows || (platform == nil && surface.runsFreely)
    self = knowsSmoothness && !isGame ? .smoothness : .rate
  }

  /// The metrics that answer the question, if the source has them, the most important first.
  func metrics(of surface: SurfaceAnalysis) -> [MetricResult] {
    // If the source does not state the animation error, it depends on how the game animates, which the first screen has
    // no room to explain.
    metrics.compactMap { surface[$0] }.filter { $0.name != "animationError" || !$0.isInferred }
  }

  private var metrics: [String] {
    switch self {
    case .smoothness:
      [
        "touchToPhoton", "displayChange", "frameTime", "hitchTime", "appTime", "compositorTime",
        "gpuTime", "frameOverrun", "queueWait", "displayLatency", "clickToPhoton", "inputToPhoton",
      ]
    case .rate:
      [
        "frameTime", "clickToPhoton", "inputToPhoton", "displayLatency", "cpuBusy",
        "gameThreadTime", "renderThreadTime", "rhiThreadTime", "gpuBusy", "displayChange",
        "animationError", "presentLatency", "appTime", "compositorTime",
        "touchToPhoton", "gpuTime",
      ]
    }
  }
}
