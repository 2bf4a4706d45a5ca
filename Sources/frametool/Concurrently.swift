import Dispatch
import FrameKit
import Synchronization

/// Concurrent work on several items, with results in their order.
enum Concurrently {
  /// Calls a closure for each number below a count.
  /// - Parameter most: The number of concurrent calls; `nil` for as many as there are processors.
  static func map<Value: Sendable, Failure: Error>(
    _ count: Int, atOnce most: Int? = nil,
    _ body: @Sendable (Int) throws(Failure) -> Value
  ) -> [Result<Value, Failure>] {
    let results = Mutex([Result<Value, Failure>?](repeating: nil, count: count))
    // A worker that finishes takes the next item, because some items take much longer than others.
    let next = Atomic(0)
    // The calling thread is one of them.
    let wanted = min(most ?? count, count)
    let threads = min(wanted, 1 + (wanted > 1 ? LaunchedProcess.threadRoom(wanted - 1) : 0))
    DispatchQueue.concurrentPerform(iterations: threads) { _ in
      ProgramBuild.beginWork()
      while true {
        let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
        guard index < count else { return }
        let result = Result { () throws(Failure) in try body(index) }
        results.withLock { $0[index] = result }
      }
    }
    return results.withLock { $0 }.compactMap { $0 }
  }
}

extension Parallelism {
  /// The most frames that are played at once: each takes some 700 bytes.
  private static let mostFrames = 2_000_000

  /// Several replays of a recording at once: as many as there are processors, and fewer of a long
  /// recording.
  /// - Parameter most: The number of concurrent replays; `nil` for as many as there are processors.
  static func replays(of frameCount: Int, atOnce most: Int?) -> Parallelism {
    let room = max(1, mostFrames / max(1, frameCount))
    // A crash on one of the other threads must name the file, too.
    let file = ProgramBuild.file
    return Parallelism { count, body in
      _ = Concurrently.map(count, atOnce: min(most ?? room, room)) { number throws(Never) in
        ProgramBuild.reading(file) { () throws(Never) in body(number) }
      }
    }
  }
}
