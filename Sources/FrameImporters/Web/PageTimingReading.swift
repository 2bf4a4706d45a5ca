import FrameTrace

/// Consumes the entries and metrics of pages one by one. Entries outside metrics belong to one page; each metric
/// belongs to a separate visit.
struct PageTimingReading {
  private struct Event {
    let page: Int
    let interaction: Int64
    let kind, target: String?
    let start: Int64
    let handlers: (start: Int64, end: Int64)?
    let end: Int64
  }

  private struct Slice {
    let page: Int
    let name: String
    let start, end: Int64
  }

  private var events: [Event] = []
  private var slices: [Slice] = []
  /// The metric of each visit that states its interaction to next paint. A page may report the metric again under the
  /// same identifier while it grows, and the last report counts.
  private var visits: [JSONNode] = []
  private var positionsByID: [String: Int] = [:]
  private var replacedCount = 0
  /// The interaction to next paint of each visit, in ms.
  private var stated: [(page: Int, value: Double)] = []
  private var unread = UnreadRecords()
  private var broken = 0

  /// Consumes an entry or a metric.
  mutating func consume(_ node: JSONNode) {
    if node["entryType"] != nil {
      consume(entry: node, page: 0)
    } else if let name = node["name"]?.text, node["value"] != nil {
      guard name == "INP" else { return unread.note("metrics \(PrintableText.line(name))") }
      consume(visit: node)
    } else {
      unread.note("objects that are no entry and no metric")
    }
  }

  private mutating func consume(visit: JSONNode) {
    if let id = visit["id"]?.text, let position = positionsByID[id] {
      visits[position] = visit
      replacedCount += 1
      return
    }
    if let id = visit["id"]?.text { positionsByID[id] = visits.count }
    visits.append(visit)
  }

  private static func time(_ node: JSONNode?) -> Int64? {
    node?.number.flatMap { Timestamp.believed($0, unit: 1e6) }
  }

  private mutating func consume(entry: JSONNode, page: Int) {
    switch entry["entryType"]?.text {
    case "event", "first-input": takeEvent(entry, page)
    case "long-animation-frame": takeFrame(entry, page)
    case let type: unread.note("entries of type \(PrintableText.line(type ?? "none"))")
    }
  }

  private mutating func takeEvent(_ entry: JSONNode, _ page: Int) {
    guard let start = Self.time(entry["startTime"]), let length = Self.time(entry["duration"]),
      length >= 0
    else {
      broken += 1
      return
    }
    let kind = entry["name"]?.text
    let interaction = entry["interactionId"]?.integer ?? 0
    // The first input is also listed as an event.
    if events.contains(
      where: {
        $0.page == page && $0.start == start && $0.kind == kind && $0.interaction == interaction
      }, lately: 64)
    {
      return
    }
    let first = Self.time(entry["processingStart"])
    let last = Self.time(entry["processingEnd"])
    let handlers = first.flatMap { first in last.map { (start: first, end: $0) } }
    events.append(
      Event(
        page: page, interaction: interaction, kind: kind,
        target: entry["targetSelector"]?.text ?? entry["target"]?.text, start: start,
        handlers: handlers, end: start &+ length))
  }

  private mutating func takeFrame(_ entry: JSONNode, _ page: Int) {
    guard let start = Self.time(entry["startTime"]), let length = Self.time(entry["duration"]),
      length > 0
    else {
      broken += 1
      return
    }
    let end = start &+ length
    slices.append(Slice(page: page, name: "long animation frame", start: start, end: end))
    if let layout = Self.time(entry["styleAndLayoutStart"]), layout > start, layout < end {
      slices.append(Slice(page: page, name: "style and layout", start: layout, end: end))
    }
    for script in entry["scripts"]?.array ?? [] {
      guard let begin = Self.time(script["startTime"]), let taken = Self.time(script["duration"]),
        taken > 0
      else { continue }
      slices.append(
        Slice(page: page, name: Self.name(ofScript: script), start: begin, end: begin &+ taken))
    }
  }

  /// The function and the file of a script, or otherwise the script's invoker.
  private static func name(ofScript script: JSONNode) -> String {
    let function = script["sourceFunctionName"]?.text ?? ""
    let file = script["sourceURL"]?.text.flatMap(Self.file(ofURL:)).map { "(\($0))" }
    let parts = [function.isEmpty ? nil : function, file].compactMap { $0 }
    guard parts.isEmpty else { return parts.joined(separator: " ") }
    let invoker = script["invoker"]?.text ?? ""
    if invoker.contains("://") { return Self.file(ofURL: invoker).map(String.init) ?? "a script" }
    return invoker.isEmpty ? "a script" : invoker
  }

