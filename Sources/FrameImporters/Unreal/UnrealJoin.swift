import FrameStatistics
import FrameTrace

/// Builds a trace from the rows of an Unreal CSV profile.
struct UnrealJoin {
  private let rows: UnrealRows
  private let demand: TraceDemand
  /// The rows with a frame time, in order.
  private let kept: [Int]
  /// When each kept frame began, and when the last frame ended.
  private let times: [Int64]

  /// The counters that are times of a frame, by name in lower case. The game thread, the render thread, the submitting
  /// thread, and the GPU work on different frames at the same time.
  private static let columns: [String: FrameColumn] = [
    "frametime": .presentInterval, "gamethreadtime": .gameThread,
    "renderthreadtime": .renderThread, "rhithreadtime": .rhiThread, "gputime": .gpuBusy,
  ]
  /// The units of counters whose names do not end with the unit, by name in lower case.
  private static let units = [
    "inputlatencytime": "ms", "maxframetime": "ms", "cpuusage_process": "%", "cpuusage_idle": "%",
    "renderthreadtime_criticalpath": "ms", "gamethreadtime_criticalpath": "ms",
  ]

  /// Whether a counter is a time of a frame.
  static func isFrames(_ name: String) -> Bool { columns[name.lowercased()] != nil }

  init(_ rows: UnrealRows, _ demand: TraceDemand) {
    (self.rows, self.demand) = (rows, demand)
    let lengths = rows.position("FrameTime").flatMap { rows.columns[$0] }
    var (kept, times, end): ([Int], [Int64], Int64) = ([], [0], 0)
    for row in 0..<rows.count {
      guard let length = lengths?[row].flatMap(Self.time), end + length < Timestamp.bound else {
        continue
      }
      end += length
      kept.append(row)
      times.append(end)
    }
    (self.kept, self.times) = (kept, times)
  }

  /// A duration in ns; `nil` if it was not measured.
  private static func time(_ milliseconds: Double) -> Int64? {
    milliseconds > 0 ? Timestamp.believed(milliseconds * 1e6) : nil
  }

  func add(to builder: inout TraceBuilder) {
    builder.trace.isPartial = demand != .everything
    builder.trace.clocks = [
      ClockDomain(
        name: "sum of frame times", join: .traceClock, offset: nil, resolution: Nanoseconds(100))
    ]
    addSetting(to: &builder)
    addFrames(to: &builder)
    addEvents(to: &builder)
    builder.log.note(
      .timeRebuilt, .repaired, "frames without a time, their times summed from frame times",
      count: kept.count)
    builder.log.note(
      .malformedValue, .dataLoss, "rows without a frame time, left out",
      count: rows.count - kept.count)
    if !rows.facts.isKnown {
      builder.log.note(
        .cutOff, .info,
        "a profile without its last lines: platform, target rate and the names of later counters are unknown"
      )
    }
    noteDuration(&builder.log)
  }

  private func addFrames(to builder: inout TraceBuilder) {
    guard !kept.isEmpty else { return }
    let surface = builder.surface("game") { Surface(id: "game", bufferOwner: .app) }
    // The threads' work while the recording was being ended is not the game's work.
    let last = rows.facts.isKnown ? rows.count - 1 : nil
    let columns = Self.columns.compactMap { name, column in
      rows.position(name).flatMap { rows.columns[$0] }.map { (column, $0) }
    }
    for (position, row) in kept.enumerated() {
      var frame = Table<FrameColumn>.Row()
      frame[.identifier] = Int64(row)
      frame[.commit] = times[position + 1]
      for (column, values) in columns where column == .presentInterval || row != last {
        frame[column] = values[row].flatMap(Self.time)
      }
      builder.trace.surfaces[surface].frames.append(frame)
    }
    builder.log.note(
      .timeWithheld, .info,
      "thread and GPU times of the last row, which ends the recording, left out",
      count: last == nil ? 0 : 1)
    guard demand == .everything else { return }
    let (counters, leftOut) = counters()
    builder.trace.surfaces[surface].frames.extras = counters
    builder.log.note(
      .columnUnused, .dataLoss, "counters that few rows have, left out", count: leftOut)
  }

