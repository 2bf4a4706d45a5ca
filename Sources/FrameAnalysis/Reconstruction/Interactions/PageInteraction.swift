import FrameStatistics
public import FrameTrace

/// A single action of a user on a page, and how long the page took to respond.
public struct PageInteraction: Hashable, Sendable {
  /// The parts that the interaction's time is divided into.
  public enum Part: String, Sendable, CaseIterable {
    /// The time until the first handler began.
    case inputDelay
    /// The time while handlers ran.
    case processing
    /// The time from the end of the last handler until the next picture was shown.
    case presentation

    /// The part's name in words.
    package var words: String {
      switch self {
      case .inputDelay: "input delay"
      case .processing, .presentation: rawValue
      }
    }
  }

  /// The browser's number for the interaction.
  public let number: Int64
  /// The type of its longest event, such as "pointerup".
  public let kind: String?
  /// The target element; `nil` if the source does not say.
  public let target: String?
  /// The page's process; `nil` where the source does not say.
  public let process: String?
  /// When the user acted, and when the next picture was shown.
  public let start, end: Timestamp
  /// How long each part took; empty where the source does not say when handlers ran.
  public let parts: [Part: Nanoseconds]
  /// The slice or script in which the longest part spent the most time; `nil` if none is recorded.
  public internal(set) var work: Work?
  /// The frame whose picture ended the interaction; `nil` if unknown.
  public internal(set) var frame: FrameReference?

  /// A slice or script, and how much of the part it took.
  public struct Work: Hashable, Sendable {
    /// Its name in the source.
    public let name: String
    /// How much of the part the slice or script took.
    public let time: Nanoseconds
  }

  /// The time from the user's action to the next picture.
  public var duration: Nanoseconds { end - start }

  /// The part that took the most time; `nil` without parts.
  public var longest: Part? {
    Part.allCases.filter { parts[$0] != nil }.max { (parts[$0] ?? .zero) < (parts[$1] ?? .zero) }
  }

  /// When a part began and ended.
  func span(of part: Part) -> Range<Timestamp>? {
    guard let delay = parts[.inputDelay], let processing = parts[.processing] else { return nil }
    let (first, last) = (start + delay, start + delay + processing)
    switch part {
    case .inputDelay: return start..<first
    case .processing: return first..<last
    case .presentation: return last..<max(last, end)
    }
  }
}
