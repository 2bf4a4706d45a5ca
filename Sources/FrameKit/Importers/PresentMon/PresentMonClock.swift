/// Turns the time column of a PresentMon CSV into nanoseconds.
///
/// The name of the column does not settle its unit: ticks come without their rate, and
/// versions have written milliseconds under `TimeInSeconds` and seconds under
/// `CPUStartTime`. The intervals between rows, always in milliseconds, tell.
struct PresentMonClock {
  /// What the numbers of a time column count.
  enum Unit {
    case seconds, milliseconds, ticks, dateTime

    /// The digits after the point that are read.
    var scale: Int {
      switch self {
      case .seconds: 9
      case .milliseconds: 6
      case .ticks, .dateTime: 0
      }
    }

    /// The largest number that is believed.
    var limit: Int64 { self == .ticks ? Timestamp.bound >> 10 : Timestamp.bound }
  }

  /// Lengths of time are believed up to this many nanoseconds, a million seconds.
  static let longest: Int64 = 1_000_000_000_000_000
  /// The rate of Windows' performance counter on nearly every machine, in ticks a second.
  static let usualRate = 10_000_000.0
  /// Rates that are believed.
  private static let rates = 1e6...1e11

  private let header: PresentMonHeader
  private let unit: Unit?
  /// The column of the intervals between the rows' times.
  private let intervalColumn: FrameColumn

  init(_ header: PresentMonHeader, _ unit: Unit?) {
    self.header = header
    self.unit = unit
    intervalColumn = header.dialect == .frames ? .startInterval : .presentInterval
  }

  /// Turns the times of all frames, in the order of the file, into nanoseconds.
  func convert(_ builder: inout TraceBuilder) {
    guard let unit else { return rebuildAll(&builder) }
    var resolution: Nanoseconds?
    switch unit {
    case .ticks: resolution = convertTicks(&builder)
    case .seconds, .milliseconds: correctUnit(&builder)
    case .dateTime: break
    }
    builder.trace.clocks = [
      ClockDomain(name: name(unit), join: .traceClock, offset: nil, resolution: resolution)
    ]
  }

  /// Replaces times that are coarser than the intervals by their sums, as with tools that
  /// write four digits of a time. Where rows are left out the time column still leads.
  /// - Precondition: The frames are in order of time.
  func refine(_ builder: inout TraceBuilder) {
    guard unit != nil else { return }
    for surface in builder.trace.surfaces.indices { refine(surface, &builder) }
  }

  private func name(_ unit: Unit) -> String {
    switch unit {
    case .ticks: "QPC"
    case .dateTime: "local date and time"
    case .seconds, .milliseconds: "capture start"
    }
  }

  /// The steps from row to row of the first rows: by the time column, and by the interval
  /// column.
  private func steps(_ frames: Table<FrameColumn>) -> [(time: Int64, interval: Int64)] {
    guard frames.count > 1, let intervals = frames.stored(intervalColumn) else { return [] }
    let isBefore = intervalColumn == .startInterval
    let rows = (0..<min(frames.count, 20_000)).filter(frames.isOwn)
    return zip(rows.dropFirst(), rows).compactMap { row, before in
      intervals[isBefore ? before : row].map {
        (frames.references[row] - frames.references[before], $0)
      }
    }
  }

  /// How many units of the time column a nanosecond has, at the given quantiles of the
  /// steps; empty when no step tells.
  private func rates(_ builder: TraceBuilder, _ quantiles: [Double]) -> [Double] {
    let most = 20_000
    var rates: [Double] = []
    for surface in builder.trace.surfaces where rates.count < most {
      for (time, interval) in steps(surface.frames) where time > 0 && interval > 0 {
        rates.append(Double(time) / Double(interval))
      }
    }
    guard !rates.isEmpty else { return [] }
    rates.sort()
    return quantiles.map { rates[Int($0 * Double(rates.count - 1))] }
  }
}

extension PresentMonClock {
  /// Turns ticks into nanoseconds.
  /// - Returns: The length of a tick.
  private func convertTicks(_ builder: inout TraceBuilder) -> Nanoseconds {
    // Where dropped frames were left out of the file, only the shortest steps are single.
    let found = rates(builder, [0.5, 0.25, 0.1]).map { $0 * 1e9 }
    let isUsual = found.contains { abs($0 / Self.usualRate - 1) < 0.002 }
    // No counter ticks slower than a µs, or faster than light over a millimetre.
    let own = found.first?.rounded()
    let rate =
      isUsual ? Self.usualRate : own.flatMap { Self.rates ~= $0 ? $0 : nil } ?? Self.usualRate
    if found.isEmpty || (!isUsual && rate == Self.usualRate) {
      builder.log.note(
        .clockAssumed, .repaired, "a counter rate of 10 MHz, which no row could confirm, assumed")
    } else if !isUsual {
      builder.log.note(
        .clockAssumed, .repaired, "a counter rate of \(Int(rate)) Hz, worked out from the intervals"
      )
    }
    convert(&builder) { ticks in
      rate == Self.usualRate ? ticks &* 100 : Int64((Double(ticks) * (1e9 / rate)).rounded())
    }
    return Nanoseconds(Int64((1e9 / rate).rounded()))
  }

