import FrameTrace

/// The output of `adb shell dumpsys gfxinfo PACKAGE framestats` for an Android app.
///
/// Documentation: Android, "Test UI performance", and `libs/hwui/FrameInfo.h`. Rows
///
///     ---PROFILEDATA---
///     Flags,FrameTimelineVsyncId,IntendedVsync,Vsync,…,SwapBuffers,FrameCompleted,…,GpuCompleted,…
///     0,1911,99936978807834,99936978807834,…
///
/// are read by column name, because the column order differs between versions.
struct Gfxinfo: TraceImporter {
  let name = "gfxinfo"
  let title = "dumpsys gfxinfo"
  let versions = "Android 6 to 16"
  let documentation = "https://developer.android.com/training/testing/performance"
  let platform: Platform? = .android
  let framesAdvice: String? = "for frames, dump with 'adb shell dumpsys gfxinfo PACKAGE framestats'"

  func advice(_ fact: RecordedFact) -> String? {
    switch fact {
    case .displayTimes:
      "Android 12 and later write them; 'frametool capture android PACKAGE' records a trace there"
    case .gpuTimes:
      "Android 12 and later write them"
    case .touches:
      "also record touches with 'adb shell getevent -lt', and analyze both with --touches"
    }
  }

  func recognize(_ head: FileHead) -> Recognition? {
    guard !head.isJSON else { return nil }
    let lines = DumpText(head).lines.prefix(60)
    guard
      lines.contains(where: {
        $0.hasPrefix("Applications Graphics Acceleration Info:")
          || $0.hasPrefix("** Graphics info for pid") || $0 == "---PROFILEDATA---"
          || $0.hasPrefix("Total frames rendered: ")
      })
    else { return nil }
    return Recognition(
      format: "dumpsys gfxinfo", reason: "the dump describes an app's graphics")
  }

  func read(
    _ input: InputFile, _ provenance: Provenance, _ demand: TraceDemand
  ) throws(ParseError) -> TraceBuilder {
    try read(recording: [input], provenance, demand)
  }

  func read(
    recording inputs: [InputFile], _ provenance: Provenance, _ demand: TraceDemand
  ) throws(ParseError) -> TraceBuilder {
    var dump = GfxinfoDump(TraceBuilder(provenance))
    for (input, text) in try Self.inOrder(inputs) {
      dump.begin()
      for line in text.lines { dump.consume(line) }
      if let name = dump.restarted {
        throw ParseError(
          path: input.path,
          problem:
            "expected another dump of the same process, found \(name) with another process ID",
          help: "each start of the app is a separate run: leave --one-recording out")
      }
    }
    let builder = dump.finish()
    if builder.trace.isEmpty, let failure = dump.failure {
      throw ParseError(
        path: provenance.file, problem: "expected a gfxinfo dump, found a failed one: \(failure)",
        help: "bring the app to the front and dump again")
    }
    return builder
  }

  /// The dumps in order of device uptime, if all of them state it.
  private static func inOrder(
    _ inputs: [InputFile]
  ) throws(ParseError) -> [(input: InputFile, text: DumpText)] {
    var dumps: [(input: InputFile, text: DumpText)] = []
    for input in inputs { dumps.append((input, try DumpText(input))) }
    let uptimes = dumps.compactMap { dump in
      dump.text.lines.prefix(20).first { $0.hasPrefix("Uptime: ") }
        .flatMap { Int64($0.dropFirst(8).prefix { $0 != " " }) }
    }
    guard uptimes.count == dumps.count else { return dumps }
    return zip(uptimes, dumps).sorted { $0.0 < $1.0 }.map(\.1)
  }

  func dumpedProgram(_ head: FileHead) -> String? {
    DumpText(head).lines.first { $0.hasPrefix("** Graphics info for pid ") }.map(String.init)
  }
}

/// A dump being read line by line.
private struct GfxinfoDump {
  private(set) var builder: TraceBuilder
  /// The failure that the dump reports.
  private(set) var failure: String?
  /// The name of a process with a different ID than in an earlier dump.
  private(set) var restarted: String?
  private var process: (name: String, number: Int)?
  private var numbers: [String: Int] = [:]
  /// Whether the counts are from an earlier dump. The next dump replaces them because it counts from the start.
  private var hasOldSummary = false
  private var window: String?
  private var columns: [Substring]?
  private var isInRows = false
  private var isInTable = false
  private var rows = GfxinfoRows()
  private var tableRows = 0
  private var brokenBins = 0
  /// Whether the process has drawn no frame since its start or the last reset.
  private var hasNoFrames = false
  /// The process's percentiles, kept until their histogram shows whether the process has frames.
  private var percentiles: [StatedFigure] = []
  /// The number of shares and percentiles over no frames.
  private var overNothing = 0

