import FrameAnalysis
import FrameTrace

/// The rebuilt pipeline as a trace in the Trace Event Format, which ui.perfetto.dev and
/// chrome://tracing open: a process for each surface and each display, a thread for each stage
/// and each buffer, arrows along each frame.
///
/// "Trace Event Format", Google. Slices of a thread must nest, so a stage that works on two frames
/// at once has a second thread. Times are in microseconds on the trace's own clock.
struct ChromeTraceExport: TraceExport {
  let name = "chrome"
  let summary = "Trace Event Format, for ui.perfetto.dev: stages, buffers, refreshes, drops"
  let suffixes = ["json"]

  func whyNot(_ study: Study) -> String? {
    guard study.trace.markers.count == 0, study.trace.phases.count == 0 else { return nil }
    return study.surfaces.allSatisfy { SurfaceTracks(study, $0).isEmpty }
      ? "the trace has no stage, buffer, touch, marker, or launch phase with times" : nil
  }

  func write(_ study: Study, to sink: @escaping ([UInt8]) -> Void) {
    var events = TraceEvents(to: sink)
    events.begin(file: study.trace.provenance.file, clock: study.trace.clocks.first?.name)
    for (index, refreshes) in study.pipeline().displays.enumerated() {
      DisplayTracks(study, index, refreshes).write(to: &events)
    }
    for index in study.surfaces { SurfaceTracks(study, index).write(to: &events) }
    MarkerTracks(study).write(to: &events)
    events.end()
  }
}
