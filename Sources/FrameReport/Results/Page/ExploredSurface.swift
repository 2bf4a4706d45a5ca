import FrameAnalysis
import FrameTrace

/// A surface for an interactive page: its frames, dropped refreshes, touches and refreshes as
/// numbers.
///
/// Times are in nanoseconds from the start of the trace. Frame times and the data for a selection's figures are exact;
/// the times of stages, which are only drawn, are whole microseconds.
public struct ExploredSurface: Sendable {
  /// The surface's index in the trace's list.
  package let surface: Int
  /// The surface that the frames belong to, and the file of its trace.
  let title, file: String
  /// The command that analyzes the surface; `nil` if options determine how the trace was read.
  let command: String?
  /// The number of frames, and how many of them have a frame time and stages in the page.
  package let count: Int
  let keptCount, detailedCount: Int
  /// The rows of the pipeline, in pipeline order.
  let stages: [PipelineRow]
  /// The definition of the frame times; `nil` if there are none.
  let frameTimes: FrameTimes?
  /// The latency of frames; `nil` if the trace has none.
  let latency: Latency?
  /// Whether the differences between frames skip the rests in the columns.
  let leavesRestsOut: Bool
  /// The usual interval between refreshes; `nil` if the display had none.
  let interval: Nanoseconds?
  /// The intervals before the first listed refresh and after the last.
  let outerIntervals: (before: Nanoseconds, after: Nanoseconds)?
  /// Why there are no dropped refreshes and no buffers; `nil` if there are.
  let whyNoDrops, whyNoBuffers: String?
  let areBuffersInferred: Bool
  /// The source of the surface's hitches; `nil` if the trace has none.
  let hitches: HitchFindings.Source?
  /// The row of the first frame.
  let firstRow: Int
  /// A sentence for each of the dropped refreshes in the columns, up to the limit.
  let sentences: [String]
  /// Why frames were late, if the trace shows the cause.
  let causes: [ExploredCause]
  /// The readings of the system's sensors and counters in the same period.
  let counters: [ExploredCounter]
  /// The marks set by the app or the tester, and the number of marks in the trace.
  let markers: [ExploredMarker]
  let markerCount: Int
  let columns: PackedColumns

  /// How frame times are stored.
  struct FrameTimes: Hashable, Sendable {
    /// Whether the frame times are the differences between the times of the column instead of its values.
    let areSteps: Bool
    /// The definition in words; `nil` if the metric has only one.
    let words: String?
  }

  /// The definition of the frames' latencies.
  struct Latency: Hashable, Sendable {
    /// The metric's name, and whether its touches are separate columns.
    let metric: String
    let isOfTouches: Bool
  }

  /// The maximum number of frames of a trace that a page keeps.
  static let mostKept = 1_000_000
  /// The maximum number of frames of a trace with stage times, and the minimum for a surface.
  static let mostDetailed = 20_000
  static let fewestDetailed = 2_000
  /// How many of the highest latencies and of the longest frame times the page links to.
  static let latencyMarks = 10
  static let longMarks = 100
  /// The maximum number of dropped refreshes with a sentence.
  static let mostSentences = 20_000
  /// The maximum number of individually recorded refreshes to list.
  static let mostRefreshes = 2_000_000

  /// How many frames of each surface a page can keep: all frames if they fit, otherwise a share in proportion to the
  /// surface's frames. Frames outside the analyzed region do not count.
  static func rooms(_ surfaces: Set<Int>, of study: Study, most: Int = mostKept) -> [Int: Int] {
    let counts = surfaces.map { surface in
      let frames = study.trace.surfaces[surface].frames
      return (surface, study.options.region?.rows(of: frames).count ?? frames.count)
    }
    return rooms(Dictionary(uniqueKeysWithValues: counts), most: most)
  }

