import FrameTrace

/// The figures and histograms of one payload.
struct MetricKitFigures {
  private let payload: JSONNode
  /// The index of the payload in its file.
  private let run: Int
  private var numbers: LocalisedNumbers
  /// How often each unknown unit occurred.
  private var unknownUnits: [String: Int] = [:]
  private var broken = 0

  /// The time histograms, each with its path of members and its metric.
  private static let histograms: [(member: [String], metric: String)] = [
    (["applicationLaunchMetrics", "histogrammedTimeToFirstDrawKey"], "launchTime"),
    (["applicationLaunchMetrics", "histogrammedTimeToFirstDraw"], "launchTime"),
    (
      ["applicationLaunchMetrics", "histogrammedOptimizedTimeToFirstDrawKey"],
      "prewarmedLaunchTime"
    ),
    (["applicationLaunchMetrics", "histogrammedOptimizedTimeToFirstDraw"], "prewarmedLaunchTime"),
    (["applicationLaunchMetrics", "histogrammedExtendedLaunch"], "extendedLaunchTime"),
    (["applicationLaunchMetrics", "histogrammedResumeTime"], "resumeTime"),
    (["applicationLaunchMetrics", "histogrammedApplicationResumeTime"], "resumeTime"),
    (["applicationResponsivenessMetrics", "histogrammedAppHangTime"], "hangTime"),
    (["applicationResponsivenessMetrics", "histogrammedApplicationHangTime"], "hangTime"),
  ]

  /// The ratios, each with its path of members and its metric.
  private static let ratios: [(member: [String], metric: String)] = [
    (["animationMetrics", "hitchTimeRatio"], "hitchRatio"),
    (["animationMetrics", "scrollHitchTimeRatio"], "scrollHitchRatio"),
  ]

  init(_ payload: JSONNode, run: Int) {
    self.payload = payload
    self.run = run
    var texts: [String] = []
    Self.collect(payload, into: &texts)
    let about = payload["metaData"] ?? Self.diagnostics(payload).first?["diagnosticMetaData"]
    numbers = LocalisedNumbers(texts, region: about?["regionFormat"]?.text)
  }

  /// The lists of diagnostics, beginning with those that are read.
  private static let diagnosticLists = [
    "hangDiagnostics", "appLaunchDiagnostics", "crashDiagnostics", "cpuExceptionDiagnostics",
    "diskWriteExceptionDiagnostics",
  ]

  private static func diagnostics(_ payload: JSONNode) -> [JSONNode] {
    diagnosticLists.flatMap { payload[$0]?.array ?? [] }
  }

  /// The number of diagnostics that are not read.
  var otherDiagnostics: Int {
    Self.diagnosticLists.dropFirst(2).reduce(0) { $0 + (payload[$1]?.array?.count ?? 0) }
  }

  /// Collects the quantities of a payload. The numbers in its metadata are not quantities.
  private static func collect(_ node: JSONNode, into texts: inout [String], depth: Int = 0) {
    guard depth < 16 else { return }
    for item in node.array ?? [] { collect(item, into: &texts, depth: depth + 1) }
    for (key, value) in node.members where !Self.labels.contains(key) {
      if let text = value.text { texts.append(text) }
      collect(value, into: &texts, depth: depth + 1)
    }
  }

  private static let labels: Set<String> = [
    "metaData", "timeStampBegin", "timeStampEnd", "appVersion", "signpostName", "signpostCategory",
    "callStackTree", "version", "osVersion", "appBuildVersion", "deviceType", "bundleIdentifier",
    "platformArchitecture", "regionFormat",
  ]

  /// The setting that a payload states.
  /// - Parameter brokenDates: The number of dates that cannot be read.
  static func setting(_ payload: JSONNode, brokenDates: inout Int) -> Setting {
    let stated = payload["timeStampEnd"]?.text ?? payload["timeStampBegin"]?.text
    let date = stated.flatMap { JobDate($0) }
    if stated != nil, date == nil { brokenDates += 1 }
    let about = payload["metaData"] ?? diagnostics(payload).first?["diagnosticMetaData"]
    let build = about?["appBuildVersion"]?.text.map { " (\($0))" } ?? ""
    let version = payload["appVersion"]?.text ?? about?["appVersion"]?.text
    return Setting(
      origin: .field, device: about?["deviceType"]?.text, system: about?["osVersion"]?.text,
      version: version.map { $0 + build },
      date: date?.text)
  }

  mutating func add(to builder: inout TraceBuilder) {
    for (member, metric) in Self.histograms {
      if let node = Self.node(member, of: payload) {
        addHistogram(node, metric, label: member.last ?? metric, to: &builder)
      }
    }
    for (member, metric) in Self.ratios {
      if let node = Self.node(member, of: payload) {
        addRatio(node, metric, label: member.last ?? metric, to: &builder)
      }
    }
    for signpost in payload["signpostMetrics"]?.array ?? [] { addSignpost(signpost, to: &builder) }
    for hang in payload["hangDiagnostics"]?.array ?? [] { addHang(hang, to: &builder) }
    for launch in payload["appLaunchDiagnostics"]?.array ?? [] {
      guard let time = length("launchDuration", of: launch) else { continue }
      builder.add(
        StatedFigure(
          run: run, metric: "launchTime.slow", value: time, unit: "ms", label: "launchDuration"))
    }
    note(&builder.log)
  }

