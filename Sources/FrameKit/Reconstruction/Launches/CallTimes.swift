/// How long a thread was in a function, in all of its calls together.
public struct CallTime: Hashable, Sendable {
  public let function: String
  public let library: String?
  /// Whether it is the app's own; `nil` when the source does not tell.
  public let isOwn: Bool?
  /// From entering to leaving it, in nanoseconds.
  public internal(set) var wall: Int64
  /// How long the thread ran in it, in nanoseconds; `nil` when not known.
  public internal(set) var cpu: Int64?
  public internal(set) var count: Int

  /// The time that it cost: of the processor where that is known.
  public var cost: Int64 { cpu ?? wall }
}

/// Finds the functions that a thread spent its time in.
///
/// A function that does little but call another one says nothing: it is left out when nine
/// tenths of its time are in one function that it calls. Where the source tells which functions
/// are the app's own, only those count, as nobody can change the others.
struct CallTimes {
  private struct Call {
    let key: Key
    let span: Range<Int64>
    let cpu: Int64?
    let isOwn: Bool?
  }

  private struct Key: Hashable {
    let function: String
    let library: String?
  }

  /// The calls of a thread by their start, and for each the last end of it and those before.
  private struct Thread {
    let calls: [Call]
    let ends: [Int64]

    init(_ calls: [Call]) {
      // The outer of two that begin together comes first.
      self.calls = calls.sorted {
        ($0.span.lowerBound, $1.span.upperBound) < ($1.span.lowerBound, $0.span.upperBound)
      }
      var last = Int64.min
      ends = self.calls.map { call in
        last = max(last, call.span.upperBound)
        return last
      }
    }

    /// The calls that may reach into a span.
    func calls(in span: Range<Int64>) -> some Sequence<Call> {
      let first = ends.boundary { $0 > span.lowerBound }
      return calls[first...].prefix { $0.span.lowerBound < span.upperBound }
    }
  }

  private let threads: [Int64: Thread]
  /// Whether any function is known to be the app's own.
  private let knowsOwn: Bool

  init(_ trace: Trace) {
    let table = trace.calls
    var calls: [Int64: [Call]] = [:]
    for row in 0..<table.count {
      guard let thread = table[row, .thread], let start = table[row, .start],
        let end = table[row, .end], end > start, let function = table.text(row, .function)
      else { continue }
      calls[thread, default: []].append(
        Call(
          key: Key(function: function, library: table.text(row, .library)), span: start..<end,
          cpu: table[row, .cpu].map { max(0, $0) }, isOwn: table[row, .own].map { $0 == 1 }))
    }
    threads = calls.mapValues(Thread.init)
    knowsOwn = calls.values.contains { $0.contains { $0.isOwn == true } }
  }

  /// The functions of a thread in a span, the most costly first; time and cost of calls that go
  /// beyond the span count by their share in it.
  func all(of thread: Int64, in span: Range<Int64>) -> [CallTime] {
    var found: [Key: CallTime] = [:]
    /// For each function how long it was in each function that it called directly.
    var callees: [Key: [Key: Int64]] = [:]
    var open: [Call] = []
    var depth: [Key: Int] = [:]
    guard let own = threads[thread] else { return [] }
    for call in own.calls(in: span) where isCandidate(call) && call.span.overlaps(span) {
      while let last = open.last, last.span.upperBound <= call.span.lowerBound {
        open.removeLast()
        depth[last.key, default: 1] -= 1
      }
      let part = call.span.clamped(to: span)
      if let caller = open.last, caller.key != call.key {
        callees[caller.key, default: [:]][call.key, default: 0] += Int64(part.count)
      }
      // A function that calls itself is in itself once.
      if depth[call.key, default: 0] == 0 { Self.add(call, part, to: &found) }
      depth[call.key, default: 0] += 1
      open.append(call)
    }
    let telling = found.filter { key, time in
      !(callees[key] ?? [:]).values.contains { $0 * 10 >= time.wall * 9 }
    }
    return telling.values.sorted { ($1.cost, $0.function) < ($0.cost, $1.function) }
  }

  private func isCandidate(_ call: Call) -> Bool { !knowsOwn || call.isOwn == true }

  private static func add(_ call: Call, _ part: Range<Int64>, to found: inout [Key: CallTime]) {
    let share = Double(part.count) / Double(call.span.count)
    let cpu = call.cpu.map { Int64((Double($0) * share).rounded()) }
    guard var known = found[call.key] else {
      found[call.key] = CallTime(
        function: call.key.function, library: call.key.library, isOwn: call.isOwn,
        wall: Int64(part.count), cpu: cpu, count: 1)
      return
    }
    known.wall += Int64(part.count)
    // What is known of some calls only is not known of the function.
    known.cpu = known.cpu.flatMap { sum in cpu.map { sum + $0 } }
    known.count += 1
    found[call.key] = known
  }
}
