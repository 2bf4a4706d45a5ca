import FrameStatistics
import FrameTrace

/// The clocks of a trace, with conversions through snapshots of several clocks at once.
///
/// Perfetto, "Synchronization of multiple clock domains".
struct PerfettoClocks {
  private typealias Snapshot = PerfettoSchema.ClockSnapshot

  /// A clock. Clocks 64 to 127 are separate for each sequence.
  struct Clock: Hashable {
    let identifier: UInt64
    /// `nil` for a clock that all sequences share.
    let sequence: UInt64?

    init(_ identifier: UInt64, of sequence: UInt64) {
      self.identifier = identifier
      self.sequence = (64...127).contains(identifier) ? sequence : nil
    }

    private init(shared identifier: UInt64) { (self.identifier, sequence) = (identifier, nil) }

    static let monotonic = Clock(shared: 3)
    static let boottime = Clock(shared: 6)

    /// The name of the clock.
    var name: String {
      switch identifier {
      case 1: "realtime"
      case 2: "realtime, coarse"
      case 3: "monotonic"
      case 4: "monotonic, coarse"
      case 5: "monotonic, raw"
      case 6: "boottime"
      case 9: "TSC"
      case 10: "perf"
      default: "clock \(identifier)"
      }
    }
  }

  /// The times of two clocks at the same instants, ordered by the first clock.
  private struct Edge {
    var from: [Int64] = []
    var to: [Int64] = []

    mutating func add(_ from: Int64, _ to: Int64) {
      let position = self.from.partitioningIndex { $0 > from }
      self.from.insert(from, at: position)
      self.to.insert(to, at: position)
    }

    /// Converts a time using the last snapshot before it, or otherwise the first snapshot.
    func convert(_ time: Int64) -> Int64? {
      guard let first = from.first else { return nil }
      let position = max(0, from.partitioningIndex { $0 > time } - 1)
      let base = time < first ? 0 : position
      let distance = time.subtractingReportingOverflow(from[base])
      let found = to[base].addingReportingOverflow(distance.partialValue)
      return distance.overflow || found.overflow ? nil : found.partialValue
    }
  }

  /// The unit and the counting mode of a sequence's clock.
  private struct Counting {
    var unit: Int64 = 1
    var isIncremental = false
    var last: Int64 = 0
  }

  private var edges: [Clock: [Clock: Edge]] = [:]
  private var countings: [Clock: Counting] = [:]
  /// The clock to which times are converted.
  private(set) var main = Clock.boottime
  private var hasMain = false

  // The last lookup is stored in separate variables so that nothing is copied for each packet.
  /// The clock that was last looked up.
  private var knownClock: Clock?
  /// The unit and counting mode of that clock.
  private var knownCounting: Counting?
  /// That clock's direct conversion to the main clock; `nil` if the conversion takes more steps or does not exist.
  private var knownEdge: Edge?

  /// The clocks linked to the main one, in order, each with its offset at the first snapshot.
  var joined: [(clock: Clock, offset: Int64)] {
    edges.keys.filter { $0 != main && $0.sequence == nil }
      .sorted { $0.identifier < $1.identifier }
      .compactMap { clock in
        guard let edge = edges[clock]?[main], let from = edge.from.first, let to = edge.to.first
        else { return nil }
        let offset = to.subtractingReportingOverflow(from)
        return offset.overflow || offset.partialValue.magnitude > Timestamp.bound
          ? nil : (clock, offset.partialValue)
      }
  }

  /// Reads a `ClockSnapshot`.
  mutating func add(_ snapshot: ProtobufMessage, sequence: UInt64) {
    knownClock = nil
    var times: [(clock: Clock, time: Int64)] = []
    for entry in snapshot.messages(Snapshot.clocks) {
      guard let identifier = entry[Snapshot.Clock.clockID]?.number,
        let raw = entry.integer(Snapshot.Clock.timestamp)
      else { continue }
      let clock = Clock(identifier, of: sequence)
      var counting = Counting()
      counting.unit = max(1, entry.integer(Snapshot.Clock.unitMultiplierNS) ?? 1)
      counting.isIncremental = entry.flag(Snapshot.Clock.isIncremental) ?? false
      let time = raw.multipliedReportingOverflow(by: counting.unit)
      guard !time.overflow else { continue }
      counting.last = time.partialValue
      countings[clock] = counting
      times.append((clock, time.partialValue))
    }
    if let primary = snapshot[Snapshot.primaryTraceClock]?.number, !hasMain {
      main = Clock(primary, of: sequence)
      hasMain = true
    }
    for (one, from) in times {
      for (other, to) in times where other != one {
        edges[one, default: [:]][other, default: Edge()].add(from, to)
      }
    }
  }

  /// A packet's time on the main clock; `nil` if its clock is not linked to the main clock.
  mutating func time(_ raw: Int64, on clock: Clock) -> Int64? {
    look(up: clock)
    var time = raw
    if let counting = knownCounting {
      let scaled = raw.multipliedReportingOverflow(by: counting.unit)
      guard !scaled.overflow else { return nil }
      time = scaled.partialValue
      if counting.isIncremental {
        let sum = counting.last.addingReportingOverflow(time)
        guard !sum.overflow else { return nil }
        time = sum.partialValue
        knownCounting?.last = time
        countings[clock]?.last = time
      }
    }
    if clock == main { return time.magnitude <= Timestamp.bound ? time : nil }
    guard knownEdge != nil else { return convert(time, from: clock) }
    return knownEdge?.convert(time).flatMap { $0.magnitude <= Timestamp.bound ? $0 : nil }
  }

  private mutating func look(up clock: Clock) {
    guard knownClock != clock else { return }
    knownClock = clock
    knownCounting = countings[clock]
    knownEdge = edges[clock]?[main]
  }

  /// Converts a time on a clock to the main clock; `nil` if the two are not linked or the time is
  /// out of range.
  func convert(_ time: Int64, from clock: Clock) -> Int64? {
    unbounded(time, from: clock).flatMap { $0.magnitude <= Timestamp.bound ? $0 : nil }
  }

  private func unbounded(_ time: Int64, from clock: Clock) -> Int64? {
    if clock == main { return time }
    var times: [Clock: Int64] = [clock: time]
    var front = [clock]
    while !front.isEmpty {
      var next: [Clock] = []
      for one in front.sorted(by: Self.order) {
        guard let time = times[one] else { continue }
        for (other, edge) in (edges[one] ?? [:]).sorted(by: { Self.order($0.key, $1.key) })
        where times[other] == nil {
          guard let found = edge.convert(time) else { continue }
          if other == main { return found }
          times[other] = found
          next.append(other)
        }
      }
      front = next
    }
    return nil
  }

  private static func order(_ one: Clock, _ other: Clock) -> Bool {
    (one.identifier, one.sequence ?? 0) < (other.identifier, other.sequence ?? 0)
  }
}
