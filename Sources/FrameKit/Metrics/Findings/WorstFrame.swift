/// A frame that took long to come onto the display, with what its stages did.
public struct WorstFrame: Hashable, Sendable {
  /// Its row, and the source's own number of it.
  public let row: Int
  public let identifier: Int64?
  /// When it was shown, or finished where it never was.
  public let time: Timestamp
  /// Its frame time, by the definition of the metric `frameTime`; `nil` where it has none.
  public let frameTime: Nanoseconds?
  /// From the change of the display before to the one it caused; `nil` for a frame that was
  /// not shown.
  public let displayChange: Nanoseconds?
  /// How long each stage took; `nil` where the trace does not tell.
  public let app, compositor, gpu, queueWait: Nanoseconds?
  /// How many dropped refreshes it was due on.
  public let dropped: Int

  /// The worst frames of a surface, the worst first: those that were on the way longest from
  /// the change of the display before, or, where nothing was displayed, those with the
  /// longest frame time.
  static func list(_ surface: MeasuredSurface, count: Int) -> [WorstFrame] {
    guard count > 0 else { return [] }
    var lengths: [(length: Int64, place: Int)] = []
    var before: Int64?
    let byDisplay = surface.frames.has(.displayed)
    for place in 0..<surface.frames.count {
      let time =
        byDisplay ? surface.frames[place, .displayed] : surface.frames.references[place]
      guard let time else { continue }
      if let before { lengths.append((time - before, place)) }
      before = time
    }
    let worst = lengths.sorted { ($1.length, $0.place) < ($0.length, $1.place) }.prefix(count)
    var dropped: [Int: Int] = [:]
    for drop in surface.drops?.drops ?? [] {
      dropped[drop.refreshes.frame, default: 0] += Int(drop.refreshes.count)
    }
    return worst.map { WorstFrame(surface, $0.place, length: $0.length, dropped) }
  }

  private init(_ surface: MeasuredSurface, _ place: Int, length: Int64, _ dropped: [Int: Int]) {
    let frames = surface.frames
    row = surface.rows.lowerBound + place
    identifier = frames[place, .identifier]
    let shown = frames[place, .displayed]
    time = Timestamp(nanoseconds: shown ?? frames.references[place])
    displayChange = shown == nil ? nil : Nanoseconds(length)
    let columns: [FrameColumn] = [.presentInterval, .startInterval]
    frameTime = columns.compactMap { frames.duration(place, $0) }.first
    let times = surface.rebuilt?.timeline.stages[row]
    app = times?.appTime.map(Nanoseconds.init)
    compositor = times?.compositorTime.map(Nanoseconds.init)
    gpu = times?.gpuTime.map(Nanoseconds.init)
    queueWait = shown.flatMap { shown in times?.queued.map { Nanoseconds(shown - $0) } }
    self.dropped = dropped[row] ?? 0
  }
}
