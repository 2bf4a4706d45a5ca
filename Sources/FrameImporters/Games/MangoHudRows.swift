import FrameStatistics
import FrameTrace

/// Adds the rows of a MangoHud log to a trace: frames if every frame has a row, otherwise readings.
struct MangoHudRows {
  private let header: MangoHudHeader
  private var builder: TraceBuilder
  private var sensors: [ExtraColumnBuilder]
  private let sensorPositions: [Int]
  /// The number of columns that were not requested.
  private let unreadCount: Int
  private let fps, frameTime, elapsed: Int?
  private var rates: [Double] = []
  private var lengths: [Double] = []
  private var times: [Int64] = []
  /// The lines of rows that are not on the line after the previous row.
  private var lines: [(row: Int, line: Int)] = []
  /// The number of sessions in the file before the current one.
  private var sessionCount = 0
  /// The number of header lines still to come.
  private var headerLines = 0

  /// The units of sensors, by name.
  private static let units: [String: String] = [
    "cpu_load": "%", "gpu_load": "%", "cpu_temp": "°C", "gpu_temp": "°C", "cpu_power": "W",
    "gpu_power": "W", "gpu_core_clock": "MHz", "gpu_mem_clock": "MHz", "cpu_mhz": "MHz",
    "gpu_vram_used": "GB", "ram_used": "GB", "swap_used": "GB", "process_rss": "GB",
  ]
  private static let limit = Double(Timestamp.bound)
  /// The maximum number of rows sampled to find the unit of frame times.
  private static let mostSamples = 4096
  /// The share of the time that frames must cover to count as complete.
  private static let wholeShare = 0.9

  init(_ header: MangoHudHeader, _ builder: TraceBuilder, _ demand: TraceDemand) {
    (self.header, self.builder) = (header, builder)
    self.builder.trace.isPartial = demand != .everything
    fps = header.columns.firstIndex(of: "fps")
    frameTime = header.columns.firstIndex(of: "frametime")
    elapsed = header.columns.lastIndex(of: "elapsed")
    let known = Set([fps, frameTime, elapsed].compactMap { $0 })
    let others = header.columns.indices.filter { !known.contains($0) }
    // Sensors are not metrics.
    sensorPositions = demand == .everything ? Array(others) : []
    unreadCount = others.count - sensorPositions.count
    sensors = sensorPositions.map { [columns = header.columns] position in
      ExtraColumnBuilder(name: columns[position], unit: Self.units[columns[position]])
    }
  }

  mutating func note(break error: ParseError?) { builder.log.note(break: error) }

  /// Reads a block of rows.
  /// - Parameter headerLines: The number of lines before the first row.
  mutating func read(_ block: CSVBlock, after headerLines: Int) {
    var rows: [Int32] = []
    rows.reserveCapacity(block.rowCount)
    // The header can continue beyond the block.
    let start = min(max(0, headerLines + 1 - block.firstLine), block.rowCount)
    for row in start..<block.rowCount {
      if isHeader(row, block, rows: &rows) { continue }
      let width = block.cellCount(row)
      if width == header.columns.count {
        rows.append(Int32(truncatingIfNeeded: row))
      } else if width > 1 || !block.buffer[block.cell(row, 0)].trimmingBlanks().isEmpty {
        builder.log.note(
          width: row, of: block,
          "rows that do not have the header's \(header.columns.count) columns, left out")
      }
    }
    append(rows, of: block)
  }

  /// Adds the rows of a block that belong to one session.
  private mutating func append(_ all: [Int32], of block: CSVBlock) {
    guard let fps, let elapsed, !all.isEmpty else { return }
    var numbers = [Double](repeating: .nan, count: all.count)
    var spans = [Int64](repeating: 0, count: all.count)
    block.decodeReals(column: fps, of: all, limit: Self.limit, into: &numbers)
    _ = block.decode(
      column: elapsed, of: all, scale: 0, limit: Timestamp.bound / timeUnit, into: &spans)
    let isUsable = all.indices.map { spans[$0] >= 0 && numbers[$0] >= 0 }
    for index in all.indices where !isUsable[index] {
      builder.log.note(
        .malformedValue, .dataLoss, "rows whose frame rate or time is not a number, left out",
        at: .line(block.firstLine + Int(all[index])))
    }
    let isWhole = isUsable.allSatisfy { $0 }
    let rows = isWhole ? all : all.indices.filter { isUsable[$0] }.map { all[$0] }
    number(rows, of: block)
    rates += isWhole ? numbers : all.indices.filter { isUsable[$0] }.map { numbers[$0] }
    times += isWhole ? spans : all.indices.filter { isUsable[$0] }.map { spans[$0] }
    numbers.removeLast(numbers.count - rows.count)
    if let frameTime {
      block.decodeReals(column: frameTime, of: rows, limit: Self.limit, into: &numbers)
    }
    lengths += frameTime == nil ? [Double](repeating: .nan, count: rows.count) : numbers
    for (sensor, position) in sensorPositions.enumerated() {
      block.decodeReals(column: position, of: rows, limit: Self.limit, into: &numbers)
      sensors[sensor].append(reals: numbers)
    }
    reserve(block)
  }

