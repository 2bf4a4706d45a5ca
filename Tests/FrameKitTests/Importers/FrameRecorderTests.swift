import Foundation
import FrameRecorder
import Testing

@testable import Fixtures
@testable import FrameAnalysis
@testable import FrameImporters
@testable import FrameStatistics
@testable import FrameTrace

/// The importer reads what the recorder writes.
@Suite struct FrameRecorderTests {
  /// Records into a temporary file, closes it, and returns its contents.
  private static func record(
    events: UInt64 = 1024, _ body: (OpaquePointer) -> Void
  ) throws -> [UInt8] {
    let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: file) }
    let recorder = try unsafe #require(unsafe frame_recorder_open(file.path, "game", events))
    unsafe body(recorder)
    unsafe frame_recorder_close(recorder)
    return Array(try Data(contentsOf: file))
  }

  private static func read(_ bytes: [UInt8]) throws -> Trace {
    try Importers.read(InputFile(bytes: bytes, path: "run.frames"))
  }

  @Test func framesTouchesAndMarksAreRead() throws {
    let bytes = try unsafe Self.record { recorder in
      let window = unsafe frame_recorder_name(recorder, "main")
      let level = unsafe frame_recorder_name(recorder, "level 1")
      #expect(unsafe frame_recorder_name(recorder, "main") == window && level != window)
      unsafe frame_recorder_event_at(recorder, FRAME_RECORDER_SIGNPOST_BEGIN, level, 0, 500)
      for frame in 0..<60 as Range<UInt64> {
        let start = 1_000_000_000 + Int64(frame) * 16_666_667
        let events = [
          (FRAME_RECORDER_APP_BEGIN, 0), (FRAME_RECORDER_COMMIT, 5_000_000),
          (FRAME_RECORDER_GPU_BEGIN, 5_100_000), (FRAME_RECORDER_GPU_END, 9_000_000),
          (FRAME_RECORDER_DISPLAYED, 33_333_334),
        ]
        if frame % 10 == 3 {
          unsafe frame_recorder_event_at(
            recorder, FRAME_RECORDER_TOUCH, window, frame, start - 4_000_000)
          unsafe frame_recorder_event_at(
            recorder, FRAME_RECORDER_TOUCH_DELIVERED, window, frame, start - 1_000_000)
        }
        for (kind, time) in events {
          unsafe frame_recorder_event_at(recorder, kind, window, frame, start + Int64(time))
        }
      }
      unsafe frame_recorder_event_at(
        recorder, FRAME_RECORDER_SIGNPOST_END, level, 0, 2_000_000_000)
      unsafe frame_recorder_event_at(recorder, FRAME_RECORDER_MARK, 0, 0, 1_500_000_000)
    }
    let trace = try Self.read(bytes)
    #expect(trace.issues == [] && trace.frameCount == 60)
    let surface = trace.surfaces[0]
    #expect(surface.id == "main" && surface.process == "game")
    #expect(surface.processID == Int(ProcessInfo.processInfo.processIdentifier))
    #expect(trace.touches.count == 6 && trace.touches[0, .frame] == 3)
    #expect(trace.markers.count == 2 && trace.markers.text(0, .name) == "level 1")
    let analysis = TraceAnalysis(of: trace)
    guard case .summary(let latency) = analysis.surfaces[0]["touchToPhoton"]?.figures else {
      Issue.record("no latency")
      return
    }
    // 4 ms before the frame's start, two refreshes after it, and one while the display lights up
    // from top to bottom.
    #expect(latency.n == 6 && abs(latency.p50 - 54) < 0.01)
  }

  /// Pieces of the GPU's work, in ms as begin and end: how long it worked, and how long it waited in between.
  struct Work {
    let pieces: [[Int64]]
    let busy, wait: Int64
  }

  static let pieces = [
    Work(pieces: [[1, 4]], busy: 3, wait: 0),
    Work(pieces: [[1, 4], [6, 8]], busy: 5, wait: 2),
    // On two queues at once.
    Work(pieces: [[1, 4], [2, 9], [3, 5]], busy: 8, wait: 0),
    Work(pieces: [[6, 8], [1, 4], [4, 5]], busy: 6, wait: 1),
    Work(pieces: [[1, 1], [3, 3]], busy: 0, wait: 2),
  ]

  @Test(arguments: pieces)
  func theGPUIsBusyInEachPiece(_ work: Work) throws {
    let (pieces, busy, wait) = (work.pieces, work.busy, work.wait)
    let bytes = try unsafe Self.record { recorder in
      unsafe frame_recorder_event_at(recorder, FRAME_RECORDER_COMMIT, 0, 1, 1_000_000)
      for piece in pieces {
        let (begin, end) = (piece[0], piece[1])
        unsafe frame_recorder_event_at(
          recorder, FRAME_RECORDER_GPU_BEGIN, 0, 1, begin * 1_000_000)
        unsafe frame_recorder_event_at(recorder, FRAME_RECORDER_GPU_END, 0, 1, end * 1_000_000)
      }
      // A frame with a piece that did not end.
      unsafe frame_recorder_event_at(recorder, FRAME_RECORDER_COMMIT, 0, 2, 20_000_000)
      unsafe frame_recorder_event_at(recorder, FRAME_RECORDER_GPU_BEGIN, 0, 2, 21_000_000)
      unsafe frame_recorder_event_at(recorder, FRAME_RECORDER_GPU_END, 0, 2, 22_000_000)
      unsafe frame_recorder_event_at(recorder, FRAME_RECORDER_GPU_BEGIN, 0, 2, 23_000_000)
    }
    let frames = try Self.read(bytes).surfaces[0].frames
    #expect(frames[0, .gpuBusy] == busy * 1_000_000 && frames[0, .gpuWait] == wait * 1_000_000)
    #expect(frames[1, .gpuEnd] == 22_000_000 && frames[1, .gpuBusy] == nil)
    // What does not come in order of time gives no figure.
    let reversed = try unsafe Self.record { recorder in
      unsafe frame_recorder_event_at(recorder, FRAME_RECORDER_GPU_BEGIN, 0, 1, 9_000_000)
      unsafe frame_recorder_event_at(recorder, FRAME_RECORDER_GPU_END, 0, 1, 4_000_000)
    }
    #expect(try Self.read(reversed).surfaces[0].frames[0, .gpuBusy] == nil)
  }

  /// The scenario encoder writes the same as the library.
  @Test func theLibraryWritesWhatScenariosAreWrittenAs() throws {
    let outcome = try #require(Scenarios.all.first { $0.name == "steady-60" })
      .play(.init(frames: 100))
    let encoded = FrameRecordingEncoder().encode(outcome.trace)
    let header = try #require(RecordingHeader(encoded))
    let events = header.events(in: encoded).inOrder
    let bytes = try unsafe Self.record { recorder in
      let name = unsafe frame_recorder_name(recorder, outcome.trace.surfaces[0].id)
      for event in events {
        let kind = frame_recorder_kind(UInt32(event.kind?.rawValue ?? 0))
        unsafe frame_recorder_event_at(
          recorder, kind, event.name == 0 ? 0 : name, event.frame, event.time)
      }
    }
    let own = try #require(RecordingHeader(bytes))
    let written = own.events(in: bytes).inOrder
    #expect(
      written.count == events.count
        && own.names(in: bytes) == header.names(in: encoded).filter { !$0.isEmpty })
    for (one, other) in zip(written, events) {
      #expect(
        one.number == other.number && one.time == other.time && one.frame == other.frame
          && one.kind == other.kind && one.name == other.name)
    }
  }

  /// The conditions of a recording survive both ways to the native format, and a comparison names a difference.
  @Test func conditionsAreRecorded() throws {
    let words = [
      "gpu=llvmpipe (LLVM 15.0.6, 256 bits)", "resolution=640x480", "resolution=640x480",
      "resolution=800x600", "presentMode=FIFO", "unknown=1", "nothing",
    ]
    let bytes = try unsafe Self.record { recorder in
      for text in words {
        unsafe frame_recorder_number(
          recorder, FRAME_RECORDER_SETTING, frame_recorder_name(recorder, text), 0, 0)
      }
      unsafe frame_recorder_event_at(recorder, FRAME_RECORDER_COMMIT, 0, 1, 1_000_000)
    }
    let trace = try Self.read(bytes)
    let expected: [Setting.Condition: String] = [
      .gpu: "llvmpipe (LLVM 15.0.6, 256 bits)", .resolution: "640x480; 800x600",
      .presentMode: "FIFO",
    ]
    #expect(trace.setting.conditions == expected)
    var native: [UInt8] = []
    var writer = NativeWriter(trace) { native += $0 }
    writer.write()
    let again = try Importers.read(InputFile(bytes: native, path: "t.jsonl"))
    #expect(again.setting.conditions == expected)
  }

  /// A program that opens a window after another, each with its name, and then more than the file has room for.
  @Test(arguments: [600, 4095, 4100])
  func windowsAreToldApart(_ count: Int) throws {
    let bytes = try unsafe Self.record(events: 1 << 13) { recorder in
      for window in 0..<count {
        let name = unsafe frame_recorder_name(recorder, "window \(window)")
        unsafe frame_recorder_event_at(
          recorder, FRAME_RECORDER_COMMIT, name, UInt64(window), Int64(window + 1) * 1_000_000)
      }
    }
    let trace = try Self.read(bytes)
    #expect(trace.surfaces.count == min(count, 4096) && trace.surfaces[599].id == "window 599")
    let lost = trace.issues.first { $0.severity == .dataLoss }
    #expect(lost?.count == (count > 4095 ? count - 4095 : nil))
  }

  @Test func whenFullTheOldestGiveWay() throws {
    let bytes = try unsafe Self.record(events: 1) { recorder in
      let name = unsafe frame_recorder_name(recorder, "s")
      for frame in 0..<5000 as Range<UInt64> {
        unsafe frame_recorder_event_at(
          recorder, FRAME_RECORDER_COMMIT, name, frame, Int64(frame) * 1_000_000)
      }
    }
    let trace = try Self.read(bytes)
    #expect(trace.frameCount == 1024 && trace.surfaces[0].frames[0, .identifier] == 3976)
    #expect(trace.issues.map(\.count) == [3976] && trace.issues[0].severity == .info)
  }

  /// Many threads recording at once lose nothing.
  @Test func threadsRecordAtTheSameTime() throws {
    let bytes = try unsafe Self.record(events: 1 << 16) { recorder in
      let address = UInt(bitPattern: recorder)
      DispatchQueue.concurrentPerform(iterations: 8) { thread in
        guard let recorder = unsafe OpaquePointer(bitPattern: address) else { return }
        for frame in 0..<2000 as Range<UInt64> {
          unsafe frame_recorder_event(
            recorder, FRAME_RECORDER_COMMIT, UInt16(thread + 1), frame)
        }
      }
    }
    let header = try #require(RecordingHeader(bytes))
    let (events, unfinished) = header.events(in: bytes)
    #expect(events.count == 16_000 && unfinished == 0)
    for name in 1...8 {
      #expect(events.filter { $0.name == name }.map(\.frame) == Array(0..<2000))
    }
  }

  /// A killed program loses nothing that it had recorded.
  @Test func aKilledProgramLosesNothing() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: file) }
    // Never closed, as when the program is killed: the file has what was in memory.
    let recorder = try unsafe #require(unsafe frame_recorder_open(file.path, "game", 4096))
    for frame in 0..<300 as Range<UInt64> {
      unsafe frame_recorder_event(recorder, FRAME_RECORDER_COMMIT, 0, frame)
    }
    let trace = try Self.read(Array(try Data(contentsOf: file)))
    #expect(trace.frameCount == 300 && trace.surfaces[0].id == "surface")
    unsafe frame_recorder_close(recorder)
  }

  /// However a file is cut or changed, it is read or refused with one line.
  @Test func brokenFilesAreReadOrRefused() throws {
    let whole = FrameRecordingEncoder().encode(
      try #require(Scenarios.all.first { $0.name == "steady-60" }).play(.init(frames: 50)).trace)
    for length in [7, 8, 60, 14_591, 14_592, 14_600, 20_000, whole.count - 1] {
      let bytes = Array(whole.prefix(length))
      let trace = try? Self.read(bytes)
      if let trace { #expect(trace.issues.contains { $0.severity == .dataLoss }) }
      #expect((trace?.frameCount ?? 0) <= 50)
    }
    var random = SplitMix64(seed: 3)
    for _ in 0..<300 {
      var bytes = whole
      for _ in 0..<4 {
        bytes[Int.random(in: 8..<bytes.count, using: &random)] = UInt8.random(
          in: 0...255, using: &random)
      }
      if let trace = try? Self.read(bytes) { _ = TraceAnalysis(of: trace) }
    }
  }

  /// The documentation's example program builds without a warning, and its recording can be read.
  @Test func theDocumentedProgramRecords() throws {
    let page = try String(
      contentsOf: TestData.root.appending(
        path: "Sources/FrameKit/FrameKit.docc/FrameRecorder.md"), encoding: .utf8)
    let program = try #require(page.split(separator: "```c\n").dropFirst().first)
      .split(separator: "```")[0]
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try String(program).write(
      to: folder.appending(path: "game.c"), atomically: true, encoding: .utf8)
    let library = TestData.root.appending(path: "Sources/FrameRecorder").path
    let build = Process()
    build.executableURL = URL(filePath: "/usr/bin/env")
    build.currentDirectoryURL = folder
    build.arguments = [
      "cc", "-Wall", "-Wextra", "-Werror", "-I", "\(library)/include", "game.c",
      "\(library)/frame_recorder.c", "-o", "game", "-pthread",
    ]
    try build.run()
    build.waitUntilExit()
    guard build.terminationStatus != 127 else {
      print("no C compiler here: the documented program is not built")
      return
    }
    #expect(build.terminationStatus == 0)
    let game = Process()
    game.executableURL = folder.appending(path: "game")
    game.currentDirectoryURL = folder
    try game.run()
    game.waitUntilExit()
    let trace = try TestData.read(folder.appending(path: "run.frames").path)
    #expect(trace.frameCount == 300 && trace.surfaces[0].id == "main window")
  }

  @Test func whatCannotBeOpenedSaysWhy() {
    #expect(unsafe frame_recorder_open("/nonexistent/x", "p", 10) == nil)
    #expect(errno == ENOENT)
    #expect(unsafe frame_recorder_open("/tmp/x", "p", .max) == nil && errno == EINVAL)
    // Without a recorder, events are discarded.
    frame_recorder_event(nil, FRAME_RECORDER_COMMIT, 0, 0)
    #expect(unsafe frame_recorder_name(nil, "x") == 0)
    frame_recorder_close(nil)
  }

  /// Numbers that are not times, and GPU work in pieces.
  @Test func buffersPiecesAndNotesAreRead() throws {
    let bytes = try unsafe Self.record { recorder in
      let window = unsafe frame_recorder_name(recorder, "main")
      let words = unsafe frame_recorder_name(recorder, "present mode FIFO")
      unsafe frame_recorder_number(recorder, FRAME_RECORDER_NOTE, words, UInt64(window), 0)
      unsafe frame_recorder_number(recorder, FRAME_RECORDER_BUFFER_COUNT, window, 0, 3)
      unsafe frame_recorder_number(
        recorder, FRAME_RECORDER_REFRESH_INTERVAL, window, 0, 8_333_333)
      for (kind, time) in [
        (FRAME_RECORDER_GPU_BEGIN, 30), (FRAME_RECORDER_GPU_END, 40),
        (FRAME_RECORDER_GPU_BEGIN, 10),
        (FRAME_RECORDER_GPU_END, 20), (FRAME_RECORDER_COMMIT, 25), (FRAME_RECORDER_GENERATED, 0),
      ] {
        unsafe frame_recorder_event_at(recorder, kind, window, 7, Int64(time))
      }
      unsafe frame_recorder_number(recorder, FRAME_RECORDER_BUFFER, window, 7, 2)
    }
    let trace = try Self.read(bytes)
    let frames = trace.surfaces[0].frames
    #expect(frames[0, .gpuStart] == 10 && frames[0, .gpuEnd] == 40)
    #expect(frames[0, .buffer] == 2)
    #expect(frames[0, .kind] == FrameColumn.Kind.generated.rawValue)
    #expect(trace.surfaces[0].allocatedBuffers == 3)
    #expect(trace.displays[0].interval == Nanoseconds(8_333_333))
    #expect(trace.issues.map(\.message) == ["present mode FIFO"])
  }
}
