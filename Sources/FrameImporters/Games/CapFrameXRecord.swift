import FrameTrace

/// Adds the runs of a CapFrameX record to a trace, one surface per run.
struct CapFrameXRecord {
  private var builder: TraceBuilder
  private let process: String?
  /// The start of the next run without a counter, in ns.
  private var nextStart: Int64 = 0
  /// The numbers of runs with and without a counter.
  private var counted = 0
  private var uncounted = 0

  /// The names of present modes, by number.
  private static let modes = [
    "Unknown", "Hardware: Legacy Flip", "Hardware: Legacy Copy to front buffer",
    "Hardware: Independent Flip", "Composed: Flip", "Composed: Copy with GPU GDI",
    "Composed: Copy with CPU GDI", "Composed: Composition Atlas",
    "Hardware Composed: Independent Flip", "Other",
  ]
  /// The length of a counter tick on nearly every machine, in ns.
  private static let usualTick = 100.0
  /// The maximum number of runs accepted.
  private static let mostRuns = 1000

  init(_ root: JSONNode, _ builder: TraceBuilder) {
    self.builder = builder
    let info = root["Info"]
    let text = { (key: String) in
      info?[key]?.text.flatMap { $0.isEmpty ? nil : $0 }
    }
    process = text("ProcessName")
    let device = [text("GPU"), text("Processor")].compactMap { $0 }
    self.builder.trace.setting = Setting(
      device: device.isEmpty ? nil : device.joined(separator: ", "), system: text("OS"),
      version: nil, date: text("CreationDate"))
  }

  mutating func add(_ run: JSONNode, _ index: Int) {
    guard index < Self.mostRuns else {
      builder.log.note(
        .absurdValue, .dataLoss, "runs of a record after the first \(Self.mostRuns), left out")
      return
    }
    guard let data = run["CaptureData"] else {
      builder.log.note(.brokenReference, .dataLoss, "runs without CaptureData, left out")
      return
    }
    let columns = CapFrameXColumns(data)
    let times = times(columns)
    guard !times.isEmpty else {
      builder.log.note(.malformedValue, .dataLoss, "runs without times, left out")
      return
    }
    let id = "run \(index + 1)"
    let process = process
    let position = builder.surface(id) {
      Surface(id: id, name: id, process: process, bufferOwner: .app, derivesStarts: true)
    }
    let rendersAreMeasured = columns.values("MsUntilRenderComplete").contains { ($0 ?? 0) != 0 }
    var longFrames = LongFrames()
    for (row, time) in times.enumerated() {
      guard let time else {
        builder.log.note(.malformedValue, .dataLoss, "rows without a time, left out")
        continue
      }
      var frame = columns.row(row, at: time, rendersAreMeasured: rendersAreMeasured)
      let mode = columns.number("PresentMode", row).flatMap { Int(exactly: $0) }
      if let mode, Self.modes.indices.contains(mode) {
        frame[.presentMode] = builder.trace.surfaces[position].frames.texts.number(
          of: Self.modes[mode])
      }
      longFrames.note(
        frame[.presentInterval], .before, surface: position,
        row: builder.trace.surfaces[position].frames.count, line: nil)
      builder.trace.surfaces[position].frames.append(frame)
    }
    _ = longFrames.leaveOutImpossible(from: &builder)
    addStarts(position)
    addSensors(run["SensorData2"], from: times.compactMap { $0 }.first ?? 0)
    if !rendersAreMeasured, columns.has("MsUntilRenderComplete") {
      builder.log.note(
        .columnUnused, .repaired, "MsUntilRenderComplete is 0 on every row, treated as not measured"
      )
    }
  }

  /// The times of rows: from the counter, which continues across runs, or otherwise from the run's seconds.
  private mutating func times(_ columns: CapFrameXColumns) -> [Int64?] {
    let ticks = columns.values("QPCTime")
    if ticks.count == columns.count, ticks.allSatisfy({ ($0 ?? 0) > 0 }) {
      let tick = Self.tick(ticks, columns.values("TimeInSeconds"))
      counted += 1
      return ticks.map { $0.flatMap { Self.whole($0 * tick) } }
    }
    uncounted += 1
    let start = nextStart
    let times = columns.values("TimeInSeconds").map { seconds in
      seconds.flatMap { Self.whole($0 * 1e9) }.flatMap { time in
        abs(time &+ start) < Timestamp.bound ? time &+ start : nil
      }
    }
    nextStart = (times.compactMap { $0 }.max() ?? start) &+ 1_000_000_000
    return times
  }

  /// The length of a tick in ns, from the seconds of the same rows.
  private static func tick(_ ticks: [Double?], _ seconds: [Double?]) -> Double {
    guard ticks.count == seconds.count, let first = ticks.first ?? nil,
      let last = ticks.last ?? nil,
      let start = seconds.first ?? nil, let end = seconds.last ?? nil, last > first, end > start
    else { return usualTick }
    let tick = (end - start) * 1e9 / (last - first)
    let isUsual = abs(tick / usualTick - 1) < 0.002
    return isUsual || !(0.01...1000).contains(tick) ? usualTick : tick
  }

  static func whole(_ value: Double) -> Int64? {
    value.isFinite && abs(value) < Double(Timestamp.bound) ? Int64(value.rounded()) : nil
  }

