import FrameTrace

/// The newest sample that a displayed frame shows.
struct FrameInputs {
  let row: Int
  /// The scan start (S0) of the newest sample consumed by the frame or by a frame that it replaced.
  private(set) var newest: Timestamp
  /// The newest scan that the frame's predictions look ahead to; `nil` without predictions.
  private(set) var newestPredicted: Timestamp?
  private var delivered: Timestamp

  /// The inputs of all frames that show an input, in order. Predictions of a delivery are void once a newer one is
  /// consumed.
  static func all(_ touches: SurfaceTouches, _ samples: [TouchSample]) -> [FrameInputs] {
    var inputs: [Int: FrameInputs] = [:]
    for sample in samples where sample.kind != .predicted {
      guard let row = sample.shownBy, let start = sample.scanStart else { continue }
      let delivered = sample.delivered ?? start
      var frame = inputs[row] ?? FrameInputs(row: row, newest: start, delivered: delivered)
      frame.newest = max(frame.newest, start)
      frame.delivered = max(frame.delivered, delivered)
      inputs[row] = frame
    }
    for sample in samples where sample.kind == .predicted {
      guard let row = sample.shownBy, var frame = inputs[row], let start = sample.scanStart
      else { continue }
      let main = sample.main.map { touches.samples[$0] }
      guard sample.delivered ?? main?.delivered ?? main?.scanStart == frame.delivered else {
        continue
      }
      frame.newestPredicted = max(frame.newestPredicted ?? start, start)
      inputs[row] = frame
    }
    return inputs.keys.sorted().compactMap { inputs[$0] }
  }

  private init(row: Int, newest: Timestamp, delivered: Timestamp) {
    self.row = row
    self.newest = newest
    self.delivered = delivered
  }
}
