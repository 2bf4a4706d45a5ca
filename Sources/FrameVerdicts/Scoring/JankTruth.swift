package import FrameAnalysis
package import FrameTrace

/// What happened in a generated trace: every frame as it was drawn, and every dropped refresh, with the frame and the
/// stage that dropped it. The truth comes from playing the same work with and without its faults, not from an analysis.
///
/// All times are nanoseconds on the clock of the trace's file.
package struct JankTruth: Sendable {
  /// The version of the generator: a set of traces is fixed by this number, a family, and a seed.
  package static let version = 1

  /// The name of the trace, with which its file names begin.
  package var name: String
  /// The kind of trace, as named by the generator.
  package var family: String
  package var seed: UInt64
  /// The version of the generator that made the trace.
  package var version = JankTruth.version
  /// The file that the trace was written to; `nil` before it is written.
  package var file: File?
  /// The display's rates, each starting at a refresh; empty for a display that waits for frames.
  package var rates: [Rate] = []
  /// Whether the display waits for frames.
  package var isVariable = false
  package var surfaces: [Surface]
  /// The work that was made slow.
  package var faults: [Fault] = []
  /// The refreshes that repeated an older frame while one was due, in order.
  package var drops: [Drop] = []
  package var touches: [Touch] = []

  /// The permitted times and refresh numbers, for which sums stay within 64 bits.
  static let times: ClosedRange<Int64> = -(1 << 60)...(1 << 60)
  static let refreshes: ClosedRange<Int64> = -(1 << 20)...(1 << 20)

  /// Whether no refresh was dropped, so that every finding is a false alarm.
  package var isClean: Bool { drops.isEmpty }

  /// How a trace was written to a file, and what the file lacks.
  package struct File: Sendable {
    package var name: String
    /// The format, as `--encode` names it, and the importer that reads it.
    package var format, importer: String
    /// The precision of the file's times.
    package var precision: Nanoseconds
    /// The CRC-32 of the file's bytes.
    package var checksum: UInt32
    /// The data of this trace that the format cannot store: columns of frames, and other tables.
    package var missing: [String] = []

    package init(
      name: String, format: String, importer: String, precision: Nanoseconds, checksum: UInt32
    ) {
      (self.name, self.format, self.importer) = (name, format, importer)
      (self.precision, self.checksum) = (precision, checksum)
    }
  }

  /// A refresh rate that starts at a refresh.
  package struct Rate: Sendable {
    package var refresh, time, interval: Int64

    package init(refresh: Int64, time: Int64, interval: Int64) {
      (self.refresh, self.time, self.interval) = (refresh, time, interval)
    }
  }

  /// A surface and its frames.
  package struct Surface: Sendable {
    /// The surface's id in its file.
    package var id: String
    /// Whether the app draws into the buffers; if not, the compositor does.
    package var isFilledByApp: Bool
    package var frames: [Frame]
    /// The number of buffers in use, from a given time.
    package var depth: [(time: Int64, buffers: Int)] = []

    package init(id: String, isFilledByApp: Bool, frames: [Frame]) {
      (self.id, self.isFilledByApp, self.frames) = (id, isFilledByApp, frames)
    }
  }

  /// A frame as it was drawn. A time is `nil` if the frame never reached that point.
  package struct Frame: Sendable {
    /// The frame's position among the surface's frames in the file, from 0; `nil` if the file does not contain it.
    package var row: Int?
    package var isGenerated = false
    package var appStart, commit, compositorStart, compositorEnd: Int64?
    package var gpuStart, gpuEnd, queued, displayed, replaced: Int64?
    /// The number of the refresh at which the frame was displayed.
    package var refresh: Int64?
    package var buffer: Int64?

    package init(row: Int?) { self.row = row }
  }

  /// A frame of a surface; both are given by their positions in the truth.
  package struct Position: Hashable, Sendable {
    package var surface, frame: Int

    package init(surface: Int, frame: Int) { (self.surface, self.frame) = (surface, frame) }
  }

  /// Work that was made longer than usual.
  package struct Fault: Sendable {
    package var position: Position
    package var stage: PipelineStage
    /// How much longer the work was made.
    package var extra: Nanoseconds
    /// Whether the fault is one of many consecutive ones, so that no single frame is the culprit.
    package var isSustained: Bool
    /// What delayed the app's thread, if the trace shows its threads.
    package var cause: String?

    package init(
      position: Position, stage: PipelineStage, extra: Nanoseconds, isSustained: Bool = false,
      cause: String? = nil
    ) {
      (self.position, self.stage, self.extra) = (position, stage, extra)
      (self.isSustained, self.cause) = (isSustained, cause)
    }
  }

  /// A refresh that repeated an older frame while a newer one was due.
  package struct Drop: Sendable {
    package var refresh, time: Int64
    /// The surface that repeated a frame.
    package var surface: Int
    /// The position, in the truth, of the frame that was due.
    package var victim: Int
    /// The frame that caused the drop; `nil` if many consecutive frames were too slow.
    package var culprit: Position?
    package var stage: PipelineStage
    package var cause: String?

    package init(
      refresh: Int64, time: Int64, surface: Int, victim: Int, culprit: Position?,
      stage: PipelineStage, cause: String? = nil
    ) {
      (self.refresh, self.time, self.surface) = (refresh, time, surface)
      (self.victim, self.culprit, self.stage, self.cause) = (victim, culprit, stage, cause)
    }
  }

  /// A touch, and the frame that showed it.
  package struct Touch: Sendable {
    package var time: Int64
    package var surface: Int
    /// The frame's position in the truth; `nil` if no frame showed the touch.
    package var frame: Int?
    /// The time from the touch to the end of the scan-out of that frame.
    package var latency: Nanoseconds?

    package init(time: Int64, surface: Int, frame: Int?, latency: Nanoseconds?) {
      (self.time, self.surface, self.frame, self.latency) = (time, surface, frame, latency)
    }
  }

  package init(name: String, family: String, seed: UInt64, surfaces: [Surface]) {
    (self.name, self.family, self.seed, self.surfaces) = (name, family, seed, surfaces)
  }

  /// How many refreshes showed a frame, on all surfaces.
  package var shownCount: Int {
    surfaces.reduce(0) { $0 + $1.frames.count { $0.displayed != nil } }
  }

  /// The interval of the display around a time; for a display that waits for frames, the interval of the touched
  /// frames.
  package func interval(at time: Int64) -> Int64 {
    rates.last { $0.time <= time }?.interval ?? rates.first?.interval ?? 1
  }
}
