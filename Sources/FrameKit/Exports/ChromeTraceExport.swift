/// The rebuilt pipeline as a trace in the Trace Event Format, which ui.perfetto.dev and
/// chrome://tracing open: a process for each surface and each display, a thread for each stage
/// and each buffer, arrows along each frame.
///
/// "Trace Event Format", Google; slices of a thread have to nest, so that stages at work on two
/// frames at once have a thread more. Times are in microseconds on the trace's own clock.
struct ChromeTraceExport: TraceExport {
  let name = "chrome"
  let summary = "Trace Event Format, for ui.perfetto.dev: stages, buffers, refreshes, drops"
  let suffixes = ["json"]

  func whyNot(_ trace: ExportedTrace) -> String? {
    trace.surfaces.isEmpty && trace.trace.launches.count == 0
      ? "there is no surface and no launch to write" : nil
  }

  func write(_ trace: ExportedTrace, to sink: @escaping ([UInt8]) -> Void) {
    var events = TraceEvents(to: sink)
    events.begin(file: trace.trace.provenance.file, clock: trace.trace.clocks.first?.name)
    for (index, refreshes) in trace.pipeline.displays.enumerated() {
      DisplayTracks(trace, index, refreshes).write(to: &events)
    }
    for index in trace.surfaces { SurfaceTracks(trace, index).write(to: &events) }
    MarkerTracks(trace).write(to: &events)
    events.end()
  }
}
