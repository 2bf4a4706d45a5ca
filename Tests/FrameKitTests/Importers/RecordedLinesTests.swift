import Foundation
import FrameRecorder
import Testing

@testable import FrameImporters
@testable import FrameTrace

/// A recording followed while it is written gives the same frames as one read afterwards.
@Suite struct RecordedLinesTests {
  @Test(arguments: [1, 7, 400]) func framesComeOutOnceTheyAreKnown(_ look: Int) throws {
    let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: file) }
    let recorder = try unsafe #require(unsafe frame_recorder_open(file.path, "game", 4096))
    defer { unsafe frame_recorder_close(recorder) }
    let window = unsafe frame_recorder_name(recorder, "window 3")
    var lines = RecordedLines(try #require(try RecordingTail(path: file.path)), isOnly: true)
    var bytes = RecordedLines.opening("test", part: 1, compositor: nil)
    unsafe frame_recorder_number(recorder, FRAME_RECORDER_BUFFER_COUNT, window, 0, 3)
    for frame in 0..<400 as Range<UInt64> {
      let start = 1_000_000_000 + Int64(frame) * 16_666_667
      unsafe frame_recorder_event_at(recorder, FRAME_RECORDER_COMMIT, window, frame, start)
      unsafe frame_recorder_event_at(recorder, FRAME_RECORDER_APP_END, window, frame, start + 100)
      // Display times come two frames later.
      if frame >= 2, frame % 50 != 0 {
        unsafe frame_recorder_event_at(
          recorder, FRAME_RECORDER_DISPLAYED, window, frame - 2, start)
      }
      if frame % UInt64(look) == 0 { bytes += try lines.next(at: start) }
    }
    bytes += try lines.next(at: 9_000_000_000, all: true)
    let trace = try Importers.read(InputFile(bytes: bytes, path: "run.jsonl"))
    let whole = try Importers.read(
      InputFile(bytes: Array(Data(contentsOf: file)), path: "run.frames"))
    let (one, other) = (trace.surfaces[0].frames, whole.surfaces[0].frames)
    #expect(one.count == 400 && other.count == 400)
    for column in [FrameColumn.identifier, .commit, .appEnd, .displayed] {
      #expect((0..<400).allSatisfy { one[$0, column] == other[$0, column] }, "\(column)")
    }
    #expect(trace.surfaces[0].allocatedBuffers == 3 && trace.surfaces[0].process == "game")
    #expect(lines.counts.frames == 400 && lines.counts.lost == 0)
  }

  @Test func aFrameIsWrittenOnceWhateverComesLate() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: file) }
    let recorder = try unsafe #require(unsafe frame_recorder_open(file.path, "game", 4096))
    defer { unsafe frame_recorder_close(recorder) }
    var lines = RecordedLines(try #require(try RecordingTail(path: file.path)), isOnly: true)
    var bytes = RecordedLines.opening("test", part: 1, compositor: nil)
    let record = { (kind: frame_recorder_kind, frame: UInt64, time: Int64) in
      unsafe frame_recorder_event_at(recorder, kind, 0, frame, time)
    }
    for frame in 0..<30 as Range<UInt64> {
      record(FRAME_RECORDER_COMMIT, frame, Int64(frame) * 10 + 1)
      record(FRAME_RECORDER_APP_END, frame, Int64(frame) * 10 + 2)
      if frame < 28 { record(FRAME_RECORDER_DISPLAYED, frame, Int64(frame) * 10 + 30) }
    }
    bytes += try lines.next(at: 1_000)
    // The program rests for five seconds; then it receives events for its last frames, and
    // continues.
    bytes += try lines.next(at: 5_000_000_000)
    for frame in 28..<30 as Range<UInt64> { record(FRAME_RECORDER_DISPLAYED, frame, 500) }
    record(FRAME_RECORDER_COMMIT, 30, 5_000_000_100)
    bytes += try lines.next(at: 5_000_000_200)
    record(FRAME_RECORDER_DISPLAYED, 3, 9)
    bytes += try lines.next(at: 5_000_000_300, all: true)
    let frames = try Importers.read(InputFile(bytes: bytes, path: "run.jsonl")).surfaces[0].frames
    #expect((0..<frames.count).compactMap { frames[$0, .identifier] } == Array(0...30))
    #expect((0..<30).allSatisfy { frames[$0, .displayed] != nil })
    #expect(frames[3, .displayed] == 60)
  }

  /// Each file of a recording states the conditions once, whatever else is learned meanwhile.
  @Test func eachFileHasTheConditions() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: file) }
    let recorder = try unsafe #require(unsafe frame_recorder_open(file.path, "game", 1024))
    for text in ["gpu=one", "gpu=one", "driver=two"] {
      unsafe frame_recorder_number(
        recorder, FRAME_RECORDER_SETTING, frame_recorder_name(recorder, text), 0, 0)
    }
    var lines = RecordedLines(try #require(try RecordingTail(path: file.path)), isOnly: true)
    let text = { () throws in String(decoding: try lines.next(at: 1), as: UTF8.self) }
    let count = { (text: String) in text.split(separator: "\n").count { $0.contains("setting") } }
    #expect(count(try text()) == 2)
    unsafe frame_recorder_number(recorder, FRAME_RECORDER_REFRESH_INTERVAL, 0, 0, 16_666_667)
    #expect(count(try text()) == 0)
    lines.declareAgain()
    #expect(count(try text()) == 2)
    unsafe frame_recorder_close(recorder)
  }

  /// A truncated file has fewer events than it states.
  @Test func aFileThatWasCutEnds() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: file) }
    let recorder = try unsafe #require(unsafe frame_recorder_open(file.path, "game", 1024))
    for frame in 0..<100 as Range<UInt64> {
      unsafe frame_recorder_event_at(recorder, FRAME_RECORDER_COMMIT, 0, frame, Int64(frame) + 1)
    }
    unsafe frame_recorder_close(recorder)
    let whole = try Data(contentsOf: file)
    let start = try #require(RecordingHeader(Array(whole))).start
    try whole.prefix(start + 10 * RecordingHeader.eventSize).write(to: file)
    var lines = RecordedLines(try #require(try RecordingTail(path: file.path)), isOnly: true)
    _ = try lines.next(at: 1, all: true)
    #expect(lines.counts.frames == 10 && lines.counts.lost == 90)
  }

  @Test func eventsThatGaveWayAreCounted() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: file) }
    let recorder = try unsafe #require(unsafe frame_recorder_open(file.path, "game", 1024))
    defer { unsafe frame_recorder_close(recorder) }
    var lines = RecordedLines(try #require(try RecordingTail(path: file.path)), isOnly: true)
    for frame in 0..<3000 as Range<UInt64> {
      unsafe frame_recorder_event_at(recorder, FRAME_RECORDER_COMMIT, 0, frame, Int64(frame) + 1)
    }
    let bytes =
      try RecordedLines.opening("test", part: 1, compositor: nil) + lines.next(at: 1, all: true)
    #expect(try Importers.read(InputFile(bytes: bytes, path: "run.jsonl")).frameCount == 1024)
    #expect(lines.counts.lost == 3000 - 1024)
  }
}
