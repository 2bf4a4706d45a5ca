import FrameStatistics
import FrameTrace

/// What a trace shows about threads: their states, what they marked, and which processors they ran on. Built once for
/// all surfaces, in time linear in the number of states and slices.
struct ThreadFacts {
  let timelines: ThreadTimelines
  let slices: ThreadSlices
  let threads: ProcessThreads
  private let processors: [Int64: [(span: Range<Timestamp>, thread: Int64)]]

  /// - Returns: `nil` if the trace shows nothing about threads.
  init?(_ trace: Trace) {
    let slices = ThreadSlices(trace)
    guard trace.threadStates.count > 0 || !slices.isEmpty else { return nil }
    timelines = ThreadTimelines(trace)
    self.slices = slices
    threads = ProcessThreads(trace)
    processors = Self.processors(trace.threadStates)
  }

  /// What ran on each processor, in order of time. A processor runs one thread at a time: if two overlap because a
  /// change between them was lost, the first ran until the second started.
  private static func processors(
    _ states: Table<ThreadStateColumn>
  ) -> [Int64: [(span: Range<Timestamp>, thread: Int64)]] {
    guard states.has(.processor) else { return [:] }
    let running = ThreadStateColumn.State.running.rawValue
    var found: [Int64: [(span: Range<Timestamp>, thread: Int64)]] = [:]
    for row in 0..<states.count where states[row, .state] == running {
      guard let processor = states[row, .processor], let thread = states[row, .thread],
        let start = states.time(row, .start), let end = states.time(row, .end), end > start
      else { continue }
      found[processor, default: []].append((start..<end, thread))
    }
    return found.mapValues { entries in
      let sorted = entries.sorted { $0.span.lowerBound < $1.span.lowerBound }
      return sorted.indices.compactMap { position in
        let (span, thread) = sorted[position]
        let next =
          position + 1 < sorted.count ? sorted[position + 1].span.lowerBound : span.upperBound
        let end = min(span.upperBound, next)
        return end > span.lowerBound ? (span.lowerBound..<end, thread) : nil
      }
    }
  }

  /// The main thread of a surface's process: by the process's number, otherwise the thread that the trace calls the
  /// main thread and knows something about in a span.
  func mainThread(of surface: Surface, in span: Range<Timestamp>) -> Int64? {
    threads.mainThread(numbered: surface.processID)
      ?? threads.mainThread(of: surface.process) { timelines.isKnown($0, in: span) }
  }

  /// How long each thread ran on a processor in a span.
  func running(on processor: Int64, in span: Range<Timestamp>) -> [Int64: Nanoseconds] {
    guard let all = processors[processor] else { return [:] }
    let first = all.partitioningIndex { $0.span.upperBound > span.lowerBound }
    var found: [Int64: Nanoseconds] = [:]
    for entry in all[first...].prefix(while: { $0.span.lowerBound < span.upperBound }) {
      found[entry.thread, default: .zero] += entry.span.clamped(to: span).length
    }
    return found
  }
}
