import FrameStatistics
import FrameTrace

/// The causes of the refreshes that a surface's app is charged with.
public struct LateCauses: Hashable, Sendable {
  /// The cause of each charged frame; frames without one are left out.
  public let byFrame: [FrameReference: LateCause]
  /// How many refreshes each kind cost.
  public let refreshes: [LateCause.Kind: Int]
  /// How many refreshes are charged to the app, and how many of these have no known cause.
  public let charged, withoutCause: Int
  /// The refreshes with a kind, counted by what took the time: a slice, a lock's owner, another thread.
  public let byWhat: [LateCause.Kind: [String: Int]]
  /// How many frames were on time and were used for the comparison.
  public let onTime: Int
}

/// Finds causes by comparing the accounts of the main thread for late frames and for frames that were on time.
struct LateCauseSearch {
  private let facts: ThreadFacts
  private let surfaces: [RebuiltSurface]
  /// The usual times of each surface, found on first use.
  private var usual: [Int: [Usual]] = [:]

  /// The maximum number of on-time frames used for comparison, evenly distributed.
  static let mostFrames = 400
  /// The minimum number of these frames, as for the usual times of stages.
  static let fewestFrames = 3
  /// A difference of less than this share of a refresh is not a cause.
  static let leastShare: Int64 = 16
  /// The maximum number of threads through which a wait is followed.
  private static let deepest = 8

  /// What a thread usually does.
  private struct Usual {
    let thread: Int64
    let isMain: Bool
    let n: Int
    let times: [LateCause.Kind: Nanoseconds]
    let slices: [String: Nanoseconds]
    /// The mean clock rate at which the thread ran, in kHz.
    let clock: Double?
  }

  init(_ facts: ThreadFacts, _ surfaces: [RebuiltSurface]) {
    (self.facts, self.surfaces) = (facts, surfaces)
  }

  /// The causes of a surface's drops; `nil` if nothing is known about its threads, or nothing is charged to its app.
  mutating func causes(of drops: DropFindings) -> LateCauses? {
    var (byFrame, refreshes, charged, withoutCause) = (
      [FrameReference: LateCause](), [LateCause.Kind: Int](), 0, 0
    )
    var (byWhat, onTime, isKnown) = ([LateCause.Kind: [String: Int]](), 0, false)
    for drop in drops.drops where drop.refreshes.stage == .app {
      let frame = drop.refreshes.cause
      let count = Int(drop.refreshes.count)
      charged += count
      let usual = usual(of: frame.surface)
      guard let main = usual.first else {
        withoutCause += count
        continue
      }
      (isKnown, onTime) = (true, max(onTime, main.n))
      guard let cause = byFrame[frame] ?? cause(of: frame, usual, budget: drop.budget) else {
        withoutCause += count
        continue
      }
      byFrame[frame] = cause
      refreshes[cause.kind, default: 0] += count
      if let what = cause.named { byWhat[cause.kind, default: [:]][what, default: 0] += count }
    }
    guard isKnown else { return nil }
    return LateCauses(
      byFrame: byFrame, refreshes: refreshes, charged: charged, withoutCause: withoutCause,
      byWhat: byWhat,
      onTime: onTime)
  }

  private mutating func usual(of surface: Int) -> [Usual] {
    if let known = usual[surface] { return known }
    let found = findUsual(surface)
    usual[surface] = found
    return found
  }

  /// The main thread and the thread that draws for it, if enough is known about them; the main thread first.
  private func findUsual(_ index: Int) -> [Usual] {
    let rebuilt = surfaces[index]
    let surface = rebuilt.trace.surfaces[index]
    let stages = rebuilt.timeline.stages
    let rows = Self.onTimeRows(rebuilt.timeline)
    let spans = rows.compactMap { stages.app($0) }
    guard let first = spans.first, let main = facts.mainThread(of: surface, in: first) else {
      return []
    }
    let process = surface.process ?? facts.threads.process(of: main)
    let threads = [main, facts.threads.renderThread(of: process)].compactMap { $0 }
    let found = threads.compactMap { thread -> Usual? in
      let accounts = spans.compactMap { account(of: thread, in: $0, isMain: thread == main) }
      guard accounts.count >= Self.fewestFrames else { return nil }
      return Usual(
        thread: thread, isMain: thread == main, n: accounts.count,
        times: Self.medians(accounts.map(\.times)), slices: Self.medians(accounts.map(\.slices)),
        clock: Self.median(accounts.compactMap(\.clock)))
    }
    return found.first?.isMain == true ? found : []
  }

  /// Frames that were on time, up to a maximum number, evenly distributed.
  static func onTimeRows(_ timeline: SurfaceTimeline) -> [Int] {
    let hasDropped = timeline.hasDropped
    let onTime = (0..<timeline.stages.count).filter { row in
      !hasDropped[row] && timeline.schedule.displayed[row] != nil
        && timeline.stages.app(row).map { !$0.isEmpty } ?? false
    }
    let step = max(1, (onTime.count + mostFrames - 1) / mostFrames)
    return stride(from: 0, to: onTime.count, by: step).map { onTime[$0] }
  }

  private func account(
    of thread: Int64, in span: Range<Timestamp>, isMain: Bool
  ) -> ThreadAccount? {
    ThreadAccount(facts, of: thread, in: span, begins: isMain)
  }

  private static func median(_ rates: [Double]) -> Double? {
    rates.isEmpty ? nil : rates.sorted()[rates.count / 2]
  }

