import FrameStatistics
import FrameTrace

/// Makes a trace of an Unreal CSV profile's rows.
struct UnrealJoin {
  private let rows: UnrealRows
  private let demand: TraceDemand
  /// The rows with a frame time, in order.
  private let kept: [Int]
  /// When each kept frame began, and the end of the last.
  private let times: [Int64]

  /// The counters that are times of a frame, by name in lower case. The game thread, the render thread, the thread that
  /// submits, and the GPU work on different frames at the same time.
  private static let columns: [String: FrameColumn] = [
    "frametime": .presentInterval, "gamethreadtime": .gameThread,
    "renderthreadtime": .renderThread, "rhithreadtime": .rhiThread, "gputime": .gpuBusy,
  ]
  /// The counters whose unit their names do not end with, by name in lower case.
  private static let units = [
    "inputlatencytime": "ms", "maxframetime": "ms", "cpuusage_process": "%", "cpuusage_idle": "%",
    "renderthreadtime_criticalpath": "ms", "gamethreadtime_criticalpath": "ms",
  ]

  /// Whether a counter is a time of a frame.
  static func isFrames(_ name: String) -> Bool { columns[name.lowercased()] != nil }

  init(_ rows: UnrealRows, _ demand: TraceDemand) {
    (self.rows, self.demand) = (rows, demand)
    let lengths = rows.place("FrameTime").flatMap { rows.values[$0] } ?? []
    var (kept, times, end): ([Int], [Int64], Int64) = ([], [0], 0)
    for (row, length) in lengths.enumerated() {
      guard let length = Self.time(length), end + length < Timestamp.bound else { continue }
      end += length
      kept.append(row)
      times.append(end)
    }
    (self.kept, self.times) = (kept, times)
  }

  /// A length in ns; `nil` for one that was not measured.
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
    if !rows.hasEnd {
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
    // What the threads did while the recording was being ended is not the game's.
    let last = rows.hasEnd ? rows.count - 1 : nil
    for (place, row) in kept.enumerated() {
      var frame = Table<FrameColumn>.Row()
      frame[.identifier] = Int64(row)
      frame[.commit] = times[place + 1]
      for (name, column) in Self.columns where column == .presentInterval || row != last {
        frame[column] = rows.place(name).flatMap { value($0, row) }.flatMap(Self.time)
      }
      builder.trace.surfaces[surface].frames.append(frame)
    }
    builder.log.note(
      .timeWithheld, .info,
      "thread and GPU times of the last row, which ends the recording, left out",
      count: last == nil ? 0 : 1)
    guard demand == .everything else { return }
    builder.trace.surfaces[surface].frames.extras = rows.values.keys.sorted().compactMap(counter)
  }

  private func value(_ place: Int, _ row: Int) -> Double? {
    guard let column = rows.values[place], row < column.count, !column[row].isNaN else {
      return nil
    }
    return column[row]
  }

  /// A counter that is no time of a frame; `nil` without values.
  private func counter(_ place: Int) -> ExtraColumn? {
    let name = rows.names.indices.contains(place) ? rows.names[place] : "column \(place + 1)"
    guard !Self.isFrames(name) else { return nil }
    var column = ExtraColumnBuilder(name: name, unit: Self.unit(of: name))
    for row in kept {
      column.append(real: value(place, row).flatMap { $0 == 0 ? nil : $0 } ?? .nan)
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
  /// Adds what the engine and the game wrote: `Region: Level/Boss - Begin` and `- End` are a stretch, everything else is
  /// a moment.
  fileprivate func addEvents(to builder: inout TraceBuilder) {
    let places = Dictionary(kept.enumerated().map { ($1, $0) }) { first, _ in first }
    var open: [String: Int64] = [:]
    var count = 0
    for event in rows.events {
      let parts = event.text.split(separator: "##", omittingEmptySubsequences: false)
      let stated =
        parts.count == 2 ? Double(parts[1]).flatMap { Timestamp.believed($0 * 1e9) } : nil
      guard let time = stated ?? places[event.row].map({ times[$0] }) else { continue }
      let text = String(parts[0])
      let name = text.hasPrefix("Region: ") ? text.dropFirst("Region: ".count) : nil
      if let name, name.hasSuffix(" - Begin") {
        open[String(name.dropLast(" - Begin".count))] = time
      } else if let name, name.hasSuffix(" - End"),
        let start = open.removeValue(forKey: String(name.dropLast(" - End".count)))
      {
        builder.addMark(
          String(name.dropLast(" - End".count)), start, max(start, time), process: nil, thread: nil)
      } else {
        builder.addMark(text, time, nil, process: nil, thread: nil)
      }
      count += 1
    }
    for (name, start) in open.sorted(by: { ($0.value, $0.key) < ($1.value, $1.key) }) {
      builder.addMark(name, start, max(start, times.last ?? start), process: nil, thread: nil)
    }
    builder.log.note(
      .cutOff, .info, "regions that had not ended at the end of the recording", count: open.count)
  }

  /// Adds what the recording says of itself, without what identifies a person.
  fileprivate func addSetting(to builder: inout TraceBuilder) {
    let text = { (keys: [String]) in
      let found = keys.compactMap { rows.facts[$0] }.map { $0.trimmed }.filter { !$0.isEmpty }
      return found.isEmpty ? nil : found.joined(separator: ", ")
    }
    builder.trace.setting = Setting(
      device: text(["deviceprofile", "cpu"]),
      system: text(["os", "platform", "engineversion", "config", "rhiname"]))
  }

  /// Compares the frames with how long the recording says that it took.
  fileprivate func noteDuration(_ log: inout IssueLog) {
    guard let stated = rows.facts["captureduration"].flatMap({ Double($0.trimmed) }),
      let end = times.last, stated > 0, stated < 1e9
    else { return }
    let covered = Double(end) / 1e9
    guard abs(covered - stated) > 0.05 * stated else { return }
    let text = { (seconds: Double) in FixedNumber.text(seconds, decimals: 1) }
    log.note(
      .conditions, .info,
      "frame times that cover \(text(covered)) s of a recording of \(text(stated)) s")
  }
}

extension String {
  /// The text without blanks around it.
  fileprivate var trimmed: String {
    String(decoding: Array(utf8)[...].trimmingBlanks(), as: UTF8.self)
  }
}
