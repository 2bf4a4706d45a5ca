import FrameStatistics
public import FrameTrace

/// The hitches of a surface: frames that were displayed later than they were due.
public struct HitchFindings: Hashable, Sendable {
  /// Where the hitches come from.
  public enum Source: String, Sendable, CaseIterable {
    /// The source of the trace.
    case stated
    /// This analysis, from due and display times.
    case rebuilt
  }

  /// Whether the source states the hitches or they were rebuilt.
  public let source: Source
  /// How late each hitch was, in nanoseconds.
  public let times: [Int64]
  /// Whether the source of the hitches states their lengths as well; otherwise they are from due and display times.
  public let isLengthStated: Bool
  /// How many stated hitches are left out because the source states no length and their frame has no due or display
  /// time.
  public let withoutLength: Int
  /// How many stated hitches are left out because their length is negative.
  public let impossible: Int
  /// The sum of the hitch times for each second of `ratioSpan`, in milliseconds; `nil` if that time is zero.
  public let ratio: Double?
  /// Why there is no ratio; only valid if there is none.
  package let whyNoRatio: String
  /// The kind of time that the ratio is based on.
  public let ratioSpan: RatioSpan
  /// How long that time is; zero if it yields no ratio.
  public let span: Nanoseconds
  /// How many of the hitches stated by the source are due to each kind of work; `nil` for rebuilt hitches, for which
  /// the drops show this.
  public let byKind: [HitchColumn.Kind: Int]?
  /// The individual hitches, in order of time.
  public let list: [ListedHitch]
  /// How the rebuilt hitches compare with those stated by the source; `nil` unless both exist.
  public let agreement: HitchAgreement?

  /// The sum of all hitch times.
  public var total: Nanoseconds { Nanoseconds(times.reduce(0, &+)) }
}

extension HitchFindings {
  /// A time that a hitch time ratio is based on.
  public enum RatioSpan: String, Sendable {
    /// The time in which frames followed each other.
    case activeTime = "active time"
    /// From the first hitch to the end of the last, where a source reports only hitches.
    case hitches = "time from the first hitch to the end of the last"
  }

  /// Apple's scales for the hitch time ratio.
  public enum Scale: String, Sendable, CaseIterable {
    /// Below 5 ms/s good, up to 10 a warning, above that critical: "Eliminate animation hitches with XCTest", WWDC
    /// 2020.
    case wwdc20
    /// Up to 10 ms/s good, up to 25 a warning, up to 50 critical, above that immediate: the Xcode Organizer.
    case organizer

    /// The grade of a ratio on the scale.
    public func grade(_ ratio: Double) -> String {
      switch self {
      case .wwdc20: ratio < 5 ? "good" : ratio <= 10 ? "warning" : "critical"
      case .organizer:
        ratio <= 10 ? "good" : ratio <= 25 ? "warning" : ratio <= 50 ? "critical" : "immediate"
      }
    }
  }

