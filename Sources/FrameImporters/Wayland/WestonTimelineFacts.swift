import FrameStatistics
import FrameTrace

/// The facts in a `weston-debug timeline`: when surfaces were committed, when the compositor took
/// them, worked and finished, and the refreshes.
///
/// Weston, `libweston/timeline.c`. All times are on the monotonic clock.
struct WestonTimelineFacts {
  /// The outcome of a commit.
  struct Latch {
    let commit: Int64
    /// When the compositor began the repaint that took the commit; `nil` if no repaint did.
    var start: Int64?
    /// When the compositor had handed over its picture, including its GPU work if that work is stated.
    var end: Int64?
    var displayed: Int64?
    /// The output that took the commit.
    var output: Int64?

    func fill(_ row: inout Table<FrameColumn>.Row, isFinished: Bool) {
      row[.compositorStart] = start
      row[.compositorEnd] = end
      row[.displayed] = row[.displayed] ?? displayed
      // Content that the program wrote itself is finished once it is committed.
      if isFinished, start != nil { row[.queued] = row[.commit] }
    }
  }

  private struct Output {
    var name: String?
    /// When the current repaint began.
    var repaint: Int64?
    var posted: Int64?
    /// The commits that the current repaint took: their surface, and their index among its latches.
    var taken: [(surface: Int64, position: Int)] = []
    var refreshes: [Int64] = []
    /// When repaint loops began.
    var begins: [Int64] = []
    /// The time from each refresh to when the compositor was notified of the refresh.
    var delays: [Int64] = []
    /// The time of each repaint from hand-over to refresh, and the commits that it took.
    var shown: [(length: Int64, taken: [(surface: Int64, position: Int)])] = []

    /// All refreshes. The start of a repaint loop counts as a refresh if the next refresh comes one interval later, as
    /// when only the compositor keeps the time.
    var allRefreshes: [Int64] {
      let shown = refreshes.sorted()
      let steps = zip(shown.dropFirst(), shown).map { $0 &- $1 }.sorted()
      guard let usual = steps.medianOfSorted, usual > 0 else { return shown }
      let distances = begins.compactMap { begin -> Int64? in
        let next = shown.partitioningIndex { $0 > begin }
        return next < shown.count ? abs(shown[next] &- begin &- usual) : nil
      }.sorted()
      guard let typical = distances.medianOfSorted, typical <= usual / 8
      else {
        return shown
      }
      return (shown + begins).sorted()
    }

    /// Whether the compositor times its refreshes itself, without a display: the compositor never waits to be notified
    /// of a refresh.
    var keepsOwnTime: Bool {
      delays.sorted().medianOfSorted.map { $0 < 20_000 } ?? false
    }
  }

  private(set) var latches: [Int64: [Latch]] = [:]
  private var names: [Int64: String] = [:]
  private var outputs: [Int64: Output] = [:]
  /// The commits that no repaint has taken yet, by surface: the index among its latches.
  private var open: [Int64: Int] = [:]
  private(set) var count = 0

  mutating func name(surface: Int64, _ text: String?) { names[surface] = text ?? names[surface] }
  mutating func name(output: Int64, _ text: String?) {
    outputs[output, default: Output()].name = text
  }

  mutating func committed(_ surface: Int64, at time: Int64) {
    count += 1
    latches[surface, default: []].append(Latch(commit: time))
    open[surface] = (latches[surface]?.count ?? 1) - 1
  }

  mutating func began(_ output: Int64, at time: Int64) {
    count += 1
    outputs[output, default: Output()].repaint = time
    outputs[output]?.posted = nil
    outputs[output]?.taken = []
  }

  mutating func took(_ surface: Int64, for output: Int64, at time: Int64) {
    count += 1
    guard let position = open.removeValue(forKey: surface) else { return }
    latches[surface]?[position].start = outputs[output]?.repaint ?? time
    latches[surface]?[position].output = output
    outputs[output, default: Output()].taken.append((surface, position))
  }

  /// Records the hand-over of the repaint, or the end of its GPU work; either can come first.
  mutating func ended(_ output: Int64, at time: Int64) {
    count += 1
    for (surface, position) in outputs[output]?.taken ?? [] {
      let known = latches[surface]?[position].end ?? time
      latches[surface]?[position].end = max(known, time)
    }
    outputs[output]?.posted = time
  }

  mutating func finished(_ output: Int64, refresh: Int64, at time: Int64) {
    count += 1
    // The start of a repaint loop also states a time: the time of the start.
    guard let posted = outputs[output, default: Output()].posted else {
      outputs[output]?.begins.append(refresh)
      return
    }
    outputs[output]?.refreshes.append(refresh)
    outputs[output]?.delays.append(time &- refresh)
    let taken = outputs[output]?.taken ?? []
    outputs[output]?.shown.append((refresh &- posted, taken))
    for (surface, position) in outputs[output]?.taken ?? [] {
      latches[surface]?[position].displayed = refresh
    }
    outputs[output]?.taken = []
    outputs[output]?.posted = nil
  }
}