  /// Records the lines of further rows.
  private mutating func number(_ rows: [Int32], of block: CSVBlock) {
    var next = lines.last.map { $0.line + times.count - $0.row }
    for (index, row) in rows.enumerated() {
      let line = block.firstLine + Int(row)
      if line != next { lines.append((times.count + index, line)) }
      next = line + 1
    }
  }

  private func line(of row: Int) -> Int? {
    let next = lines.partitioningIndex { $0.row > row }
    return next > 0 ? lines[next - 1].line + row - lines[next - 1].row : nil
  }

  /// Reserves memory for the expected rows of the file, judging by the first rows.
  private mutating func reserve(_ block: CSVBlock) {
    let growth = block.expectedGrowth
    guard growth > 1, rates.capacity < 2 * rates.count else { return }
    let expected = Int(Double(rates.count) * growth)
    guard expected > rates.capacity else { return }
    rates.reserveCapacity(expected)
    times.reserveCapacity(expected)
    lengths.reserveCapacity(expected)
    for sensor in sensors.indices { sensors[sensor].reserve(reals: expected) }
  }

  /// Whether a row belongs to a header: a log can be appended to an existing file.
  /// - Parameter rows: The rows before this row, which belong to the session that ends.
  private mutating func isHeader(
    _ row: Int, _ block: CSVBlock, rows: inout [Int32]
  ) -> Bool {
    let first = block.cell(row, 0)
    // Rows begin with a number.
    if headerLines == 0, !first.isEmpty, block.buffer[first.lowerBound] &- 0x30 < 10 {
      return false
    }
    let text = block.buffer[first]
    let width = block.cellCount(row)
    if width >= 4, text.elementsEqual("os".utf8), block.text(row, 1) == "cpu",
      block.text(row, 2) == "gpu", block.text(row, 3).hasPrefix("ram")
    {
      append(rows, of: block)
      rows = []
      addSession()
      headerLines = 2
      return true
    }
    if text.starts(with: "---".utf8) { return true }
    if text.first == UInt8(ascii: "v"), width == 1 { return true }
    guard headerLines > 0 else { return false }
    headerLines -= 1
    return true
  }

  /// Ends the current session and begins the next one.
  private mutating func addSession() {
    addRows()
    sessionCount += 1
    (rates, lengths, times, lines) = ([], [], [], [])
    for index in sensors.indices {
      sensors[index] = ExtraColumnBuilder(name: sensors[index].name, unit: sensors[index].unit)
    }
  }

  /// The unit of frame times in ns. A frame time multiplied by the frame rate is one second.
  private var lengthUnit: Double? {
    let step = max(1, rates.count / Self.mostSamples)
    let products = stride(from: 0, to: rates.count, by: step).map { rates[$0] * lengths[$0] }
      .filter { $0.isFinite && $0 > 0 }.sorted()
    guard let usual = products.medianOfSorted else { return nil }
    if abs(usual / 1e3 - 1) < 0.1 { return 1e6 }
    return abs(usual / 1e6 - 1) < 0.1 ? 1e3 : nil
  }

  /// Versions without frame times count the time in µs.
  private var timeUnit: Int64 { frameTime == nil ? 1000 : 1 }

  consuming func finish() -> TraceBuilder {
    addSetting()
    addRows()
    builder.trace.clocks = [
      ClockDomain(
        name: "log start", join: .traceClock, offset: nil, resolution: Nanoseconds(timeUnit))
    ]
    builder.log.note(
      .columnUnused, .info, "columns left unread because no requested metric needs them",
      count: unreadCount)
    builder.log.note(
      .conditions, .info, "logs that were restarted in the file, each with its own surface",
      count: sessionCount)
    return builder
  }

  private mutating func addRows() {
    if timeUnit != 1 { times = times.map { $0 * timeUnit } }
    var lengths = frameLengths()
    var columns = sensors.map { $0.finish() }
    leaveOutImpossible(&lengths, &columns)
    let coverage = coverage(lengths)
    if coverage.map({ $0 >= Self.wholeShare }) ?? true, !lengths.allSatisfy({ $0 == nil }) {
      addFrames(lengths, columns)
    } else {
      addReadings(lengths, columns, coverage)
    }
  }

