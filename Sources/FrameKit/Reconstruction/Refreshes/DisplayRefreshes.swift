/// The refreshes of a display, and how they are known.
public struct DisplayRefreshes: Sendable {
  /// How an interval is known.
  public enum Source: String, Sendable {
    /// By the refreshes that the trace recorded, or the times at which frames were displayed.
    case measured
    /// By the source's word, and nothing contradicts it.
    case stated
    /// By nothing: 60 Hz.
    case assumed
  }

  /// The refreshes by number; `nil` when the display kept no interval.
  let grid: RefreshGrid?
  /// The refreshes whose number is a guess, as the rate changed somewhere before them.
  let guessed: Set<RefreshNumber>
  /// How the interval is known; `nil` when there is none.
  public let source: Source?
  /// How well the display times keep the phase of the grid that they were found to lie on: 1 where all
  /// lie on it, near 0 where they lie anywhere. `nil` where the refreshes were recorded or stated, or
  /// where there are several rates.
  public let coherence: Double?
  /// Whether frames that came late came back onto the grid, as behind a display and behind no limiter.
  public let isProven: Bool
  /// Whether the trace recorded the refreshes themselves.
  public let isRecorded: Bool
  /// Whether the numbers of the refreshes are the source's own.
  let isNumbered: Bool
  /// Whether the display waits for frames, so that a refresh is whenever one comes.
  public let isVariable: Bool
  /// The interval that the trace states and its own times contradict.
  public let contradicted: Nanoseconds?
  /// The numbers of refreshes that the trace says repeated the frame before, in order.
  let repeated: [RefreshNumber]
  /// Whether the trace tells of any refresh whether it repeated a frame.
  let knowsRepeats: Bool
  /// The shortest time between refreshes at a variable rate, as the trace states it; `nil`
  /// when it does not.
  public let shortest: Nanoseconds?
  /// The usual time between refreshes; `nil` when the display kept none and none is stated.
  public let interval: Nanoseconds?

  /// How long a scan-out takes on a display at a variable rate: as its shortest interval, else,
  /// inferred, as the shortest one that was seen.
  var scanOutInterval: Nanoseconds? { shortest ?? grid?.shortestStep }

  /// Finds the refreshes of a display.
  /// - Parameters:
  ///   - display: What the trace says of it; `nil` when it says nothing.
  ///   - changes: When frames came onto it.
  init(_ display: Display?, _ changes: @autoclosure () -> DisplayChanges) {
    let stated = display?.interval.flatMap { Self.possible.contains($0) ? $0 : nil }
    isVariable = display?.isVariable ?? false
    shortest = display?.shortestInterval
    if let display, let recorded = RecordedRefreshes(display) {
      grid = recorded.grid
      isNumbered = recorded.isNumbered
      repeated = recorded.repeated
      knowsRepeats = recorded.knowsRepeats
      (source, isRecorded, contradicted) = (.measured, true, nil)
      interval = recorded.grid.interval
      guessed = []
      (coherence, isProven) = (nil, true)
      return
    }
    (isRecorded, isNumbered, knowsRepeats) = (false, false, false)
    repeated = []
    let changes = changes()
    let found = Self.find(changes, stated: stated, isVariable: isVariable)
    grid = found.grid
    guessed = found.guessed
    let fit =
      found.source == .measured && !isVariable
      ? found.grid.flatMap {
        RateFit(changes.times[...], near: $0.interval, within: DisplayRates.tolerance)
      } : nil
    coherence = fit?.coherence
    isProven = fit?.isProven ?? false
    source = found.source
    contradicted = found.contradicted
    interval = found.grid?.interval ?? (changes.times.count < 2 ? stated : nil)
  }

  private static func find(
    _ changes: DisplayChanges, stated: Nanoseconds?, isVariable: Bool
  ) -> (
    grid: RefreshGrid?, source: Source?, contradicted: Nanoseconds?, guessed: Set<RefreshNumber>
  ) {
    let shown = changes.times
    if isVariable {
      let grid = waiting(shown)
      return (grid, grid == nil ? nil : .measured, nil, [])
    }
    if let recovery = RefreshRecovery(changes, stated: stated) {
      let isStated = recovery.isStated
      return (
        recovery.grid, isStated ? .stated : .measured, isStated ? nil : stated, recovery.guessed
      )
    }
    if shown.count > 3 { return (nil, nil, stated, []) }
    let source: Source = stated == nil ? .assumed : .stated
    guard let first = shown.first else { return (nil, stated == nil ? nil : .stated, nil, []) }
    let grid = RefreshGrid(
      numbers: [RefreshNumber(0)], times: [first], interval: stated ?? RefreshGrid.sixtyHertz)
    return (grid, source, nil, [])
  }

  /// Intervals that a display can have.
  private static let possible = Nanoseconds(500_000)...Nanoseconds(1_000_000_000)

  /// A display that waits for frames refreshes when they come.
  private static func waiting(_ times: [Timestamp]) -> RefreshGrid? {
    guard times.count > 1 else { return nil }
    let steps = zip(times.dropFirst(), times).map { $0 - $1 }.sorted()
    return RefreshGrid(
      numbers: RefreshNumber.counted(times.count), times: times,
      interval: max(Nanoseconds(1), steps[steps.count / 2]))
  }
}

/// Refresh rates that displays have.
enum DisplayRates {
  /// In the order in which they are tried, in hertz: the frequent ones first, so that times that
  /// fit several grids are taken for those of the display that is more likely.
  static let hertz: [Int64] = [
    60, 120, 90, 144, 165, 240, 75, 72, 100, 80, 48, 50, 85, 160, 170, 175, 180, 200, 280, 300,
    360, 480, 500, 540,
  ]

  /// The time between refreshes at each of those rates.
  static let intervals = hertz.map { Nanoseconds((1_000_000_000 + $0 / 2) / $0) }

  /// By how much the interval of a display may differ from that of its rate: this part of it.
  static let tolerance: Int64 = 200

  /// Whether a display has a rate with this interval.
  static func has(_ interval: Nanoseconds) -> Bool {
    intervals.contains { ($0 - interval).magnitude * tolerance <= $0 }
  }
}
