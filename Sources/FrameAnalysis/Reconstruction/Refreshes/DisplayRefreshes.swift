public import FrameTrace

/// The refreshes of a display, and how they are known.
public struct DisplayRefreshes: Sendable {
  /// How an interval is known.
  public enum Source: String, Sendable, CaseIterable {
    /// Measured from recorded refreshes or from display times: frames followed one another at this
    /// interval.
    case measured
    /// Stated by the source or the user.
    case stated
    /// Inferred from display times: their distances are multiples of the interval, but no frame followed another at
    /// this interval.
    case inferred
    /// Assumed to be 60 Hz, without evidence.
    case assumed
  }

  /// What the refreshes were found from.
  enum Basis: Sendable {
    /// The trace recorded them.
    case recorded
    /// The source names refresh times in addition to frames: when apps should be woken, or frames should be shown.
    case named
    /// The times at which frames were displayed, at a stated interval.
    case stated
    /// The times at which frames were displayed, and nothing else.
    case displayed

    /// Whether the basis does not include display times, so that display times may be later by a panel's delay.
    var isIndependent: Bool { self == .recorded || self == .named }
  }

  /// The refreshes by number; `nil` when the display kept no interval.
  package let grid: RefreshGrid?
  /// The refreshes with estimated numbers, because the rate changed somewhere before them.
  private(set) var guessed: Set<RefreshNumber> = []
  /// How the interval is known; `nil` when there is none.
  public let source: Source?
  let basis: Basis
  /// How well the display times keep the phase of the grid that they were found to lie on: 1 where all
  /// lie on it, near 0 where they lie anywhere. `nil` where the refreshes were recorded or stated, or
  /// where there are several rates.
  public private(set) var coherence: Double?
  /// The share of steps between display times that are whole refreshes, within a quarter; `nil` unless the interval is
  /// stated.
  public private(set) var stepShare: Double?
  /// The number of steps from which the share is computed.
  public private(set) var stepCount = 0
  /// Whether more than a few steps are not whole refreshes, so that frames are counted at the nearest refreshes.
  public var hasUnevenSteps: Bool { stepShare.map { $0 < GridFit.leastSteps } ?? false }
  /// Whether the display times alone show another rate than the stated one.
  private(set) var showsOtherRate = false
  /// Whether frames that were late returned to the grid, as they do on a display but not with a
  /// limiter.
  public private(set) var isProven = false
  /// Whether the refreshes have the source's numbers.
  private(set) var isNumbered = false
  /// Whether the display waits for frames, so that it refreshes whenever a frame arrives.
  public let isVariable: Bool
  /// The stated or observed interval that was rejected in favor of another interval.
  public private(set) var contradicted: Nanoseconds?
  /// Whether the user stated the interval.
  public let isOfUser: Bool
  /// How many refreshes of a faster display one refresh may represent, because the times do not show the difference;
  /// `nil` if no display is likely to have that rate.
  public private(set) var mayBe: Int64?
  /// The interval of that faster display; `nil` where there is none.
  package var mayBeInterval: Nanoseconds? {
    mayBe.flatMap { factor in interval.map { $0 / factor } }
  }
  /// Whether the display may have changed its rate at unknown times, so that no interval is used.
  private(set) var mayHaveChanged = false
  /// The other rates that the display had.
  public private(set) var rates: [Nanoseconds] = []
  /// The numbers of the refreshes that repeated the previous frame, according to the trace, in
  /// order.
  private(set) var repeated: [RefreshNumber] = []
  /// Whether the trace says for any refresh whether it repeated a frame.
  private(set) var knowsRepeats = false
  /// The shortest time between refreshes at a variable rate, as stated by the trace; `nil` if not stated.
  public let shortest: Nanoseconds?
  /// The usual time between refreshes; `nil` when the display kept none and none is stated.
  public let interval: Nanoseconds?

  /// The stretches of time in which the display kept a rate, in order; empty unless it changed its rate. A display at a
  /// variable rate has no such stretches.
  public var rateStretches: [RateStretch] {
    // Refreshes found from display times have several rates only if both are proven.
    guard !isVariable, isRecorded || !rates.isEmpty, let stretches = grid?.rateStretches,
      stretches.count > 1
    else { return [] }
    return stretches
  }

