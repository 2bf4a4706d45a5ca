public import FrameTrace

/// A wait of a thread for a lower-priority thread, which slows the urgent thread down.
///
/// An inversion lasts for as long as the thread that ended the wait could have run at the waiting thread's priority:
/// while it was running, runnable or preempted at a lower priority. If that thread was itself blocked, the thread that
/// ended its wait is examined in the same way.
public struct PriorityInversion: Hashable, Sendable {
  /// The thread that waited, and the thread that held what it waited for.
  public let waiter, holder: ThreadName
  /// Their priorities; a larger number goes first.
  public let waiterPriority, holderPriority: Int64
  /// How long the thread waited.
  public internal(set) var length: Nanoseconds
  /// How much of that time the holder had no processor.
  public internal(set) var starved: Nanoseconds
  /// The number of waits.
  public internal(set) var count: Int
  /// When the inversion first began.
  public let start: Timestamp
}

/// Finds the priority inversions of a thread.
struct PriorityInversions {
  private let facts: LaunchFacts

  /// The maximum number of threads through which a wait is followed.
  private static let deepest = 8

  init(_ facts: LaunchFacts) { self.facts = facts }

  /// The inversions in a span, merged for the same two threads at the same priorities, the longest
  /// first.
  func all(of waiter: Int64, in span: Range<Timestamp>) -> [PriorityInversion] {
    var found = Sums()
    for wait in facts.timelines.stretches(of: waiter, in: span) where wait.state == .blocked {
      guard let priority = wait.priority, let holder = wait.unblockedBy else { continue }
      var own = Sums()
      follow(holder, wait.span, waiter: waiter, priority: priority, seen: [waiter], into: &own)
      for var inversion in own.all {
        // However often the holder changed its state, the inversion is one wait.
        inversion.count = 1
        found.add(inversion)
      }
    }
    return found.all.sorted { ($1.length, $0.start) < ($0.length, $1.start) }
  }

  private func follow(
    _ holder: Int64, _ span: Range<Timestamp>, waiter: Int64, priority: Int64, seen: [Int64],
    into found: inout Sums
  ) {
    guard !seen.contains(holder), seen.count <= Self.deepest else { return }
    for stretch in facts.timelines.stretches(of: holder, in: span) {
      if stretch.state == .blocked {
        if let next = stretch.unblockedBy {
          follow(
            next, stretch.span, waiter: waiter, priority: priority, seen: seen + [holder],
            into: &found)
        }
      } else if stretch.state != nil, let held = stretch.priority, held < priority {
        let length = stretch.span.length
        found.add(
          PriorityInversion(
            waiter: facts.name(of: waiter), holder: facts.name(of: holder),
            waiterPriority: priority, holderPriority: held, length: length,
            starved: stretch.state == .running ? .zero : length, count: 1,
            start: stretch.span.lowerBound))
      }
    }
  }

  /// Merges the inversions between the same two threads at the same priorities.
  private struct Sums {
    private struct Key: Hashable {
      let holder, waiterPriority, holderPriority: Int64
    }

    private(set) var all: [PriorityInversion] = []
    private var positions: [Key: Int] = [:]

    mutating func add(_ inversion: PriorityInversion) {
      let key = Key(
        holder: inversion.holder.identifier, waiterPriority: inversion.waiterPriority,
        holderPriority: inversion.holderPriority)
      guard let known = positions[key] else {
        positions[key] = all.count
        return all.append(inversion)
      }
      all[known].length += inversion.length
      all[known].starved += inversion.starved
      all[known].count += inversion.count
    }
  }
}
