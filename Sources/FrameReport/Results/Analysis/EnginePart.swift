import FrameTrace

/// A part of a game engine whose busy time is counted for each frame.
enum EnginePart: String, CaseIterable {
  case gameThread = "game_thread"
  case renderThread = "render_thread"
  case rhiThread = "rhi_thread"
  case gpu

  /// The part as a sentence names it.
  var words: String {
    switch self {
    case .gameThread: "game thread"
    case .renderThread: "render thread"
    case .rhiThread: "RHI thread"
    case .gpu: "GPU"
    }
  }

  /// Where its busy times are.
  var column: FrameColumn {
    switch self {
    case .gameThread: .gameThread
    case .renderThread: .renderThread
    case .rhiThread: .rhiThread
    case .gpu: .gpuBusy
    }
  }

  /// The metric of its busy times.
  var metric: String {
    switch self {
    case .gameThread: "gameThreadTime"
    case .renderThread: "renderThreadTime"
    case .rhiThread: "rhiThreadTime"
    case .gpu: "gpuBusy"
    }
  }
}