  /// Whether the trace recorded the refreshes themselves.
  public var isRecorded: Bool { basis == .recorded }

  /// How long a scan-out takes on a display at a variable rate: the stated shortest interval, otherwise the shortest
  /// one observed.
  package var scanOutInterval: Nanoseconds? { shortest ?? grid?.shortestStep }

  /// Finds the refreshes of a display.
  /// - Parameters:
  ///   - display: The trace's facts about the display; `nil` when it has none.
  ///   - changes: When frames were displayed on the display.
  init(_ display: Display?, _ changes: @autoclosure () -> DisplayChanges) {
    let stated = display?.interval.flatMap { Self.possible.contains($0) ? $0 : nil }
    isVariable = display?.isVariable ?? false
    shortest = display?.shortestInterval
    let isUsers = stated != nil && display?.isIntervalOfUser == true
    isOfUser = isUsers
    let recorded = display.flatMap { $0.hasSampledRefreshes == true ? nil : RecordedRefreshes($0) }
    if let recorded, !isUsers || Self.agree(recorded.grid.interval, stated) {
      grid = recorded.grid
      interval = recorded.grid.interval
      (isNumbered, repeated) = (recorded.isNumbered, recorded.repeated)
      knowsRepeats = recorded.knowsRepeats
      (source, basis, isProven) = (.measured, .recorded, true)
      return
    }
    let changes = changes()
    let named = recorded == nil ? Self.named(display, changes) : changes.expected
    if isVariable {
      grid = Self.waiting(changes.times)
      (source, basis) = (grid == nil ? nil : .measured, .displayed)
      interval = grid?.interval ?? (changes.times.count < 2 ? stated : nil)
      return
    }
    let found = RefreshRecovery(
      changes, stated: stated, isUsers: isUsers, named: isUsers ? [] : named)
    (grid, source, basis) = (found.grid, found.source, found.basis)
    (guessed, rates, mayBe) = (found.guessed, found.rates, found.mayBe)
    (contradicted, mayHaveChanged) = (found.contradicted, found.mayHaveChanged)
    showsOtherRate = found.own != nil
    if isUsers, let own = recorded?.grid.interval ?? found.own { contradicted = own }
    interval = found.grid?.interval ?? (changes.times.count < 2 ? stated : nil)
    if basis == .stated, let interval {
      let distances = DisplayDistances(changes.ofMainSurface)
      stepShare = distances.share(looselyKeeping: interval)
      stepCount = distances.values.count
    }
    guard basis == .displayed, source != .assumed, let interval, rates.isEmpty else { return }
    let fit = RateFit(changes.times[...], near: interval, within: DisplayRates.tolerance)
    (coherence, isProven) = (fit?.coherence, fit?.isProven ?? false)
  }

  /// Whether an interval is the stated one, within 1 %.
  private static func agree(_ interval: Nanoseconds, _ stated: Nanoseconds?) -> Bool {
    stated.map { ($0 - interval).magnitude * 100 <= $0 } ?? false
  }

  /// The refresh times that the source names in addition to frames.
  private static func named(_ display: Display?, _ changes: DisplayChanges) -> [Timestamp] {
    guard let table = display?.refreshes, table.count > 1 else { return changes.expected }
    return DisplayChanges.inOrder((0..<table.count).compactMap { table.time($0, .time) })
  }

  /// Intervals that a display can have.
  private static let possible = Nanoseconds(500_000)...Nanoseconds(1_000_000_000)

  /// The refreshes of a display that waits for frames: one whenever a frame arrives.
  private static func waiting(_ times: [Timestamp]) -> RefreshGrid? {
    guard times.count > 1 else { return nil }
    let steps = zip(times.dropFirst(), times).map { $0 - $1 }
    return RefreshGrid(
      numbers: RefreshNumber.counted(times.count), times: times,
      interval: max(Nanoseconds(1), steps.upperMedian ?? .zero))
  }
}
