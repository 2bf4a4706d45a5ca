public import FrameTrace

/// How much of a recording the frames of a surface cover.
public struct Coverage: Hashable, Sendable {
  /// From the first instant of a frame to the last, minus stops in which it is unknown whether anything was due.
  public let frames: Nanoseconds
  /// The same for the frames of all surfaces together.
  public let allFrames: Nanoseconds
  /// The length of the recording, or of the selected part of it.
  public let recording: Nanoseconds
  /// How many frames followed another frame without a rest in between, not counting generated ones, and how many of
  /// these have a known due time; `nil` if no due times were rebuilt.
  public let shown, judged: Int?

  /// The share of the recording that the frames cover, from 0 to 1.
  public var share: Double { recording > .zero ? frames.seconds / recording.seconds : 1 }

  /// Whether the frames cover less than half of the recording.
  public var isShort: Bool { frames * 2 < recording }

  /// Whether the frames of all surfaces cover less than half of the recording, so that most of it
  /// cannot be judged.
  public var isPartial: Bool { allFrames * 2 < recording }
}

extension Coverage {
  /// - Parameter time: The time that the trace's frames cover.
  /// - Returns: `nil` where no frame has a time, or the trace was not read in full.
  init?(_ measured: MeasuredSurface, in time: CoveredTime) {
    guard let own = time.stretches[measured.index] else { return nil }
    recording = time.length
    frames = own.reduce(.zero) { $0 + $1.length }
    allFrames = time.allFrames
    guard let rebuilt = measured.rebuilt, rebuilt.timeline.schedule.hasInterval else {
      (shown, judged) = (nil, nil)
      return
    }
    let counts = DueCounts(rebuilt, rows: measured.rows)
    (shown, judged) = (counts.shown, counts.judged)
  }
}

/// How many frames of a surface followed another frame, and how many of these have a due time.
struct DueCounts {
  private(set) var shown = 0
  private(set) var judged = 0

  /// Whether too few of these frames have a due time for drops to be judged.
  var areTooFew: Bool { judged * 2 < shown }

  init(_ rebuilt: RebuiltSurface, rows: Range<Int>) {
    let (schedule, stages) = (rebuilt.timeline.schedule, rebuilt.timeline.stages)
    let afterRest = Set(schedule.rowsAfterRest)
    for row in rows where schedule.displayed[row] != nil && !stages.isGenerated(row) {
      guard schedule.refreshBefore(row) != nil, !afterRest.contains(Int32(row)) else { continue }
      shown += 1
      if schedule.due[row] != nil { judged += 1 }
    }
  }
}

/// The time that the frames of a trace's surfaces cover.
struct CoveredTime {
  /// The length of the trace, or of the selected part.
  let length: Nanoseconds
  /// For each surface with times, by its index, the time from its first frame to its last, without stops that are not
  /// judged.
  let stretches: [Int: [Range<Timestamp>]]
  /// The length of all stretches together; overlaps count once.
  let allFrames: Nanoseconds

  /// - Parameter whole: From the first to the last instant of the trace.
  init(_ pipeline: Pipeline, _ whole: ClosedRange<Timestamp>, _ region: TraceRegion?) {
    let start = max(whole.lowerBound, region?.start ?? whole.lowerBound)
    let part = start..<max(start, min(whole.upperBound, region?.end ?? whole.upperBound))
    length = part.length
    var found: [Int: [Range<Timestamp>]] = [:]
    for (index, surface) in pipeline.trace.surfaces.enumerated() {
      let schedule = pipeline.surfaces.isEmpty ? nil : pipeline.surfaces[index].timeline.schedule
      guard let seen = surface.frames.timeRange else { continue }
      let range = (seen.lowerBound..<seen.upperBound).clamped(to: part)
      found[index] = Self.without(schedule?.stops.unjudgedRanges ?? [], range)
    }
    stretches = found
    var (sum, covered) = (Nanoseconds.zero, Timestamp.earliest)
    for stretch in found.values.joined().sorted(by: { $0.lowerBound < $1.lowerBound }) {
      let start = max(stretch.lowerBound, covered)
      if stretch.upperBound > start { sum += stretch.upperBound - start }
      covered = max(covered, stretch.upperBound)
    }
    allFrames = sum
  }

  /// A range without stops.
  private static func without(
    _ stops: [Range<Timestamp>], _ range: Range<Timestamp>
  ) -> [Range<Timestamp>] {
    var stretches: [Range<Timestamp>] = []
    var start = range.lowerBound
    for stop in stops.sorted(by: { $0.lowerBound < $1.lowerBound }) where stop.overlaps(range) {
      if stop.lowerBound > start { stretches.append(start..<stop.lowerBound) }
      start = max(start, min(stop.upperBound, range.upperBound))
    }
    if start < range.upperBound { stretches.append(start..<range.upperBound) }
    return stretches
  }
}
