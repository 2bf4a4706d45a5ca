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
    ("app_start_ms", "A0, the app started on it"),
    ("app_end_ms", "A1, the app was done with it"),
    ("commit_ms", "the app's last commit, or its present"),
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
    ("hitch_ms", "how late it came, beyond what an earlier frame covered"),
    ("buffer", "its buffer, from 0"),
    ("buffer_start_ms", "from when its buffer was in use"),
    ("buffer_end_ms", "until when"),
    ("buffer_inferred", "whether buffers were rebuilt and not named by the source"),
    ("depth", "the most buffers in use at once until it was shown"),
    ("app_ms", "how long the app worked on it, less its wait for a buffer"),
    ("compositor_ms", "how long the compositor worked on it"),
    ("gpu_ms", "how long the GPU worked on it and nobody else did"),
    ("queue_ms", "how long the finished buffer waited for its refresh"),
    ("frame_time_ms", "from the frame before to this one"),
  ]

  func write(_ trace: ExportedTrace, to sink: @escaping ([UInt8]) -> Void) {
    var text = CSVText.rows([Self.columns.map(\.name)])
    for index in trace.surfaces {
      let listing = trace.frames(of: index)
      let surface = trace.trace.surfaces[index]
      let owner = [surface.process ?? "", surface.id]
      for row in 0..<listing.count {
        text += CSVText.rows([owner + cells(listing[row], listing, trace.range.lowerBound)])
        if text.utf8.count > 1 << 16 {
          sink(Array(text.utf8))
          text = ""
        }
      }
    }
    sink(Array(text.utf8))
  }

  private func cells(_ frame: ListedFrame, _ listing: FrameListing, _ origin: Int64) -> [String] {
    let time = { (time: Timestamp?) in
      time.map { DecimalText.milliseconds($0.nanoseconds - origin) } ?? ""
    }
    let length = { (length: Nanoseconds?) in
      length.map { DecimalText.milliseconds($0.count) } ?? ""
    }
    let number = { (number: Int64?) in number.map { "\($0)" } ?? "" }
    let knowsDrops = listing.whyNoDrops == nil
    return [
      "\(frame.row)", number(frame.identifier), frame.outcome.rawValue, "\(frame.isGenerated)",
      time(frame.appStart), time(frame.appEnd), time(frame.commit), time(frame.compositorStart),
      time(frame.compositorEnd), time(frame.gpuStart), time(frame.gpuEnd), time(frame.queued),
      time(frame.displayed), time(frame.swappedOut), number(frame.refresh), time(frame.due),
      number(frame.dueRefresh), knowsDrops ? "\(frame.droppedCount)" : "",
      frame.drops.map(\.stage.rawValue).joined(separator: " "),
      frame.drops.map { "\($0.cause.row)" }.joined(separator: " "),
      frame.drops.isEmpty ? "" : "\(frame.drops.contains(where: \.isInferred))",
      length(frame.hitch), number(frame.buffer.map(Int64.init)), time(frame.bufferStart),
      time(frame.bufferEnd), frame.buffer == nil ? "" : "\(listing.areBuffersInferred)",
      number(frame.depth.map(Int64.init)), length(frame.appTime), length(frame.compositorTime),
      length(frame.gpuTime), length(frame.queueWait), length(frame.frameTime),
    ]
  }
}
