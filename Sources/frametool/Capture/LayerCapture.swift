import CRelay
import FrameImporters
import FrameKit

/// A source that follows the recordings of the Vulkan layer inside a program and its child
/// processes; each process has a separate file in memory.
struct LayerCapture: CaptureSource {
  private let folder: LayerFolder
  private var recordings: [String: RecordedLines] = [:]
  private var lines: [UInt8] = []
  private var pictures: [PresentedPicture] = []
  private var lastLook: Int64 = 0

  /// How often to look for new processes, in nanoseconds.
  private static let lookInterval: Int64 = 100_000_000

  /// Whether a process has loaded the layer, which is of interest only if none records.
  private var isLoaded = false

  private let form: RecordedLines.Form
  private let compositor: String?

  /// - Parameter compositor: The name of the session's compositor; `nil` if there is none, or if it is unknown.
  init(
    _ folder: LayerFolder, as form: RecordedLines.Form = .native, compositor: String? = nil
  ) {
    self.folder = folder
    self.compositor = compositor
    self.form = form
  }

  var waits: [relay_wait] { [] }

  var isIdle: Bool {
    recordings.keys.allSatisfy { !LayerFolder.isWritten($0) }
  }

  mutating func look(at process: Int32) {
    if recordings.isEmpty, !isLoaded { isLoaded = LayerFolder.isLoaded(by: process) }
  }

  mutating func work(_ ready: ArraySlice<relay_wait>) { look(all: false) }

  private mutating func look(all: Bool) {
    let now = LaunchedProcess.now
    if all || now - lastLook > Self.lookInterval {
      lastLook = now
      for path in folder.recordings where recordings[path] == nil {
        guard let tail = try? RecordingTail(path: path) else { continue }
        recordings[path] = RecordedLines(tail, isOnly: recordings.isEmpty, as: form)
      }
    }
    for path in recordings.keys.sorted() {
      lines += (try? recordings[path]?.next(at: now, all: all)) ?? []
      pictures += recordings[path]?.takePictures() ?? []
    }
  }

  func lines(_ sample: TelemetrySampler.Sample) -> [UInt8] {
    sample.readings.flatMap { reading in
      RecordedTelemetry.native(
        reading.name, reading.unit, reading.value, reading.source, at: sample.time)
    }
  }

  /// The layer records its own timestamps, so reading late loses nothing.
  mutating func note(gapFrom start: Int64, to end: Int64) -> Bool { false }

  /// Returns what changed in the pictures of frames since the last call.
  mutating func takePictures() -> [PresentedPicture] {
    defer { pictures = [] }
    return pictures
  }

  mutating func takeLines() -> [UInt8] {
    defer { lines = [] }
    return lines
  }

  /// Repeats the declarations that a new file needs.
  mutating func declareAgain() {
    for path in recordings.keys { recordings[path]?.declareAgain() }
  }

  mutating func opening(part: Int, at time: Int64) -> [UInt8] {
    declareAgain()
    return RecordedLines.opening("frametool capture vulkan", part: part, compositor: compositor)
  }

  mutating func closing(isLast: Bool) -> [UInt8] {
    if isLast { look(all: true) }
    return takeLines()
  }

  private var counts: RecordedLines.Counts {
    recordings.values.reduce(RecordedLines.Counts()) { $0 + $1.counts }
  }

  var summary: String {
    let counts = counts
    let lost = counts.lost == 0 ? "" : ", \(counts.lost) events lost"
    let unnamed =
      counts.unnamed == 0
      ? "" : ", no room for \(counts.unnamed) names, so that some windows are not told apart"
    let processes = "\(recordings.count) process\(recordings.count == 1 ? "" : "es")"
    return
      "\(processes), \(counts.frames.frames), \(counts.displayed) with a display time, \(counts.withGPU) with GPU times\(lost)\(unnamed)"
  }

  var hasFrames: Bool { counts.frames > 0 }

  var emptiness: (problem: String, help: String)? {
    if recordings.isEmpty, isLoaded {
      return (
        "the Vulkan layer was loaded, but found none of the folders to record to",
        "the program runs in a container: give it a folder that both can write to, with --folder DIR"
      )
    }
    if recordings.isEmpty {
      return (
        "no process of the program loaded the Vulkan layer",
        "'frametool capture wayland' records OpenGL programs; the layer cannot record 32-bit programs; for a container, see --folder"
      )
    }
    guard counts.frames == 0 else { return nil }
    return (
      "the program presented no frames", "let it run until it draws, or raise --duration S"
    )
  }
}