  init(_ builder: TraceBuilder) {
    self.builder = builder
    self.builder.trace.clocks = [
      ClockDomain(name: "monotonic", join: .traceClock, offset: nil, resolution: Nanoseconds(1))
    ]
  }

  /// Starts another dump of the recording.
  mutating func begin() {
    addPercentiles()
    (process, window, columns) = (nil, nil, nil)
    (isInRows, isInTable) = (false, false)
    hasOldSummary = true
  }

  mutating func consume(_ line: Substring) {
    if isInRows {
      takeRow(line)
    } else if line.hasPrefix("** Graphics info for pid ") {
      addPercentiles()
      let parts = line.split(separator: " ")
      let name = parts.dropFirst(6).first.map { $0.filter { !"[]".contains($0) } }
      if parts.count > 6, let number = Int(parts[5]), let name {
        if let known = numbers[name], known != number { restarted = name }
        numbers[name] = number
        process = (name, number)
      }
      window = nil
    } else if line.hasPrefix("Window: ") {
      window = line.dropFirst(8).description
    } else if line == "---PROFILEDATA---" {
      (isInRows, columns) = (true, nil)
    } else if line.hasPrefix("Failure while dumping the app") {
      failure = line.description
    } else if line.contains("/android.view.ViewRootImpl@") {
      let name = line.split(separator: "/android.view.ViewRootImpl@").first ?? line
      window = name.drop(while: \.isWhitespace).description
    } else {
      takeTable(line)
      takeSummary(line)
    }
  }

  private mutating func takeRow(_ line: Substring) {
    if line == "---PROFILEDATA---" {
      isInRows = false
      return
    }
    let cells = line.split(separator: ",", omittingEmptySubsequences: false)
    guard let columns else {
      self.columns = cells
      return
    }
    guard cells.count >= columns.count - 1, cells.count > 5 else {
      if !line.allSatisfy(\.isWhitespace) { rows.broken += 1 }
      return
    }
    rows.consume(columns, cells, to: surface())
  }

  private mutating func surface() -> Int {
    let id = window ?? process?.name ?? "window"
    let process = process
    return builder.surface(id) {
      Surface(
        id: id, process: process?.name, processID: process?.number, bufferOwner: .app,
        numbersCountFrames: false)
    }
  }

  /// Old builds without `framestats` print durations but no timestamps.
  private mutating func takeTable(_ line: Substring) {
    let cells = line.split(whereSeparator: \.isWhitespace)
    if cells.prefix(2) == ["Draw", "Prepare"] || cells.prefix(2) == ["Draw", "Process"] {
      isInTable = true
    } else if isInTable, line.first?.isWhitespace == true, cells.count > 2,
      cells.allSatisfy({ Double($0) != nil })
    {
      tableRows += 1
    } else {
      isInTable = false
    }
  }

  /// Reads the process's counts since its start or the last reset. The window sections repeat these counts.
  private mutating func takeSummary(_ line: Substring) {
    guard window == nil, let colon = line.firstIndex(of: ":") else { return }
    let label = String(line[..<colon])
    if hasOldSummary, label == "Total frames rendered" {
      (builder.trace.figures, builder.trace.bins) = (Table(), Table())
      hasOldSummary = false
    }
    let value = line[line.index(after: colon)...].drop { $0 == " " }
    switch label {
    case "HISTOGRAM":
      let bins = bins(value)
      add(bins, .frameDuration)
      guard !bins.isEmpty else { return }
      let frozen = bins.filter { $0.low >= Self.frozen }.reduce(0) { $0 + $1.count }
      add(.frozenFrames, nil, Double(frozen), label)
    case "GPU HISTOGRAM": add(Self.gpuBins(bins(value)), .gpuDuration)
    case "Total frames rendered":
      let count = Self.number(value)
      hasNoFrames = count == 0
      add(.frames, nil, count, label)
    case "Janky frames", "Janky frames (legacy)":
      let part = label.hasSuffix("(legacy)") ? "legacy" : nil
      add(.jankCount, part, Self.number(value), label)
      let share = value.split(separator: "(").dropFirst().first
      if hasNoFrames {
        overNothing += 1
      } else {
        add(.jankShare, part, share.flatMap(Self.number), label)
      }
    default: takeCounter(label, value)
    }
  }

  /// `Number Slow UI thread: 22`, `95th percentile: 73ms`, `95th gpu percentile: 4ms`.
  private mutating func takeCounter(_ label: String, _ value: Substring) {
    if label.hasPrefix("Number ") {
      let words = label.dropFirst("Number ".count).lowercased()
        .split { !$0.isLetter && !$0.isNumber }.joined(separator: "_")
      add(.jankCount, words, Self.number(value), label)
    } else if label.hasSuffix("percentile"), let order = label.split(separator: "th").first,
      Int(order) != nil, value.hasSuffix("ms")
    {
      let metric: StatedMetric = label.contains(" gpu ") ? .gpuDuration : .frameDuration
      guard let value = Self.number(value) else { return }
      percentiles.append(percentile(metric, order, value, label))
    }
  }