extension WestonTimelineFacts {
  /// Attributes the delay of late refreshes to a compositor that times them itself: without a
  /// display, only the compositor can delay them.
  /// - Returns: The number of late repaints.
  mutating func settle() -> Int {
    var late = 0
    for output in outputs.values where output.keepsOwnTime {
      let lengths = output.shown.map(\.length).sorted()
      guard let usual = lengths.medianOfSorted else { continue }
      for repaint in output.shown where repaint.length * 2 > usual * 3 {
        late += 1
        for (surface, position) in repaint.taken {
          let displayed = latches[surface]?[position].displayed
          latches[surface]?[position].end = displayed
        }
      }
    }
    return late
  }

  /// The precision in ns to which the clocks of program and compositor are aligned. The compositor
  /// sees a commit slightly later than the program made it.
  private static let slack: Int64 = 1_000_000
  /// The time in ns within which a running compositor takes up a commit.
  private static let usualWay: Int64 = 5_000_000

  /// Finds the surface with the commits of a program, and the outcome of each.
  /// - Parameter commits: When the program made them, in order; `nil` if unknown.
  func match(
    _ commits: [Int64?], except known: Set<Int64>
  ) -> (surface: Int64, latches: [Latch?])? {
    let found = latches.keys.sorted().filter { !known.contains($0) }.map { surface in
      (surface, Self.match(commits, latches[surface] ?? []))
    }
    let best = found.max { left, right in
      (left.1.near, right.0) < (right.1.near, left.0)
    }
    guard let (surface, match) = best, match.near * 2 > commits.count else { return nil }
    return (surface, match.latches)
  }

  /// Matches the commits of a program to the commits that the compositor saw, in order.
  /// - Returns: The outcome of each commit, and the number of commits that were seen promptly.
  private static func match(_ commits: [Int64?], _ seen: [Latch]) -> (latches: [Latch?], near: Int)
  {
    var result = [Latch?](repeating: nil, count: commits.count)
    var (near, next, first) = (0, 0, 0)
    while next < seen.count, first < commits.count {
      guard let commit = commits[first] else {
        first += 1
        continue
      }
      if seen[next].commit < commit - slack {
        next += 1
        continue
      }
      // The commits made by then, and the commits seen before the next commit was made.
      var last = first + 1
      while last < commits.count, let other = commits[last], other <= seen[next].commit + slack {
        last += 1
      }
      let following = last < commits.count ? commits[last] ?? .max : .max
      var end = next + 1
      while end < seen.count, seen[end].commit < following - slack, end - next < last - first {
        end += 1
      }
      // A commit that changes nothing is not seen; the older commits are assumed to be such commits.
      let skipped = (last - first) - (end - next)
      for (position, number) in zip((first + skipped)..<last, next..<end) {
        result[position] = seen[number]
        if let made = commits[position], seen[number].commit &- made < usualWay { near += 1 }
      }
      (first, next) = (last, end)
    }
    return (result, near)
  }

  /// Adds the refreshes, and the surfaces that no connection reported.
  func addRest(to builder: inout TraceBuilder, except known: Set<Int64>) {
    let main = outputs.keys.sorted().max {
      (outputs[$0]?.refreshes.count ?? 0, $1) < (outputs[$1]?.refreshes.count ?? 0, $0)
    }
    var displays: [Int64: Int] = [:]
    for (output, facts) in outputs.sorted(by: { $0.key < $1.key }) {
      let position = builder.display(output == main ? "display" : facts.name ?? "output \(output)")
      displays[output] = position
      var last = Int64.min
      for time in facts.allRefreshes where time > last {
        var row = Table<RefreshColumn>.Row()
        row[.time] = time
        builder.trace.displays[position].refreshes.append(row)
        last = time
      }
    }
    for (surface, latches) in latches.sorted(by: { $0.key < $1.key })
    where !known.contains(surface) {
      let id = "weston_surface \(surface)"
      let position = builder.surface(id) {
        // The output that took most of the surface's commits.
        let counts = Dictionary(grouping: latches.compactMap(\.output)) { $0 }.mapValues(\.count)
        let own = counts.keys.sorted().max { counts[$0] ?? 0 < counts[$1] ?? 0 } ?? main
        return Surface(
          id: id, name: names[surface], display: own.flatMap { displays[$0] }, bufferOwner: .app,
          isComposited: true)
      }
      for latch in latches {
        var row = Table<FrameColumn>.Row()
        row[.commit] = latch.commit
        latch.fill(&row, isFinished: false)
        builder.trace.surfaces[position].frames.append(row)
      }
    }
  }
}
