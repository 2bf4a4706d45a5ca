import FrameTrace

/// A frame's way through Chromium, as its `PipelineReporter` tells it: the main thread, the compositor of
/// the page, the display compositor, the swap.
///
/// Chromium, `cc/metrics/compositor_frame_reporter.h`. One frame can have two reporters: where the main
/// thread is late, the compositor shows what it has, and the main thread's half is forked off.
struct ChromeReporter {
  enum Outcome: Int64 { case noUpdate, presented, presentedPartly, dropped }
  /// Why a frame has a reporter beside the first; `nil` for an ordinary one.
  enum Kind: Int64 {
    /// The main thread's half of a frame that the compositor showed without it.
    case forked
    /// A frame that was never begun, told afterwards.
    case backfilled
  }

  /// What a reporter's arguments say.
  struct Facts {
    var outcome: Outcome?
    var kind: Kind?
    /// Whether Chromium counts it in its own smoothness.
    var affectsSmoothness = false
    var sequence: Int64?
    /// Who began the frame: a display.
    var source: Int64?
    /// The page.
    var host: Int64?
    /// What a display's frame and the events behind it have in common.
    var surfaceFrame: UInt64?
  }

  let facts: Facts
  let process: Int64?
  let start: Int64
  let end: Int64?
  let stages: ChromeStages

  /// When it was on the display; `nil` for one that was not.
  var presented: Int64? {
    guard facts.outcome == .presented || facts.outcome == .presentedPartly else { return nil }
    return stages["SubmitCompositorFrameToPresentationCompositorFrame"]?.end ?? end
  }
}

/// An input's way to its frame, as its `EventLatency` tells it.
struct ChromeEvent {
  struct Facts {
    /// What it was, by Chromium's number.
    var type: Int64?
    /// Whether Chromium calls the frame janky that scrolled by it.
    var isJanky = false
    var surfaceFrame: UInt64?
  }

  let facts: Facts
  /// When the system made it.
  let start: Int64
  let stages: ChromeStages

  /// Events that a finger, a mouse or a key made; gestures and scrolls are made of those again.
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

/// Stages by their names, with those within them.
struct ChromeStages {
  struct Stage {
    let name: String
    let start: Int64
    let end: Int64?
  }

  /// In the order in which they began.
  let all: [Stage]

  /// The first stage of a name.
  subscript(name: String) -> Stage? { all.first { $0.name == name } }

  /// The swap, under the names that it has had, from its start to its end.
  var swap: (start: Int64, end: Int64?)? {
    if let swap = self["Swap"] { return (swap.start, swap.end) }
    guard let first = self["BufferAvailableToBufferReady"] ?? self["BufferReadyToLatch"] else {
      return nil
    }
    return (first.start, self["LatchToSwapEnd"]?.end)
  }
}
