import FrameKit

/// The values of one row of a PresentMon CSV, in nanoseconds; `nil` for values that PresentMon lacks.
struct PresentMonRow {
  /// The frame's row in the trace.
  let index: Int
  var start, present: Int64
  var end: Int64?
  var frameTime, betweenPresents, betweenDisplayChange, inPresent, cpuBusy: Int64?
  var untilRenderStart, untilRenderComplete, gpuLatency, gpuTime, gpuBusy, gpuWait: Int64?
  var displayed, untilDisplayed, displayLatency, displayedTime: Int64?
  var animationError, animationTime: Int64?
  var sinceInput, clickToPhoton: Int64?

  /// The rows of a surface's frames that have a start and a present.
  static func rows(of trace: Trace, surface: Int) -> [PresentMonRow] {
    let frames = chained(trace.surfaces[surface].frames)
    let clicks = self.clicks(of: trace, surface: surface)
    var rows: [PresentMonRow] = []
    let steps = frames.has(.animationError) ? nil : AnimationSteps(of: frames)
    var lastShown: Int64?
    var pendingClick: Int64?
    for index in 0..<frames.count {
      guard var row = PresentMonRow(frames, index) else { continue }
      row.betweenPresents = rows.last.map { row.present - $0.present }
      row.sinceInput = clicks[index].map { row.present - $0 }
      pendingClick = pendingClick ?? clicks[index]
      if let shown = row.displayed {
        row.betweenDisplayChange = lastShown.map { shown - $0 }
        row.clickToPhoton = pendingClick.map { shown - $0 }
        pendingClick = nil
        lastShown = shown
        row.animationError =
          frames[index, .animationError] ?? steps.flatMap { $0.errors[index]?.count }
        row.animationTime =
          frames[index, .animationTime] ?? steps.flatMap { $0.times[index]?.count }
      }
      rows.append(row)
    }
    for index in rows.indices {
      let next = index + 1 < rows.count ? rows[index + 1].start : rows[index].end
      rows[index].frameTime = next.map { $0 - rows[index].start }
    }
    return rows
  }

  /// PresentMon uses the end of the previous present call as the start of a frame, regardless of when the app started
  /// it.
  private static func chained(_ frames: Table<FrameColumn>) -> Table<FrameColumn> {
    guard let own = frames.stored(.appStart) else { return frames }
    var chained = frames
    var starts = IntegerColumn()
    var end: Int64?
    for row in 0..<frames.count {
      guard let start = frames[row, .appStart], let present = frames[row, .commit] else {
        starts.append(own[row] ?? IntegerColumn.missing)
        continue
      }
      // PresentMon's own logs have this start, rounded.
      let isChained = end.map { abs($0 - start) <= 2000 } ?? true
      starts.append((isChained ? start : min(end ?? start, present)) - frames.references[row])
      end = frames[row, .appEnd] ?? present
    }
    chained.setStored(.appStart, starts)
    return chained
  }

  /// The time of the click that each frame consumed.
  private static func clicks(of trace: Trace, surface: Int) -> [Int: Int64] {
    let touches = trace.touches
    var clicks: [Int: Int64] = [:]
    for row in 0..<touches.count where touches[row, .surface] == Int64(surface) {
      if let frame = touches[row, .frame] { clicks[Int(frame)] = touches[row, .scanStart] }
    }
    return clicks
  }

  private init?(_ frames: Table<FrameColumn>, _ index: Int) {
    guard let start = frames[index, .appStart], let present = frames[index, .commit] else {
      return nil
    }
    let time = { (column: FrameColumn) in frames[index, column] }
    self.index = index
    self.start = start
    self.present = present
    cpuBusy = present - start
    inPresent = time(.appEnd).map { $0 - present }
    end = time(.appEnd)
    untilRenderStart = time(.gpuStart).map { $0 - present }
    untilRenderComplete = time(.gpuEnd).map { $0 - present }
    gpuLatency = time(.gpuStart).map { $0 - start }
    gpuTime = time(.gpuEnd).flatMap { end in time(.gpuStart).map { end - $0 } }
    // PresentMon writes both. Within a frame, the GPU of a simulation is never idle.
    gpuBusy = time(.gpuBusy) ?? gpuTime
    gpuWait = gpuTime.flatMap { whole in gpuBusy.map { whole - $0 } }
    displayed = time(.displayed)
    untilDisplayed = displayed.map { $0 - present }
    displayLatency = displayed.map { $0 - start }
    displayedTime = displayed.flatMap { shown in time(.replaced).map { $0 - shown } }
  }
}

/// Numbers as PresentMon prints them.
enum PresentMonText {
  /// A cell with text on one line, in quotes if it would otherwise be split into several cells.
  static func cell(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy {
      0x20...0x7e ~= $0 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: ",")
    }
    if isPlain { return text }
    let text = String(
      text.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : Character($0) })
    guard text.utf8.contains(where: { "\",\n\r".utf8.contains($0) }) else { return text }
    return "\"" + text.replacing("\"", with: "\"\"") + "\""
  }

  /// A hash that stands for a name (FNV-1a); equal names have equal hashes.
  static func digest(_ name: String) -> UInt32 {
    name.utf8.reduce(0x811c_9dc5) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
  }

  /// Nanoseconds as milliseconds with a fixed number of decimals; `nil` for a missing value.
  static func milliseconds(_ value: Int64?, decimals: Int) -> String? {
    value.map { fixed($0, unit: 6, decimals: decimals) }
  }

  /// Nanoseconds as seconds with the 14 decimals of a C double.
  static func seconds(_ value: Int64) -> String { fixed(value, unit: 9, decimals: 9) + "00000" }

  /// A whole number in units of 10 to the power of −`unit`, truncated to `decimals`.
  private static func fixed(_ value: Int64, unit: Int, decimals: Int) -> String {
    let digits = String(value.magnitude)
    let padded = String(repeating: "0", count: max(0, unit + 1 - digits.count)) + digits
    let whole = padded.dropLast(unit)
    let part = padded.suffix(unit).prefix(decimals)
    return (value < 0 ? "-" : "") + whole + "." + part
  }
}