  /// Adds the starts of frames. A frame starts when the previous present call ends.
  private mutating func addStarts(_ position: Int) {
    let frames = builder.trace.surfaces[position].frames
    guard frames.has(.appEnd) else { return }
    var starts = IntegerColumn()
    for row in 0..<frames.count {
      let end = row > 0 ? frames[row - 1, .appEnd] : nil
      starts.append(end.map { $0 &- frames.references[row] } ?? IntegerColumn.missing)
    }
    builder.trace.surfaces[position].frames.setStored(.appStart, starts)
  }

  /// The unit of a sensor type as defined by LibreHardwareMonitor, which reads the sensors; the type itself if it has
  /// another name.
  private static func unit(_ type: String) -> String {
    let units = [
      "Voltage": "V", "Current": "A", "Power": "W", "Clock": "MHz", "Temperature": "°C",
      "Load": "%", "Frequency": "Hz", "Fan": "RPM", "Control": "%", "Level": "%", "Data": "GB",
      "SmallData": "MB", "Throughput": "B/s", "TimeSpan": "s", "Energy": "mWh",
    ]
    return units[type] ?? type
  }

  /// Adds the sensor readings, which have separate times.
  private mutating func addSensors(_ node: JSONNode?, from start: Int64) {
    let members = node?.members ?? []
    let times = members.first { $0.key == "MeasureTime" }?.value["Values"]?.array ?? []
    let seconds = times.map { $0.number.flatMap { Self.whole($0 * 1e9) } }
    for (key, sensor) in members where key != "MeasureTime" && key != "BetweenMeasureTime" {
      let values = sensor["Values"]?.array ?? []
      guard values.count == seconds.count, !values.isEmpty else { continue }
      var series = TelemetrySeries(
        name: sensor["Name"]?.text ?? key, unit: sensor["Type"]?.text.map(Self.unit),
        source: key)
      for (time, value) in zip(seconds, values) {
        guard let time, let value = value.number else { continue }
        series.times.append(Timestamp(nanoseconds: start &+ time))
        series.values.append(value)
      }
      if !series.times.isEmpty { builder.trace.telemetry.append(series) }
    }
  }

  consuming func finish() -> TraceBuilder {
    builder.trace.clocks = [
      uncounted == 0
        ? ClockDomain(name: "QPC", join: .traceClock, offset: nil, resolution: nil)
        : ClockDomain(name: "capture start", join: .traceClock, offset: nil, resolution: nil)
    ]
    if counted > 0, uncounted > 0 {
      builder.log.note(
        .clockAssumed, .repaired,
        "runs without a time counter (QPC) among runs with one: their times count from a separate zero",
        count: uncounted)
    } else if uncounted > 1 {
      builder.log.note(
        .clockAssumed, .repaired,
        "runs that all start at 0 without a time of day, placed one second apart")
    }
    return builder
  }
}

/// The columns of a run: arrays of equal length.
struct CapFrameXColumns {
  private let columns: [String: [JSONNode]]
  let count: Int

  init(_ data: JSONNode) {
    var columns: [String: [JSONNode]] = [:]
    for (key, value) in data.members { columns[key] = value.array }
    self.columns = columns
    count = columns["MsBetweenPresents"]?.count ?? columns["TimeInSeconds"]?.count ?? 0
  }

  func has(_ name: String) -> Bool { columns[name].map { !$0.isEmpty } ?? false }

  func number(_ name: String, _ row: Int) -> Double? {
    guard let column = columns[name], column.indices.contains(row) else { return nil }
    return column[row].number
  }

  func values(_ name: String) -> [Double?] { (columns[name] ?? []).map(\.number) }

  /// A duration in ms, converted to nanoseconds.
  private func length(_ name: String, _ row: Int) -> Int64? {
    number(name, row).flatMap { abs($0) < 1e9 ? CapFrameXRecord.whole($0 * 1e6) : nil }
  }

  func row(_ row: Int, at time: Int64, rendersAreMeasured: Bool) -> Table<FrameColumn>.Row {
    var frame = Table<FrameColumn>.Row()
    frame[.commit] = time
    frame[.syncInterval] = number("SyncInterval", row).flatMap { Int64(exactly: $0) }
    let isDropped = columns["Dropped"].flatMap { $0.indices.contains(row) ? $0[row].isTrue : nil }
    frame[.fate] = isDropped.map {
      ($0 ? FrameColumn.Fate.discarded : .displayed).rawValue
    }
    frame[.appEnd] = length("MsInPresentAPI", row).map { time &+ $0 }
    frame[.presentInterval] = length("MsBetweenPresents", row).flatMap { $0 == 0 ? nil : $0 }
    // 0 means that the frame was not displayed.
    frame[.displayed] = length("MsUntilDisplayed", row).flatMap {
      $0 == 0 || isDropped == true ? nil : time &+ $0
    }
    frame[.displayInterval] = length("MsBetweenDisplayChange", row).flatMap {
      $0 == 0 || isDropped == true ? nil : $0
    }
    if rendersAreMeasured {
      frame[.gpuEnd] = length("MsUntilRenderComplete", row).map { time &+ $0 }
    }
    frame[.gpuBusy] = length("GpuActive", row)
    frame[.animationError] = length("AnimationError", row)
    return frame
  }
}
