import FrameTrace

/// Whether frames follow each other as regularly as a clock, as they do with a limiter that sleeps in what the source
/// counts as work.
struct LimiterPace {
  /// The time from start to start.
  let rate: Nanoseconds
  private var isAfterLate = false

  init(_ rate: Nanoseconds) { self.rate = rate }

  /// Whether a step shows the pace. A late frame, and the frames with which the limiter catches up, do not count
  /// against the pace.
  mutating func counts(_ step: Nanoseconds) -> Bool {
    let isLate = (step - rate) * 32 > rate
    let isCatchingUp = isAfterLate
    isAfterLate = isLate || (isAfterLate && (rate - step) * 32 > rate)
    return !isLate && !isCatchingUp
  }

  /// Whether a rate is slower than the display, by however little: frames that wait for refreshes start a whole number
  /// of refreshes apart.
  static func isSlower(_ rate: Nanoseconds, than refresh: Nanoseconds) -> Bool {
    rate * 100 >= refresh * 101
  }

  /// Whether a step has the length of the pace.
  func isKept(by step: Nanoseconds) -> Bool { (step - rate).magnitude * 32 <= rate }

  /// Whether enough steps have the length of the pace.
  /// - Parameters:
  ///   - kept: The steps of that length.
  ///   - counted: The steps that show the pace.
  ///   - all: All steps.
  static func isShown(by kept: Int, of counted: Int, among all: Int) -> Bool {
    counted >= KeptRate.fewestFrames && counted * 2 >= all && kept * 10 >= counted * 9
  }

  /// Whether a GPU load, usually the median, leaves the GPU enough time to spare for a faster pace.
  static func isLight(_ load: Nanoseconds, at rate: Nanoseconds) -> Bool { load * 4 <= rate * 3 }
}
