import FrameTrace

/// What Meta Quest's runtime logs once a second (`adb logcat -s VrApi`).
///
/// Documentation: Meta, "VrApi Logs"; developers.meta.com. Example:
///
///     06-14 22:00:33.011  2072 10406 I VrApi   : FPS=71/72,Prd=34ms,Tear=0,Early=0,Stale=1,…,TW=2.62ms,App=8.13ms,…
///
/// In that second, 71 of 72 frames arrived, and one refresh showed an older frame. The GPU worked 8.13 ms on a frame of
/// the app and 2.62 ms on its reprojection. These values are per-second samples, not frames.
struct VrApiLog: TraceImporter {
  let name = "vrapi"
  let title = "VrApi log of Meta Quest"
  let versions = "with and without a target rate"
  let documentation =
    "https://developers.meta.com/horizon/documentation/native/android/ts-logcat-stats/"
  let platform: Platform? = .android

  /// What the line of a second has after its tag.
  static let tag = "VrApi"
  private static let start = "FPS="

  func recognize(_ head: FileHead) -> Recognition? {
    guard head.lines(200).contains(where: { VrApiSecond($0) != nil }) else { return nil }
    return Recognition(format: "VrApi log", reason: "lines of VrApi with FPS=")
  }

  func read(
    _ input: InputFile, _ provenance: Provenance, _ demand: TraceDemand
  ) throws(ParseError) -> TraceBuilder {
    var seconds: [VrApiSecond] = []
    var (others, years) = (0, Int64(0))
    let broken = try TextLines.read(input) { line in
      // A line may be cut off within a number.
      if !line.isUnterminated,
        var second = VrApiSecond(String(decoding: line.bytes, as: UTF8.self))
      {
        second.time += years * VrApiSecond.year
        // The year changes between December and January.
        if let last = seconds.last, last.time - second.time > VrApiSecond.year / 2 {
          years += 1
          second.time += VrApiSecond.year
        }
        seconds.append(second)
      } else if !line.isBlank {
        others += 1
      }
    }
    var builder = TraceBuilder(provenance)
    builder.trace.clocks = [
      ClockDomain(
        name: "the log's time of day", join: .traceClock, offset: nil,
        resolution: Nanoseconds(1_000_000))
    ]
    builder.log.note(break: broken)
    add(seconds, to: &builder)
    builder.log.note(.unknownRecord, .info, "lines of other kinds, left out", count: others)
    return builder
  }

  private func add(_ seconds: [VrApiSecond], to builder: inout TraceBuilder) {
    var (stale, due) = (0.0, 0.0)
    var (names, series) = ([String](), [String: TelemetrySeries]())
    for second in seconds {
      for (name, unit, value) in second.readings {
        if series[name] == nil { names.append(name) }
        series[name, default: TelemetrySeries(name: name, unit: unit)].times.append(
          Timestamp(nanoseconds: second.time))
        series[name]?.values.append(value)
      }
      let metric = StatedMetric.sampledFrameRate
      builder.add(
        StatedFigure(
          scene: nil, run: 0, metric: metric.rawValue, value: second.rate, unit: metric.unit,
          label: "FPS of each second"))
      if let target = second.target, let count = second.stale {
        stale += min(count, target)
        due += target
      }
    }
    builder.trace.telemetry = names.compactMap { series[$0] }
    guard due > 0 else { return }
    let metric = StatedMetric.staleShare
    builder.add(
      StatedFigure(
        scene: nil, run: 0, metric: metric.rawValue, value: 100 * stale / due, unit: metric.unit,
        count: Int(due), label: "stale frames of those due"))
  }
}

/// The log line for one second.
struct VrApiSecond {
  /// On the log's clock, in ns.
  fileprivate(set) var time: Int64
  let rate: Double
  /// The display's rate; `nil` in logs of older runtimes.
  let target: Double?
  /// The number of refreshes that showed an older frame.
  let stale: Double?
  /// The line's other readings, with units.
  let readings: [(name: String, unit: String?, value: Double)]

  private static let units = ["App": "ms", "TW": "ms", "GD": "ms", "Prd": "ms", "Temp": "°C"]
  private static let counts = ["Stale", "Tear", "Early"]

  init?(_ line: String) {
    guard let tag = line.firstRange(of: "VrApi") else { return nil }
    let rest = line[tag.upperBound...].drop { $0 == " " }
    guard rest.hasPrefix(": FPS="), let time = Self.time(line[..<tag.lowerBound]) else {
      return nil
    }
    var values: [String: String] = [:]
    // A cell without a name belongs to the previous cell, as in "CPU4/GPU=2/4,2419/305MHz".
    for cell in rest.dropFirst(2).split(separator: ",") {
      guard let equals = cell.firstIndex(of: "=") else { continue }
      values[String(cell[..<equals])] = String(cell[cell.index(after: equals)...])
    }
    let rates = (values["FPS"] ?? "").split(separator: "/")
    guard let rate = rates.first.flatMap({ Self.number($0) }) else { return nil }
    self.time = time
    self.rate = rate
    target = rates.count > 1 ? Self.number(rates[1]) : nil
    stale = values["Stale"].flatMap { Self.number($0[...]) }
    let lengths = Self.units.keys.sorted().compactMap { name in
      values[name].flatMap { Self.number($0[...]) }.map { (name, Self.units[name], $0) }
    }
    let counts = Self.counts.compactMap { name in
      values[name].flatMap { Self.number($0[...]) }.map { (name, String?.none, $0) }
    }
    readings = [("FPS", "fps", rate)] + counts + lengths
  }

  /// The number at the start of a string; `nil` if there is none or if it is negative, because −1000 stands for a
  /// missing value.
  private static func number(_ text: Substring) -> Double? {
    let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == "." || $0 == "-") }
    guard let value = Double(digits), value >= 0, value < 1e9 else {
      return nil
    }
    return value
  }

  /// The time of a logcat line: `06-14 22:00:33.011`, or seconds since 1970.
  private static func time(_ text: Substring) -> Int64? {
    let words = text.split(separator: " ")
    guard let first = words.first else { return nil }
    if first.contains("."), let seconds = Double(first) {
      return Timestamp.believed(seconds, unit: 1e9)
    }
    let clock = words.dropFirst().first?.split(separator: ":") ?? []
    let date = first.split(separator: "-").suffix(2).compactMap { Int64($0) }
    guard clock.count == 3, date.count == 2, 1...12 ~= date[0], 1...31 ~= date[1],
      let hours = Int64(clock[0]), let minutes = Int64(clock[1]), 0..<24 ~= hours,
      0..<60 ~= minutes, let seconds = Double(clock[2]), 0..<61 ~= seconds
    else { return nil }
    let day = daysBefore[Int(date[0]) - 1] + date[1]
    return (day * 86_400 + hours * 3600 + minutes * 60) * 1_000_000_000
      + Int64((seconds * 1e9).rounded())
  }

  /// A year, in ns. Lines do not state the year, so all years have 366 days. In a year with fewer days, the time from
  /// February 28 to March 1 is a day too long.
  static let year: Int64 = 366 * 86_400 * 1_000_000_000

  /// The days of a year before each month.
  private static let daysBefore: [Int64] = [
    0, 31, 60, 91, 121, 152, 182, 213, 244, 274, 305, 335,
  ]
}
