public import FrameTrace

/// Why a frame was late because of its app: what its thread did, or waited for, longer than for frames that were on
/// time.
///
/// A cause is something that takes more time in a late frame. That time is compared with the median of the on-time
/// frames, and the kind with the largest difference is the cause.
public struct LateCause: Hashable, Sendable {
  /// What a thread did or waited for.
  public enum Kind: String, Sendable, CaseIterable {
    /// The thread ran.
    case running
    /// The thread could have run, but had no processor.
    case processor
    /// The thread waited uninterruptibly, mostly for a disk.
    case uninterruptible
    /// The thread waited for a lock.
    case lock
    /// The thread waited for a response from another process.
    case binder
    /// The thread waited for garbage collection.
    case garbage
    /// The thread waited for another thread.
    case thread
    /// The thread waited, and the trace does not say what for.
    case unrecorded
    /// The thread was in a slice; whether it ran there is not recorded.
    case slice
  }

  /// What a thread did while another thread waited for it.
  public struct Holder: Hashable, Sendable {
    /// The thread.
    public let thread: ThreadName
    /// The thread's process, if it differs from the waiting thread's; `nil` otherwise, or if the trace does not say.
    public let process: String?
    /// How long it ran, had no processor, and waited itself.
    public let ran, starved, waited: Nanoseconds

    /// The process if it differs, otherwise the thread.
    package var words: String { process ?? thread.words }
  }

  /// The thread that spent the time.
  public let thread: ThreadName
  /// Whether the thread is the main thread of the process.
  public let isMain: Bool
  /// What the thread did, or waited for.
  public let kind: Kind
  /// How long the thread did or waited for that in the frame, and in the median frame that was on time.
  public let time, usual: Nanoseconds
  /// The number of frames that were on time.
  public let n: Int
  /// The slice that took more of the time than usual, the lock's owner, or what was waited for, in the source's words;
  /// `nil` if the trace does not say.
  public let what: String?
  /// How long that slice took, and usually takes; `nil` if it is not a slice.
  public let whatTime, whatUsual: Nanoseconds?
  /// The mean clock rates at which the thread ran in the frame, and in the median frame that was on time, in MHz; `nil`
  /// if they are not recorded.
  public var clock, usualClock: Double?
  /// The threads that ended the waits, each having waited for the next; empty where that is not known.
  public let holders: [Holder]
  /// The thread that had the processor instead for the longest time; `nil` if the trace does not say.
  public let instead: ThreadName?
  /// How long that thread ran on the processor during that time; `nil` without such a thread.
  public let insteadTime: Nanoseconds?

  /// How far the time exceeds the usual time.
  public var excess: Nanoseconds { time - usual }

  /// Whether the thread ran longer because its processor was slow: at least half of the excess disappears at the usual
  /// clock rate.
  public var isOfSlowClock: Bool {
    guard kind == .running, let clock, let usualClock, usualClock > 0, clock < usualClock else {
      return false
    }
    let atUsual = Double(time.count) * clock / usualClock
    return (atUsual - Double(usual.count)) * 2 <= Double(excess.count)
  }
}

extension LateCause {
  /// What the thread did for too long, and why: one sentence, without the frame.
  package var sentence: String {
    let who = isMain ? "main thread" : thread.words
    let times = "\(Self.text(time)) ms (usually \(Self.text(usual)))"
    switch kind {
    case .running: return "\(who) ran \(times)\(clockWords)\(slice)"
    case .slice: return "\(who) was in slices for \(times)\(slice)"
    default: return "\(who) waited \(times)\(target)\(chain)"
    }
  }

  /// The clock rate, where it explains the time.
  private var clockWords: String {
    guard isOfSlowClock, let clock, let usualClock else { return "" }
    let text = { (rate: Double) in FixedNumber.text(rate / 1000, decimals: 2) }
    return " at \(text(clock)) GHz (usually \(text(usualClock)))"
  }

  /// The slice that took more of the time than usual.
  private var slice: String {
    guard let what, let whatTime else { return "" }
    let usually = whatUsual.map { ", usually \(Self.text($0))" } ?? ""
    return ", \(Self.text(whatTime)) ms of it in \(what)\(usually)"
  }

