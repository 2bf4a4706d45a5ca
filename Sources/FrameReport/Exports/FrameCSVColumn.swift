import FrameAnalysis
import FrameTrace

/// A column of the CSV with a row a frame: its name, what it holds, and how it is written.
struct FrameCSVColumn: Sendable {
  /// What a row is written from.
  struct Cells {
    let surface: Surface
    let listing: FrameListing
    let frame: ListedFrame
    /// Where times count from.
    let origin: Timestamp
  }

  let name: String
  let meaning: String
  let add: @Sendable (Cells, inout CSVLine) -> Void

  /// A column of texts, empty for none.
  private static func text(
    _ name: String, _ meaning: String, _ text: @escaping @Sendable (Cells) -> String
  ) -> FrameCSVColumn {
    FrameCSVColumn(name: name, meaning: meaning) { $1.add(text($0)) }
  }

  /// A column of whole numbers, empty for none.
  private static func number(
    _ name: String, _ meaning: String, _ number: @escaping @Sendable (ListedFrame) -> Int64?
  ) -> FrameCSVColumn {
    FrameCSVColumn(name: name, meaning: meaning) { $1.add(number($0.frame)) }
  }

  /// A column of instants, in milliseconds from the start of the trace.
  private static func time(
    _ name: String, _ meaning: String, _ time: @escaping @Sendable (ListedFrame) -> Timestamp?
  ) -> FrameCSVColumn {
    FrameCSVColumn(name: name, meaning: meaning) { cells, line in
      line.addMilliseconds(time(cells.frame).map { ($0 - cells.origin).count })
    }
  }

  /// A column of lengths of time, in milliseconds.
  private static func length(
    _ name: String, _ meaning: String, _ length: @escaping @Sendable (ListedFrame) -> Nanoseconds?
  ) -> FrameCSVColumn {
    FrameCSVColumn(name: name, meaning: meaning) { $1.addMilliseconds(length($0.frame)?.count) }
  }

  /// The columns in their order.
  static let all: [FrameCSVColumn] = [
    text("process", "the process, empty where it is not known") { $0.surface.process ?? "" },
    text("surface", "the surface's id") { $0.surface.id },
    number("frame", "its place among the surface's frames, from 0") { Int64($0.row) },
    number("id", "the source's own number of it") { $0.identifier },
    text("outcome", "displayed, replaced, discarded or unresolved") { $0.frame.outcome.rawValue },
    text("generated", "whether a driver made it") { "\($0.frame.isGenerated)" },
    time(
      "app_start_ms",
      "A0, the app started on it; where several app intervals make a frame, the oldest"
    ) { $0.appStart },
    time("app_end_ms", "A1, the app was done with it, in the same interval") { $0.appEnd },
    time(
      "commit_ms",
      "the last commit of that interval, or the present: what due times and charges go by"
    ) { $0.commit },
    time("compositor_start_ms", "R0") { $0.compositorStart },
    time("compositor_end_ms", "R1") { $0.compositorEnd },
    time("gpu_start_ms", "G0") { $0.gpuStart },
    time("gpu_end_ms", "G1") { $0.gpuEnd },
    time("queued_ms", "Q, the finished buffer was queued") { $0.queued },
    time("displayed_ms", "D, the refresh it was swapped in at") { $0.displayed },
    time("swapped_out_ms", "X, another frame took its place") { $0.swappedOut },
    number("refresh", "the number of that refresh") { $0.refresh?.number },
    time("due_ms", "when it was due") { $0.due },
    number("due_refresh", "the number of the refresh it was due at") { $0.dueRefresh?.number },
    FrameCSVColumn(name: "dropped", meaning: "refreshes dropped for it") { cells, line in
      line.add(cells.listing.whyNoDrops == nil ? cells.frame.droppedCount : nil)
    },
    text("charged_to", "the stages charged for them, in order") {
      $0.frame.drops.map(\.stage.rawValue).joined(separator: " ")
    },
    text("cause_frame", "the frames whose stages those were") {
      $0.frame.drops.map { "\($0.cause.row)" }.joined(separator: " ")
    },
    text("charge_inferred", "whether a charge was inferred") {
      $0.frame.drops.isEmpty ? "" : "\($0.frame.drops.contains(where: \.isInferred))"
    },
    length(
      "hitch_ms",
      "how late it came, beyond what an earlier frame covered; frames that it replaced count with it, and what the source itself states of hitches does not"
    ) { $0.hitch },
    number("buffer", "its buffer, from 0") { $0.buffer.map(Int64.init) },
    time("buffer_start_ms", "from when its buffer was in use") { $0.bufferStart },
    time("buffer_end_ms", "until when") { $0.bufferEnd },
    text("buffer_inferred", "whether buffers were rebuilt and not named by the source") {
      $0.frame.buffer == nil ? "" : "\($0.listing.areBuffersInferred)"
    },
    number("depth", "the most buffers in use at once until it was shown") {
      $0.depth.map(Int64.init)
    },
    length("app_ms", "how long the app worked on it, less its wait for a buffer") { $0.appTime },
    length("compositor_ms", "how long the compositor worked on it") { $0.compositorTime },
    length("gpu_ms", "how long only the GPU worked on it") { $0.gpuTime },
    length("queue_ms", "how long the finished buffer waited for its refresh") { $0.queueWait },
    length("frame_time_ms", "from the frame before to this one, by what the source measures") {
      $0.frameTime
    },
  ]
}