  /// The minimum duration of a frame that Android calls frozen, in ms.
  private static let frozen = 700.0

  private static func number(_ text: Substring) -> Double? {
    Double(text.prefix { "0123456789.".contains($0) })
  }

  /// Adds a figure of the process, labeled as in the dump.
  /// - Parameter part: What distinguishes the figure if the metric has several.
  private mutating func add(
    _ metric: StatedMetric, _ part: String?, _ value: Double?, _ label: String
  ) {
    if let value { builder.add(figure(metric, part, value, label)) }
  }

  private func figure(
    _ metric: StatedMetric, _ part: String?, _ value: Double, _ label: String
  ) -> StatedFigure {
    StatedFigure(
      scene: process?.name, run: 0, metric: metric.rawValue + (part.map { ".\($0)" } ?? ""),
      value: value, unit: metric.unit, label: label)
  }

  /// Adds a histogram of the process, and the percentiles that Android computes from this histogram.
  private mutating func add(_ bins: [(low: Double, count: Int64)], _ metric: StatedMetric) {
    for (position, bin) in bins.enumerated() where bin.count > 0 {
      // The last bin has no upper bound.
      let high = position + 1 < bins.count ? bins[position + 1].low : bin.low
      builder.addBin(
        metric.rawValue, unit: "ms", low: bin.low, high: high, count: bin.count,
        label: process?.name ?? "")
    }
    let isOwn = { (figure: StatedFigure) in figure.metric.hasPrefix(metric.rawValue + ".") }
    if bins.isEmpty || bins.contains(where: { $0.count > 0 }) {
      for figure in percentiles where isOwn(figure) { builder.add(figure) }
    } else {
      overNothing += percentiles.count(where: isOwn)
    }
    percentiles.removeAll(where: isOwn)
  }

  /// Adds percentiles for which the dump has no histogram.
  private mutating func addPercentiles() {
    if hasNoFrames {
      overNothing += percentiles.count
    } else {
      for figure in percentiles { builder.add(figure) }
    }
    percentiles = []
  }

  /// A percentile of a process; a lower bound if it is in the last bin.
  private func percentile(
    _ metric: StatedMetric, _ order: Substring, _ value: Double, _ label: String
  ) -> StatedFigure {
    var figure = figure(metric, "p\(order)", value, label)
    guard value >= Self.lastBin else { return figure }
    figure.value = metric == .gpuDuration ? Self.lastGPUBin : Self.lastBin
    figure.isLowerBound = true
    return figure
  }

  /// The name of the last bin of both histograms, in ms: the bin of complete frames begins at this value.
  private static let lastBin = 4950.0
  /// Where the last bin of the GPU work begins, in ms.
  private static let lastGPUBin = 25.0

  /// The bins of the GPU work, which Android names by their upper bounds: `25ms` has the frames of 24 ms or more, and
  /// the last bin has the frames of 25 ms or more. See `libs/hwui/ProfileData.cpp`.
  private static func gpuBins(
    _ bins: [(low: Double, count: Int64)]
  ) -> [(low: Double, count: Int64)] {
    bins.indices.map { position in
      (position > 0 ? bins[position - 1].low : max(0, bins[position].low - 1), bins[position].count)
    }
  }

  /// The bounds accepted for histogram bins, in ms; Android's histogram ends at 5 s.
  private static let possibleLengths = 0.0...60_000

  /// The bins in a string such as `5ms=22 6ms=15`: each lower bound with its frame count. Malformed bins, and bins that
  /// do not exceed the previous bound, are left out and counted.
  private mutating func bins(_ text: Substring) -> [(low: Double, count: Int64)] {
    var bins: [(low: Double, count: Int64)] = []
    for bin in text.split(whereSeparator: \.isWhitespace) {
      let parts = bin.split(separator: "=")
      guard parts.count == 2, parts[0].hasSuffix("ms"), let low = Double(parts[0].dropLast(2)),
        let count = Int64(parts[1]), Self.possibleLengths.contains(low),
        Int64.counts.contains(count), bins.last.map({ $0.low < low }) ?? true
      else {
        brokenBins += 1
        continue
      }
      bins.append((low, count))
    }
    return bins
  }

  mutating func finish() -> TraceBuilder {
    addPercentiles()
    rows.finish(&builder)
    builder.log.note(
      .malformedValue, .info, "shares and percentiles over no frames, left out", count: overNothing)
    builder.log.note(
      .unknownRecord, .info,
      "rows with stage durations but no times, left out: dump with 'framestats'",
      count: tableRows)
    builder.log.note(
      .malformedValue, .dataLoss, "malformed histogram bins, left out", count: brokenBins)
    return builder
  }
}
