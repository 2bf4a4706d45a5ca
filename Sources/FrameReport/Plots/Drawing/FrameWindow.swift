import FrameAnalysis
import FrameTrace

/// A time range of a trace short enough to show individual frames.
struct FrameWindow {
  /// The time range.
  let range: ClosedRange<Timestamp>
  /// The frames in it.
  let frames: [ListedFrame]
  /// The refreshes in it, in order; empty if the display kept no interval.
  let refreshes: [Timestamp]
  /// Why this range is shown; `nil` if the user selected it.
  let reason: String?

  /// The maximum number of frames that can be distinguished.
  static let most = 400

  /// The range that the user selected, or else one around a notable frame.
  /// - Parameters:
  ///   - intervals: The number of refresh intervals shown by default.
  ///   - interesting: The default frame to show, and the reason.
  init(
    _ surface: PlottedSurface, _ listing: FrameListing, _ options: PlotOptions, intervals: Int64,
    interesting: (row: Int, why: String)?
  ) throws(PlotRefusal) {
    guard let rebuilt = surface.measured.rebuilt else {
      throw PlotRefusal("\(surface.path): the pipeline was not rebuilt")
    }
    let schedule = rebuilt.timeline.schedule
    if surface.isPart, options.frame == nil {
      range = surface.range
      reason = nil
    } else {
      let row = try Self.row(surface, listing, options, interesting?.row)
      range = Self.range(
        around: row, of: listing.count, rebuilt, intervals: intervals, within: surface.range)
      reason = options.frame == nil ? interesting?.why : nil
    }
    let rows = listing.rows(within: range)
    guard !rows.isEmpty else { throw PlotRefusal("\(surface.path): no frames in that time range") }
    guard rows.count <= Self.most else {
      throw PlotRefusal(
        "\(surface.path): expected at most \(Self.most) frames, found \(rows.count)",
        help: "--from and --to choose a shorter range, --frame N one around a frame")
    }
    frames = rows.map { listing[$0] }
    refreshes = schedule.hasInterval ? Self.refreshes(in: range, schedule.grid) : []
  }

  private static func row(
    _ surface: PlottedSurface, _ listing: FrameListing, _ options: PlotOptions, _ interesting: Int?
  ) throws(PlotRefusal) -> Int {
    guard let frame = options.frame else { return interesting ?? 0 }
    guard frame >= 0, frame < listing.count else {
      throw PlotRefusal(
        "\(surface.path): there is no frame \(frame)",
        help: "frames are numbered from 0 to \(listing.count - 1)")
    }
    return frame
  }

  /// The range of some intervals around a frame, a third of them before it. It is extended until
  /// the frame is shown, if that is not too far away.
  private static func range(
    around row: Int, of count: Int, _ rebuilt: RebuiltSurface, intervals: Int64,
    within whole: ClosedRange<Timestamp>
  ) -> ClosedRange<Timestamp> {
    let schedule = rebuilt.timeline.schedule
    let interval =
      schedule.hasInterval ? min(schedule.grid.interval, longest) : RefreshGrid.sixtyHertz
    let shown = schedule.shownTime(row)
    let start = rebuilt.timeline.stages.earliest(row) ?? shown ?? whole.lowerBound
    // The surface has no data before its first frames.
    let beginning = (0..<min(count, 8)).compactMap {
      rebuilt.timeline.stages.earliest($0) ?? schedule.shownTime($0)
    }.min()
    let first = max(
      whole.lowerBound, start - interval * intervals / 3, (beginning ?? start) - interval)
    let usual = first + interval * intervals
    let toSee = min(shown.map { $0 + interval * 3 } ?? usual, first + interval * farthest)
    return first...max(first, min(whole.upperBound, max(usual, toSee)))
  }

  /// The maximum number of intervals to show, and the longest accepted interval.
  private static let farthest: Int64 = 100
  private static let longest = Nanoseconds(1_000_000_000)

  private static func refreshes(
    in range: ClosedRange<Timestamp>, _ grid: RefreshGrid
  ) -> [Timestamp] {
    let first = grid.first(range.lowerBound)
    let last = grid.last(range.upperBound)
    guard first <= last, last - first < 4 * Int64(most) else { return [] }
    return (first...last).map(grid.time)
  }
}

extension FrameListing {
  /// The frame with the most refreshes dropped at once; `nil` if there were no drops.
  func worstDrop(of surface: PlottedSurface) -> (row: Int, why: String)? {
    let drops = surface.measured.drops?.drops ?? []
    return drops.max { $0.refreshes.count < $1.refreshes.count }.map { drop in
      let count = PlotText.count(Int(drop.refreshes.count), "refresh", "refreshes")
      return (
        drop.refreshes.frame, "around the worst drop: \(count) by \(drop.refreshes.stage.words)"
      )
    }
  }
}