  /// Finds the hitches within a range of time.
  /// - Returns: `nil` where the trace does not say.
  init?(_ trace: Trace, _ surface: RebuiltSurface, within range: Range<Timestamp>) {
    let active = surface.timeline.schedule.activeTime(within: range)
    var span = active
    var isOfHitches = false
    let rebuilt = Hitch.all(trace, surface)?.filter { range.contains($0.start) }
    if let (all, withoutLength) = StatedHitch.all(
      trace, surface.timeline.surface, within: range)
    {
      self.withoutLength = withoutLength
      isLengthStated = all.contains(where: \.isLengthStated)
      let stated = all.filter { $0.length >= .zero }
      impossible = all.count - stated.count
      source = .stated
      times = stated.map(\.length.count)
      byKind = Dictionary(grouping: stated, by: \.kind).mapValues(\.count)
      let process = trace.surfaces[surface.timeline.surface].process
      list = stated.map { ListedHitch($0, process: process) }.sorted { $0.time < $1.time }
      agreement = rebuilt.map { HitchAgreement(stated, $0, trace, surface) }
      // Hitches outside the observed frames say nothing about the observed time.
      let seen = surface.timeline.schedule.observed
      let areSeen = stated.allSatisfy { hitch in
        seen.map { $0.lowerBound <= hitch.end && hitch.end <= $0.upperBound } ?? false
      }
      if active == .zero || !areSeen { (span, isOfHitches) = (Self.span(of: stated), true) }
    } else {
      guard let rebuilt else { return nil }
      source = .rebuilt
      (impossible, withoutLength, isLengthStated) = (0, 0, false)
      times = rebuilt.map(\.length.count)
      (byKind, agreement) = (nil, nil)
      let process = trace.surfaces[surface.timeline.surface].process
      list = rebuilt.map { ListedHitch($0, process: process) }
    }
    let sum = times.reduce(0) { $0 + Double($1) }
    // Hitches cannot be longer than the time that contains them.
    let fits = span <= .zero || sum <= Double(span.count)
    ratio = span > .zero && fits ? Millionths.value(sum) / span.seconds : nil
    whyNoRatio =
      fits
      ? "there was no active time, and fewer than \(Self.leastForSpan) hitches to measure between"
      : "the hitches are longer than the \((isOfHitches ? RatioSpan.hitches : .activeTime).rawValue)"
    ratioSpan = isOfHitches ? .hitches : .activeTime
    self.span = span
  }

  /// The minimum number of hitches for a time from the first to the last: with `n` hitches, this time is too short by
  /// about one part in `n`.
  private static let leastForSpan = 10

  /// The time from the first hitch to the end of the last; zero if there are too few.
  private static func span(of hitches: [StatedHitch]) -> Nanoseconds {
    guard hitches.count >= leastForSpan, let start = hitches.map(\.start).min(),
      let end = hitches.map(\.end).max()
    else { return .zero }
    return max(.zero, end - start)
  }
}

/// A hitch and its known details.
public struct ListedHitch: Hashable, Sendable {
  /// When the frame should have been on the display.
  public let time: Timestamp
  /// How much later the frame was displayed.
  public let length: Nanoseconds
  /// The process of the frame; `nil` when not known.
  public let process: String?
  /// The source's own description; `nil` if there is none.
  public let narrative: String?
  /// The row of the frame; `nil` if the source does not say.
  public let frame: Int?

  init(_ hitch: StatedHitch, process: String?) {
    (time, length, narrative, frame) = (hitch.start, hitch.length, hitch.narrative, hitch.frame)
    self.process = hitch.process ?? process
  }

  init(_ hitch: Hitch, process: String?) {
    (time, length, self.process, narrative) = (hitch.start, hitch.length, process, nil)
    frame = hitch.row
  }
}

/// A frame that was displayed later than it was due.
struct Hitch {
  /// The row of the frame.
  let row: Int
  /// The due time, or the refresh after the previous frame, whichever is later.
  let start: Timestamp
  /// The time from the start of the hitch until the frame was displayed.
  let length: Nanoseconds
}

extension Hitch {
  /// The hitches of a surface in order of time, by due and display times.
  /// - Returns: `nil` where the trace does not say.
  static func all(_ trace: Trace, _ surface: RebuiltSurface) -> [Hitch]? {
    let schedule = surface.timeline.schedule
    if schedule.isVariable { return againstExpected(trace, surface) }
    guard DropFindings.whyMissing(surface) == nil else { return nil }
    var hitches: [Int: (start: Timestamp, length: Nanoseconds)] = [:]
    for late in surface.timeline.late where !late.dropped.isEmpty {
      // Frames that were replaced before they were shown are part of the hitch of the frame that was shown.
      guard let row = schedule.shownBy[late.row] else { continue }
      for dropped in late.dropped {
        let start = schedule.displayTime(at: dropped.lowerBound)
        let length = schedule.displayTime(at: dropped.upperBound) - start
        let known = hitches[row]
        hitches[row] = (min(known?.start ?? start, start), (known?.length ?? .zero) + length)
      }
    }
    return hitches.map { Hitch(row: $0.key, start: $0.value.start, length: $0.value.length) }
      .sorted { ($0.start, $0.row) < ($1.start, $1.row) }
  }

