/// Reads the records that are not rows of a table: clocks, displays, surfaces and related records.
struct NativeFacts {
  /// Whether the first line was the header.
  var hasHeader = false
  /// The surface that frames without one belong to: the one declared last.
  private(set) var currentSurface: Int?
  /// The display that refreshes without one belong to: the one declared last.
  private(set) var currentDisplay: Int?
  /// The units of columns outside of the model, by surface and name.
  private(set) var units: [Int: [String: String]] = [:]
  /// The positions of those columns, in the order of declaration.
  private var columns: [Int: [String: Int]] = [:]
  private var telemetry: [TelemetrySeries] = []
  private var telemetryPositions: [Sensor: Int] = [:]

  /// The key that distinguishes one series of readings from another.
  private struct Sensor: Hashable {
    let name: String
    let unit: String?
    let source: String?
  }

  /// Reads a record of these kinds.
  /// - Returns: `false` when the record is of another kind.
  mutating func read(
    _ record: NativeFormat.Record, _ line: NativeLine, _ builder: inout TraceBuilder,
    _ values: inout NativeValues
  ) -> Bool {
    switch record {
    case .clock: readClock(line, &builder, &values)
    case .display: readDisplay(line, &builder, &values)
    case .surface: readSurface(line, &builder, &values)
    case .column: readColumn(line, &values)
    case .issue: readIssue(line, &values)
    case .telemetry: readTelemetry(line, &values)
    case .setting: readSetting(line, &builder, &values)
    default: return false
    }
    return true
  }

  /// Adds the collected facts to the trace.
  func finish(_ builder: inout TraceBuilder) {
    builder.trace.telemetry = telemetry
    for (surface, positions) in columns {
      builder.trace.surfaces[surface].frames.extras.sort { one, other in
        (positions[one.name] ?? .max, one.name) < (positions[other.name] ?? .max, other.name)
      }
    }
  }

  private func check(
    _ line: NativeLine, _ record: NativeFormat.Record, _ values: inout NativeValues, keys: [String]
  ) {
    for member in line.members {
      let key = String(decoding: line.bytes[member.key], as: UTF8.self)
      if key != "type", !keys.contains(key) {
        values.log.note(
          .unknownKey, .dataLoss, "\(record.rawValue) records with the unknown key \"\(key)\"",
          at: .line(line.number))
      }
    }
  }

  private func missing(_ what: String, _ line: NativeLine, _ values: inout NativeValues) {
    values.log.note(.malformedValue, .dataLoss, what, at: .line(line.number))
  }

  private func readClock(
    _ line: NativeLine, _ builder: inout TraceBuilder, _ values: inout NativeValues
  ) {
    check(line, .clock, &values, keys: ["name", "join", "offset", "resolution"])
    guard let name = line.text("name") else {
      return missing("clock: expected a name", line, &values)
    }
    // Each file of a recording names the clocks.
    guard !builder.trace.clocks.contains(where: { $0.name == name }) else { return }
    builder.trace.clocks.append(
      ClockDomain(
        name: name, join: line.text("join").flatMap(ClockDomain.Join.init) ?? .traceClock,
        offset: line.length("offset", scale: values.scale),
        resolution: line.length("resolution", scale: values.scale)))
  }

  private mutating func readDisplay(
    _ line: NativeLine, _ builder: inout TraceBuilder, _ values: inout NativeValues
  ) {
    check(
      line, .display, &values,
      keys: ["id", "interval", "shortestInterval", "variable", "sampledRefreshes"])
    let index = builder.display(line.text("id") ?? NativeTables.defaultDisplay)
    let scale = values.scale
    builder.trace.displays[index].interval = line.length("interval", scale: scale)
    builder.trace.displays[index].shortestInterval = line.length("shortestInterval", scale: scale)
    builder.trace.displays[index].isVariable = line.flag("variable")
    builder.trace.displays[index].hasSampledRefreshes = line.flag("sampledRefreshes")
    currentDisplay = index
  }

