import FrameKit

/// Watches a program's output until its launch is complete.
struct LaunchWatch {
  private var record: LaunchRecord
  private let until: LaunchHarness.Until
  private var line: [UInt8] = []
  private var frames = WaylandFirstFrame()
  /// The deadline for a display time, set when the compositor has received the first frame.
  private(set) var patience: Int64?

  /// The longest line that is examined.
  private static let longest = 1 << 20
  private static let longestPrompt = 4096

  init(_ record: LaunchRecord, _ until: LaunchHarness.Until) {
    self.record = record
    self.until = until
    switch until {
    case .exit: self.record.until = .exited
    case .marker: self.record.until = .marked
    case .firstFrame: self.record.until = .firstFrame
    }
  }

  /// The expected event, in words.
  var expectation: String {
    switch until {
    case .exit: "an exit"
    case .marker: "a line that matches --until"
    case .firstFrame: "a first frame"
    }
  }

  /// Receives output of the program.
  /// - Returns: Whether the launch is complete.
  mutating func consume(_ bytes: [UInt8], at time: Int64) -> Bool {
    for byte in bytes {
      guard byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") else {
        if line.count < Self.longest { line.append(byte) }
        continue
      }
      if takeLine(at: time) { return true }
      line.removeAll(keepingCapacity: true)
    }
    // A prompt is short and does not end with a line feed.
    guard case .marker = until, (1...Self.longestPrompt).contains(line.count) else { return false }
    return takeLine(at: time)
  }

  private mutating func takeLine(at time: Int64) -> Bool {
    switch until {
    case .exit: return false
    case .marker(let pattern):
      guard pattern.matches(line) else { return false }
      record.marked = time
      return true
    case .firstFrame:
      guard let message = WaylandMessage(in: line) else { return false }
      return frames.consume(message).map { consume($0, at: time) } ?? false
    }
  }

  /// - Returns: Whether no better event can follow.
  private mutating func consume(_ event: WaylandFirstFrame.Event, at time: Int64) -> Bool {
    switch event {
    case .frameCallback:
      if record.frameCallback == nil { record.frameCallback = time }
      // The display time of a frame arrives close to its callback, unless the program did not
      // request it.
      patience = patience ?? time + 1_000_000_000
      return !frames.asksForDisplay
    case .displayed(let displayed, let clock):
      record.firstFrame = Self.onMonotonicClock(displayed, clock) ?? time
      return true
    case .displayedNow:
      record.firstFrame = time
      return true
    }
  }

  /// A time of another clock, converted; `nil` if that clock is not available.
  private static func onMonotonicClock(_ time: Int64, _ clock: UInt32) -> Int64? {
    if clock == LaunchedProcess.monotonicClock { return time }
    return LaunchedProcess.time(onClock: clock).map { time + LaunchedProcess.now - $0 }
  }

  /// Records the processor time used so far.
  mutating func consume(cpu: Int64?) { record.cpu = cpu }

  mutating func consume(_ end: LaunchedProcess.End) {
    record.exited = end.time
    record.cpu = end.cpu
    record.bytesRead = end.bytesRead
  }

  /// The observed launch.
  /// - Throws: If the expected event never occurred.
  func finished(by name: String) throws(CommandError) -> LaunchRecord {
    var record = record
    if record.until == .firstFrame, record.firstFrame == nil, record.frameCallback != nil {
      record.until = .frameCallback
    }
    let end: Int64? =
      switch record.until {
      case .firstFrame: record.firstFrame
      case .frameCallback: record.frameCallback
      case .marked: record.marked
      case .exited: record.exited
      // The output of a process does not show this.
      case .responsive: nil
      }
    guard end != nil else {
      throw CommandError(
        .badData, "\(name): expected \(expectation), but it ended first",
        help: "--show-output shows what it prints")
    }
    return record
  }
}
