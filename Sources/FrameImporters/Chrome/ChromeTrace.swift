import FrameTrace

/// Chromium traces in JSON, from `chrome://tracing`, DevTools, Lighthouse and test runners.
///
/// Documentation: "Trace Event Format". An object with `traceEvents`, or an array of events that may end anywhere;
/// files from 2013 to 2026 were examined. The events
///
///     {"name": "PipelineReporter", "ph": "b", "ts": 3563007, "id2": {"local": "0x1"}, "args": {
///       "frame_reporter": {"state": "STATE_PRESENTED_ALL", "frame_sequence": 44}}, …}
///     {"name": "PipelineReporter", "ph": "e", "ts": 3594012, "id2": {"local": "0x1"}, …}
///
/// describe a frame that began at 3.563 s and was displayed 31 ms later.
struct ChromeTrace: TraceImporter {
  let name = "chrome"
  let title = "Chromium trace, JSON"
  let versions = "Chromium 30 to 156"
  let documentation =
    "https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU"
  let platform: Platform? = .browser

  func advice(_ fact: RecordedFact) -> String? {
    switch fact {
    case .displayTimes:
      "record with the categories cc,benchmark,disabled-by-default-devtools.timeline.frame"
    case .touches:
      "record with the category input, and touch the page"
    case .gpuTimes: nil
    }
  }

  func recognize(_ head: FileHead) -> Recognition? {
    guard head.isJSON else { return nil }
    let start = head.bytes.withoutByteOrderMark.drop { $0 == 0x20 || (0x09...0x0d).contains($0) }
    let text = String(decoding: start.prefix(4096), as: UTF8.self)
    if text.first == "{" {
      // The metadata of the recording can be longer than the part examined here.
      let isDescribed =
        head.bytes.count == InputFile.headSize
        && text.dropFirst().drop { $0.isWhitespace }.hasPrefix("\"metadata\"")
      guard head.contains("\"traceEvents\"") || isDescribed,
        !head.contains("\"devToolsSnapshot\"")
      else { return nil }
      return Recognition(
        format: "Chromium trace, JSON object", reason: "an object with traceEvents")
    }
    let rest = text.dropFirst().drop { $0.isWhitespace }
    guard rest.first == "{", text.contains("\"ph\""), text.contains("\"pid\"") else { return nil }
    return Recognition(format: "Chromium trace, JSON array", reason: "an array of events")
  }

  func read(
    _ input: InputFile, _ provenance: Provenance, _ demand: TraceDemand
  ) throws(ParseError) -> TraceBuilder {
    var elements = JSONElements(input, member: "traceEvents")
    let batches = ChromeBatches(input.parallelism)
    var failure: ParseError?
    do throws(ParseError) { try batches.read(&elements) } catch { failure = error }
    var reading = batches.finish()
    if let failure {
      guard reading.count > 0, failure.kind == .badData else { throw failure }
      reading.log.note(.brokenCompression, .dataLoss, failure.problem, at: failure.position)
    }
    return try reading.finish(provenance, input, elements)
  }
}
