package import FrameTrace

/// What the app's main thread, and the threads that it waited for, did around a frame.
package struct ThreadWindow {
  /// A thread with its known data.
  package struct Lane {
    package let name: String
    /// The thread's states in order: a span and what the thread did.
    package let states:
      [(span: Range<Timestamp>, state: ThreadStateColumn.State, isUninterruptible: Bool)]
  }

  /// The frame, and the app's work on it.
  package let frame: Int
  package let app: Range<Timestamp>
  /// The time that is shown: the work, plus a quarter of its length before and after.
  package let range: ClosedRange<Timestamp>
  /// The main thread first, then the threads that ended its waits or had its processor.
  package let lanes: [Lane]
  /// The main thread's slices; an outer slice comes before those inside it.
  package let slices: [(span: Range<Timestamp>, name: String, depth: Int)]
  /// Why the frame was late; `nil` if unknown, or if the frame was not late.
  package let cause: LateCause?

  /// The maximum number of threads shown in addition to the main one.
  static let mostOthers = 6
  /// The maximum number of slice levels shown.
  static let deepest = 4

  /// - Returns: `nil` where nothing is known about the main thread at that frame.
  init?(_ facts: ThreadFacts, _ rebuilt: RebuiltSurface, frame row: Int, cause: LateCause?) {
    let surface = rebuilt.trace.surfaces[rebuilt.timeline.surface]
    guard row >= 0, row < surface.frames.count, let app = rebuilt.timeline.stages.app(row),
      !app.isEmpty
    else { return nil }
    guard let main = facts.mainThread(of: surface, in: app) else { return nil }
    let margin = app.length / 4
    let shown = app.lowerBound - margin..<app.upperBound + margin
    let own = facts.timelines.stretches(of: main, in: shown)
    let slices = facts.slices.slices(of: main, in: shown)
    guard !own.isEmpty || !slices.isEmpty else { return nil }
    let drawing = cause.map { $0.isMain ? [] : [$0.thread.identifier] } ?? []
    let others =
      drawing + (cause?.holders.map(\.thread.identifier) ?? [])
      + [cause?.instead?.identifier].compactMap { $0 }
      + own.compactMap(\.unblockedBy)
    var seen: Set<Int64> = [main]
    let threads = others.filter { seen.insert($0).inserted }.prefix(Self.mostOthers)
    lanes = ([main] + threads).map { thread in
      let name = facts.threads.name(of: thread).words
      let process = thread == main ? nil : facts.threads.process(of: thread)
      return Lane(
        name: thread == main
          ? "main thread" : [process, name].compactMap { $0 }.joined(separator: " "),
        states: Self.states(of: facts.timelines.stretches(of: thread, in: shown)))
    }
    self.slices = Self.nested(slices, in: shown, deepest: Self.deepest)
    (frame, self.app, self.cause) = (row, app, cause)
    range = shown.lowerBound...shown.upperBound
  }
}

extension ThreadWindow {
  /// The states of a thread in the form that a lane uses; unknown states are left out.
  static func states(of stretches: [ThreadTimelines.Stretch]) -> [(
    span: Range<Timestamp>, state: ThreadStateColumn.State, isUninterruptible: Bool
  )] {
    stretches.compactMap { stretch in
      stretch.state.map { state in
        (
          stretch.span, state,
          stretch.reason?.hasPrefix(ThreadStateColumn.uninterruptible) ?? false
        )
      }
    }
  }

  /// Slices with the number of other slices that contain each, up to a maximum depth.
  static func nested(
    _ slices: [ThreadSlices.Slice], in shown: Range<Timestamp>, deepest: Int
  ) -> [(span: Range<Timestamp>, name: String, depth: Int)] {
    var open: [Range<Timestamp>] = []
    return slices.compactMap { slice in
      while let last = open.last, last.upperBound <= slice.span.lowerBound { open.removeLast() }
      open.append(slice.span)
      return open.count <= deepest
        ? (slice.span.clamped(to: shown), slice.name, open.count - 1) : nil
    }
  }
}

extension MeasuredSurface {
  /// The app's work on a frame; `nil` where that is not known.
  package func appWork(on row: Int) -> Range<Timestamp>? { rebuilt?.timeline.stages.app(row) }

  /// What threads did around a frame; for `nil`, the frame with the longest run of drops that has a cause.
  package func threads(around frame: Int?) -> ThreadWindow? {
    guard let rebuilt, let facts = threadFacts() else { return nil }
    let worst = drops?.drops.filter {
      $0.refreshes.cause.surface == index && causes?.byFrame[$0.refreshes.cause] != nil
    }.max { $0.refreshes.count < $1.refreshes.count }?.refreshes.cause.row
    let row = frame ?? worst ?? 0
    let cause = causes?.byFrame.first { $0.key.surface == index && $0.key.row == row }?.value
    return ThreadWindow(facts, rebuilt, frame: row, cause: cause)
  }
}
