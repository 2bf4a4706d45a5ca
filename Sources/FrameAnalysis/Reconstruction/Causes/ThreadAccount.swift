import FrameStatistics
import FrameTrace

/// How a thread spent a stretch of time, by what it did or waited for.
struct ThreadAccount {
  /// What the thread did.
  private(set) var times: [LateCause.Kind: Nanoseconds] = [:]
  /// How long the thread ran in each slice itself; if there are no states, how long it was in each slice.
  private(set) var slices: [String: Nanoseconds] = [:]
  /// The mean clock rate at which the thread ran, in kHz; `nil` if it is not recorded for all of the time.
  private(set) var clock: Double?
  /// The thread's waits by kind, with what ended each wait.
  private(set) var waits: [LateCause.Kind: [Wait]] = [:]
  /// The parts in which the thread had no processor, with the processor that it got next.
  private(set) var starved: [(span: Range<Timestamp>, processor: Int64?)] = []

  struct Wait {
    let span: Range<Timestamp>
    /// The thread that ended the wait.
    let unblockedBy: Int64?
    /// What was waited for, in the source's words.
    let what: String?
  }

  /// A wait that extends beyond the end of the span does not count as a wait for the work in the span.
  /// - Parameter begins: Whether the work in the span begins on this thread, so that a wait at its start counts, too.
  /// - Returns: `nil` if nothing is known about the thread in the span.
  init?(_ facts: ThreadFacts, of thread: Int64, in span: Range<Timestamp>, begins: Bool = true) {
    let stretches = facts.timelines.stretches(of: thread, in: span)
    let slices = facts.slices.slices(of: thread, in: span)
    guard !stretches.isEmpty || !slices.isEmpty else { return nil }
    let own = ThreadSlices.own(slices, in: span)
    guard !stretches.isEmpty else {
      for (name, part) in own {
        self.slices[name, default: .zero] += part.length
        times[WaitWords(slice: name)?.kind ?? .slice, default: .zero] += part.length
      }
      return
    }
    var running: [Range<Timestamp>] = []
    // The work done, as clock rate times length, and the time for which it is known.
    var (work, known) = (0.0, Nanoseconds.zero)
    // The processor that the thread got next, searched from the end.
    var next: Int64?
    let processors = stretches.reversed().map { stretch in
      if stretch.state == .running { next = stretch.processor }
      return next
    }
    for (stretch, processor) in zip(stretches, processors.reversed()) {
      switch stretch.state {
      case .running:
        running.append(stretch.span)
        if let clock = stretch.clock {
          work += Double(clock) * Double(stretch.span.length.count)
          known += stretch.span.length
        }
        times[.running, default: .zero] += stretch.span.length
      case .runnable, .preempted:
        times[.processor, default: .zero] += stretch.span.length
        starved.append((stretch.span, processor ?? stretch.processor))
      case .blocked:
        let isBefore = !begins && stretch.span.lowerBound == span.lowerBound
        if stretch.span.upperBound < span.upperBound, !isBefore {
          addWait(stretch, facts.slices.slices(of: thread, at: stretch.span.lowerBound))
        }
      case nil: break
      }
    }
    if known > .zero, known == times[.running] { clock = work / Double(known.count) }
    for (name, part) in own {
      let first = running.partitioningIndex { $0.upperBound > part.lowerBound }
      for ran in running[first...].prefix(while: { $0.lowerBound < part.upperBound }) {
        self.slices[name, default: .zero] += ran.clamped(to: part).length
      }
    }
  }

  private mutating func addWait(
    _ stretch: ThreadTimelines.Stretch, _ slices: [ThreadSlices.Slice]
  ) {
    // The innermost slice that says what the thread waits for.
    let words = slices.lazy.compactMap { WaitWords(slice: $0.name) }.first
    let kind: LateCause.Kind
    if let words {
      kind = words.kind
    } else if stretch.reason?.hasPrefix(ThreadStateColumn.uninterruptible) == true {
      kind = .uninterruptible
    } else {
      kind = stretch.unblockedBy == nil && stretch.reason == nil ? .unrecorded : .thread
    }
    times[kind, default: .zero] += stretch.span.length
    waits[kind, default: []].append(
      Wait(
        span: stretch.span, unblockedBy: stretch.unblockedBy,
        what: words?.what ?? stretch.reason))
  }
}

/// What a slice says that its thread waits for.
struct WaitWords {
  let kind: LateCause.Kind
  /// The owner of a lock; `nil` for other waits.
  let what: String?

  /// - Returns: `nil` if the slice is not a wait.
  init?(slice name: String) {
    if name.hasPrefix("monitor contention with owner ") {
      // "monitor contention with owner Binder:1_2 (42) at void a.b() waiters=0 blocking from …"
      let rest = name.dropFirst("monitor contention with owner ".count)
      let owner = rest.firstRange(of: " (").map { String(rest[..<$0.lowerBound]) }
      (kind, what) = (.lock, owner)
    } else if name.hasPrefix("Lock contention on ") {
      (kind, what) = (.lock, nil)
    } else if name == "binder transaction" || name == "binder reply" {
      (kind, what) = (.binder, nil)
    } else if Self.isCollection(name) {
      (kind, what) = (.garbage, nil)
    } else {
      return nil
    }
  }

  /// The names that ART and V8 use for their collections.
  private static func isCollection(_ name: String) -> Bool {
    name.hasPrefix("GC: ") || name == "WaitForGcToComplete" || name.hasSuffix(" GC")
      || name.hasPrefix("V8.GC") || name.hasPrefix("MajorGC") || name.hasPrefix("MinorGC")
  }
}
