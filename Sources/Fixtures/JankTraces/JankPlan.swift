import FrameKit

/// The work of a pipeline, and its faults. Playing the work with and without the faults shows which refreshes they
/// dropped.
protocol JankPlan {
  /// The faults, in order of their units.
  var faults: [PlannedFault] { get }
  /// Plays the work with the given faults.
  func play(_ faults: [PlannedFault]) -> PlayedWork
}

/// A unit of work with a stage that takes longer.
struct PlannedFault: Sendable {
  var surface = 0
  var unit: Int
  var stage: PipelineStage
  var extra: Int64
  /// Whether the neighboring units are too slow, too, so that no single unit is the culprit.
  var isSustained = false
  /// What delays the app's thread.
  var thread: ScheduledThreads.Fault?
}

/// The outcome of a plan.
struct PlayedWork {
  var trace: Trace
  var surfaces: [PlayedSurface]
  var display: PlayedDisplay
}

/// The units of a surface's work, as displayed.
struct PlayedSurface {
  /// The refresh at which each unit was shown; `nil` if it never was shown.
  var refreshes: [Int64?]
  /// The row of the frame that has each unit; `nil` if no frame has it.
  var rows: [Int?]
  /// Further refreshes that showed something new.
  var otherSwaps: [Int64] = []

  /// The refreshes that showed something new.
  var swaps: Set<Int64> { Set(refreshes.compactMap(\.self)).union(otherSwaps) }
}

/// The refreshes of a display.
enum PlayedDisplay {
  /// Refreshes at times that do not depend on frames.
  case fixed(SimulatedDisplay)
  /// A display that waits for frames: the times of its refreshes, and whether each repeated a frame.
  case waiting([(time: Int64, isRepeated: Bool)])
}

extension PlayedWork {
  /// A refresh that repeated a frame while a unit of work was due.
  struct Dropped {
    var refresh: Int64
    var unit: Int
  }

  /// The refreshes of a surface that repeated an older frame although, without the faults, a unit not yet shown would
  /// have been shown by then.
  func dropped(surface: Int, without clean: PlayedWork) -> [Dropped] {
    switch display {
    case .fixed:
      Self.dropped(surfaces[surface], without: clean.surfaces[surface])
    case .waiting(let refreshes): droppedWhileWaiting(refreshes, surface, without: clean)
    }
  }

  private static func dropped(
    _ played: PlayedSurface, without clean: PlayedSurface
  ) -> [Dropped] {
    let swaps = played.swaps
    guard let first = swaps.min() else { return [] }
    var dropped: [Int64: Int] = [:]
    for unit in played.refreshes.indices {
      guard let due = clean.refreshes[unit], let shown = played.refreshes[unit] else { continue }
      for refresh in max(due, first)..<max(shown, due, first)
      where !swaps.contains(refresh) && dropped[refresh] == nil {
        dropped[refresh] = unit
      }
    }
    return dropped.sorted { $0.key < $1.key }.map { Dropped(refresh: $0.key, unit: $0.value) }
  }

  /// A display that waits shows a frame when the frame is done. The frame is due as long after the previous frame as
  /// without the faults, and every later repetition is a dropped refresh.
  private func droppedWhileWaiting(
    _ refreshes: [(time: Int64, isRepeated: Bool)], _ surface: Int, without clean: PlayedWork
  ) -> [Dropped] {
    let (times, before) = (shownTimes(surface), clean.shownTimes(surface))
    var dropped: [Dropped] = []
    var unit = 0
    for (number, refresh) in refreshes.enumerated() {
      while unit < times.count, times[unit] <= refresh.time { unit += 1 }
      guard refresh.isRepeated, unit > 0, unit < times.count else { continue }
      if refresh.time > times[unit - 1] + before[unit] - before[unit - 1] {
        dropped.append(Dropped(refresh: Int64(number), unit: unit))
      }
    }
    return dropped
  }

  private func shownTimes(_ surface: Int) -> [Int64] {
    let frames = trace.surfaces[surface].frames
    return surfaces[surface].rows.compactMap { row in
      row.flatMap { frames[$0, .displayed] }
    }
  }

  func time(ofRefresh number: Int64) -> Int64 {
    switch display {
    case .fixed(let display): display.time(number)
    case .waiting(let refreshes): refreshes[Int(number)].time
    }
  }
}
