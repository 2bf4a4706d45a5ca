import FrameStatistics
import FrameTrace

/// The clocks of a trace, and how to get from one to another: through snapshots of several at once.
///
/// Perfetto, "Synchronization of multiple clock domains".
struct PerfettoClocks {
  private typealias Snapshot = PerfettoSchema.ClockSnapshot

  /// A clock. Those from 64 to 127 are each sequence's own.
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

    /// What it is called.
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

  /// Two clocks at the same instants, by the first one's times.
  private struct Edge {
    var from: [Int64] = []
    var to: [Int64] = []

    mutating func add(_ from: Int64, _ to: Int64) {
      let place = self.from.boundary { $0 > from }
      self.from.insert(from, at: place)
      self.to.insert(to, at: place)
    }

    /// By the last snapshot before, else the first one.
    func convert(_ time: Int64) -> Int64? {
      guard let first = from.first else { return nil }
      let place = max(0, from.boundary { $0 > time } - 1)
      let base = time < first ? 0 : place
      let distance = time.subtractingReportingOverflow(from[base])
      let found = to[base].addingReportingOverflow(distance.partialValue)
      return distance.overflow || found.overflow ? nil : found.partialValue
    }
  }

  /// How a sequence's clock counts.
  private struct Counting {
    var unit: Int64 = 1
    var isIncremental = false
    var last: Int64 = 0
  }

  private var edges: [Clock: [Clock: Edge]] = [:]
  private var countings: [Clock: Counting] = [:]
  /// The clock that times are given on.
  private(set) var main = Clock.boottime
  private var hasMain = false

  /// A clock that packets are on, as it was looked up last.
  private struct Known {
    let clock: Clock
    let counting: Counting?
    /// How to get to the main clock in one step; `nil` where it takes more, or none.
    let edge: Edge?
  }

  private var known: Known?

  /// The clocks that were joined to the main one, in order, with the distance at their first snapshot.
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

  /// Takes a `ClockSnapshot` in.
  mutating func add(_ snapshot: ProtobufMessage, sequence: UInt64) {
    known = nil
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

  /// A packet's time on the main clock; `nil` where nothing joins its clock to that.
  mutating func time(_ raw: Int64, on clock: Clock) -> Int64? {
    let known = known(clock)
    var time = raw
    if var counting = known.counting {
      let scaled = raw.multipliedReportingOverflow(by: counting.unit)
      guard !scaled.overflow else { return nil }
      time = scaled.partialValue
      if counting.isIncremental {
        // What was looked up does not keep what changes with each packet.
        let last = countings[clock]?.last ?? counting.last
        let sum = last.addingReportingOverflow(time)
        guard !sum.overflow else { return nil }
        time = sum.partialValue
        counting.last = time
        countings[clock] = counting
      }
    }
    if clock == main { return time.magnitude <= Timestamp.bound ? time : nil }
    guard let edge = known.edge else { return convert(time, from: clock) }
    return edge.convert(time).flatMap { $0.magnitude <= Timestamp.bound ? $0 : nil }
  }

  private mutating func known(_ clock: Clock) -> Known {
    if let known, known.clock == clock { return known }
    let found = Known(clock: clock, counting: countings[clock], edge: edges[clock]?[main])
    known = found
    return found
  }

  /// A time on a clock as one on the main clock; `nil` where nothing joins the two, or where no clock
  /// goes that far.
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
