import FrameTrace

/// Turns the time column of a PresentMon CSV into nanoseconds.
///
/// The name of the column does not determine its unit: ticks come without their rate, and versions
/// have written milliseconds under `TimeInSeconds` and seconds under `CPUStartTime`. The intervals
/// between rows, always in milliseconds, show the unit.
struct PresentMonClock {
  /// The unit of a time column.
  enum Unit {
    case seconds, milliseconds, ticks, dateTime

    /// The number of decimal digits that are read.
    var scale: Int {
      switch self {
      case .seconds: 9
      case .milliseconds: 6
      case .ticks, .dateTime: 0
      }
    }

    /// The largest number accepted.
    var limit: Int64 { self == .ticks ? Timestamp.bound >> 10 : Timestamp.bound }
  }

  /// The longest duration accepted, in ns: a million seconds.
  static let longest: Int64 = 1_000_000_000_000_000
  /// The rate of Windows' performance counter on nearly every machine, in ticks a second.
  static let usualRate = 10_000_000.0
  /// The rates accepted, in ticks per second.
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

  /// Assigns times to the frames of all surfaces, in the order of the file, and moves the frames to the trace.
  func time(_ frames: inout [UntimedFrames], in builder: inout TraceBuilder) {
    guard let unit else { return addUp(frames, in: &builder) }
    let reading =
      switch unit {
      case .ticks: ticks(frames, &builder.log)
      case .seconds, .milliseconds: corrected(frames, &builder.log)
      case .dateTime: Reading()
      }
    for surface in frames.indices {
      // Moved, because a copy of the times takes as long as reading them.
      var untimed = UntimedFrames()
      swap(&untimed, &frames[surface])
      builder.trace.surfaces[surface].frames = untimed.timed(reading.instant)
    }
    builder.trace.clocks = [
      ClockDomain(name: name(unit), join: .traceClock, offset: nil, resolution: reading.resolution)
    ]
  }

  /// How a time of the file is read.
  private struct Reading {
    /// The length of a tick; `nil` if times are not ticks.
    var resolution: Nanoseconds?
    /// `nil` if times are nanoseconds.
    let instant: ((Int64) -> Timestamp)?

    init(_ instant: ((Int64) -> Timestamp)? = nil) { self.instant = instant }
  }

  /// Replaces times that are coarser than the intervals by sums of intervals, for tools that write
  /// times with four digits. If rows are missing, the time column takes precedence.
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

  /// The most rows of a surface examined: for the tick rate, which is printed, and for the unit. A
  /// unit is off by a factor of a thousand or not at all.
  private static let most = 20_000
  private static let mostForUnit = 1_000

  /// The steps between the first application frames, each from the row that the file's interval
  /// counts from.
  /// - Parameter isCountedFrom: Whether the interval of the next row counts from the generated
  ///   frame in a row, because that frame was presented separately.
  private func steps(
    _ count: Int, _ intervals: IntegerColumn?, most: Int, isOwn: (Int) -> Bool,
    isCountedFrom: (_ row: Int, _ before: Int) -> Bool = { _, _ in false }
  ) -> [(from: Int, to: Int, interval: Nanoseconds)] {
    guard count > 1, let intervals else { return [] }
    let isBefore = intervalColumn == .startInterval
    var steps: [(from: Int, to: Int, interval: Nanoseconds)] = []
    var last: Int?
    for row in 0..<min(count, most) {
      guard isOwn(row) else {
        if !isBefore, let before = last, isCountedFrom(row, before) { last = row }
        continue
      }
      if let last, let interval = intervals[isBefore ? last : row] {
        steps.append((last, row, Nanoseconds(interval)))
      }
      last = row
    }
    return steps
  }

  /// The units of the time column per nanosecond, at the given quantiles of the steps; empty if no
  /// step is usable.
  private func rates(
    _ frames: [UntimedFrames], _ quantiles: [Double], most: Int = most
  ) -> [Double] {
    var rates: [Double] = []
    for surface in frames where rates.count < most {
      let intervals = surface.stored(intervalColumn)
      let steps = steps(
        surface.count, intervals, most: most, isOwn: surface.isOwn,
        isCountedFrom: { surface.times[$0] > surface.times[$1] })
      for step in steps {
        let units = surface.times[step.to] - surface.times[step.from]
        guard units > 0, step.interval > .zero else { continue }
        rates.append(Double(units) / Double(step.interval.count))
      }
    }
    guard !rates.isEmpty else { return [] }
    rates.sort()
    return quantiles.map { rates[Int($0 * Double(rates.count - 1))] }
  }
}

extension PresentMonClock {
  /// Reads ticks, by the rate of the counter.
  private func ticks(_ frames: [UntimedFrames], _ log: inout IssueLog) -> Reading {
    // If dropped frames are missing from the file, only the shortest steps are of a single frame.
    let found = rates(frames, [0.5, 0.25, 0.1]).map { $0 * 1e9 }
    let isUsual = found.contains { abs($0 / Self.usualRate - 1) < 0.002 }
    // No counter ticks slower than a µs, or faster than light over a millimeter.
    let own = found.first?.rounded()
    let rate =
      isUsual ? Self.usualRate : own.flatMap { Self.rates ~= $0 ? $0 : nil } ?? Self.usualRate
    if found.isEmpty || (!isUsual && rate == Self.usualRate) {
      log.note(
        .clockAssumed, .repaired, "a counter rate assumed to be 10 MHz, which no row confirms")
    } else if !isUsual {
      log.note(
        .clockAssumed, .repaired, "a counter rate of \(Int(rate)) Hz, computed from the intervals"
      )
    }
    var reading = Reading { ticks in
      let isUsual = rate == Self.usualRate
      return Timestamp(
        nanoseconds: isUsual ? ticks &* 100 : Int64((Double(ticks) * (1e9 / rate)).rounded()))
    }
    reading.resolution = Nanoseconds(rounding: 1e9 / rate)
    return reading
  }