  private mutating func leaveOutImpossible(
    _ lengths: inout [Int64?], _ columns: inout [ExtraColumn]
  ) {
    var longFrames = LongFrames()
    // The first frame time is not used and can be an old value from memory.
    for (row, length) in lengths.enumerated().dropFirst() {
      longFrames.note(length, .before, surface: 0, row: row, line: line(of: row))
    }
    let impossible = longFrames.impossible(by: [times], &builder.log)
    guard impossible.count > 0 else { return }
    let kept = impossible.others(of: 0, among: times.count)
    lengths = kept.map { [lengths] in lengths[Int($0)] }
    times = kept.map { [times] in times[Int($0)] }
    columns = columns.map { $0.reordered(by: kept) }
  }

  /// The duration of each frame, in ns.
  private mutating func frameLengths() -> [Int64?] {
    guard frameTime != nil else {
      builder.log.note(
        .timeRebuilt, .repaired,
        "frame times computed from frame rates, as this version writes only rates",
        count: rates.count
      )
      return rates.map { Self.whole(1e9 / $0) }
    }
    guard let unit = lengthUnit else {
      builder.log.note(
        .columnUnused, .dataLoss,
        "frame times that contradict the frame rate (their product is not 1 s), left out",
        count: rates.count)
      return rates.map { _ in nil }
    }
    return lengths.map { Self.whole($0 * unit) }
  }

  /// A duration in whole ns; `nil` if it is not positive or is implausibly long.
  private static func whole(_ length: Double) -> Int64? {
    length > 0 ? Timestamp.believed(length) : nil
  }

  /// The share of the time between the rows that their frames cover; `nil` with fewer than two
  /// rows.
  private func coverage(_ lengths: [Int64?]) -> Double? {
    guard let first = times.first, let last = times.last, last > first else { return nil }
    let sum = lengths.dropFirst().reduce(0.0) { $0 + Double($1 ?? 0) }
    return sum / Double(last - first)
  }

  /// Adds the frames of a log; the first frame time reaches back before the log and is left out.
  private mutating func addFrames(_ lengths: [Int64?], _ columns: [ExtraColumn]) {
    let id = sessionCount == 0 ? "game" : "game, \(sessionCount + 1)"
    let position = builder.surface(id) { Surface(id: id, bufferOwner: .app, derivesStarts: true) }
    var intervals = lengths.map { $0 ?? IntegerColumn.missing }
    if !intervals.isEmpty { intervals[0] = IntegerColumn.missing }
    builder.trace.surfaces[position].frames.append(
      at: times, rows: Array(0..<Int32(times.count)),
      stored: [
        (.commit, [Int64](repeating: 0, count: times.count)), (.presentInterval, intervals),
      ])
    builder.trace.surfaces[position].frames.extras = columns.filter { $0.valueCount > 0 }
    builder.log.note(
      .timeWithheld, .info,
      "a first frame time, which starts before the log, left out",
      count: lengths.isEmpty ? 0 : 1)
  }

  /// Adds rows written at intervals as readings. Each reading states the duration of one frame and nothing about the
  /// frames in between. The first reading can be an old value from memory.
  private mutating func addReadings(
    _ lengths: [Int64?], _ columns: [ExtraColumn], _ coverage: Double?
  ) {
    let share = FixedNumber.text((coverage ?? 0) * 100, decimals: 1)
    builder.log.note(
      .framesWithheld, .dataLoss,
      "rows of a log written at intervals: their frames cover \(share) % of the time, so they are samples, not all frames (log_interval=0 writes every frame)",
      count: times.count)
    let known = lengths.dropFirst().compactMap { $0 }.sorted()
    let usual = known.medianOfSorted ?? 0
    for (row, length) in lengths.enumerated() {
      guard let length, row > 0 || length <= Self.longestFirst || length <= 10 * usual else {
        continue
      }
      builder.add(
        StatedFigure(
          scene: nil, run: sessionCount, metric: StatedMetric.sampledFrameTime.rawValue,
          value: Nanoseconds(length).milliseconds, unit: StatedMetric.sampledFrameTime.unit,
          label: "frametime"))
    }
    for column in columns {
      var series = TelemetrySeries(name: column.name, unit: column.unit)
      for (row, time) in times.enumerated() {
        guard let value = column.text(row).flatMap({ Double($0) }) else { continue }
        series.times.append(Timestamp(nanoseconds: time))
        series.values.append(value)
      }
      if !series.times.isEmpty { builder.trace.telemetry.append(series) }
    }
  }

  /// The longest first reading accepted regardless of the others, in ns.
  private static let longestFirst: Int64 = 1_000_000_000

  private mutating func addSetting() {
    let system = header.system
    let text = { (names: [String]) in
      let found = names.compactMap { system[$0] }
      return found.isEmpty ? nil : found.joined(separator: ", ")
    }
    builder.trace.setting = Setting(
      device: text(["gpu", "cpu"]), system: text(["os", "kernel", "driver"]))
  }
}
