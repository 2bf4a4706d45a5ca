/// A row a frame, for spreadsheets and data frames: what the source recorded and what was worked
/// out from it.
struct FrameCSVExport: TraceExport {
  let name = "frames-csv"
  let summary = "CSV, a row a frame: stages, display, due time, drops, buffer, depth"
  let suffixes = ["csv"]

  func whyNot(_ trace: ExportedTrace) -> String? {
    trace.surfaces.isEmpty ? "there is no surface to write" : nil
  }

  /// The columns with what each holds; times count from the start of the trace.
  static let columns: [(name: String, meaning: String)] = [
    ("process", "the process, empty where it is not known"),
    ("surface", "the surface's id"),
    ("frame", "its place among the surface's frames, from 0"),
    ("id", "the source's own number of it"),
    ("outcome", "displayed, replaced, discarded or unresolved"),
    ("generated", "whether a driver made it"),
    (
      "app_start_ms",
      "A0, the app started on it; where several app intervals make a frame, the oldest"
    ),
    ("app_end_ms", "A1, the app was done with it, in the same interval"),
    (
      "commit_ms",
      "the last commit of that interval, or the present: what due times and charges go by"
    ),
    ("compositor_start_ms", "R0"),
    ("compositor_end_ms", "R1"),
    ("gpu_start_ms", "G0"),
    ("gpu_end_ms", "G1"),
    ("queued_ms", "Q, the finished buffer was queued"),
    ("displayed_ms", "D, the refresh it was swapped in at"),
    ("swapped_out_ms", "X, another frame took its place"),
    ("refresh", "the number of that refresh"),
    ("due_ms", "when it was due"),
    ("due_refresh", "the number of the refresh it was due at"),
    ("dropped", "refreshes dropped for it"),
    ("charged_to", "the stages charged for them, in order"),
    ("cause_frame", "the frames whose stages those were"),
    ("charge_inferred", "whether a charge was inferred"),
    (
      "hitch_ms",
      "how late it came, beyond what an earlier frame covered; frames that it replaced count with it, and what the source itself states of hitches does not"
    ),
    ("buffer", "its buffer, from 0"),
    ("buffer_start_ms", "from when its buffer was in use"),
    ("buffer_end_ms", "until when"),
    ("buffer_inferred", "whether buffers were rebuilt and not named by the source"),
    ("depth", "the most buffers in use at once until it was shown"),
    ("app_ms", "how long the app worked on it, less its wait for a buffer"),
    ("compositor_ms", "how long the compositor worked on it"),
    ("gpu_ms", "how long the GPU worked on it and nobody else did"),
    ("queue_ms", "how long the finished buffer waited for its refresh"),
    ("frame_time_ms", "from the frame before to this one, by what the source measures"),
  ]

  func write(_ trace: ExportedTrace, to sink: @escaping ([UInt8]) -> Void) {
    var line = CSVLine()
    for column in Self.columns { line.add(column.name) }
    line.end()
    for index in trace.surfaces {
      let listing = trace.frames(of: index)
      let surface = trace.trace.surfaces[index]
      for row in 0..<listing.count {
        line.add(surface.process ?? "")
        line.add(surface.id)
        add(listing[row], listing, trace.range.lowerBound, to: &line)
        line.end()
        if line.bytes.count > 1 << 16 { sink(line.takeBytes()) }
      }
    }
    sink(line.takeBytes())
  }

  private func add(
    _ frame: ListedFrame, _ listing: FrameListing, _ origin: Int64, to line: inout CSVLine
  ) {
    line.add(frame.row)
    line.add(frame.identifier)
    line.add(frame.outcome.rawValue)
    line.add(frame.isGenerated ? "true" : "false")
    let stages = [
      frame.appStart, frame.appEnd, frame.commit, frame.compositorStart, frame.compositorEnd,
      frame.gpuStart, frame.gpuEnd, frame.queued, frame.displayed, frame.swappedOut,
    ]
    for time in stages { line.addMilliseconds(time.map { $0.nanoseconds - origin }) }
    line.add(frame.refresh)
    line.addMilliseconds(frame.due.map { $0.nanoseconds - origin })
    line.add(frame.dueRefresh)
    line.add(listing.whyNoDrops == nil ? frame.droppedCount : nil)
    line.add(frame.drops.map(\.stage.rawValue).joined(separator: " "))
    line.add(frame.drops.map { "\($0.cause.row)" }.joined(separator: " "))
    line.add(frame.drops.isEmpty ? "" : "\(frame.drops.contains(where: \.isInferred))")
    line.addMilliseconds(frame.hitch?.count)
    line.add(frame.buffer)
    line.addMilliseconds(frame.bufferStart.map { $0.nanoseconds - origin })
    line.addMilliseconds(frame.bufferEnd.map { $0.nanoseconds - origin })
    line.add(frame.buffer == nil ? "" : listing.areBuffersInferred ? "true" : "false")
    line.add(frame.depth)
    let lengths = [
      frame.appTime, frame.compositorTime, frame.gpuTime, frame.queueWait, frame.frameTime,
    ]
    for length in lengths { line.addMilliseconds(length?.count) }
  }
}