  /// The counters that are not times of frames. A trace has room for a value in each row. Therefore, of the columns
  /// that few rows have, only as many are kept as the file's contents justify.
  private func counters() -> (kept: [ExtraColumn], leftOut: Int) {
    var room = Self.leastRoom + Self.roomPerCell * rows.cellCount
    var (counters, leftOut): ([ExtraColumn], Int) = ([], 0)
    for position in rows.columns.keys.sorted() {
      guard room >= kept.count else {
        leftOut += 1
        continue
      }
      room -= kept.count
      if let counter = counter(position) { counters.append(counter) }
    }
    return (counters, leftOut)
  }

  /// The number of counter values that are kept: a minimum, and an additional number for each cell that was read.
  private static let (leastRoom, roomPerCell) = (1 << 20, 8)

  /// A counter that is not a time of a frame; `nil` if it has no values.
  private func counter(_ position: Int) -> ExtraColumn? {
    let name =
      rows.names.indices.contains(position) ? rows.names[position] : "column \(position + 1)"
    guard !Self.isFrames(name) else { return nil }
    var column = ExtraColumnBuilder(name: name, unit: Self.unit(of: name))
    for row in kept {
      column.append(real: rows.columns[position]?[row].flatMap { $0 == 0 ? nil : $0 } ?? .nan)
    }
    let finished = column.finish()
    return finished.valueCount > 0 ? finished : nil
  }

  private static func unit(of name: String) -> String? {
    let lower = name.lowercased()
    if let unit = units[lower] { return unit }
    return lower.hasPrefix("exclusive/") ? "ms" : lower.hasSuffix("mb") ? "MB" : nil
  }
}

extension UnrealJoin {
  /// Adds the events that the engine and the game wrote: `Region: Level/Boss - Begin` and `- End` form a stretch, and
  /// everything else is a moment.
  fileprivate func addEvents(to builder: inout TraceBuilder) {
    /// When the regions that have not ended began, by name; a region may be entered again before it ends.
    var open: [String: [Int64]] = [:]
    for event in rows.events {
      let parts = event.text.split(separator: "##", omittingEmptySubsequences: false)
      let stated =
        parts.count == 2 ? Double(parts[1]).flatMap { Timestamp.believed($0 * 1e9) } : nil
      let time = stated ?? start(of: event.row)
      let text = String(parts[0])
      let region = text.hasPrefix("Region: ") ? text.dropFirst("Region: ".count) : nil
      if let region, region.hasSuffix(" - Begin") {
        open[String(region.dropLast(" - Begin".count)), default: []].append(time)
      } else if let name = region.flatMap({ $0.hasSuffix(" - End") ? $0.dropLast(6) : nil }),
        let start = open[String(name)]?.popLast()
      {
        builder.addMark(String(name), start, max(start, time), process: nil, thread: nil)
      } else {
        builder.addMark(text, time, nil, process: nil, thread: nil)
      }
    }
    let unended = open.flatMap { name, starts in starts.map { (name: name, start: $0) } }
      .sorted { ($0.start, $0.name) < ($1.start, $1.name) }
    for (name, start) in unended {
      builder.addMark(name, start, max(start, times.last ?? start), process: nil, thread: nil)
    }
    builder.log.note(
      .cutOff, .info, "regions that had not ended at the end of the recording",
      count: unended.count)
  }

  /// When a row's frame began; for a row that is left out, when the next frame began.
  private func start(of row: Int) -> Int64 { times[kept.partitioningIndex { $0 >= row }] }

  /// Adds what the recording states about itself, without data that identifies a person.
  fileprivate func addSetting(to builder: inout TraceBuilder) {
    let text = { (keys: [String]) in
      let found = keys.compactMap { rows.facts[$0] }
      return found.isEmpty ? nil : found.joined(separator: ", ")
    }
    builder.trace.setting = Setting(
      device: text(["deviceprofile", "cpu"]),
      system: text(["os", "platform", "engineversion", "config", "rhiname"]))
  }

  /// The share of a recording that frames may leave uncovered without a note, because a recording begins and ends
  /// within frames.
  private static let gap = 0.05

  /// Compares the duration of the frames with the duration that the recording states.
  fileprivate func noteDuration(_ log: inout IssueLog) {
    guard let stated = rows.facts["captureduration"].flatMap({ Double($0) }),
      let end = times.last, stated > 0, stated < 1e9
    else { return }
    let covered = Double(end) / 1e9
    guard abs(covered - stated) > Self.gap * stated else { return }
    let text = { (seconds: Double) in FixedNumber.text(seconds, decimals: 1) }
    log.note(
      .conditions, .info,
      "frame times that cover \(text(covered)) s of a recording of \(text(stated)) s")
  }
}
