import FrameTrace

/// How much of the time between refreshes the GPU works on the frames of a surface.
struct GPULoads {
  private var (known, heavy) = (0, 0)

  /// - Parameters:
  ///   - load: How long the GPU worked on a frame; `nil` if the source does not record that.
  ///   - refresh: The time between refreshes at that frame.
  mutating func add(_ load: Nanoseconds?, _ refresh: Nanoseconds) {
    guard let load else { return }
    known += 1
    if Self.isHeavy(load, refresh) { heavy += 1 }
  }

  /// Whether work explains a lower rate: it takes more than fifteen sixteenths of the time between refreshes.
  static func isHeavy(_ load: Nanoseconds, _ refresh: Nanoseconds) -> Bool {
    load * 16 > refresh * 15
  }

  /// Whether at least half of the frames have a load.
  func isKnown(of frames: Int) -> Bool { known * 2 >= frames }

  /// Whether most loads are heavy.
  var areHeavy: Bool { heavy * 2 > known }
}
