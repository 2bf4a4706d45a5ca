import FrameStatistics
public import FrameTrace

/// What a user did with a page once, and how long the page took to answer.
public struct PageInteraction: Hashable, Sendable {
  /// The parts that its time is divided into.
  public enum Part: String, Sendable, CaseIterable {
    /// Until the first handler began.
    case inputDelay
    /// While handlers ran.
    case processing
    /// From the end of the last handler until the next picture was shown.
    case presentation

    /// Its name for people.
    package var words: String {
      switch self {
      case .inputDelay: "input delay"
      case .processing, .presentation: rawValue
      }
    }
  }

  /// The browser's number for it.
  public let number: Int64
  /// The type of its longest event, such as "pointerup".
  public let kind: String?
  /// The element that it went to; `nil` where the source does not say.
  public let target: String?
  /// The page's process; `nil` where the source does not say.
  public let process: String?
  /// When the user did it, and when the next picture was shown.
  public let start, end: Timestamp
  /// How long each part took; empty where the source does not say when handlers ran.
  public let parts: [Part: Nanoseconds]
  /// The slice or script that its longest part spent the most time in; `nil` where none is recorded.
  public internal(set) var work: Work?
  /// The frame whose picture ended it; `nil` where none is known.
  public internal(set) var frame: FrameReference?

  /// A slice or script, and how long it took of the part.
  public struct Work: Hashable, Sendable {
    /// Its name in the source.
    public let name: String
    /// How much of the part it took.
    public let time: Nanoseconds
  }

  /// From the user's action to the next picture.
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