  private static func node(_ path: [String], of payload: JSONNode) -> JSONNode? {
    path.reduce(payload as JSONNode?) { node, key in node?[key] }
  }

  /// A duration in milliseconds, from a diagnostic or its metadata; `nil`, which is counted, if
  /// there is none.
  private mutating func length(_ member: String, of diagnostic: JSONNode) -> Double? {
    let node = diagnostic["diagnosticMetaData"]?[member] ?? diagnostic[member]
    guard let text = node?.text else {
      broken += 1
      return nil
    }
    guard let time = milliseconds(text) else { return nil }
    guard (0...3e13).contains(time) else {
      broken += 1
      return nil
    }
    return time
  }

  private mutating func addHang(_ diagnostic: JSONNode, to builder: inout TraceBuilder) {
    guard let time = length("hangDuration", of: diagnostic) else { return }
    let about = diagnostic["diagnosticMetaData"]
    let process = (about?["bundleIdentifier"] ?? about?["processName"])?.text
    var row = Table<HangColumn>.Row()
    row[.duration] = Nanoseconds.milliseconds(time).count
    row[.process] = process.map { builder.trace.hangs.texts.number(of: $0) }
    builder.trace.hangs.append(row)
  }

  private mutating func addSignpost(_ node: JSONNode, to builder: inout TraceBuilder) {
    guard let name = node["signpostName"]?.text, let data = node["signpostIntervalData"] else {
      return
    }
    let label = [node["signpostCategory"]?.text, name].compactMap { $0 }.joined(separator: "/")
    if let durations = data["histogrammedSignpostDurations"] ?? data["histogrammedSignpostDuration"]
    {
      addHistogram(durations, "signpostTime.\(label)", label: label, to: &builder)
    }
    if let ratio = data["signpostCumulativeHitchTimeRatio"] {
      addRatio(ratio, "hitchRatio.\(label)", label: label, to: &builder)
    }
  }

  private mutating func addHistogram(
    _ node: JSONNode, _ metric: String, label: String, to builder: inout TraceBuilder
  ) {
    let buckets = node["histogramValue"]?.members ?? []
    for (_, bucket) in buckets.sorted(by: { (Int($0.key) ?? .max) < (Int($1.key) ?? .max) }) {
      guard let count = bucket["bucketCount"]?.integer, Int64.counts.contains(count),
        let low = bucket["bucketStart"]?.text, let high = bucket["bucketEnd"]?.text
      else {
        broken += 1
        continue
      }
      guard let from = milliseconds(low), let to = milliseconds(high) else { continue }
      // No launch and no hang takes a thousand years.
      guard (0...3e13).contains(from), (from...3e13).contains(to) else {
        broken += 1
        continue
      }
      builder.addBin(metric, unit: "ms", low: from, high: to, count: count, label: label)
    }
  }

  private mutating func addRatio(
    _ node: JSONNode, _ metric: String, label: String, to builder: inout TraceBuilder
  ) {
    guard let text = node.text, let (value, unit) = numbers.quantity(text), value >= 0 else {
      broken += 1
      return
    }
    guard unit == "ms per s" || unit == "ms/s" else {
      unknownUnits[unit, default: 0] += 1
      return
    }
    builder.add(
      StatedFigure(run: run, metric: metric, value: value, unit: "ms/s", label: label))
  }

  /// A duration in milliseconds; `nil`, which is counted, for any other string.
  private mutating func milliseconds(_ text: String) -> Double? {
    guard let (value, unit) = numbers.quantity(text) else {
      broken += 1
      return nil
    }
    guard let factor = Self.factor(unit) else {
      unknownUnits[unit, default: 0] += 1
      return nil
    }
    return value * factor
  }

  /// The milliseconds in a unit, under its names in several languages.
  private static func factor(_ unit: String) -> Double? {
    switch unit.lowercased().filter({ $0 != "." && !$0.isWhitespace }) {
    case "ms", "msec", "msecs", "millisecond", "milliseconds", "msek", "millisek", "mseg", "мс",
      "毫秒", "ミリ秒", "밀리초", "مليث", "miligiây",
      "มิลลิวินาที", "मि॰से॰":
      1
    case "s", "sec", "secs", "second", "seconds", "sek", "seg", "с", "сек", "秒", "초", "giây":
      1000
    default: nil
    }
  }

  private func note(_ log: inout IssueLog) {
    for (unit, count) in unknownUnits.sorted(by: { $0.key < $1.key }) {
      log.note(
        .malformedValue, .dataLoss, "quantities in the unit \"\(unit)\", left out", count: count)
    }
    log.note(
      .malformedValue, .dataLoss, "values that are not quantities or counts, left out",
      count: broken)
    log.note(
      .columnRecomputed, .repaired,
      "ambiguous numbers such as 1,530, read as whole numbers",
      count: numbers.assumed)
  }
}