  /// What was waited for.
  private var target: String {
    let holder = holders.first?.words
    switch kind {
    case .processor:
      let rest = insteadTime.map { " ran \(Self.text($0)) ms there" } ?? ""
      return " for a CPU\(instead.map { ", while \($0.words)\(rest)" } ?? "")"
    case .lock: return " for a lock\((what ?? holder).map { " that \($0) held" } ?? "")"
    case .binder: return " for a binder call\(holder.map { " to \($0)" } ?? "")"
    case .garbage: return " for the garbage collection\(holder.map { " by \($0)" } ?? "")"
    case .thread: return (holder ?? what).map { " for \($0)" } ?? ""
    case .unrecorded: return " for what is not recorded"
    case .uninterruptible: return what.map { ", \($0)" } ?? ", uninterruptible"
    case .running, .slice: return ""
    }
  }

  /// What the awaited threads did. A wait in the kernel is usually ended by whichever thread happened to be
  /// interrupted.
  private var chain: String {
    guard kind != .uninterruptible, let first = holders.first else { return "" }
    // A slice may name a different owner than the thread that ended the wait.
    let isNamed = kind != .lock || what == nil || what == first.words
    var line = isNamed ? "" : ", ended by \(first.words)"
    for (position, holder) in holders.enumerated() {
      var parts: [String] = []
      if holder.ran.count > 0 { parts.append("ran \(Self.text(holder.ran)) ms") }
      if holder.starved.count > 0 {
        parts.append("waited \(Self.text(holder.starved)) ms for a CPU")
      }
      if holder.waited.count > 0 {
        let next =
          holders.indices.contains(position + 1) ? " for \(holders[position + 1].words)" : ""
        parts.append("waited \(Self.text(holder.waited)) ms itself\(next)")
      }
      if parts.isEmpty { break }
      line += ", which \(parts.joined(separator: " and "))"
    }
    return line
  }

  private static func text(_ length: Nanoseconds) -> String {
    FixedNumber.text(length.milliseconds, decimals: 1)
  }

  /// What counts of causes name: a slice, a lock's owner, a location in the kernel, another thread.
  package var named: String? {
    if isOfSlowClock { return "a slower clock" }
    let kernel = ThreadStateColumn.uninterruptible
    let own = what.flatMap { words -> String? in
      if words.hasPrefix("\(kernel) in ") { return String(words.dropFirst("\(kernel) in ".count)) }
      // If the location is not named, nothing is.
      return words.hasPrefix(kernel) ? nil : words
    }
    return own ?? instead?.words ?? holders.first?.words
  }
}

extension LateCause.Kind {
  /// The name of the kind in a list of counts.
  package var words: String {
    switch self {
    case .running: "ran longer"
    case .slice: "was longer in slices"
    case .processor: "waited for a CPU"
    case .uninterruptible: "waited uninterruptibly"
    case .lock: "waited for a lock"
    case .binder: "waited for a binder call"
    case .garbage: "waited for the garbage collection"
    case .thread: "waited for another thread"
    case .unrecorded: "waited for what is not recorded"
    }
  }
}

extension LateCause.Kind {
  /// How the thing that took the time is related to the kind.
  fileprivate var relation: String {
    switch self {
    case .running, .slice, .uninterruptible: "in"
    case .processor: "taken by"
    case .lock: "held by"
    case .binder: "to"
    case .garbage: "by"
    case .thread, .unrecorded: "for"
    }
  }
}

extension LateCauses {
  /// How many refreshes each kind cost, the most costly first.
  package var sentence: String {
    let order = LateCause.Kind.allCases
    let kinds = order.filter { refreshes[$0] ?? 0 > 0 }.sorted {
      (refreshes[$1] ?? 0, order.firstIndex(of: $0) ?? 0)
        < (refreshes[$0] ?? 0, order.firstIndex(of: $1) ?? 0)
    }
    var parts = kinds.map { kind in
      let count = refreshes[kind] ?? 0
      let most = byWhat[kind]?.max { ($0.value, $1.key) < ($1.value, $0.key) }
      let what = most.map { " (\($0.value) \(kind.relation) \($0.key))" }
      return "\(count) \(kind.words)\(what ?? "")"
    }
    if withoutCause > 0 { parts.append("\(withoutCause) without a cause that the trace shows") }
    return
      "why, of \(charged) by the app: \(parts.joined(separator: ", ")); compared with \(onTime) frames in time"
  }
}
