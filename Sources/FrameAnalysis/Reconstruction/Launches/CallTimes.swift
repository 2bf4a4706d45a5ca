import FrameStatistics
public import FrameTrace

/// How long a thread was in a function, over all calls.
public struct CallTime: Hashable, Sendable {
  /// The function's name.
  public let function: String
  /// The library that contains the function; `nil` if unknown.
  public let library: String?
  /// Whether the function is the app's; `nil` when the source does not say.
  public let isOwn: Bool?
  /// The time from entering to leaving the function; overlapping calls count once.
  public internal(set) var wall: Nanoseconds
  /// How long the thread ran in the function; `nil` if unknown.
  public internal(set) var cpu: Nanoseconds?
  /// The number of calls.
  public internal(set) var count: Int

  /// The cost of the function: the processor time if known, otherwise the wall time.
  public var cost: Nanoseconds { cpu ?? wall }
}

/// Finds the functions in which a thread spent its time.
///
/// A function that does little except call another function is not informative: it is left out if nine tenths of its
/// time are in one function that it calls. If the source identifies the app's functions, only those count, because the
/// others cannot be changed.
struct CallTimes {
  /// The functions in a stretch of time.
  struct Found {
    /// The functions, the most costly first.
    let functions: [CallTime]
    /// How long the thread ran in functions that take at least a tenth of the stretch, with nested calls counted once;
    /// `nil` if that is unknown for any of these functions.
    let namedCPU: Nanoseconds?

    static let none = Found(functions: [], namedCPU: .zero)
  }

  fileprivate struct Call {
    let key: Key
    let span: Range<Timestamp>
    let cpu: Nanoseconds?
    let isOwn: Bool?

    /// The processor time of a part of the call, in proportion to its length.
    func cpu(in part: Range<Timestamp>) -> Nanoseconds? {
      let share = part.length.ratio(to: span.length)
      return cpu.map { Nanoseconds(rounding: Double($0.count) * share) }
    }
  }

  fileprivate struct Key: Hashable {
    let function: String
    let library: String?
  }

  /// The calls of a thread by start, each with the latest end of that call and the calls before it.
  private struct Thread {
    let calls: [Call]
    let ends: [Timestamp]

    init(_ calls: [Call]) {
      // If two calls begin at the same time, the outer one comes first.
      self.calls = calls.sorted {
        ($0.span.lowerBound, $1.span.upperBound) < ($1.span.lowerBound, $0.span.upperBound)
      }
      var last = Timestamp.earliest
      ends = self.calls.map { call in
        last = max(last, call.span.upperBound)
        return last
      }
    }

    /// The calls that overlap a span.
    func calls(in span: Range<Timestamp>) -> [Call] {
      let first = ends.partitioningIndex { $0 > span.lowerBound }
      return calls[first...].prefix { $0.span.lowerBound < span.upperBound }
        .filter { $0.span.overlaps(span) }
    }
  }

  private let threads: [Int64: Thread]

  /// The maximum number of functions kept per stretch.
  private static let most = 20

  init(_ trace: Trace) {
    let table = trace.calls
    var calls: [Int64: [Call]] = [:]
    var own: [Int64: [Call]] = [:]
    for row in 0..<table.count {
      guard let thread = table[row, .thread], let start = table.time(row, .start),
        let end = table.time(row, .end), end > start, let function = table.text(row, .function)
      else { continue }
      // A thread cannot run for longer than it is in a function.
      let cpu = table.duration(row, .cpu).flatMap {
        (Nanoseconds.zero...(end - start)).contains($0) ? $0 : nil
      }
      let call = Call(
        key: Key(function: function, library: table.text(row, .library)), span: start..<end,
        cpu: cpu, isOwn: table[row, .own].map { $0 == 1 })
      calls[thread, default: []].append(call)
      if call.isOwn == true { own[thread, default: []].append(call) }
    }
    threads = (own.isEmpty ? calls : own).mapValues(Thread.init)
  }

  /// The functions of a thread in a span. Time and cost of calls that extend beyond the span count
  /// in proportion.
  func all(of thread: Int64, in span: Range<Timestamp>) -> Found {
    guard let calls = threads[thread]?.calls(in: span), !calls.isEmpty else { return .none }
    var sums = CallSums()
    for call in calls { sums.add(call, in: span) }
    let functions = sums.telling.sorted { ($1.1.cost, $0.1.function) < ($0.1.cost, $1.1.function) }
    let costly = Set(functions.filter { Self.isTelling($0.1, of: span) }.map(\.0))
    return Found(
      functions: functions.prefix(Self.most).map(\.1),
      namedCPU: Self.cpu(of: calls.filter { costly.contains($0.key) }, in: span))
  }

  /// Whether a function takes a tenth of a stretch or more.
  static func isTelling(_ call: CallTime, of span: Range<Timestamp>) -> Bool {
    call.cost.ratio(to: span.length) * 10 >= 1
  }

  /// The processor time of calls, without calls nested in others.
  private static func cpu(of calls: [Call], in span: Range<Timestamp>) -> Nanoseconds? {
    var sum = Nanoseconds.zero
    var covered = span.lowerBound
    for call in calls {
      let part = max(covered, call.span.lowerBound)..<max(covered, call.span.upperBound)
      let own = part.clamped(to: span)
      if own.isEmpty { continue }
      guard let cpu = call.cpu(in: own) else { return nil }
      sum += cpu
      covered = own.upperBound
    }
    return sum
  }
}

/// The times of functions being summed, from calls in the order of their starts.
private struct CallSums {
  private var found: [CallTimes.Key: CallTime] = [:]
  /// The time up to which each function has been counted.
  private var covered: [CallTimes.Key: Timestamp] = [:]
  /// For each function how long it was in each function that it called directly.
  private var callees: [CallTimes.Key: [CallTimes.Key: Nanoseconds]] = [:]
  private var open: [CallTimes.Call] = []

  mutating func add(_ call: CallTimes.Call, in span: Range<Timestamp>) {
    while let last = open.last, last.span.upperBound <= call.span.lowerBound { open.removeLast() }
    let part = call.span.clamped(to: span)
    // Adds only time that has not been counted yet: recursive calls count once.
    let start = max(part.lowerBound, covered[call.key] ?? part.lowerBound)
    let new = start..<max(start, part.upperBound)
    if let caller = open.last, caller.key != call.key {
      let inside = new.clamped(to: caller.span)
      callees[caller.key, default: [:]][call.key, default: .zero] += inside.length
    }
    if !new.isEmpty {
      count(call, new, isNew: start == part.lowerBound)
      covered[call.key] = new.upperBound
    }
    open.append(call)
  }

  private mutating func count(_ call: CallTimes.Call, _ part: Range<Timestamp>, isNew: Bool) {
    let cpu = call.cpu(in: part)
    guard var known = found[call.key] else {
      found[call.key] = CallTime(
        function: call.key.function, library: call.key.library, isOwn: call.isOwn,
        wall: part.length, cpu: cpu, count: 1)
      return
    }
    known.wall += part.length
    // If a value is missing for any call, it is unknown for the function.
    known.cpu = known.cpu.flatMap { sum in cpu.map { sum + $0 } }
    if isNew { known.count += 1 }
    found[call.key] = known
  }

  /// The functions that do more than call another function.
  var telling: [(CallTimes.Key, CallTime)] {
    found.filter { key, time in
      !(callees[key] ?? [:]).values.contains { $0.ratio(to: time.wall) >= 0.9 }
    }.map { ($0.key, $0.value) }
  }
}
