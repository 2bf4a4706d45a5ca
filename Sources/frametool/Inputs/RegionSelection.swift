import FrameKit

/// The part of a trace that the user selected, by seconds or by names of markers.
struct RegionSelection: Sendable {
  /// Seconds from the start of the trace, or a marker; `nil` for the start or end of the trace.
  let start, end: String?
  /// The number of seconds to skip at the start.
  let skipped: Double

  /// The maximum number of marker names to list in the error for an unknown marker.
  private static let mostNames = 20

  var isWhole: Bool { start == nil && end == nil && skipped == 0 }

  /// The selected region; `nil` for the complete trace.
  /// - Throws: A usage error if the marker does not exist, or the region is empty.
  func find(in trace: Trace) throws(CommandError) -> TraceRegion? {
    guard !isWhole, let whole = trace.timeRange else { return nil }
    let origin = whole.lowerBound
    var first = origin
    if let start { first = try instant(start, "--from", in: trace, origin, after: nil).start }
    let last = try end.map { end throws(CommandError) in
      try instant(end, "--to", in: trace, origin, after: first).end
    }
    first = first + .seconds(skipped)
    if let last, last <= first {
      throw CommandError(
        .usage, "\(trace.provenance.file): nothing lies between --from and --to",
        help: "the trace is \(seconds(whole.upperBound - origin)) s long")
    }
    guard first <= whole.upperBound else {
      throw CommandError(
        .usage, "\(trace.provenance.file): the region starts after the end of the trace",
        help: "the trace is \(seconds(whole.upperBound - origin)) s long")
    }
    return TraceRegion(start: first, end: last)
  }

  private func seconds(_ length: Nanoseconds) -> String {
    FixedNumber.text(length.seconds, decimals: 3)
  }

  /// The time of a marker or of a number of seconds. If several markers have the name, the first counts; for the end of
  /// the region, the first marker that ends after the region's start.
  private func instant(
    _ text: String, _ option: String, in trace: Trace, _ origin: Timestamp, after: Timestamp?
  ) throws(CommandError) -> (start: Timestamp, end: Timestamp) {
    let markers = trace.markers
    var names: [String] = []
    var isMarker = false
    for row in 0..<markers.count {
      guard let name = markers.text(row, .name), let start = markers.time(row, .start) else {
        continue
      }
      let end = markers.time(row, .end) ?? start
      if name == text {
        if after.map({ end > $0 }) ?? true { return (start, end) }
        isMarker = true
      }
      if names.count < Self.mostNames, !names.contains(name) { names.append(name) }
    }
    if isMarker {
      throw CommandError(
        .usage, "\(trace.provenance.file): \(option): every marker \(text) ends before --from")
    }
    if let seconds = QuantityText.value(text, in: "S"), abs(seconds) < 1e9 {
      let time = origin + .seconds(seconds)
      return (time, time)
    }
    let known = names.joined(separator: ", ")
    throw CommandError(
      .usage,
      "\(trace.provenance.file): \(option): expected seconds or the name of a marker, found \(text)",
      help: names.isEmpty ? "the trace has no markers" : "available: \(known)")
  }
}
