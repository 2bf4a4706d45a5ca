import FrameAnalysis
import FrameStatistics
import FrameTrace

/// The frame times of an explored surface, and the frames for which a page has room.
struct ExploredFrames {
  private let surface: MeasuredSurface
  private let listing: FrameListing
  private let frames: Table<FrameColumn>
  private let origin: Timestamp
  /// The frame time of each frame, and its definition; `nil` if there are none.
  private let frameTimes: (values: [Int64?], summary: ExploredSurface.FrameTimes?)

  /// The number of neighbors kept around a notable frame.
  private static let around = 8

  /// - Parameter listing: The frame listing of the surface; fetching it for each frame would copy it.
  init(_ surface: MeasuredSurface, _ listing: FrameListing, from origin: Timestamp) {
    (self.surface, self.listing, self.origin) = (surface, listing, origin)
    frames = surface.frames
    frameTimes = Self.frameTimes(surface, from: origin, asSteps: false)
  }

  /// The indices of the frames whose times are kept. If a trace is too long, these are the shortest and the longest
  /// frame of each stretch, and all frames with dropped refreshes; `nil` for all frames.
  func kept(atMost most: Int, _ drops: [DropFindings.Drop]) -> [Int]? {
    guard frames.count > most else { return nil }
    let values = frameTimes.values
    let width = (2 * frames.count + most - 1) / most
    var isKept = [Bool](repeating: false, count: frames.count)
    for start in stride(from: 0, to: frames.count, by: width) {
      let rows = start..<min(start + width, frames.count)
      let known = rows.lazy.filter { values[$0] != nil }
      let low = known.min { values[$0] ?? 0 < values[$1] ?? 0 }
      let high = known.max { values[$0] ?? 0 < values[$1] ?? 0 }
      isKept[low ?? start] = true
      isKept[high ?? start] = true
    }
    for drop in drops {
      let row = drop.refreshes.frame - surface.rows.lowerBound
      if frames.rows.contains(row) { isKept[row] = true }
    }
    return frames.rows.filter { isKept[$0] }
  }

  /// The rows of the frames whose stages are kept: all rows if there is room. Otherwise these are the rows of every
  /// mark of the page with as many neighbors as fit, then the rows around the longest frame times, and the first rows.
  ///
  /// If there is not enough room for the marks, up to four times the room is used: a mark without stages explains
  /// nothing.
  /// - Parameter marks: The rows that the page links to, the most important first.
  func detailed(atMost most: Int, marks: [Int]) -> [Int] {
    let rows = surface.rows
    guard rows.count > most else { return Array(rows) }
    var kept = Set<Int>()
    for around in [Self.around, 4, 2, 1, 0] {
      kept = []
      for mark in marks where rows.contains(mark) && kept.count < 4 * most {
        kept.formUnion(near(mark, around))
        if around > 0, kept.count > most { break }
      }
      if kept.count <= most { break }
    }
    for row in slowest(atMost: most) where kept.count + 2 * Self.around < most {
      kept.formUnion(near(row, Self.around))
    }
    for row in rows where kept.count < most { kept.insert(row) }
    return kept.sorted()
  }

  private func near(_ row: Int, _ count: Int) -> ClosedRange<Int> {
    max(surface.rows.lowerBound, row - count)...min(surface.rows.upperBound - 1, row + count)
  }

  /// The rows with the longest frame times, the longest first.
  func slowest(atMost most: Int) -> [Int] {
    Self.highest(most, of: frameTimes.values).map { surface.rows.lowerBound + $0 }
  }

  /// The rows with the highest latencies, the highest first.
  func slowestLatencies(_ touches: [ListedTouch], atMost most: Int) -> [Int] {
    let values = latencies(touches)?.values ?? []
    return Self.highest(most, of: values).map { surface.rows.lowerBound + $0 }
  }

  /// The indices of the highest values, the highest first; among equal values, the first index comes first.
  static func highest(_ most: Int, of values: [Int64?]) -> [Int] {
    var known = values.indices.filter { values[$0] != nil }
    if known.count > most, most > 0 {
      // Sorting all rows of a long trace took a tenth of the time of a report.
      let rank = known.count - most
      let least = RankSelection.select([rank], of: values.compactMap(\.self)).first ?? 0
      known.removeAll { values[$0] ?? 0 < least }
    }
    return Array(known.sorted { (values[$1] ?? 0, $0) < (values[$0] ?? 0, $1) }.prefix(most))
  }

