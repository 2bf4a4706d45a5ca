public import FrameTrace

/// The dropped refreshes of a surface, and who lost them.
public struct DropFindings: Hashable, Sendable {
  /// The number of refreshes that repeated an older frame while a newer one was due.
  public let refreshes: Int
  /// How many of these refreshes each stage is charged with.
  public let byStage: [PipelineStage: Int]
  /// How many refreshes there were while the surface was active.
  public let activeRefreshes: Int
  /// The maximum number of dropped refreshes in a row.
  public let longestRun: Int
  /// The dropped refreshes in order of time; a run with one charge is listed once.
  public let drops: [Drop]
  /// The lower rate that the surface deliberately keeps; `nil` where it keeps none.
  public let cadence: CadenceFinding?
  /// Gaps of at least three dropped refreshes, or as long as a rest, between frames that keep a rate
  /// and have only display times; their refreshes count as dropped.
  public let freezes: [Gap]
  /// How many frames are missing from the recording, by frame numbers or buffers; no drop is
  /// reported for the frames after them.
  public let missingFrames: Int
  /// Whether frame numbers show the missing frames; otherwise their buffers do.
  public let isMissingByNumber: Bool
  /// Whether the source uses the end of a frame as the start of the next one, so that a rest of the app looks like its
  /// work.
  public let derivesStarts: Bool
  /// The time in which the surface was seen and active, and the time in which it rested. Neither includes stops of
  /// unknown cause.
  public let activeTime, restTime: Nanoseconds
  /// How many frames were displayed, and how many of these at a refresh that had already shown another frame, which is
  /// impossible on a display.
  public let displayedFrames, sharedRefreshes: Int
  /// The source's own verdicts on late frames; `nil` where it judges none.
  public let stated: StatedCharges?

  /// How far frames and dropped refreshes together exceed the number of refreshes.
  public var excess: Int { max(0, displayedFrames + refreshes - activeRefreshes) }

  /// A stretch without a new frame.
  public struct Gap: Hashable, Sendable {
    /// When the previous frame was first displayed.
    public let time: Timestamp
    /// How long no new frame was displayed.
    public let length: Nanoseconds
  }

  /// How many frames belong to a deliberate lower rate.
  public var cadenceFrames: Int { cadence?.frames ?? 0 }

  /// Dropped refreshes, with the evidence for their cause.
  public struct Drop: Hashable, Sendable {
    /// The refreshes that showed the old frame again.
    public let refreshes: DroppedRefreshes
    /// The time of the first of these refreshes.
    public let time: Timestamp
    /// The stage the due frame was in at that refresh; `nil` where the trace does not say.
    public let heldIn: PipelineStage?
    /// How long each stage of the charged frame took, with its usual time.
    public let stages: [StageTime]
    /// How long each stage may take: an interval of the display.
    public let budget: Nanoseconds
    /// How long the app's UI thread was blocked before it began that frame; `nil` where the trace does not say.
    public let uiThreadBlocked: Nanoseconds?
    /// The source's own verdict on the frame that was due; `nil` where it has none.
    public let verdict: FrameColumn.StatedVerdict?
    /// Whether that frame reached the display by a different path than the previous one, as PresentMon's modes show.
    public let changedMode: Bool
  }

  /// How long a stage took.
  public struct StageTime: Hashable, Sendable {
    /// The stage.
    public let stage: PipelineStage
    /// How long it took for the frame.
    public let time: Nanoseconds
    /// How long it usually takes: the median of the frames that were on time, at most the budget; `nil` with fewer than
    /// three such frames.
    public let usual: Nanoseconds?
  }

  /// The share of the active refreshes that were dropped; `nil` when there were none.
  public var share: Double? {
    activeRefreshes > 0 ? Double(refreshes) / Double(activeRefreshes) : nil
  }
}

