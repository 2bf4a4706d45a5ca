import FrameTrace

/// What pages themselves measure: entries of the Event Timing and Long Animation Frames APIs, and metrics of
/// web-vitals.
///
/// Documentation: W3C, "Event Timing API" and "Long Animation Frames API"; github.com/GoogleChrome/web-vitals,
/// "attribution" of versions 3 to 6. Times are in ms since the page's start. Examples:
///
///     {"name": "pointerup", "entryType": "event", "startTime": 1200, "duration": 248, "processingStart": 1212,
///      "processingEnd": 1420, "interactionId": 4023}
///     {"name": "INP", "value": 376, "attribution": {"interactionTarget": "#buy", "interactionTime": 1200,
///      "inputDelay": 12, "processingDuration": 240, "presentationDelay": 124, …}, …}
///
/// The first object is an event of an interaction; the second object is the decisive interaction of a visit, which took
/// 376 ms. A file contains one such object, a list of objects, or one object per line.
struct PageTimings: TraceImporter {
  let name = "web-vitals"
  let title = "page timings, JSON"
  let versions = "Event Timing, Long Animation Frames, web-vitals 3 to 6"
  let documentation = "https://github.com/GoogleChrome/web-vitals"
  let platform: Platform? = .browser

  /// The largest file that is read.
  private static let mostBytes = 256 << 20

  func recognize(_ head: FileHead) -> Recognition? {
    guard head.isJSON, !head.contains("\"traceEvents\""), !head.contains("\"ph\"") else {
      return nil
    }
    if head.contains("\"navigationType\""), head.contains("\"rating\""),
      head.contains("\"value\"")
    {
      return Recognition(format: "web-vitals metrics", reason: "the members navigationType, rating")
    }
    guard head.contains("\"entryType\""), head.contains("\"startTime\"") else { return nil }
    return Recognition(format: "performance entries", reason: "the members entryType, startTime")
  }

  func read(
    _ input: InputFile, _ provenance: Provenance, _ demand: TraceDemand
  ) throws(ParseError) -> TraceBuilder {
    let bytes = try input.readAll(atMost: Self.mostBytes, of: "page timings").withoutByteOrderMark
    let nodes: [JSONNode]
    var broken = 0
    do throws(JSONScanner.Problem) {
      let root = try JSONNode(bytes)
      nodes = root.array ?? [root]
    } catch {
      let lines = bytes.split(separator: 0x0a).filter { !$0.trimmingBlanks().isEmpty }
      let read = lines.map { try? JSONNode(Array($0)) }
      broken = read.count { $0 == nil }
      nodes = read.compactMap { $0 }.flatMap { $0.array ?? [$0] }
      guard lines.count > 1, !nodes.isEmpty else {
        throw ParseError(
          path: input.path, position: .byte(error.offset), problem: "expected \(error.expected)",
          help: "JSON.stringify() writes such files: one value, or one in each line")
      }
    }
    var builder = TraceBuilder(provenance)
    builder.trace.clocks = [
      ClockDomain(
        name: "start of the page", join: .traceClock, offset: nil,
        resolution: Nanoseconds(1000))
    ]
    builder.log.note(.malformedLine, .dataLoss, "lines that are not JSON, left out", count: broken)
    var reading = PageTimingReading()
    for node in nodes { reading.consume(node) }
    reading.add(to: &builder)
    return builder
  }
}
