import FrameAnalysis
import FrameTrace

/// Marks and launches in a trace for other viewers.
struct MarkerTracks {
  private let exported: Study
  private static let process = 50

  init(_ exported: Study) { self.exported = exported }

  func write(to events: inout some TrackWriter) {
    let (markers, phases) = (exported.trace.markers, exported.trace.phases)
    guard markers.count + phases.count > 0 else { return }
    events.name(process: Self.process, "marks and launches")
    write("marks", thread: 0, spans(of: markers), to: &events)
    write("launch phases", thread: 100, spans(of: phases), to: &events)
  }

  private func spans(of markers: Table<MarkerColumn>) -> [(name: String, span: Range<Timestamp>)] {
    (0..<markers.count).compactMap { row in
      guard let start = markers.time(row, .start) else { return nil }
      let end = max(start, markers.time(row, .end) ?? start)
      return (markers.text(row, .name) ?? "mark", start..<end)
    }
  }

  private func spans(of phases: Table<PhaseColumn>) -> [(name: String, span: Range<Timestamp>)] {
    (0..<phases.count).compactMap { row in
      guard let start = phases.time(row, .start), let end = phases.time(row, .end), start <= end
      else { return nil }
      return (phases.text(row, .name) ?? "phase", start..<end)
    }
  }

  private func write(
    _ name: String, thread: Int, _ spans: [(name: String, span: Range<Timestamp>)],
    to events: inout some TrackWriter
  ) {
    let spans = spans.sorted { ($0.span.lowerBound, $0.name) < ($1.span.lowerBound, $1.name) }
    guard !spans.isEmpty else { return }
    let lanes = FrameLanes(spans.map(\.span))
    for lane in 0..<lanes.count {
      let track = EventTrack(process: Self.process, thread: thread + lane)
      events.name(track, lanes.count == 1 ? name : "\(name) \(lane + 1)")
    }
    for (item, lane) in zip(spans, lanes.lanes) {
      let track = EventTrack(process: Self.process, thread: thread + lane)
      if item.span.isEmpty {
        events.instant(item.name, track, at: item.span.lowerBound, category: "mark")
      } else {
        events.slice(item.name, track, item.span, category: "mark")
      }
    }
  }
}