extension DropFindings {
  /// Finds the dropped refreshes within a range of time. If due times of too few frames are known, there may be more.
  /// - Returns: `nil` where the trace does not say; ``whyMissing(_:)`` says what is missing.
  init?(
    _ surfaces: [RebuiltSurface], _ index: Int, rows: Range<Int>, within range: Range<Timestamp>
  ) {
    let surface = surfaces[index]
    let schedule = surface.timeline.schedule
    guard DropsUnknown(surface)?.isOfFewDueTimes ?? true else { return nil }
    var drops: [Drop] = []
    for drop in surface.drops {
      guard let drop = drop.clamped(to: range, schedule.grid) else { continue }
      // The cause is rarely on another surface, and copying a surface for each drop would take longer than everything
      // else.
      drops.append(
        drop.cause.surface == index
          ? Self.evidence(drop, surface, cause: surface)
          : Self.evidence(drop, surface, cause: surfaces[drop.cause.surface]))
    }
    self.drops = drops.sorted { $0.refreshes.refresh < $1.refreshes.refresh }
    var byStage: [PipelineStage: Int] = [:]
    for drop in drops { byStage[drop.refreshes.stage, default: 0] += Int(drop.refreshes.count) }
    self.byStage = byStage
    refreshes = byStage.values.reduce(0, +)
    longestRun = Self.longestRun(self.drops)
    activeRefreshes = schedule.activeRefreshes(within: range)
    cadence = CadenceFinding(
      surface.timeline, rows: rows, within: range, activeRefreshes: activeRefreshes)
    freezes = schedule.rowsAfterFreeze.compactMap { row in
      let gap = schedule.refreshBefore(Int(row)).flatMap { before in
        schedule.shownTime(Int(row)).map { schedule.displayTime(at: before)..<$0 }
      }
      return gap.flatMap { Gap($0, within: range) }
    }
    missingFrames = schedule.holes.count
    isMissingByNumber = schedule.holes.isByNumber
    derivesStarts = schedule.isFree && schedule.evidence.derivesStarts
    activeTime = schedule.activeTime(within: range)
    // A stop is outside of the observed time if its frames have no other times.
    restTime = max(
      .zero,
      schedule.observedTime(within: range) - activeTime
        - schedule.stops.unknownTime(within: range))
    let shown = Self.shown(schedule, rows: rows, within: range)
    stated = StatedCharges(
      self.drops, surface.trace.surfaces[surface.timeline.surface].frames, rows: rows,
      hasDropped: surface.timeline.hasDropped)
    displayedFrames = schedule.isVariable ? 0 : shown.count
    sharedRefreshes = schedule.isVariable ? 0 : shown.sharing
  }

  /// How many frames were displayed within a time range, and how many of these at the refresh of an earlier frame.
  private static func shown(
    _ schedule: FrameSchedule, rows: Range<Int>, within range: Range<Timestamp>
  ) -> (count: Int, sharing: Int) {
    let refreshes = rows.lazy.compactMap { schedule.displayed[$0] }.filter {
      range.contains(schedule.displayTime(at: $0))
    }
    var (count, sharing, isInOrder) = (0, 0, true)
    var before: RefreshNumber?
    for refresh in refreshes {
      count += 1
      if let before {
        if refresh == before { sharing += 1 }
        if refresh < before { isInOrder = false }
      }
      before = refresh
    }
    guard !isInOrder else { return (count, sharing) }
    // Only frames that are out of order need memory for a list.
    let sorted = refreshes.sorted()
    return (count, zip(sorted, sorted.dropFirst()).count { $0 == $1 })
  }

  /// Why dropped refreshes of a surface cannot be determined; `nil` when they can.
  package static func whyMissing(_ surface: RebuiltSurface) -> String? {
    DropsUnknown(surface)?.words
  }

  private static func evidence(
    _ drop: DroppedRefreshes, _ own: RebuiltSurface, cause: RebuiltSurface
  ) -> Drop {
    let timeline = own.timeline
    let time = timeline.schedule.grid.time(drop.refresh)
    let times = cause.timeline.stages[drop.cause.row]
    var stages: [StageTime] = []
    for stage in [PipelineStage.app, .compositor, .gpu] {
      guard let length = times.time(in: stage) else { continue }
      let usual = cause.timeline.usual.known(stage, like: times)
      stages.append(StageTime(stage: stage, time: length, usual: usual))
    }
    let surfaces = own.trace.surfaces
    let begun = surfaces[cause.timeline.surface].frames.time(drop.cause.row, .workStart)
    let blocked = begun.flatMap { begun in times.appStart.map { max(.zero, begun - $0) } }
    return Drop(
      refreshes: drop, time: time,
      heldIn: timeline.stages[drop.frame].stage(at: time), stages: stages,
      budget: timeline.schedule.grid.interval(after: drop.refresh), uiThreadBlocked: blocked,
      verdict: surfaces[timeline.surface].frames[drop.frame, .verdict]
        .flatMap(FrameColumn.StatedVerdict.init), changedMode: timeline.changedMode(drop.frame))
  }