  /// The hitches on a display that waits for frames, measured against the times at which the source expected the
  /// frames.
  private static func againstExpected(_ trace: Trace, _ surface: RebuiltSurface) -> [Hitch]? {
    let frames = trace.surfaces[surface.timeline.surface].frames
    guard frames.has(.expectedDisplay) else { return nil }
    // A panel shows all frames a constant later than expected; a frame within half an interval of this delay is on
    // time.
    let distances = (0..<frames.count).compactMap { row in
      frames.time(row, .displayed).flatMap { shown in
        frames.time(row, .expectedDisplay).map { shown - $0 }
      }
    }.sorted()
    let half = (surface.refreshes.scanOutInterval ?? .zero) / 2
    let middle = distances.medianOfSorted ?? .zero
    let offset = (middle / 2).magnitude <= half / 2 ? middle : .zero
    var before: Timestamp?
    var hitches: [Hitch] = []
    for row in 0..<frames.count {
      guard let shown = frames.time(row, .displayed) else { continue }
      defer { before = shown }
      guard let stated = frames.time(row, .expectedDisplay), let before else { continue }
      let expected = stated + offset
      let start = max(expected, before + (surface.refreshes.shortest ?? .zero))
      let length = shown - start
      if length > half { hitches.append(Hitch(row: row, start: start, length: length)) }
    }
    return hitches
  }
}

/// A hitch as the source of a trace states it.
struct StatedHitch {
  /// When its frame should have been on the display, and how much later it was displayed.
  let start: Timestamp
  let length: Nanoseconds
  /// Whether the source states the length; otherwise it is from the frame's due and display times.
  let isLengthStated: Bool
  let kind: HitchColumn.Kind
  let process, narrative: String?
  /// The row of the late frame; `nil` if the source does not say.
  let frame: Int?

  var end: Timestamp { start + length }

  /// The stated hitches of a surface that begin within a range of time, and how many others have no length.
  /// - Returns: `nil` if the source states no hitches for the surface at all.
  static func all(
    _ trace: Trace, _ surface: Int, within range: Range<Timestamp>
  ) -> (hitches: [StatedHitch], withoutLength: Int)? {
    let (hitches, frames) = (trace.statedHitches, trace.surfaces[surface].frames)
    let own = (0..<hitches.count).filter { row in
      hitches[row, .surface].map { $0 == Int64(surface) } ?? (trace.surfaces.count == 1)
    }
    guard !own.isEmpty else { return nil }
    var (found, withoutLength) = ([StatedHitch](), 0)
    for row in own {
      guard let start = hitches.time(row, .start), range.contains(start) else { continue }
      let frame = hitches[row, .frame].map(Int.init)
      let stated = hitches.duration(row, .duration)
      guard let length = stated ?? frame.flatMap({ lateness($0, frames) }) else {
        withoutLength += 1
        continue
      }
      found.append(
        StatedHitch(
          start: start, length: length, isLengthStated: stated != nil,
          kind: hitches[row, .kind].flatMap(HitchColumn.Kind.init) ?? .unknown,
          process: hitches.text(row, .process), narrative: hitches.text(row, .narrative),
          frame: frame))
    }
    return (found, withoutLength)
  }

  /// How much later than due a frame was displayed; zero for an early frame.
  private static func lateness(_ row: Int, _ frames: Table<FrameColumn>) -> Nanoseconds? {
    guard row < frames.count, let due = frames.time(row, .expectedDisplay),
      let shown = frames.time(row, .displayed)
    else { return nil }
    return max(.zero, shown - due)
  }
}
