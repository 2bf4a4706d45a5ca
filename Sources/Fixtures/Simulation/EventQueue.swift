import FrameKit

/// The events of a simulation in time order. Events at the same time are ordered by kind, so that work that ends at a
/// refresh has ended before the refresh.
struct EventQueue {
  /// An event.
  enum Event {
    case commit(Int, SimulatedCommit)
    case gpuStart(Int, Int)
    case compositorFree
    case ready(Int, Int)
    case refresh(Int64)
    case appStart(Int)
    case appFree(Int)
    case bufferFree(Int, Int)
    case wake

    fileprivate var order: Int {
      switch self {
      case .commit: 0
      case .gpuStart: 1
      case .compositorFree: 2
      case .ready: 3
      case .bufferFree: 4
      case .appFree: 5
      case .refresh: 6
      case .appStart: 7
      case .wake: 8
      }
    }
  }

  private struct Entry {
    let time: Int64
    let number: Int
    let event: Event

    func isBefore(_ other: Entry) -> Bool {
      (time, event.order, number) < (other.time, other.event.order, other.number)
    }
  }

  /// The entries in reverse order: the earliest entry is last.
  private var entries: [Entry] = []
  private var added = 0

  mutating func add(_ event: Event, at time: Int64) {
    let entry = Entry(time: time, number: added, event: event)
    added += 1
    var position = entries.count
    while position > 0, entries[position - 1].isBefore(entry) { position -= 1 }
    entries.insert(entry, at: position)
  }

  mutating func next() -> (time: Int64, event: Event)? {
    entries.popLast().map { ($0.time, $0.event) }
  }
}
