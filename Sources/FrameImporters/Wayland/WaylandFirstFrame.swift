/// Watches a program's messages to its compositor for its first frame.
///
/// A compositor that speaks the presentation-time protocol tells when a frame was displayed, if
/// the program asks for it. Where it does not ask, the first frame callback is the next best: the
/// compositor has taken the frame and asks for the second one.
package struct WaylandFirstFrame: Sendable {
  /// What is known of the first frame.
  package enum Event: Hashable, Sendable {
    /// It was displayed, at an instant on a clock that has this number.
    case displayed(nanoseconds: Int64, clock: UInt32)
    /// It was displayed, on a clock that nobody named.
    case displayedNow
    /// The compositor asked for the next frame.
    case frameCallback
  }

  /// Whether the program asks when its frames are displayed.
  package private(set) var asksForDisplay = false
  private var clock: UInt32?
  private var callbacks: Set<UInt32> = []
  private var feedbacks: Set<UInt32> = []

  package init() {}

  /// Takes in a message.
  /// - Returns: What it says of the first frame; `nil` for nothing.
  package mutating func take(_ message: WaylandMessage) -> Event? {
    // Numbers are given out again: a callback may be one of another kind now.
    if message.isRequest, let object = message.newObject {
      callbacks.remove(object)
      feedbacks.remove(object)
    }
    switch WaylandFact(message) {
    case .clock(let number): clock = number
    case .frameCallback(let callback): callbacks.insert(callback)
    case .feedback(_, let feedback):
      feedbacks.insert(feedback)
      asksForDisplay = true
    case .discarded: feedbacks.remove(message.object)
    case .done where callbacks.contains(message.object): return .frameCallback
    case .presented(let time, _) where feedbacks.contains(message.object):
      return clock.map { .displayed(nanoseconds: time, clock: $0) } ?? .displayedNow
    case nil where Self.isPresentation(message) && feedbacks.contains(message.object):
      return .displayedNow
    default: break
    }
    return nil
  }

  /// Whether it tells that a frame was displayed, however its time reads.
  private static func isPresentation(_ message: WaylandMessage) -> Bool {
    message.interface == "wp_presentation_feedback" && message.name == "presented"
  }
}