  /// Mends times that are a thousand times too long or too short for their intervals.
  private func correctUnit(_ builder: inout TraceBuilder) {
    guard let rate = rates(builder, [0.5]).first else { return }
    if rate > 300, rate < 3000 {
      builder.log.note(
        .clockAssumed, .repaired, "a time column that is in milliseconds although named otherwise")
      convert(&builder) { $0 / 1000 }
    } else if rate < 0.003, rate > 0.0003 {
      builder.log.note(
        .clockAssumed, .repaired, "a time column that is in seconds although named otherwise")
      convert(&builder) { $0.multipliedReportingOverflow(by: 1000).partialValue }
    }
  }

  private func convert(_ builder: inout TraceBuilder, _ change: (Int64) -> Int64) {
    for surface in builder.trace.surfaces.indices {
      builder.trace.surfaces[surface].frames.references.withEach { $0 = change($0) }
    }
  }
}

extension PresentMonClock {
  /// Works the times out from the intervals where the file has no time column.
  private func rebuildAll(_ builder: inout TraceBuilder) {
    let count = builder.trace.frameCount
    builder.log.note(
      .timeRebuilt, .repaired,
      "frames without a time column, their times added up from \(intervalName) for each swap chain",
      count: count)
    for surface in builder.trace.surfaces.indices {
      let frames = builder.trace.surfaces[surface].frames
      guard frames.count > 0 else { continue }
      let start = header.dialect == .frames ? 0 : frames[0, intervalColumn] ?? 0
      builder.trace.surfaces[surface].frames.references = added(frames, from: start) { _, sum in sum
      }
    }
    builder.trace.clocks = [
      ClockDomain(name: "sum of intervals", join: .traceClock, offset: nil, resolution: nil)
    ]
  }

  /// The interval column as the file names it.
  private var intervalName: String {
    let field: PresentMonField = header.dialect == .frames ? .frameTime : .betweenPresents
    return header.place(field).map { header.names[$0] } ?? "the intervals"
  }

  /// Times that are the sums of the intervals so far.
  /// - Parameter settle: Is given each row and its sum, and gives the time to go on from.
  private func added(
    _ frames: Table<FrameColumn>, from start: Int64, _ settle: (Int, Int64) -> Int64
  ) -> [Int64] {
    let isBefore = intervalColumn == .startInterval
    var times: [Int64] = []
    var last: (row: Int, time: Int64)?
    for row in 0..<frames.count {
      // What a driver generated has no present call of its own to count from.
      guard frames.isOwn(row) else {
        times.append(frames.references[row])
        continue
      }
      let step = last.map { frames[isBefore ? $0.row : row, intervalColumn] } ?? 0
      let sum = (last?.time ?? start) &+ (step ?? 0)
      times.append(step == nil ? frames.references[row] : settle(row, sum))
      last = (row, times[row])
    }
    return times
  }

  private func refine(_ surface: Int, _ builder: inout TraceBuilder) {
    let frames = builder.trace.surfaces[surface].frames
    let errors = steps(frames).map { $0.time - $0.interval }
    let tolerance: Int64 = 20_000
    // Rows left out make steps longer; only coarse times make them shorter as well.
    let shorter = errors.count { $0 < -tolerance }
    guard errors.count >= 8, shorter * 10 > errors.count else { return }
    let sizes = errors.map(\.magnitude).sorted()
    let believed = 4 * sizes[sizes.count * 95 / 100]
    var last = Int64.min
    let times = added(frames, from: frames.references[0]) { row, sum in
      let stamp = frames.references[row]
      let isGap = stamp > last && (sum - stamp).magnitude > believed
      last = isGap ? stamp : sum
      return last
    }
    builder.trace.surfaces[surface].frames.references = times
    builder.log.note(
      .timeRebuilt, .repaired,
      "frames whose times are coarser than the intervals, worked out again from \(intervalName)",
      count: frames.count)
  }

  /// The nanoseconds since 1970 of a date and time such as `2024-5-9 13:02:11.123456789`,
  /// taken as if in UTC; `nil` when it is none.
  static func dateAndTime(_ text: String) -> Int64? {
    let parts = text.split(separator: " ")
    guard parts.count == 2 else { return nil }
    let date = parts[0].split(separator: "-").compactMap { Int64($0) }
    let time = parts[1].split(separator: ":")
    guard date.count == 3, time.count == 3, (1970...2200).contains(date[0]),
      (1...12).contains(date[1]), (1...31).contains(date[2]),
      let hours = Int64(time[0]), let minutes = Int64(time[1]),
      (0..<24).contains(hours), (0..<60).contains(minutes),
      case .value(let nanoseconds) = DecimalNumber.read(Array(time[2].utf8)[...], scale: 9),
      (0..<61_000_000_000).contains(nanoseconds)
    else { return nil }
    let day = CivilDay(year: date[0], month: date[1], day: date[2])
    let seconds = (day.daysSince1970 * 24 + hours) * 3600 + minutes * 60
    return seconds * 1_000_000_000 + nanoseconds
  }
}

extension Table<FrameColumn> {
  /// Whether the application made the frame in a row, and no driver.
  fileprivate func isOwn(_ row: Int) -> Bool {
    self[row, .kind] != FrameColumn.Kind.generated.rawValue
  }
}

extension [Int64] {
  fileprivate mutating func withEach(_ change: (inout Int64) -> Void) {
    for index in indices { change(&self[index]) }
  }
}
