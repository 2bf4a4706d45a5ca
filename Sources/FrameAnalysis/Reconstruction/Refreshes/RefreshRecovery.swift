import FrameTrace

/// Finds the refreshes of a display that were not recorded individually.
///
/// Facts from the source come first: refresh times that it names in addition to frames, then the
/// interval that it states. Only where it has neither are the display times of frames used alone.
struct RefreshRecovery {
  /// The refreshes; `nil` if there are too few times, or if they lie on no grid.
  private(set) var grid: RefreshGrid?
  private(set) var source: DisplayRefreshes.Source?
  private(set) var basis = DisplayRefreshes.Basis.displayed
  /// The refreshes with estimated numbers, because the rate changed somewhere before them.
  private(set) var guessed: Set<RefreshNumber> = []
  /// The intervals of the display's rates other than the usual one.
  private(set) var rates: [Nanoseconds] = []
  /// Whether the display may have changed its rate at unknown times, so that no interval is used.
  private(set) var mayHaveChanged = false
  /// How many refreshes of a faster display one refresh may also represent.
  private(set) var mayBe: Int64?
  /// The stated interval, if a different one was found.
  private(set) var contradicted: Nanoseconds?
  /// The interval found from display times alone, if the stated one was used; `nil` if both agree, or if none was
  /// found.
  private(set) var own: Nanoseconds?

  /// - Parameters:
  ///   - changes: When frames were displayed.
  ///   - stated: The interval that the source or the user states.
  ///   - isUsers: Whether the user states it; the user's value takes precedence.
  ///   - named: The refresh times that the source names.
  init(
    _ changes: DisplayChanges, stated: Nanoseconds?, isUsers: Bool = false, named: [Timestamp]
  ) {
    if takeNamed(named, stated) { return }
    if let stated {
      consume(stated, isUsers: isUsers, changes)
    } else if !takeDisplayed(changes), let first = changes.times.first,
      changes.times.count <= Self.mostAssumed
    {
      source = .assumed
      grid = RefreshGrid(
        numbers: [RefreshNumber(0)], times: [first], interval: RefreshGrid.sixtyHertz)
    }
  }

  /// With at most this many display times and no other evidence, the interval is assumed.
  private static let mostAssumed = 3

  /// Uses the refreshes that the source names. If the source names only one in several, the interval that it also
  /// states is the display's.
  /// - Returns: Whether the named refreshes lie on a grid.
  private mutating func takeNamed(_ named: [Timestamp], _ stated: Nanoseconds?) -> Bool {
    let distances = DisplayDistances(named)
    guard let unit = MeasuredInterval.unit(distances) else { return false }
    let part = stated.flatMap { Self.isWhole(unit, of: $0) ? RateFit.multiple(unit, $0) : nil }
    if part ?? 1 == 1, let parts = RateStretches(distances.times, unit: unit) {
      takeStretches(parts, distances.times)
    } else {
      guard
        let found = part.map({ unit / $0 })
          ?? MeasuredInterval(distances, unit: unit, syncInterval: nil)?.interval
      else { return false }
      // A divisor of the distances at which no two times follow each other is the display's
      // interval only where all times lie on its grid.
      guard part != nil || found == unit || RateFit.isGrid(distances.times[...], interval: found)
      else { return false }
      let stretches = RateStretches(single: found, steps: 0..<distances.times.count - 1)
      takeStretches(stretches, distances.times)
      let occurs = distances.values.contains { ($0 - found).magnitude * 16 <= found }
      source = occurs ? .measured : part == nil ? .inferred : .stated
    }
    basis = .named
    if part == nil { contradicted = stated }
    return true
  }

  /// Whether an interval is a multiple of another interval, within 1 %.
  private static func isWhole(_ interval: Nanoseconds, of part: Nanoseconds) -> Bool {
    (interval - part * RateFit.multiple(interval, part)).magnitude * 100 <= interval
  }

  /// Uses a stated interval, refined by the display times where they keep it. The user's interval
  /// is refined by no more than the error of a display's clock.
  private mutating func consume(_ stated: Nanoseconds, isUsers: Bool, _ changes: DisplayChanges) {
    (source, basis) = (.stated, .stated)
    let distances = DisplayDistances(changes.ofMainSurface)
    let fitting = distances.refined(stated)
    let unit = MeasuredInterval.unit(distances)
    if let unit, !Self.isWhole(unit, of: isUsers ? stated : fitting) { own = unit }
    guard let first = changes.times.first else { return }
    let off = (fitting - stated).magnitude
    let isKept = distances.share(keeping: fitting) >= 0.9
    let interval =
      isKept && (!isUsers || off * DisplayRates.tolerance <= stated) ? fitting : stated
    if !isUsers, isKept, off * 50 > stated { (source, contradicted) = (.measured, stated) }
    guard changes.times.count > 1 else {
      grid = RefreshGrid(numbers: [RefreshNumber(0)], times: [first], interval: stated)
      return
    }
    guard !isKept, isUsers || (own == nil && distances.jitter(around: interval)),
      changes.ofMainSurface.count == changes.times.count,
      let numbers = RefreshNumbers(jittering: changes.times, interval)
    else { return consume(interval, changes.times) }
    grid = numbers.grid
  }

  /// Uses what display times show.
  /// - Returns: Whether the display times lie on a grid.
  private mutating func takeDisplayed(_ changes: DisplayChanges) -> Bool {
    let distances = DisplayDistances(changes.ofMainSurface)
    guard let unit = MeasuredInterval.unit(distances) else { return false }
    if let parts = RateStretches(distances.times, unit: unit), parts.areKept(distances.times) {
      source = .measured
      takeStretches(parts, distances.times)
      return true
    }
    if RateStretches.mayChange(distances.times, unit: unit) {
      mayHaveChanged = true
      return false
    }
    guard
      let found = MeasuredInterval(
        distances, unit: unit, syncInterval: changes.syncInterval, mustOccur: changes.hasGenerated),
      RateFit.isGrid(
        distances.times[...], interval: found.interval, clockStep: distances.clockStep)
    else { return false }
    (source, mayBe) = (found.occurs ? .measured : .inferred, found.mayBe)
    let isThinned = distances.times.count < changes.ofMainSurface.count
    consume(found.interval, isThinned ? distances.times : changes.times)
    return true
  }

  private mutating func consume(_ interval: Nanoseconds, _ times: [Timestamp]) {
    takeStretches(RateStretches(single: interval, steps: 0..<times.count - 1), times)
  }

  private mutating func takeStretches(_ parts: RateStretches, _ times: [Timestamp]) {
    let numbers = RefreshNumbers(times, parts.stretches)
    (grid, guessed) = (numbers.grid, numbers.guessed)
    let usual = numbers.grid.interval
    rates = Set(parts.stretches.map(\.interval)).subtracting([usual]).sorted()
    source = source ?? .measured
  }
}
