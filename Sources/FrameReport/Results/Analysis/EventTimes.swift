import FrameTrace

/// The format of the times and durations of individual events.
enum EventTimes {
  /// A time from the start of the trace, in seconds.
  static func text(_ time: Timestamp, from origin: Timestamp) -> String {
    FixedNumber.text((time - origin).seconds, decimals: 3) + " s"
  }

  /// A duration in milliseconds, or in seconds if it is at least 1 s.
  static func text(_ length: Nanoseconds) -> String {
    length < .milliseconds(1000)
      ? FixedNumber.text(length.milliseconds, decimals: length < .milliseconds(10) ? 1 : 0) + " ms"
      : FixedNumber.text(length.seconds, decimals: length < .milliseconds(10_000) ? 2 : 1) + " s"
  }
}
