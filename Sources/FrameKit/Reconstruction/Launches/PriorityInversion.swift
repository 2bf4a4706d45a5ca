/// A thread that waited on one of lower priority: the urgent one went at the pace of the other.
///
/// It counts for as long as the thread that ended the wait could have run at the waiting thread's
/// priority: while it was running, runnable or preempted at a lower one. Where that thread was
/// blocked itself, the one that ended its wait is looked at in the same way.
public struct PriorityInversion: Hashable, Sendable {
  public let waiter, holder: ThreadName
  public let waiterPriority, holderPriority: Int64
  /// In nanoseconds.
  public internal(set) var length: Int64
  /// Of that, how long the holder had no processor.
  public internal(set) var starved: Int64
  /// In how many waits.
  public internal(set) var count: Int
  /// When it began first.
  public let start: Timestamp
}

/// Finds the priority inversions of a thread.
struct PriorityInversions {
  private let facts: LaunchFacts

  /// How many threads a wait is followed through.
  private static let deepest = 8

  init(_ facts: LaunchFacts) { self.facts = facts }

  /// The inversions in a span, those between the same two threads at the same priorities
  /// together, the longest first.
  func all(of waiter: Int64, in span: Range<Int64>) -> [PriorityInversion] {
    var found: [PriorityInversion] = []
    for wait in facts.timelines.stretches(of: waiter, in: span) where wait.state == .blocked {
      guard let priority = wait.priority, let holder = wait.unblockedBy else { continue }
      var own: [PriorityInversion] = []
      follow(holder, wait.span, waiter: waiter, priority: priority, seen: [waiter], into: &own)
      for inversion in own { Self.add(inversion, to: &found) }
    }
    return found.sorted { ($1.length, $0.start) < ($0.length, $1.start) }
  }

  private func follow(
    _ holder: Int64, _ span: Range<Int64>, waiter: Int64, priority: Int64, seen: [Int64],
    into found: inout [PriorityInversion]
  ) {
    guard !seen.contains(holder), seen.count <= Self.deepest else { return }
    var own: [PriorityInversion] = []
    for stretch in facts.timelines.stretches(of: holder, in: span) {
      if stretch.state == .blocked {
        if let next = stretch.unblockedBy {
          follow(
            next, stretch.span, waiter: waiter, priority: priority, seen: seen + [holder],
            into: &found)
        }
      } else if stretch.state != nil, let held = stretch.priority, held < priority {
        let length = Int64(stretch.span.count)
        Self.add(
          PriorityInversion(
            waiter: facts.name(of: waiter), holder: facts.name(of: holder),
            waiterPriority: priority, holderPriority: held, length: length,
            starved: stretch.state == .running ? 0 : length, count: 1,
            start: Timestamp(nanoseconds: stretch.span.lowerBound)), to: &own)
      }
    }
    // However often the holder changed its state, it is one wait.
    for var inversion in own {
      inversion.count = 1
      found.append(inversion)
    }
  }

  private static func add(_ inversion: PriorityInversion, to found: inout [PriorityInversion]) {
    let known = found.firstIndex {
      $0.holder == inversion.holder && $0.waiterPriority == inversion.waiterPriority
        && $0.holderPriority == inversion.holderPriority
    }
    guard let known else { return found.append(inversion) }
    found[known].length += inversion.length
    found[known].starved += inversion.starved
    found[known].count += inversion.count
  }
}