  /// The last part of a URL's path. Users, hosts and the text after the path may reveal more than a report should.
  private static func file(ofURL url: String) -> Substring? {
    let path = url.prefix { $0 != "?" && $0 != "#" }
    guard let scheme = path.firstRange(of: "://") else { return path.split(separator: "/").last }
    return path[scheme.upperBound...].split(separator: "/").dropFirst().last
  }

  /// Consumes the metric of a visit. The metric's own parts are those of the decisive interaction; the entries have the
  /// other parts.
  private mutating func consume(metric: JSONNode, page: Int) {
    guard let value = metric["value"]?.number, value.isFinite, value >= 0 else {
      broken += 1
      return
    }
    stated.append((page, value))
    let own = metric["attribution"]
    for frame in own?["longAnimationFrameEntries"]?.array ?? [] {
      consume(entry: frame, page: page)
    }
    let start = Self.time(own?["interactionTime"] ?? own?["eventTime"])
    guard let start, let length = Timestamp.believed(value, unit: 1e6) else {
      for entry in metric["entries"]?.array ?? [] { consume(entry: entry, page: page) }
      return
    }
    let delay = Self.time(own?["inputDelay"])
    let processing = Self.time(own?["processingDuration"] ?? own?["processingTime"])
    let handlers = delay.flatMap { delay in
      processing.map { (start: start &+ delay, end: start &+ delay &+ $0) }
    }
    let entry = metric["entries"]?.array?.first
    events.append(
      Event(
        page: page, interaction: entry?["interactionId"]?.integer ?? Int64(page),
        kind: entry?["name"]?.text ?? own?["interactionType"]?.text ?? own?["eventType"]?.text,
        target: own?["interactionTarget"]?.text ?? own?["eventTarget"]?.text, start: start,
        handlers: handlers, end: start &+ length))
  }

  private static func name(ofPage page: Int) -> String { page == 0 ? "page" : "visit \(page)" }

  mutating func add(to builder: inout TraceBuilder) {
    for (position, visit) in visits.enumerated() { consume(metric: visit, page: position + 1) }
    builder.unread = unread
    for page in Set(slices.map(\.page)).sorted() {
      var row = Table<ThreadColumn>.Row()
      row[.identifier] = Int64(page) + 1
      row[.name] = builder.trace.threads.texts.number(of: "main thread")
      row[.process] = builder.trace.threads.texts.number(of: Self.name(ofPage: page))
      row[.main] = 1
      builder.trace.threads.append(row)
    }
    for slice in slices {
      builder.addMark(
        slice.name, slice.start, slice.end, process: Self.name(ofPage: slice.page),
        thread: Int64(slice.page) + 1)
    }
    for event in events {
      var row = Table<PageEventColumn>.Row()
      row[.interaction] = event.interaction
      row[.kind] = event.kind.map { builder.trace.pageEvents.texts.number(of: $0) }
      row[.target] = event.target.map { builder.trace.pageEvents.texts.number(of: $0) }
      row[.start] = event.start
      row[.processingStart] = event.handlers?.start
      row[.processingEnd] = event.handlers?.end
      row[.end] = event.end
      row[.process] = builder.trace.pageEvents.texts.number(of: Self.name(ofPage: event.page))
      row[.thread] = Int64(event.page) + 1
      builder.trace.pageEvents.append(row)
    }
    for (page, value) in stated {
      let metric = StatedMetric.interactionToNextPaint
      builder.add(
        StatedFigure(
          scene: nil, run: page, metric: metric.rawValue, value: value, unit: metric.unit,
          label: "web-vitals INP"))
    }
    builder.log.note(
      .malformedValue, .dataLoss, "entries without a time or a length, left out", count: broken)
    builder.log.note(
      .conditions, .info, "metrics that the same visit reported again later, left out",
      count: replacedCount)
  }
}

extension Array {
  /// Whether one of the last elements meets a condition.
  fileprivate func contains(where condition: (Element) -> Bool, lately count: Int) -> Bool {
    suffix(count).contains(where: condition)
  }
}
