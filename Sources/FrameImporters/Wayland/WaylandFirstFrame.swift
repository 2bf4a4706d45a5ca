/// Watches a program's messages to its compositor for its first frame.
///
/// A compositor with the presentation-time protocol reports when a frame was displayed, if the program asks for it.
/// Otherwise, the first frame callback is the next best evidence: the compositor has taken the frame and requests the
/// second frame.
package struct WaylandFirstFrame: Sendable {
  /// An event of the first frame.
  package enum Event: Hashable, Sendable {
    /// The frame was displayed, at a time on the clock with this number.
    case displayed(nanoseconds: Int64, clock: UInt32)
    /// The frame was displayed, on an unnamed clock.
    case displayedNow
    /// The compositor requested the next frame.
    case frameCallback
  }

  /// Whether the program asks when its frames are displayed.
  package private(set) var asksForDisplay = false
  private var clock: UInt32?
  private var callbacks: Set<UInt32> = []
  private var feedbacks: Set<UInt32> = []

  package init() {}

  /// Consumes a message.
  /// - Returns: What the message states about the first frame; `nil` if it states nothing.
  package mutating func consume(_ message: WaylandMessage) -> Event? {
    // Numbers are reused: a number may now belong to another kind of object.
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
    case .presented(let time, _, _) where feedbacks.contains(message.object):
      return clock.map { .displayed(nanoseconds: time, clock: $0) } ?? .displayedNow
    case nil where Self.isPresentation(message) && feedbacks.contains(message.object):
      return .displayedNow
    default: break
    }
    return nil
  }

  /// Whether a message reports that a frame was displayed, even if its time is not readable.
  private static func isPresentation(_ message: WaylandMessage) -> Bool {
    message.interface == "wp_presentation_feedback" && message.name == "presented"
  }
}