  private mutating func readSurface(
    _ line: NativeLine, _ builder: inout TraceBuilder, _ values: inout NativeValues
  ) {
    check(
      line, .surface, &values,
      keys: [
        "id", "name", "process", "pid", "display", "bufferOwner", "composited", "allocatedBuffers",
        "targetInterval", "idsCountFrames", "derivesStarts", "dropsThatAffectSmoothness",
        "otherDrops", "longestDropRun", "longestDropRunStart", "longestDropRunLength",
      ])
    guard let id = line.text("id") else { return missing("surface: expected an id", line, &values) }
    let index = Int(values.surfaces.number(of: id))
    builder.makeSurfaces(values.surfaces)
    builder.trace.surfaces[index].name = line.text("name")
    builder.trace.surfaces[index].process = line.text("process")
    builder.trace.surfaces[index].processID = line.identifier("pid").map(Int.init)
    builder.trace.surfaces[index].display = line.text("display").map { builder.display($0) }
    builder.trace.surfaces[index].bufferOwner = line.text("bufferOwner").flatMap(
      Surface.BufferOwner.init)
    builder.trace.surfaces[index].isComposited = line.flag("composited")
    builder.trace.surfaces[index].allocatedBuffers = line.number("allocatedBuffers").map(Int.init)
    builder.trace.surfaces[index].targetInterval = line.length(
      "targetInterval", scale: values.scale)
    builder.trace.surfaces[index].numbersCountFrames = line.flag("idsCountFrames")
    builder.trace.surfaces[index].derivesStarts = line.flag("derivesStarts")
    builder.trace.surfaces[index].statedDrops = Self.statedDrops(line, scale: values.scale)
    currentSurface = index
  }

  private static func statedDrops(_ line: NativeLine, scale: Int) -> StatedDrops? {
    let (visible, invisible) = (
      line.number("dropsThatAffectSmoothness"), line.number("otherDrops")
    )
    guard visible != nil || invisible != nil else { return nil }
    var drops = StatedDrops(visible: Int(visible ?? 0), invisible: Int(invisible ?? 0))
    if let frames = line.number("longestDropRun"),
      let start = line.number("longestDropRunStart", scale: scale),
      let length = line.length("longestDropRunLength", scale: scale)
    {
      drops.longest = StatedRun(
        frames: Int(frames), start: Timestamp(nanoseconds: start), length: length)
    }
    return drops
  }

  private func readSetting(
    _ line: NativeLine, _ builder: inout TraceBuilder, _ values: inout NativeValues
  ) {
    let conditions = Setting.Condition.allCases
    check(
      line, .setting, &values,
      keys: ["origin", "device", "system", "version", "date"] + conditions.map(\.rawValue))
    let origin = line.text("origin")
    if let origin, Setting.Origin(rawValue: origin) == nil {
      missing("setting: expected an origin, measured or field", line, &values)
    }
    // A recorder learns the settings one by one.
    var setting = builder.trace.setting
    setting.origin = origin.flatMap(Setting.Origin.init) ?? setting.origin
    setting.device = line.text("device") ?? setting.device
    setting.system = line.text("system") ?? setting.system
    setting.version = line.text("version") ?? setting.version
    setting.date = line.text("date") ?? setting.date
    for condition in conditions {
      if let value = line.text(condition.rawValue) { setting.add(value, as: condition) }
    }
    builder.trace.setting = setting
  }

  private mutating func readColumn(_ line: NativeLine, _ values: inout NativeValues) {
    check(line, .column, &values, keys: ["surface", "name", "unit"])
    guard let name = line.text("name") else {
      return missing("column: expected a name", line, &values)
    }
    let surface = line.text("surface").map { Int(values.surfaces.number(of: $0)) } ?? currentSurface
    units[surface ?? 0, default: [:]][name] = line.text("unit")
    // A column declared without a surface is one of the first to appear.
    if let surface, columns[surface]?[name] == nil {
      columns[surface, default: [:]][name] = columns[surface]?.count ?? 0
    }
  }

  private func readIssue(_ line: NativeLine, _ values: inout NativeValues) {
    check(line, .issue, &values, keys: ["kind", "severity", "message", "count", "line", "byte"])
    guard let kind = line.text("kind").flatMap(TraceIssue.Kind.init),
      let severity = line.text("severity").flatMap(TraceIssue.Severity.init),
      let message = line.text("message")
    else { return missing("issue: expected a kind, a severity and a message", line, &values) }
    let position =
      line.number("line").map { Position.line(Int($0)) }
      ?? line.number("byte").map { .byte(Int($0)) }
    let count = line.number("count").map(Int.init) ?? 1
    values.log.note(kind, severity, message, count: count, at: position)
  }

  private mutating func readTelemetry(_ line: NativeLine, _ values: inout NativeValues) {
    check(line, .telemetry, &values, keys: ["name", "unit", "source", "time", "value"])
    guard let name = line.text("name"), let time = line.number("time", scale: values.scale),
      let token = line.token("value"), token.kind == .number,
      let value = Double(String(decoding: line.bytes[token.range], as: UTF8.self))
    else { return missing("telemetry: expected a name, a time and a value", line, &values) }
    let unit = line.text("unit")
    let sensor = Sensor(name: name, unit: unit, source: line.text("source"))
    let index = telemetryPositions[sensor] ?? telemetry.count
    if index == telemetry.count {
      telemetryPositions[sensor] = index
      telemetry.append(TelemetrySeries(name: name, unit: unit, source: sensor.source))
    }
    telemetry[index].times.append(Timestamp(nanoseconds: time))
    telemetry[index].values.append(value)
  }
}
