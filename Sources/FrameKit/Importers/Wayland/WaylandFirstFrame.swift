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
    if message.isRequest {
      takeRequest(message)
      return nil
    }
    switch (message.interface, message.name) {
    case ("wp_presentation", "clock_id"):
      clock = message.arguments.first.flatMap { UInt32($0) }
      return nil
    case ("wl_callback", "done"):
      return callbacks.contains(message.object) ? .frameCallback : nil
    case ("wp_presentation_feedback", "presented"):
      return feedbacks.contains(message.object) ? displayed(message) : nil
    case ("wp_presentation_feedback", "discarded"):
      feedbacks.remove(message.object)
      return nil
    default: return nil
    }
  }

  private mutating func takeRequest(_ message: WaylandMessage) {
    guard let object = message.newObject else { return }
    // Numbers are given out again: a callback may be one of another kind now.
    callbacks.remove(object)
    feedbacks.remove(object)
    switch (message.interface, message.name) {
    case ("wl_surface", "frame"): callbacks.insert(object)
    case ("wp_presentation", "feedback"):
      feedbacks.insert(object)
      asksForDisplay = true
    default: break
    }
  }

  private func displayed(_ message: WaylandMessage) -> Event {
    let numbers = message.arguments.prefix(3).compactMap { UInt32($0) }
    // A clock that has run for more than two centuries is none.
    guard let clock, numbers.count == 3, numbers[0] < 2, numbers[2] < 1_000_000_000 else {
      return .displayedNow
    }
    let seconds = Int64(numbers[0]) << 32 + Int64(numbers[1])
    return .displayed(nanoseconds: seconds * 1_000_000_000 + Int64(numbers[2]), clock: clock)
  }
}
