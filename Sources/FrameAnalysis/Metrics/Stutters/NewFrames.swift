import FrameStatistics
import FrameTrace

/// The times from each new frame of a surface to the next one, without rests: from display to display if displays are
/// known, otherwise frame times.
struct NewFrames {
  /// What the times are measured between.
  enum Basis: String, Sendable {
    case display = "from display to display"
    case frame = "from frame to frame"
  }

  let basis: Basis
  /// How long each frame took, above 0, in nanoseconds.
  private(set) var lengths: [Int64] = []
  /// When each frame ended, in nanoseconds and in order.
  private(set) var ends: [Int64] = []
  /// The row of the frame that took this time, within the surface.
  private(set) var rows: [Int32] = []

  /// The minimum number of displayed frames that show when the picture changed.
  private static let fewestDisplayed = 60

  /// - Returns: `nil` where the source has neither.
  /// - Complexity: O(n log n) in the frames, mostly O(n).
  init?(_ surface: MeasuredSurface) {
    let frames = surface.frames
    let first = surface.rows.lowerBound
    if frames.valueCount(.displayed) >= Self.fewestDisplayed {
      basis = .display
      addSteps(of: .displayed, frames, surface.rests, first) { _ in true }
      return
    }
    guard let used = FrameMetric.frameTime.basis(on: surface) else { return nil }
    basis = .frame
    let wanted = surface.selection(.application).mask(of: frames, knowsDisplay: false)
    let isWanted = { (row: Int) in wanted?[row] ?? 1 == 1 }
    if case .sinceLast(let column) = used.basis.expression {
      addSteps(of: column, frames, surface.rests, first, where: isWanted)
    } else {
      addLengths(used.basis.expression, frames, surface.rests, first, where: isWanted)
    }
  }

  /// Adds the steps between times, except those across a rest.
  private mutating func addSteps(
    of column: FrameColumn, _ frames: Table<FrameColumn>, _ rests: AppRests, _ first: Int,
    where isWanted: (Int) -> Bool
  ) {
    var times: [(time: Int64, row: Int32)] = []
    times.reserveCapacity(frames.count)
    for row in 0..<frames.count where isWanted(row) {
      guard let time = frames.time(row, column) else { continue }
      times.append((time.nanoseconds, Int32(first + row)))
    }
    times.sortNearlySorted { $0.time < $1.time }
    for (before, after) in zip(times, times.dropFirst()) where after.time > before.time {
      let (start, end) = (
        Timestamp(nanoseconds: before.time), Timestamp(nanoseconds: after.time)
      )
      if rests.isBetween(start, end) { continue }
      add(after.time - before.time, end: after.time, after.row)
    }
  }

  /// Adds the lengths that the source states.
  private mutating func addLengths(
    _ expression: FrameExpression, _ frames: Table<FrameColumn>, _ rests: AppRests, _ first: Int,
    where isWanted: (Int) -> Bool
  ) {
    let isUntilNext = expression == .column(.startInterval)
    for row in 0..<frames.count where isWanted(row) {
      guard let length = expression.value(row, of: frames), length > 0,
        rests.reason(against: length, expression, row, of: frames, first: first) == nil
      else { continue }
      let time = frames.reference(row).nanoseconds
      // Times that go backward are counted elsewhere.
      let end = max(isUntilNext ? time + length : time, ends.last ?? .min)
      add(length, end: end, Int32(first + row))
    }
  }

  private mutating func add(_ length: Int64, end: Int64, _ row: Int32) {
    lengths.append(length)
    ends.append(end)
    rows.append(row)
  }
}
