/// Finds the refreshes of a display from the times at which it changed, where nobody
/// recorded them: robust to frames left out, to a stated interval that is not true, and to
/// changes of rate.
struct RefreshRecovery {
  let grid: RefreshGrid
  /// The refreshes whose number is a guess, as the rate changed somewhere before them.
  let guessed: Set<RefreshNumber>
  /// Whether the interval is the stated one, which the times keep.
  let isStated: Bool

  /// A display slower than this is taken for one whose app is.
  private static let slow = Nanoseconds(26_000_000)
  /// How many display changes it takes to believe in a rate of which most refreshes are left out.
  private static let fewestSlow = 32
  /// How many display changes it takes to believe in a rate that no usual display has.
  private static let fewestUnlisted = 240

  /// - Parameters:
  ///   - changes: When the display changed.
  ///   - stated: The interval that the source states; `nil` when it states none.
  /// - Returns: `nil` when the times lie on no grid near a rate that displays have or that the
  ///   source states, as with a display that waits for frames or one that changes in the middle of
  ///   a refresh.
  init?(_ changes: DisplayChanges, stated: Nanoseconds?) {
    guard changes.times.count > 1, let parts = Self.stretches(changes, stated) else { return nil }
    let numbers = RefreshNumbers(changes.times, parts.stretches)
    let grid = numbers.grid
    self.grid = grid
    guessed = numbers.guessed
    isStated = stated.map { ($0 - grid.interval).magnitude < $0 / 50 } ?? false
  }

  private static func stretches(_ changes: DisplayChanges, _ stated: Nanoseconds?) -> RateStretches?
  {
    let times = changes.times
    let whole = { (interval: Nanoseconds) in
      RateStretches(single: interval, steps: 0..<times.count - 1)
    }
    if let stated, keepsStated(times, stated) {
      return whole(RefreshInterval.refined(stated, by: sample(times)))
    }
    // A rate of which most refreshes came is likelier than several, and those than a faster one of
    // which most were left out.
    let listed = listed(times)
    if let fit = listed, fit.usualMultiple == 1,
      !RateStretches.hasOtherRates(times, fit.interval)
    {
      return whole(fit.interval)
    }
    if let parts = RateStretches(changes, stated: stated) { return parts }
    // A few frames at a lower rate lie on many grids, and a source that states another rate than
    // its times keep has no faster one.
    let isSure = listed?.usualMultiple == 1 || (stated == nil && times.count > fewestSlow)
    let interval = isSure ? listed?.interval : nil
    return (interval ?? unlisted(times, stated)).map(whole)
  }

  /// The grid of a rate that displays have and that all times keep, of those the one of which most
  /// refreshes came; `nil` for none.
  private static func listed(_ times: [Timestamp]) -> RateFit? {
    var slow: RateFit?
    for interval in DisplayRates.intervals {
      let fit = RateFit(times[...], near: interval, within: DisplayRates.tolerance)
      guard let fit, fit.isGrid else { continue }
      if fit.usualMultiple == 1 { return fit }
      slow = slow ?? fit
    }
    return slow
  }

  /// Whether nine in ten steps are near a multiple of the stated interval.
  private static func keepsStated(_ times: [Timestamp], _ stated: Nanoseconds) -> Bool {
    RefreshInterval.share(of: sample(times), keeping: stated) >= 0.9
  }

  /// Steps from all parts of a trace.
  private static func sample(_ times: [Timestamp]) -> [Nanoseconds] {
    stride(from: 0, to: times.count - 1, by: max(1, times.count / 32_768)).map {
      times[$0 + 1] - times[$0]
    }
  }

  /// An interval that no usual display has: that of a source whose own statement is not true, or
  /// one that hundreds of frames keep to, late ones too.
  private static func unlisted(_ times: [Timestamp], _ stated: Nanoseconds?) -> Nanoseconds? {
    let steps = zip(times.dropFirst(), times).prefix(RefreshInterval.most).map { $0 - $1 }
    guard let interval = RefreshInterval.estimate(steps, stated: nil), interval <= slow else {
      return nil
    }
    if let stated {
      // A compositor may be slower than it states. A display that is faster shows it by frames that follow
      // each other at its rate; without any, the steps are those of a compositor that draws when it likes.
      let singles = steps.count {
        ($0 - interval).magnitude * RefreshInterval.tolerance <= interval
      }
      let isSlower = interval * 8 >= stated * 7
      return isSlower || singles * 10 >= steps.count ? interval : nil
    }
    let fit = RateFit(times[...], near: interval, within: DisplayRates.tolerance)
    return fit.flatMap { fit in
      let isKept = fit.isProven || (fit.coherence >= 0.99 && times.count >= fewestUnlisted)
      return fit.isGrid && isKept ? fit.interval : nil
    }
  }
}
