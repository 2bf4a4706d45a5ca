import FrameAnalysis
import FrameTrace

/// The question that people ask first about a surface.
enum SurfaceFocus {
  /// Whether its motion was smooth: dropped refreshes and hitches.
  case smoothness
  /// How many frames a second it made: rates and their lows, as in games.
  case rate

  init(_ surface: SurfaceAnalysis, on platform: Platform?) {
    let knowsSmoothness = surface.drops.value != nil || surface.hitches.value != nil
    let isGame = platform == .windows || (platform == nil && surface.runsFreely)
    self = knowsSmoothness && !isGame ? .smoothness : .rate
  }

  /// The metrics that answer it, the most important first.
  var metrics: [String] {
    switch self {
    case .smoothness:
      [
        "touchToPhoton", "displayChange", "frameTime", "hitchTime", "appTime", "compositorTime",
        "gpuTime", "frameOverrun", "queueWait", "displayLatency", "clickToPhoton", "inputToPhoton",
      ]
    case .rate:
      [
        "frameTime", "clickToPhoton", "inputToPhoton", "displayLatency", "cpuBusy", "gpuBusy",
        "displayChange", "animationError", "presentLatency", "appTime", "compositorTime",
        "touchToPhoton", "gpuTime",
      ]
    }
  }
}