  /// - Parameter counts: The number of frames of each surface.
  static func rooms(_ counts: [Int: Int], most: Int = mostKept) -> [Int: Int] {
    let total = counts.values.reduce(0, +)
    guard total > most else { return counts }
    return counts.mapValues { Int(Double(most) * (Double($0) / Double(total))) }
  }

  /// - Parameters:
  ///   - surface: The surface's index in the trace's list.
  ///   - room: The maximum number of frames to keep.
  ///   - reading: The arguments that analyze the trace on the command line; `nil` if there are
  ///     none.
  ///   - count: The number of surfaces that share the room of the page.
  /// - Returns: `nil` for a surface without frames.
  init?(
    _ study: Study, surface: Int, by reading: [String]?, room: Int, oneOf count: Int
  ) {
    let measured = study.surface(surface)
    guard !measured.rows.isEmpty, let listing = measured.listing, let rebuilt = measured.rebuilt
    else { return nil }
    let origin = study.origin
    let frames = ExploredFrames(measured, listing, from: origin)
    let drops = measured.drops?.drops ?? []
    let kept = frames.kept(atMost: max(room, 2), drops)
    let touches = ListedTouch.all(measured)
    let longest = drops.sorted {
      ($1.refreshes.count, $0.refreshes.refresh) < ($0.refreshes.count, $1.refreshes.refresh)
    }
    let marks =
      longest.flatMap { [$0.refreshes.frame] + Self.row(of: $0.refreshes.cause, on: surface) }
      + frames.slowestLatencies(touches, atMost: Self.latencyMarks)
      + frames.slowest(atMost: Self.longMarks)
      + measured.stopFindings.stops.map(\.row) + (measured.stutters?.stutters ?? []).map(\.row)
      + (measured.hitches?.list ?? []).sorted { $0.length > $1.length }.compactMap(\.frame)
    let detailed = frames.detailed(
      atMost: max(Self.fewestDetailed, Self.mostDetailed / count), marks: marks)
    var columns = PackedColumns()
    (frameTimes, latency) = frames.add(kept, touches, to: &columns)
    ExploredStages(listing, from: origin).add(detailed, to: &columns)
    Self.add(drops, on: surface, to: &columns, from: origin)
    Self.add(measured.hitches?.list ?? [], to: &columns, from: origin)
    Self.add(measured.stopFindings, measured.stutters, to: &columns, from: origin)
    Self.add(touches, to: &columns, from: origin)
    let schedule = rebuilt.timeline.schedule
    outerIntervals = Self.add(schedule, to: &columns, from: origin)
    self.columns = columns
    self.surface = surface
    let owner = measured.surface
    title = owner.title
    file = study.trace.provenance.shortTitle
    command = reading.map { words in
      ShellWords.quoted(
        words + (study.trace.surfaces.count > 1 ? ["--surface", owner.id] : []))
    }
    hitches = measured.hitches?.source
    (self.count, keptCount) = (measured.rows.count, kept?.count ?? measured.rows.count)
    detailedCount = detailed.count
    firstRow = measured.rows.lowerBound
    stages = PipelineRow.stages(isFilledByApp: measured.surface.isFilledByApp)
    leavesRestsOut = !measured.rests.isEmpty
    interval = schedule.hasInterval ? schedule.grid.interval : nil
    (whyNoDrops, whyNoBuffers) = (listing.whyNoDrops, listing.whyNoBuffers)
    areBuffersInferred = listing.areBuffersInferred
    causes = ExploredCause.all(measured, from: origin)
    counters = ExploredCounter.all(
      study.trace, in: study.options.region?.range ?? .always, from: origin,
      oneOf: count)
    (markers, markerCount) = ExploredMarker.all(
      study.trace, of: owner.process, in: study.options.region?.range ?? .always,
      from: origin)
    let words = DropWords(trace: study.trace, origin: origin)
    sentences = drops.prefix(Self.mostSentences).map { words.sentence(of: $0, on: surface) }
  }
}