  /// The median of each time, where a frame without a time counts as 0.
  static func medians<Key: Hashable>(
    _ accounts: [[Key: Nanoseconds]]
  ) -> [Key: Nanoseconds] {
    let keys = Set(accounts.flatMap(\.keys))
    var found: [Key: Nanoseconds] = [:]
    for key in keys {
      let times = accounts.compactMap { $0[key] }
      // More than half of the frames have no time.
      guard times.count * 2 >= accounts.count else { continue }
      let all = times + Array(repeating: .zero, count: accounts.count - times.count)
      if let median = all.median, median > .zero { found[key] = median }
    }
    return found
  }

  private func cause(
    of frame: FrameReference, _ threads: [Usual], budget: Nanoseconds
  ) -> LateCause? {
    guard let span = surfaces[frame.surface].timeline.stages.app(frame.row), !span.isEmpty else {
      return nil
    }
    var best: (usual: Usual, account: ThreadAccount, kind: LateCause.Kind, time: Nanoseconds)?
    var most = Nanoseconds.zero
    for usual in threads {
      guard let account = account(of: usual.thread, in: span, isMain: usual.isMain) else {
        continue
      }
      for kind in LateCause.Kind.allCases {
        guard let time = account.times[kind] else { continue }
        let excess = time - (usual.times[kind] ?? .zero)
        guard excess > most else { continue }
        (best, most) = ((usual, account, kind, time), excess)
      }
    }
    guard let (usual, account, kind, time) = best, most.count >= budget.count / Self.leastShare
    else { return nil }
    return cause(usual, account, kind, time, excess: most)
  }

  private func cause(
    _ usual: Usual, _ account: ThreadAccount, _ kind: LateCause.Kind, _ time: Nanoseconds,
    excess: Nanoseconds
  ) -> LateCause {
    let slice =
      kind == .running || kind == .slice ? self.slice(account, usual, of: excess) : nil
    let waits = account.waits[kind] ?? []
    let instead = kind == .processor ? self.instead(account.starved, usual.thread) : nil
    var cause = LateCause(
      thread: facts.threads.name(of: usual.thread), isMain: usual.isMain, kind: kind,
      time: time, usual: usual.times[kind] ?? .zero, n: usual.n,
      what: slice?.name ?? waits.max { $0.span.length < $1.span.length }?.what,
      whatTime: slice?.time, whatUsual: slice.map { usual.slices[$0.name] ?? .zero },
      holders: holders(of: waits, usual.thread), instead: instead?.thread,
      insteadTime: instead?.time)
    if kind == .running, let clock = account.clock, let usualClock = usual.clock {
      (cause.clock, cause.usualClock) = (clock / 1000, usualClock / 1000)
    }
    return cause
  }

  /// The slice with the largest part of a time above the usual; `nil` if no slice has a quarter of that time.
  private func slice(
    _ account: ThreadAccount, _ usual: Usual, of excess: Nanoseconds
  ) -> (name: String, time: Nanoseconds)? {
    let most = account.slices.max {
      ($0.value - (usual.slices[$0.key] ?? .zero), $1.key)
        < ($1.value - (usual.slices[$1.key] ?? .zero), $0.key)
    }
    guard let most, (most.value - (usual.slices[most.key] ?? .zero)) * 4 >= excess else {
      return nil
    }
    return (most.key, most.value)
  }

  /// The thread that ran the longest on the processors that another thread waited for.
  private func instead(
    _ starved: [(span: Range<Timestamp>, processor: Int64?)], _ waiter: Int64
  ) -> (thread: ThreadName, time: Nanoseconds)? {
    var times: [Int64: Nanoseconds] = [:]
    for (span, processor) in starved {
      guard let processor else { continue }
      for (thread, time) in facts.running(on: processor, in: span) where thread != waiter {
        times[thread, default: .zero] += time
      }
    }
    let most = times.max { ($0.value, $1.key) < ($1.value, $0.key) }
    return most.map { (facts.threads.name(of: $0.key), $0.value) }
  }

  /// The threads that waits were for; the first thread's wait was for the second, and so on.
  private func holders(of waits: [ThreadAccount.Wait], _ waiter: Int64) -> [LateCause.Holder] {
    var found: [LateCause.Holder] = []
    var seen: Set<Int64> = [waiter]
    var spans = waits
    let process = facts.threads.process(of: waiter)
    while found.count < Self.deepest {
      var lengths: [Int64: Nanoseconds] = [:]
      for wait in spans {
        if let thread = wait.unblockedBy { lengths[thread, default: .zero] += wait.span.length }
      }
      let most = lengths.max { ($0.value, $1.key) < ($1.value, $0.key) }
      guard let holder = most?.key, seen.insert(holder).inserted else { break }
      var (ran, starved, waited) = (Nanoseconds.zero, Nanoseconds.zero, Nanoseconds.zero)
      var next: [ThreadAccount.Wait] = []
      for wait in spans where wait.unblockedBy == holder {
        for stretch in facts.timelines.stretches(of: holder, in: wait.span) {
          switch stretch.state {
          case .running: ran += stretch.span.length
          case .runnable, .preempted: starved += stretch.span.length
          case .blocked:
            waited += stretch.span.length
            next.append(
              ThreadAccount.Wait(
                span: stretch.span, unblockedBy: stretch.unblockedBy, what: stretch.reason))
          case nil: break
          }
        }
      }
      let own = facts.threads.process(of: holder)
      found.append(
        LateCause.Holder(
          thread: facts.threads.name(of: holder), process: own == process ? nil : own, ran: ran,
          starved: starved, waited: waited))
      // If the holder mostly ran or had no processor, no other thread is to be named.
      guard waited > ran + starved else { break }
      spans = next
    }
    return found
  }
}
