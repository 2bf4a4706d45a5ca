import FrameKit

/// Concurrent work on several items, with results in the order of the items.
enum Concurrently {
  /// Calls a closure for each number below a count. A thread that finishes takes the next item,
  /// because some items take much longer than others.
  /// - Parameter most: The number of concurrent calls; `nil` for as many as there are processors.
  static func map<Value: Sendable, Failure: Error>(
    _ count: Int, atOnce most: Int? = nil,
    _ body: @escaping @Sendable (Int) throws(Failure) -> Value
  ) -> [Result<Value, Failure>] {
    Parallelism.processors(atOnce: most).map(count) { index in
      Result { () throws(Failure) in try body(index) }
    }
  }
}

extension Parallelism {
  /// The maximum number of frames replayed at once: each frame takes some 700 bytes.
  private static let mostFrames = 2_000_000

  /// The processors of the machine.
  /// - Parameter most: The number of threads; `nil` for as many as there are processors.
  static func processors(atOnce most: Int?) -> Parallelism {
    Processors.upTo(most).parallelism
  }

  /// Several replays of a recording at once: as many as there are processors, but fewer for a long recording.
  /// - Parameter most: The number of concurrent replays; `nil` for as many as there are processors.
  static func replays(of frameCount: Int, atOnce most: Int?) -> Parallelism {
    let room = max(1, mostFrames / max(1, frameCount))
    return .processors(atOnce: min(most ?? LaunchedProcess.processorCount, room))
  }
}