extension ExploredSurface {
  /// The row of a frame, if the frame belongs to the surface.
  private static func row(of frame: FrameReference, on surface: Int) -> [Int] {
    frame.surface == surface ? [frame.row] : []
  }

  private static func add(
    _ drops: [DropFindings.Drop], on surface: Int, to columns: inout PackedColumns,
    from origin: Timestamp
  ) {
    let stages = PipelineStage.allCases
    columns.add("dropRefresh", drops.map(\.refreshes.refresh.number))
    columns.add("dropCount", drops.map(\.refreshes.count))
    columns.add("dropTime", drops.map { ($0.time - origin).count })
    columns.add("dropFrame", drops.map { Int64($0.refreshes.frame) })
    columns.add(
      "dropStage", drops.map { stages.firstIndex(of: $0.refreshes.stage).map(Int64.init) })
    columns.add(
      "dropCause",
      drops.map {
        $0.refreshes.cause.surface == surface ? Int64($0.refreshes.cause.row) : nil
      })
  }

  private static func add(
    _ hitches: [ListedHitch], to columns: inout PackedColumns, from origin: Timestamp
  ) {
    columns.add("hitchTime", hitches.map { ($0.time - origin).count })
    columns.add("hitchLength", hitches.map(\.length.count))
    columns.add("hitchFrame", hitches.map { $0.frame.map(Int64.init) })
  }

  /// Adds stops and stutters, each with the length of its longest frame.
  private static func add(
    _ stops: StopFindings, _ stutters: StutterFindings?, to columns: inout PackedColumns,
    from origin: Timestamp
  ) {
    columns.add("stopTime", stops.stops.map { ($0.time - origin).count })
    columns.add("stopLength", stops.stops.map(\.length.count))
    columns.add("stopFrame", stops.stops.map { Int64($0.row) })
    let stutters = stutters?.stutters ?? []
    columns.add("stutterTime", stutters.map { ($0.time - origin).count })
    columns.add("stutterLength", stutters.map(\.longest.count))
    columns.add("stutterFrame", stutters.map { Int64($0.row) })
  }

  private static func add(
    _ touches: [ListedTouch], to columns: inout PackedColumns, from origin: Timestamp
  ) {
    let kinds = TouchColumn.Kind.allCases
    let time = { (time: Timestamp?) in time.map { ($0 - origin).count } }
    columns.add("touchKind", touches.map { kinds.firstIndex(of: $0.kind).map(Int64.init) })
    columns.add("touchStart", touches.map { time($0.scanStart) })
    columns.add("touchEnd", touches.map { time($0.scanEnd) })
    columns.add("touchDelivered", touches.map { time($0.delivered) })
    columns.add("touchFrame", touches.map { $0.frame.map(Int64.init) })
    columns.add("touchShownBy", touches.map { $0.shownBy.map(Int64.init) })
    columns.add("touchPhoton", touches.map { time($0.photon) })
    columns.add("touchLatency", touches.map { $0.latency?.count })
  }

  /// Adds refreshes, rests, and the time in which the surface was observed.
  private static func add(
    _ schedule: FrameSchedule, to columns: inout PackedColumns, from origin: Timestamp
  ) -> (before: Nanoseconds, after: Nanoseconds)? {
    let seen = schedule.observed.map { [$0.lowerBound, $0.upperBound] } ?? []
    columns.add("seen", seen.map { ($0 - origin).count })
    columns.add("restStart", schedule.rests.map { ($0.lowerBound - origin).count })
    columns.add("restEnd", schedule.rests.map { ($0.upperBound - origin).count })
    let known = schedule.grid.known
    guard schedule.hasInterval, known.numbers.count <= mostRefreshes else { return nil }
    columns.add("refreshNumber", known.numbers)
    columns.add("refreshTime", known.times.map { ($0 - origin).count })
    return (known.before, known.after)
  }
}
