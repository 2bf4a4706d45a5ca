import FrameTrace

/// A part of a game engine whose busy time is recorded for each frame.
enum EnginePart: String, CaseIterable {
  case gameThread = "game_thread"
  case renderThread = "render_thread"
  case rhiThread = "rhi_thread"
  case gpu

  /// The part's name in a sentence.
  var words: String {
    switch self {
    case .gameThread: "game thread"
    case .renderThread: "render thread"
    case .rhiThread: "RHI thread"
    case .gpu: "GPU"
    }
  }

  /// The column with the part's busy times.
  var column: FrameColumn {
    switch self {
    case .gameThread: .gameThread
    case .renderThread: .renderThread
    case .rhiThread: .rhiThread
    case .gpu: .gpuBusy
    }
  }

  /// The metric of the part's busy times.
  var metric: String {
    switch self {
    case .gameThread: "gameThreadTime"
    case .renderThread: "renderThreadTime"
    case .rhiThread: "rhiThreadTime"
    case .gpu: "gpuBusy"
    }
  }
}
