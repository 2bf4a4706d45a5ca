import FrameTrace

/// A frame's path through Chromium, as its `PipelineReporter` reports it: the main thread, the
/// page's compositor, the display compositor, the swap.
///
/// Chromium, `cc/metrics/compositor_frame_reporter.h`. One frame can have two reporters: if the
/// main thread is late, the compositor shows what it has, and the main thread's half is forked off.
struct ChromeReporter {
  enum Outcome: Int64 { case noUpdate, presented, presentedPartly, dropped }
  /// Why a frame has an additional reporter; `nil` for an ordinary one.
  enum Kind: Int64 {
    /// The main thread's half of a frame that the compositor showed without it.
    case forked
    /// A frame that was never begun, reported afterwards.
    case backfilled
  }

  /// The facts in a reporter's arguments.
  struct Facts {
    var outcome: Outcome?
    var kind: Kind?
    /// Whether Chromium counts the frame in its smoothness metric.
    var affectsSmoothness = false
    var sequence: Int64?
    /// The source that began the frame, which is a display.
    var source: Int64?
    /// The page.
    var host: Int64?
    /// The identifier that a displayed frame shares with the events it shows.
    var surfaceFrame: UInt64?
  }

  let facts: Facts
  let process: Int64?
  let start: Int64
  let end: Int64?
  let stages: ChromeStages

  /// When the frame was displayed; `nil` if it was not.
  var presented: Int64? {
    guard facts.outcome == .presented || facts.outcome == .presentedPartly else { return nil }
    return stages[.presentation]?.end ?? end
  }
}

/// An input's path to its frame, as its `EventLatency` reports it.
struct ChromeEvent {
  struct Facts {
    /// The type of the event, as Chromium numbers it.
    var type: Int64?
    /// Whether Chromium calls the frame that this event scrolled janky.
    var isJanky = false
    var surfaceFrame: UInt64?
  }

  let facts: Facts
  /// When the system created the event.
  let start: Int64
  let stages: ChromeStages

  /// The input device; `nil` for gestures and scrolls, which derive from finger, mouse or key
  /// events.
  var device: TouchColumn.Device? {
    switch facts.type {
    case 1, 2: .click
    case 3, 22: .pointer
    case 4, 5: .key
    case 6, 7, 8: .touch
    default: nil
    }
  }

  var phase: TouchColumn.Phase? {
    switch facts.type {
    case 1, 4, 6: .began
    case 2, 5, 7: .ended
    case 8, 22: .moved
    default: nil
    }
  }
}