  /// Reads times in the unit that the column's name states. If they are a thousand times too long
  /// or too short for the intervals, reads them in the unit that the intervals show.
  private func corrected(_ frames: [UntimedFrames], _ log: inout IssueLog) -> Reading {
    let rate = rates(frames, [0.5], most: Self.mostForUnit).first ?? 1
    if rate > 300, rate < 3000 {
      log.note(
        .clockAssumed, .repaired, "a time column in milliseconds, although its name says otherwise")
      return Reading { Timestamp(nanoseconds: $0 / 1000) }
    }
    if rate < 0.003, rate > 0.0003 {
      log.note(
        .clockAssumed, .repaired, "a time column in seconds, although its name says otherwise")
      return Reading { Timestamp(nanoseconds: $0 &* 1000) }
    }
    return Reading()
  }
}

extension PresentMonClock {
  /// Calculates the times from the intervals if the file has no time column.
  private func addUp(_ frames: [UntimedFrames], in builder: inout TraceBuilder) {
    builder.log.note(
      .timeRebuilt, .repaired,
      "frames without a time column, their times summed from \(intervalName) for each swap chain",
      count: frames.reduce(0) { $0 + $1.count })
    for (surface, untimed) in frames.enumerated() where untimed.count > 0 {
      let zero = Timestamp(nanoseconds: 0)
      let intervals = untimed.stored(intervalColumn)
      let first = header.dialect == .frames ? nil : intervals?[0]
      let times = added(
        untimed.count, intervals, from: zero + Nanoseconds(first ?? 0), isOwn: untimed.isOwn,
        stamp: { _ in zero }, settle: { _, sum in sum })
      builder.trace.surfaces[surface].frames = untimed.timed(at: times)
    }
    builder.trace.clocks = [
      ClockDomain(name: "sum of intervals", join: .traceClock, offset: nil, resolution: nil)
    ]
  }

  /// The interval column as the file names it.
  private var intervalName: String {
    let field: PresentMonField = header.dialect == .frames ? .frameTime : .betweenPresents
    return header.position(field).map { header.names[$0] } ?? "the intervals"
  }

  /// Times that are the sums of the intervals so far.
  /// - Parameters:
  ///   - stamp: The time that a row has without the sums.
  ///   - settle: Gets each row and its sum, and returns the time to continue from.
  private func added(
    _ count: Int, _ intervals: IntegerColumn?, from start: Timestamp, isOwn: (Int) -> Bool,
    stamp: (Int) -> Timestamp, settle: (Int, Timestamp) -> Timestamp
  ) -> [Timestamp] {
    let isBefore = intervalColumn == .startInterval
    var times: [Timestamp] = []
    var last: (row: Int, time: Timestamp)?
    for row in 0..<count {
      // A generated frame has no separate present call to count from.
      guard isOwn(row) else {
        times.append(stamp(row))
        continue
      }
      let step = last.map { intervals?[isBefore ? $0.row : row] } ?? 0
      let sum = (last?.time ?? start) + Nanoseconds(step ?? 0)
      times.append(step == nil ? stamp(row) : settle(row, sum))
      last = (row, times[row])
    }
    return times
  }

  private func refine(_ surface: Int, _ builder: inout TraceBuilder) {
    let frames = builder.trace.surfaces[surface].frames
    let intervals = frames.stored(intervalColumn)
    let errors = steps(frames.count, intervals, most: Self.most, isOwn: frames.isOwn).map { step in
      frames.reference(step.to) - frames.reference(step.from) - step.interval
    }
    let tolerance = Nanoseconds(20_000)
    // Missing rows make steps longer; only coarse times also make them shorter.
    let shorter = errors.count { $0 < -tolerance }
    guard errors.count >= 8, shorter * 10 > errors.count else { return }
    let sizes = errors.map(\.magnitude).sorted()
    let believed = sizes[sizes.count * 95 / 100] * 4
    var last: Timestamp?
    let times = added(
      frames.count, intervals, from: frames.reference(0), isOwn: frames.isOwn,
      stamp: frames.reference
    ) { row, sum in
      let stamp = frames.reference(row)
      let isGap = last.map { stamp > $0 } ?? true && (sum - stamp).magnitude > believed
      let time = isGap ? stamp : sum
      last = time
      return time
    }
    builder.trace.surfaces[surface].frames.references = times.map(\.nanoseconds)
    builder.log.note(
      .timeRebuilt, .repaired,
      "frames whose times are coarser than the intervals, recomputed from \(intervalName)",
      count: frames.count)
  }

  /// The nanoseconds since 1970 of a date and time such as `2024-5-9 13:02:11.123456789`, read as
  /// UTC; `nil` for any other text.
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
  /// Whether the application, and not a driver, made the frame in a row.
  fileprivate func isOwn(_ row: Int) -> Bool {
    self[row, .kind] != FrameColumn.Kind.generated.rawValue
  }
}
