package import FrameAnalysis
package import FrameTrace

/// What happened in a generated trace: every frame as it was drawn, and every refresh that was dropped, with the frame
/// and the stage that dropped it. It is known from playing the same work with its faults and without them, and from no
/// analysis.
///
/// All times are nanoseconds on the clock of the trace's file.
package struct JankTruth: Sendable {
  /// The version of the generator: a set of traces is fixed by this number, a family, and a seed.
  package static let version = 1

  /// The name of the trace, which its files begin with.
  package var name: String
  /// The kind of trace, as the generator calls it.
  package var family: String
  package var seed: UInt64
  /// The version of the generator that made it.
  package var version = JankTruth.version
  /// The file that was written of it; `nil` before it is written.
  package var file: File?
  /// The display's rates, each from a refresh on; empty on a display that waits for frames.
  package var rates: [Rate] = []
  /// Whether the display waits for frames.
  package var isVariable = false
  package var surfaces: [Surface]
  /// What was made slow.
  package var faults: [Fault] = []
  /// The refreshes that repeated an older frame while one was due, in order.
  package var drops: [Drop] = []
  package var touches: [Touch] = []

  /// The times and the numbers of refreshes that sums of them stay within 64 bits for.
  static let times: ClosedRange<Int64> = -(1 << 60)...(1 << 60)
  static let refreshes: ClosedRange<Int64> = -(1 << 20)...(1 << 20)

  /// Whether no refresh was dropped, so that every finding is a false alarm.
  package var isClean: Bool { drops.isEmpty }

  /// How a trace was written to a file, and what the file lacks.
  package struct File: Sendable {
    package var name: String
    /// The format, as `--encode` names it, and the importer that reads it.
    package var format, importer: String
    /// The precision of its times.
    package var precision: Nanoseconds
    /// The CRC-32 of its bytes.
    package var checksum: UInt32
    /// What the format cannot carry of this trace: columns of frames, and other tables.
    package var missing: [String] = []

    package init(
      name: String, format: String, importer: String, precision: Nanoseconds, checksum: UInt32
    ) {
      (self.name, self.format, self.importer) = (name, format, importer)
      (self.precision, self.checksum) = (precision, checksum)
    }
  }

  /// A refresh rate, from a refresh on.
  package struct Rate: Sendable {
    package var refresh, time, interval: Int64

    package init(refresh: Int64, time: Int64, interval: Int64) {
      (self.refresh, self.time, self.interval) = (refresh, time, interval)
    }
  }

  /// A surface and its frames.
  package struct Surface: Sendable {
    /// What its file calls it.
    package var id: String
    /// Whether the app draws into the buffers; if not, the compositor does.
    package var isFilledByApp: Bool
    package var frames: [Frame]
    /// How many buffers are in use from a time on.
    package var depth: [(time: Int64, buffers: Int)] = []

    package init(id: String, isFilledByApp: Bool, frames: [Frame]) {
      (self.id, self.isFilledByApp, self.frames) = (id, isFilledByApp, frames)
    }
  }

  /// A frame as it was drawn. A time is `nil` where the frame never got there.
  package struct Frame: Sendable {
    /// Its position among the surface's frames in the file, from 0; `nil` where the file does not have it.
    package var row: Int?
    package var isGenerated = false
    package var appStart, commit, compositorStart, compositorEnd: Int64?
    package var gpuStart, gpuEnd, queued, displayed, replaced: Int64?
    /// The number of the refresh at which it was displayed.
    package var refresh: Int64?
    package var buffer: Int64?

    package init(row: Int?) { self.row = row }
  }

  /// A frame of a surface, both by their positions in the truth.
  package struct Position: Hashable, Sendable {
    package var surface, frame: Int

    package init(surface: Int, frame: Int) { (self.surface, self.frame) = (surface, frame) }
  }

  /// Work that was made longer than usual.
  package struct Fault: Sendable {
    package var position: Position
    package var stage: PipelineStage
    /// By how much it was made longer.
    package var extra: Nanoseconds
    /// Whether it is one of many in a row, so that no single frame is the culprit.
    package var isSustained: Bool
    /// What kept the app's thread, where the trace shows its threads.
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
    /// The frame that was due, by its position in the truth.
    package var victim: Int
    /// The frame whose fault it was; `nil` where many in a row were too slow.
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
    /// By its position in the truth; `nil` where no frame showed it.
    package var frame: Int?
    /// From the touch to the end of the scan-out of that frame.
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

  /// The interval of the display around a time; that of the touched frames on one that waits for frames.
  package func interval(at time: Int64) -> Int64 {
    rates.last { $0.time <= time }?.interval ?? rates.first?.interval ?? 1
  }
}
