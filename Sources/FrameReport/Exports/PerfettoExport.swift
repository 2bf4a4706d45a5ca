import FrameAnalysis
import FrameTrace

/// A trace in Perfetto's format: SurfaceFlinger's frame timeline of its frames, and the rebuilt pipeline as tracks.
///
/// https://perfetto.dev/docs/reference/trace-packet-proto. Frames that lack their start, commit or display time are
/// only on the tracks. Times are those of the trace's clock, shifted if any would be before the clock's zero.
struct PerfettoExport: TraceExport {
  let name = "perfetto"
  let summary = "Perfetto trace: frame timeline with jank types, stages, buffers, touches"
  let suffixes = ["pftrace", "perfetto-trace"]

  func whyNot(_ study: Study) -> String? { ChromeTraceExport().whyNot(study) }

  func write(_ study: Study, to sink: @escaping ([UInt8]) -> Void) {
    let start = study.range.lowerBound.nanoseconds
    // A refresh before the first frame is drawn as well.
    let room = Nanoseconds.seconds(1).count
    var events = PerfettoEvents(to: sink, shift: start < 0 ? room - start : 0)
    var timeline = FrameTimelinePackets(study)
    timeline.write(to: &events)
    for (index, refreshes) in study.pipeline().displays.enumerated() {
      let tracks = DisplayTracks(study, index, refreshes)
      tracks.write(to: &events)
      if !study.trace.displays.contains(where: { $0.isVariable == true }) {
        events.vblanks(tracks.times, display: index)
      }
    }
    for index in study.surfaces { SurfaceTracks(study, index).write(to: &events) }
    MarkerTracks(study).write(to: &events)
    events.end()
  }
}