  /// Adds the columns of the frames that are kept.
  func add(
    _ kept: [Int]?, _ touches: [ListedTouch], to columns: inout PackedColumns
  ) -> (ExploredSurface.FrameTimes?, ExploredSurface.Latency?) {
    let rows = kept ?? Array(frames.rows)
    if let kept { columns.add("row", kept.map { Int64($0) }) }
    let times = rows.map { row in
      ((frames.time(row, .displayed) ?? frames.reference(row)) - origin).count
    }
    columns.add("time", times)
    let (values, summary) =
      kept == nil ? Self.frameTimes(surface, from: origin, asSteps: true) : frameTimes
    if summary != nil { columns.add("frameTime", rows.map { values[$0] }) }
    let generated = FrameColumn.Kind.generated.rawValue
    columns.add("outcome", rows.map { outcome($0) + (frames[$0, .kind] == generated ? 4 : 0) })
    let latencies = latencies(touches)
    if let latencies { columns.add("latency", rows.map { latencies.values[$0] }) }
    return (summary, latencies?.summary)
  }

  /// The outcome of a frame, by its index among the outcomes.
  private func outcome(_ row: Int) -> Int64 {
    let outcome = listing.outcome(surface.rows.lowerBound + row)
    return Int64(ListedFrame.Outcome.allCases.firstIndex(of: outcome) ?? 0)
  }

  /// The frame time of each frame, or the times whose differences are the frame times.
  private static func frameTimes(
    _ surface: MeasuredSurface, from origin: Timestamp, asSteps: Bool
  ) -> (values: [Int64?], summary: ExploredSurface.FrameTimes?) {
    let frames = surface.frames
    let none = [Int64?](repeating: nil, count: frames.count)
    guard let use = FrameMetric.frameTime.basis(on: surface) else { return (none, nil) }
    let expression = use.basis.expression
    let wanted = surface.selection(.application).mask(
      of: frames, knowsDisplay: expression.columns.contains(.displayed))
    let isWanted = { (row: Int) in wanted?[row] ?? 1 == 1 }
    guard case .sinceLast(let column) = expression else {
      let values = frames.rows.map { isWanted($0) ? expression.value($0, of: frames) : nil }
      return (values, .init(areSteps: false, words: use.definition))
    }
    let times = frames.rows.map { row in
      isWanted(row) ? frames.time(row, column).map { ($0 - origin).count } : nil
    }
    if asSteps { return (times, .init(areSteps: true, words: use.definition)) }
    let values = steps(times, of: surface, from: origin)
    return (values, .init(areSteps: false, words: use.definition))
  }

  /// The differences between consecutive times, except across rests.
  private static func steps(
    _ times: [Int64?], of surface: MeasuredSurface, from origin: Timestamp
  ) -> [Int64?] {
    var steps = [Int64?](repeating: nil, count: times.count)
    let known = times.indices.filter { times[$0] != nil }.sorted {
      (times[$0] ?? 0, $0) < (times[$1] ?? 0, $1)
    }
    for (before, row) in zip(known, known.dropFirst()) {
      guard let start = times[before], let end = times[row] else { continue }
      let isRest = surface.rests.isBetween(
        origin + Nanoseconds(start), origin + Nanoseconds(end))
      if !isRest { steps[row] = end - start }
    }
    return steps
  }

  /// The latency of each frame: of touches, or else of clicks or any input, or else from the frame's start to its
  /// display.
  private func latencies(
    _ touches: [ListedTouch]
  ) -> (values: [Int64?], summary: ExploredSurface.Latency)? {
    var values = [Int64?](repeating: nil, count: frames.count)
    for touch in touches where touch.kind == .main {
      guard let row = touch.shownBy, surface.rows.contains(row), let latency = touch.latency else {
        continue
      }
      let position = row - surface.rows.lowerBound
      values[position] = max(values[position] ?? 0, latency.count)
    }
    if values.contains(where: { $0 != nil }) {
      return (values, .init(metric: "touchToPhoton", isOfTouches: true))
    }
    for metric in [InputLatencyMetric.clickToPhoton, .inputToPhoton] {
      let earliest = metric.earliest(on: surface)
      guard !earliest.isEmpty else { continue }
      for (row, made) in earliest {
        let position = row - surface.rows.lowerBound
        values[position] = surface.surface.frames.time(row, .displayed).map { ($0 - made).count }
      }
      return (values, .init(metric: metric.name, isOfTouches: false))
    }
    let metric = FrameMetric.displayLatency
    guard let expression = metric.basis(on: surface)?.basis.expression else { return nil }
    let wanted = surface.selection(metric.scope).mask(of: frames, knowsDisplay: true)
    values = frames.rows.map { row in
      wanted?[row] ?? 1 == 1 ? expression.value(row, of: frames) : nil
    }
    guard values.contains(where: { $0 != nil }) else { return nil }
    return (values, .init(metric: metric.name, isOfTouches: false))
  }
}

extension Table {
  /// The indices of the rows.
  fileprivate var rows: Range<Int> { 0..<count }
}
