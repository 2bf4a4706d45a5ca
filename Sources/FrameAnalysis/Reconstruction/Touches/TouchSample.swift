package import FrameTrace

/// A touch sample and its outcome.
package struct TouchSample: Sendable {
  /// The outcome of a sample.
  package enum Outcome: Hashable, Sendable {
    /// The frame that consumed the sample, or a frame that replaced that frame, was displayed; holds its row.
    case shown(by: Int)
    /// The sample was still in progress when the trace ended.
    case unresolved
    /// No frame consumed the sample.
    case undelivered
    /// No frame consumed the sample because the system cancelled it.
    case cancelled
    /// The trace shows neither a frame nor when the app worked.
    case unknown
  }

  /// The app interval that received a sample.
  struct AppInterval: Hashable, Sendable {
    let start: Timestamp
    /// The last commit of the interval; `nil` when not known.
    let commit: Timestamp?
  }

  /// The sample's row in the trace.
  package let row: Int
  package let kind: TouchColumn.Kind
  package let phase: TouchColumn.Phase?
  package let finger: Int64?
  /// S0; for a predicted sample, the scan that it predicts. `nil` if unknown.
  package let scanStart: Timestamp?
  package let scanEnd: Timestamp?
  /// When the sample, or its main sample, was delivered to the app.
  package let delivered: Timestamp?
  /// The index, in the list of samples, of the main sample that this sample belongs to; `nil` if it is a main sample or
  /// the trace does not say.
  package let main: Int?
  /// The row of the frame that consumed the sample; `nil` if none did.
  let frame: Int?
  /// Whether that frame was inferred instead of recorded.
  let isInferred: Bool
  /// The app interval of that frame that received the sample; `nil` if unknown.
  let app: AppInterval?
  package let outcome: Outcome
  /// Whether the sample is the copy of the main sample at the end of a list of coalesced samples.
  package let isCopy: Bool
  /// The location of the sample, in points; `nil` if unknown.
  let location: Location?

  /// A point on a screen.
  struct Location: Hashable, Sendable {
    let x, y: Double

    func distance(to other: Location) -> Double {
      let (dx, dy) = (x - other.x, y - other.y)
      return (dx * dx + dy * dy).squareRoot()
    }
  }

  /// The row of the frame that shows the sample; `nil` if none does.
  var shownBy: Int? {
    if case .shown(let row) = outcome { return row }
    return nil
  }

  /// The first known time of the sample.
  var time: Timestamp? { delivered ?? scanEnd ?? scanStart }
}
