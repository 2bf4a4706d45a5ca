package import FrameTrace

/// Why the dropped refreshes of a surface cannot be determined.
package enum DropsUnknown: Hashable {
  case noDisplayTime
  /// The display times lie on no grid.
  case noRefresh
  /// The display may have changed its rate, and the trace does not say when.
  case unknownRates
  /// Too few frames were displayed to show the display's rate.
  case tooFew(Int)
  /// Only one frame was displayed, so nothing could be dropped between two frames.
  case oneFrame
  /// The display waits for frames, and the trace does not say when the display repeated a frame on its own.
  case noRepeats
  case noDueTime
  /// Due times are known for only this many of the frames that follow another frame. Also holds the refreshes that
  /// these dropped.
  case fewDueTimes(Int, of: Int, dropped: Int)
  /// More frames were shown and refreshes dropped than there were refreshes.
  case tooMany(shown: Int, dropped: Int, refreshes: Int)
  /// The display times do not match the refreshes that the source records.
  case offGrid(GridFit, interval: Nanoseconds)
  /// The source does not show that frames were due. Also holds the maximum number of dropped refreshes, the number of
  /// refreshes, and the time between them.
  case unproven(UnprovenDemand, atMost: Int, of: Int, interval: Nanoseconds)

  /// - Returns: `nil` if the dropped refreshes can be determined.
  init?(_ surface: RebuiltSurface) {
    let schedule = surface.timeline.schedule
    if !schedule.hasDisplayed {
      self = .noDisplayTime
    } else if surface.refreshes.source == .assumed
      || (!schedule.hasInterval && schedule.order.rows.count <= DisplayDistances.fewest)
    {
      self = .tooFew(schedule.order.rows.count)
    } else if !schedule.hasInterval {
      self = surface.refreshes.mayHaveChanged ? .unknownRates : .noRefresh
    } else if schedule.isVariable, !surface.refreshes.knowsRepeats {
      self = .noRepeats
    } else if let fit = schedule.gridFit, !fit.isGood {
      self = .offGrid(fit, interval: surface.refreshes.interval ?? schedule.grid.interval)
    } else if let demand = schedule.unjudged {
      self = .unproven(
        demand, atMost: surface.timeline.droppedIfEager?.reduce(0) { $0 + $1.count } ?? 0,
        of: schedule.activeRefreshes(within: .always), interval: schedule.grid.interval)
    } else if schedule.order.rows.count < 2 {
      self = .oneFrame
    } else if !schedule.hasDue {
      self = .noDueTime
    } else if let few = Self.fewDueTimes(surface, rows: 0..<schedule.displayed.count) {
      self = few
    } else if let contradiction = Self.contradiction(surface) {
      self = contradiction
    } else {
      return nil
    }
  }

  /// - Returns: `nil` where due times are known for at least half of the frames.
  static func fewDueTimes(_ surface: RebuiltSurface, rows: Range<Int>) -> DropsUnknown? {
    let counts = DueCounts(surface, rows: rows)
    guard counts.areTooFew else { return nil }
    let dropped = surface.drops.reduce(0) { $0 + (rows.contains($1.frame) ? Int($1.count) : 0) }
    return .fewDueTimes(counts.judged, of: counts.shown, dropped: dropped)
  }

  /// Frames that share a refresh with another frame, or dropped refreshes that did not exist, in numbers too large to
  /// result from counting a refresh at either end of the active time.
  private static func contradiction(_ surface: RebuiltSurface) -> DropsUnknown? {
    let schedule = surface.timeline.schedule
    guard !schedule.isVariable else { return nil }
    return excess(
      shown: shownFrames(surface), dropped: surface.drops.reduce(0) { $0 + Int($1.count) },
      refreshes: schedule.activeRefreshes(within: .always))
  }

  /// More frames and dropped refreshes than there are refreshes; `nil` if they fit. Counting a refresh at either end of
  /// the time explains an excess of one.
  static func excess(shown: Int, dropped: Int, refreshes: Int) -> DropsUnknown? {
    shown + dropped > refreshes + 1
      ? .tooMany(shown: shown, dropped: dropped, refreshes: refreshes) : nil
  }

  /// How many frames were shown at the counted refreshes: those with a display time and, between the first and the last
  /// of these, also those that only the source reports as shown. Other frames may have been shown before or after.
  private static func shownFrames(_ surface: RebuiltSurface) -> Int {
    let displayed = surface.timeline.schedule.displayed
    let frames = surface.trace.surfaces[surface.timeline.surface].frames
    guard frames.has(.fate), let first = displayed.indices.first(where: { displayed[$0] != nil }),
      let last = displayed.indices.last(where: { displayed[$0] != nil })
    else { return displayed.knownCount }
    let shown = FrameColumn.Fate.displayed.rawValue
    return (first...last).count { displayed[$0] != nil || frames[$0, .fate] == shown }
  }

  /// Whether some drops are known, which are a lower bound.
  var isOfFewDueTimes: Bool {
    if case .fewDueTimes = self { return true }
    return false
  }

  /// Whether the reason replaces a headline figure, rather than being shown only where a figure is
  /// missing.
  var isHeadline: Bool {
    switch self {
    case .tooFew, .oneFrame, .offGrid, .unproven, .unknownRates, .fewDueTimes, .tooMany: true
    case .noDisplayTime, .noRefresh, .noRepeats, .noDueTime: false
    }
  }

  /// The finding without its reason; `nil` if drops are not expected to be judged.
  package var shortWords: String? {
    self == .oneFrame ? words : isHeadline ? "drops cannot be judged" : nil
  }

  /// The reason as a sentence.
  package var words: String {
    switch self {
    case .noDisplayTime: return "no frame has a display time"
    case .noRefresh: return "no fixed refresh was found: the display times do not lie on a grid"
    case .unknownRates:
      return
        "drops cannot be judged: the display may have changed its rate (stretches of frames fit multiples of another interval), and no refresh is recorded; --refresh sets the rate"
    case .tooFew(let count):
      return
        "\(count.frames) displayed, too few to judge drops: the refresh interval is unknown; --refresh sets it"
    case .noRepeats:
      return "variable refresh: the trace records no repeated refresh"
    case .oneFrame: return "too few frames to judge drops"
    case .fewDueTimes(let judged, let shown, let dropped):
      let least =
        dropped > 0 ? "; at least \(dropped) refresh\(dropped == 1 ? "" : "es") dropped" : ""
      return
        "drops cannot be judged: due times are known for \(judged) of \(shown.frames)\(least)"
    case .noDueTime: return "the trace does not show when any frame was due"
    case .tooMany(let shown, let dropped, let refreshes):
      return
        "drops cannot be judged: \(shown.frames) shown and \(dropped) refreshes dropped do not fit into \(refreshes) refreshes: repeated frames, wrong display times, or another refresh rate (--refresh sets it)"
    case .offGrid(.steps(let share, _), let interval):
      return
        "drops cannot be judged: only \(Self.percent(share)) of the steps between display times are whole refreshes of \(FixedNumber.text(interval.milliseconds, decimals: 3)) ms; --refresh sets another rate"
    case .offGrid(.phase(let share), _):
      return
        "drops cannot be judged: only \(Self.percent(share)) of the display times come at a refresh, as expected at random"
    case .unproven(let demand, let dropped, let refreshes, let interval):
      let share = refreshes > 0 ? Double(dropped) / Double(refreshes) : 0
      let aim =
        demand.isRate ? ", if the app aims for \(UnprovenDemand.rate(interval)) Hz" : ""
      return
        "drops cannot be judged: \(demand.words); at most \(Self.percent(share)) dropped\(aim)"
    }
  }

  private static func percent(_ share: Double) -> String {
    FixedNumber.text(share * 100, decimals: 1) + " %"
  }
}
