import FrameStatistics

/// Positions in a list of frames at which the source's clock jumped back, as a wall clock does when
/// it is set.
///
/// Sorted by time, frames from before and after the jump would be mixed: too many in one second and none in another.
/// Frames that merely finished in a different order are in order again after a few frames. Concatenated dumps in the
/// wrong order cover separate times, or the same frames.
struct ClockJumps {
  /// The nanoseconds to add to the times of a row and the following rows, so that times continue.
  private(set) var shifts: [(row: Int, shift: Int64)] = []
  /// The largest step back of the clock.
  private(set) var longest: Int64 = 0

  /// A shorter step back is not a clock jump.
  private static let shortest: Int64 = 100_000_000
  /// Frames that finished in a different order are at most this far apart.
  private static let longestDisorder: Int64 = 1_000_000_000
  /// The minimum number of frames before and after a jump that must be mixed.
  private static let fewest = 4
  /// How many steps around a jump determine the usual distance between frames.
  private static let around = 16

  /// - Parameters:
  ///   - times: The times in the order of the source, `IntegerColumn.missing` for none.
  ///   - isLeftOut: Whether a row repeats another one.
  ///   - interval: The time from the previous row to a row, as the source states it; `nil` if it does not.
  init(_ times: [Int64], isLeftOut: (Int) -> Bool, interval: (Int) -> Int64?) {
    let rows = times.indices.filter { times[$0] != IntegerColumn.missing && !isLeftOut($0) }
    var shift: Int64 = 0
    for position in rows.indices.dropFirst() {
      let (before, now) = (times[rows[position - 1]], times[rows[position]])
      guard before - now >= Self.shortest else { continue }
      let step = Self.step(rows, position, times)
      let follows =
        before - now >= Self.longestDisorder
        && (interval(rows[position]).map { $0 > 0 && $0 < 10 * step } ?? false)
      guard follows || Self.isMixed(rows, position, times) else { continue }
      longest = max(longest, before - now)
      shift += before - now + step
      shifts.append((rows[position], shift))
    }
  }

  /// Whether times before an index are among those after it.
  private static func isMixed(_ rows: [Int], _ position: Int, _ times: [Int64]) -> Bool {
    let (before, now) = (times[rows[position - 1]], times[rows[position]])
    let earlier = rows[..<position].reversed().prefix { times[$0] > now }
    guard earlier.count >= fewest, let first = earlier.lazy.map({ times[$0] }).min() else {
      return false
    }
    return rows[position...].lazy.prefix { times[$0] < before }.count { times[$0] > first }
      >= fewest
  }

  /// The usual distance between frames around an index: the median of the steps.
  private static func step(_ rows: [Int], _ position: Int, _ times: [Int64]) -> Int64 {
    let near = max(1, position - around)..<min(rows.count, position + around)
    let steps = near.filter { $0 != position }
      .map { times[rows[$0]] - times[rows[$0 - 1]] }.filter { $0 > 0 }.sorted()
    return steps.medianOfSorted ?? 0
  }
}

extension Table<FrameColumn> {
  /// Whether all times stay within the bound of times when rows are shifted.
  fileprivate func hasRoom(for shifts: [(row: Int, shift: Int64)]) -> Bool {
    let furthest = shifts.map(\.shift).max() ?? 0
    return (0..<count).allSatisfy { row in
      times(of: row).allSatisfy { $0 <= Timestamp.bound - furthest }
    }
  }
}

extension TraceBuilder {
  /// Makes the times of frames continue where their clock jumped back. If other records use that
  /// clock too, it is unknown which of them precede the jump, and nothing is changed.
  /// - Parameter surfaces: The surfaces whose frames are out of order.
  mutating func mendJumps(of surfaces: [Int]) {
    let isAlone =
      trace.touches.count == 0 && trace.bufferEvents.count == 0
      && trace.displays.allSatisfy { $0.refreshes.count == 0 }
    for index in surfaces {
      let frames = trace.surfaces[index].frames
      guard let found = frames.timeOrder(by: Self.frameOrder) else { continue }
      let twins = RepeatedRows(frames, order: found.order)
      let intervals = frames.stored(.presentInterval)
      let jumps = ClockJumps(
        frames.orderTimes(by: Self.frameOrder), isLeftOut: twins.repeats,
        interval: { intervals?[$0] })
      guard !jumps.shifts.isEmpty else { continue }
      let length = FixedNumber.text(Nanoseconds(jumps.longest).milliseconds, decimals: 1)
      guard isAlone, frames.hasRoom(for: jumps.shifts) else {
        log.note(
          .clockJump, .dataLoss,
          "backward jumps of the frames' clock, by up to \(length) ms: frames from before and after are mixed",
          count: jumps.shifts.count)
        continue
      }
      var next = 0
      var shift: Int64 = 0
      for row in 0..<frames.count {
        while next < jumps.shifts.count, jumps.shifts[next].row <= row {
          shift = jumps.shifts[next].shift
          next += 1
        }
        trace.surfaces[index].frames.references[row] &+= shift
      }
      log.note(
        .clockJump, .repaired,
        "backward jumps of the frames' clock, by up to \(length) ms: later frames were moved after the earlier ones",
        count: jumps.shifts.count)
    }
  }
}
