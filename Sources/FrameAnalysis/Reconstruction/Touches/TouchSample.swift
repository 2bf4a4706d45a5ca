package import FrameTrace

/// A touch sample and its outcome.
package struct TouchSample: Sendable {
  /// The outcome of a sample.
  package enum Outcome: Hashable, Sendable {
    /// The frame that consumed it, or one that replaced that frame, was displayed: its row.
    case shown(by: Int)
    /// It was still under way when the trace ended.
    case unresolved
    /// No frame consumed it.
    case undelivered
    /// No frame consumed it because the system cancelled it.
    case cancelled
    /// The trace shows neither a frame nor when the app worked.
    case unknown
  }

  /// The app interval that took a sample.
  struct AppInterval: Hashable, Sendable {
    let start: Timestamp
    /// The last commit of the interval; `nil` when not known.
    let commit: Timestamp?
  }

  /// Its row in the trace.
  package let row: Int
  package let kind: TouchColumn.Kind
  package let phase: TouchColumn.Phase?
  package let finger: Int64?
  /// S0; of a predicted sample the scan it predicts. `nil` when not known.
  package let scanStart: Timestamp?
  package let scanEnd: Timestamp?
  /// When it, or its main sample, was delivered to the app.
  package let delivered: Timestamp?
  /// The index in the list of samples of the main sample that it belongs to; `nil` when it is a
  /// main sample or the trace does not say.
  package let main: Int?
  /// The row of the frame that consumed it; `nil` when none did.
  let frame: Int?
  /// Whether that frame was inferred and not recorded.
  let isInferred: Bool
  /// The app interval of that frame that took it; `nil` when not known.
  let app: AppInterval?
  package let outcome: Outcome
  /// Whether it is the copy of the main sample at the end of a list of coalesced samples.
  package let isCopy: Bool
  /// Where it was, in points; `nil` when not known.
  let location: Location?

  /// A point on a screen.
  struct Location: Hashable, Sendable {
    let x, y: Double

    func distance(to other: Location) -> Double {
      let (dx, dy) = (x - other.x, y - other.y)
      return (dx * dx + dy * dy).squareRoot()
    }
  }

  /// The row of the frame that shows it; `nil` when none does.
  var shownBy: Int? {
    if case .shown(let row) = outcome { return row }
    return nil
  }

  /// The first that is known of it.
  var time: Timestamp? { delivered ?? scanEnd ?? scanStart }
}