  private static func longestRun(_ drops: [Drop]) -> Int {
    var longest: Int64 = 0
    var run: Int64 = 0
    var end: RefreshNumber?
    for drop in drops.map(\.refreshes) {
      run = drop.refresh == end ? run + drop.count : drop.count
      end = drop.refresh + drop.count
      longest = max(longest, run)
    }
    return Int(longest)
  }
}

extension DropFindings.Gap {
  /// - Returns: `nil` where the gap is not in the range.
  fileprivate init?(_ gap: Range<Timestamp>, within range: Range<Timestamp>) {
    guard gap.overlaps(range) else { return nil }
    time = gap.lowerBound
    length = gap.length
  }
}

extension DroppedRefreshes {
  /// The refreshes that lie in a range of time; `nil` when none does.
  fileprivate func clamped(to range: Range<Timestamp>, _ grid: RefreshGrid) -> DroppedRefreshes? {
    let isInside = { (refresh: RefreshNumber) in range.contains(grid.time(refresh)) }
    if isInside(refresh), isInside(refresh + count - 1) { return self }
    let first = range.lowerBound == .earliest ? refresh : max(refresh, grid.first(range.lowerBound))
    let last =
      range.upperBound == .latest
      ? refresh + count : min(refresh + count, grid.first(range.upperBound))
    guard first < last else { return nil }
    return DroppedRefreshes(
      refresh: first, count: last - first, frame: frame, stage: stage, cause: cause,
      isInferred: isInferred, whyUnknown: whyUnknown)
  }
}

/// The lower rate that a surface deliberately keeps.
public struct CadenceFinding: Hashable, Sendable {
  /// How the rate is known.
  public let source: CadenceSource
  /// The time from frame to frame; if it alternates, the mean.
  public let interval: Nanoseconds
  /// How many frames keep the rate, not counting late ones.
  public let frames: Int
  /// Whether an app that aims at every refresh and is too slow for it could show the same pattern.
  public let isInferred: Bool
  /// How many refreshes would be dropped if the app aimed at every refresh; `nil` if this does not apply because the
  /// app could do more or its aim is unknown.
  public let droppedIfEager: Int?
  /// The share of the refreshes in active time that these would be; `nil` whenever ``droppedIfEager`` is `nil`.
  public let shareIfEager: Double?

  /// - Returns: `nil` where no frame keeps a lower rate.
  init?(
    _ timeline: SurfaceTimeline, rows: Range<Int>, within range: Range<Timestamp>,
    activeRefreshes: Int
  ) {
    let schedule = timeline.schedule
    guard let cadence = schedule.cadence else { return nil }
    let hasDropped = timeline.hasDropped
    frames = schedule.cadenceRows.count { rows.contains(Int($0)) && !hasDropped[Int($0)] }
    guard frames > 0 else { return nil }
    source = cadence.source
    interval = cadence.interval
    isInferred = cadence.isInferred
    droppedIfEager = timeline.droppedIfEager.map { ranges in
      ranges.reduce(0) { sum, refreshes in
        sum + refreshes.count { range.contains(schedule.grid.time($0)) }
      }
    }
    shareIfEager = droppedIfEager.flatMap { dropped in
      activeRefreshes > 0 ? Double(dropped) / Double(activeRefreshes) : nil
    }
  }
}

extension DropFindings {
  /// How many refreshes were dropped, out of how many, and by which stages; the stage with the most comes first.
  package var sentence: String {
    guard refreshes > 0 else {
      return "none of \(activeRefreshes) refreshes was dropped"
    }
    let percent = share.map { " (\(FixedNumber.text($0 * 100, decimals: 1)) %)" } ?? ""
    let stages = byStage.sorted { ($1.value, $0.key.words) < ($0.value, $1.key.words) }
      .map { "\($0.value) by \($0.key.words)" }
    return
      "\(refreshes) of \(activeRefreshes) refreshes dropped\(percent): \(stages.joined(separator: ", "))"
  }
}
