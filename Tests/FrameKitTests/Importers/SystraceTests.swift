import Fixtures
import Foundation
import Testing

@testable import FrameImporters
@testable import FrameStatistics
@testable import FrameTrace

/// The kernel's log as text: real pages and outputs from all versions, with counts by `grep -c`.
@Suite struct SystraceTests {
  private static func trace(_ name: String) throws -> Trace {
    try TestData.read(TestData.folder.appending(path: name).path)
  }

  private struct Counts: Equatable {
    var frames = 0
    var refreshes = 0
    var markers = 0
    var readings = 0
    var running = 0
  }

  private static func counts(_ trace: Trace) -> Counts {
    Counts(
      frames: trace.surfaces.reduce(0) { $0 + $1.frames.count },
      refreshes: trace.displays.reduce(0) { $0 + $1.refreshes.count },
      markers: trace.markers.count,
      readings: trace.telemetry.reduce(0) { $0 + $1.times.count },
      running: (0..<trace.threadStates.count).count {
        trace.threadStates[$0, .state] == ThreadStateColumn.State.running.rawValue
      })
  }

  /// Of each file (`grep -c`, in the text that `zlib-flate -uncompress` gives for the compressed one):
  /// `Choreographer#doFrame` that begin, edges of the counter of refreshes, marks `B|` and `S|`, marks
  /// `C|`, and `sched_switch` less those to `next_pid=0`.
  @Test(
    .enabled(if: TestData.isPresent, Comment(rawValue: TestData.absence)),
    arguments: [
      ("ARM-software_trappy__tests__trace_legacy_systrace.html", [0, 0, 0, 0, 3]),
      ("ARM-software_trappy__tests__trace_surfaceflinger.html", [1, 4, 70, 18, 476]),
      ("ARM-software_trappy__tests__trace_systrace.html", [0, 0, 0, 0, 4]),
      (
        "bamlab_flashlight__packages__commands__test__src__utils__test__sample-atrace-output.txt",
        [158, 0, 631, 0, 0]
      ),
      ("catapult-project_catapult__systrace__systrace__test_data__atrace_data", [0, 0, 0, 0, 49]),
      (
        "catapult-project_catapult__systrace__systrace__test_data__compressed_atrace_data.txt",
        [15, 0, 480, 88, 0]
      ),
      ("catapult-project_catapult__tracing__test_data__android_systrace.txt", [0, 0, 0, 0, 40]),
      ("catapult-project_catapult__tracing__test_data__trivial_systrace.html", [0, 2, 0, 4, 0]),
    ])
  func everythingIsRead(_ name: String, _ counts: [Int]) throws {
    let found = Self.counts(try Self.trace("systrace/" + name))
    #expect(
      found
        == Counts(
          frames: counts[0], refreshes: counts[1], markers: counts[2], readings: counts[3],
          running: counts[4]))
  }

  /// A recording made for this project, with 2925 `sched_switch` events, none to an idle processor.
  @Test(.enabled(if: TestData.isPresent, Comment(rawValue: TestData.absence)))
  func kernelLogsAreRead() throws {
    let trace = try Self.trace("captured/kernel/tracefs-sched-weston-simple-egl.txt.gz")
    let found = Self.counts(trace)
    #expect(found == Counts(markers: 1, running: 2925))
    let name = "captured/kernel/bpftrace-uprobe-wl_display_flush.txt"
    #expect(throws: ParseError.self) { try Self.trace(name) }
  }

  private static func read(_ lines: [String]) throws -> Trace {
    try Importers.read(InputFile(bytes: Array(lines.joined(separator: "\n").utf8)))
  }

  /// Lines from all versions: with or without the process and flags, with flags that touch the
  /// time, with blanks and dashes in names, and with marks under three names.
  @Test(arguments: [
    "surfaceflinger-480   (  480) [001] d..2 28304.424846: tracing_mark_write: B|480|commit",
    "   my thread-1-480   (-----) [001] ...1 28304.424846: tracing_mark_write: B|480|commit",
    "           <...>-480   [001] .....28304.424846: print: B|480|commit",
    "a [1b]-480   [001] 28304.424846: 0: B|480|commit",
    "  surfaceflinger-480   [001] 28304.424846000: print:                ffffff8008123456f: B|480|commit",
  ])
  func linesOfEveryAgeAreRead(_ line: String) throws {
    let bytes = Array(line.utf8) + [UInt8](repeating: 0, count: 8)
    let read = FtraceLine(bytes.span, 0..<line.utf8.count)
    let found = try #require(read)
    #expect(found.thread == 480)
    #expect(found.time == 28_304_424_846_000)
    let trace = try Self.read([line])
    #expect(trace.markers.count == 1 && trace.markers[0, .start] == 28_304_424_846_000)
    #expect(trace.markers.texts[trace.markers[0, .name] ?? -1] == "commit")
  }

  /// Line ends of all kinds, blank lines, pieces that begin or end anywhere.
  @Test(arguments: 0..<20 as Range<UInt64>)
  func linesArePartsBetweenEnds(_ seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let letters = Array("\n\n\r\u{b}ab".utf8)
    let bytes = (0..<120).map { _ in letters.randomElement(using: &random) ?? 0 }
    var pieces: [Range<Int>] = []
    var start = 0
    while start < bytes.count {
      let end = Int.random(in: start...min(bytes.count, start + 40), using: &random)
      pieces.append(start..<end)
      start = end + Int.random(in: 0..<3, using: &random)
    }
    let expected = pieces.flatMap { piece in
      bytes[piece].split { $0 == 0x0a || $0 == 0x0d }.map { $0.startIndex..<$0.endIndex }
    }
    // What follows the text is no end of a line.
    let padded = bytes + [UInt8](repeating: 0x0a, count: 8)
    #expect(Array(FtraceTextLines(padded, pieces)) == expected)
  }

  /// The lines in a page's script, without the page around them.
  @Test func linesOfAScriptAreReadWithoutItsStart() throws {
    let line = "app-9 (9) [000] ...1 28304.424846: tracing_mark_write: B|9|it\\'s"
    let trace = try Self.read([line + "\\n\\", ""])
    #expect(trace.markers.texts[trace.markers[0, .name] ?? -1] == "it's")
  }

  /// An input is on the monotonic clock, which the mark of both clocks joins to the trace: the
  /// event from Android's documentation of `eventTimeNano`, 5.647 ms before it was delivered.
  @Test(arguments: [true, false])
  func inputsAreJoinedByTheClocks(_ hasMark: Bool) throws {
    let mark =
      "atrace-1 (1) [000] ...1 28304.424846: tracing_mark_write: trace_event_clock_sync: parent_ts=17884.099609"
    let input =
      "app-9 (9) [000] ...1 28306.000976: tracing_mark_write: B|9|deliverInputEvent src=0x1002 eventTimeNano=17885670092000 id=0x7"
    let trace = try Self.read(hasMark ? [mark, input] : [input])
    guard hasMark else {
      #expect(trace.touches.count == 0 && trace.issues.contains { $0.kind == .clockAssumed })
      return
    }
    let made: Int64 = try #require(trace.touches[0, .scanStart])
    let delivered: Int64 = try #require(trace.touches[0, .delivered])
    #expect(made == 28_305_995_329_000)
    #expect(delivered - made == Int64(5_647_000))
  }

  /// A frame from the app's start to the queued buffer. Its render thread is found by the frame's
  /// number, although it began before the main thread was done.
  @Test func framesAreJoinedToTheirDrawing() throws {
    let app = { (time: String, mark: String) in
      "app-9 (9) [000] ...1 \(time): tracing_mark_write: \(mark)"
    }
    let render = { (time: String, mark: String) in
      "RenderThread-12 (9) [001] ...1 \(time): tracing_mark_write: \(mark)"
    }
    let trace = try Self.read([
      app("1.000000", "B|9|Choreographer#doFrame 70"),
      render("1.003000", "B|9|DrawFrames 70"),
      render("1.003100", "B|9|dequeueBuffer"), render("1.003400", "E|9"),
      app("1.004000", "E|9"),
      render("1.005000", "B|9|eglSwapBuffersWithDamageKHR"),
      render("1.005100", "B|9|queueBuffer"), render("1.005200", "B|9|queueBuffer"),
      render("1.005300", "E|9"), render("1.005400", "E|9"), render("1.005600", "E|9"),
      app("1.005650", "B|9|Choreographer#doFrame 71"), app("1.005660", "E|9"),
      render("1.005800", "E|9"),
    ])
    let frames = try #require(trace.surfaces.first?.frames)
    #expect(frames.count == 2 && frames[0, .identifier] == 70)
    let times: [FrameColumn] = [
      .appStart, .bufferWaitStart, .bufferWaitEnd, .commit, .queued, .appEnd,
    ]
    let microseconds: [Int64] = times.map { (frames[0, $0] ?? 0) / 1000 }
    #expect(
      microseconds == [1_000_000, 1_003_100, 1_003_400, 1_005_000, 1_005_400, 1_005_800])
    #expect(frames[1, .commit] == nil && frames[1, .appEnd] == 1_005_660_000)
  }

  /// Events that the kernel had no room for are lost, and the loss is reported.
  @Test func lostEventsAreSaid() throws {
    let trace = try Self.read([
      "app-9 (9) [000] ...1 1.000000: tracing_mark_write: B|9|work", "CPU:1 [LOST 3 EVENTS]",
    ])
    #expect(trace.issues.contains { $0.count == 3 && $0.severity == .dataLoss })
  }

  /// Text whose line endings adb changed, around compressed data.
  @Test(.enabled(if: TestData.isPresent, Comment(rawValue: TestData.absence)))
  func lineEndsOfCompressedTextAreMended() throws {
    let name =
      "systrace/catapult-project_catapult__systrace__systrace__test_data__compressed_atrace_data.txt"
    let bytes = try Array(Data(contentsOf: TestData.folder.appending(path: name)))
    let damaged = bytes.flatMap { $0 == 0x0a ? [0x0d, 0x0a] : [$0] }
    let trace = try Importers.read(InputFile(bytes: damaged))
    #expect(trace.markers.count == 480)
  }

  /// Newer kernels state the time of the refresh itself; older ones only have that of the
  /// interrupt.
  @Test func refreshesAreThoseOfTheDisplay() throws {
    let trace = try Self.read([
      "<idle>-0 [000] d.h. 2571.916100: drm_vblank_event: crtc=1, seq=540828, time=2571916093743, high-prec=true",
      "<idle>-0 [000] d.h. 2571.932790: drm_vblank_event: crtc=1, seq=540829",
      "<idle>-0 [000] d.h. 2571.932790: drm_vblank_event: crtc=-1, seq=7, time=-9223372036854775808",
    ])
    #expect(trace.displays.map(\.refreshes.count) == [1, 2])
    let refreshes = trace.displays[1].refreshes
    #expect(refreshes[0, .time] == Int64(2_571_916_093_743))
    #expect(refreshes[1, .time] == Int64(2_571_932_790_000))
    #expect(refreshes[1, .number] == Int64(540_829))
  }

  /// GPU fences, and the threads that waited for them.
  @Test func fencesAreMarkers() throws {
    let fence = { (time: String, event: String) in
      "app-9 (9) [000] ...1 \(time): dma_fence_\(event): driver=amdgpu timeline=gfx ring context=11 seqno=4"
    }
    let trace = try Self.read([
      fence("1.000000", "init"), fence("1.001000", "wait_start"), fence("1.003000", "signaled"),
      fence("1.003100", "wait_end"), fence("1.004000", "signaled"),
    ])
    #expect(
      Self.markers(trace) == [
        "fence of gfx ring 1000000 1003000 nil", "waits for a fence of gfx ring 1001000 1003100 9",
      ])
    #expect(trace.issues.map(\.count) == [1])
  }

  /// Markers as text: their names, times in microseconds, and threads.
  static func markers(_ trace: Trace) -> [String] {
    (0..<trace.markers.count).map { row in
      let times = [MarkerColumn.start, .end].map { (trace.markers[row, $0] ?? 0) / 1000 }
      let thread = trace.markers[row, .thread].map { "\($0)" } ?? "nil"
      return
        "\(trace.markers.texts[trace.markers[row, .name] ?? 0]) \(times[0]) \(times[1]) \(thread)"
    }
  }

  /// A log with any bytes changed is read or refused, with the same message each time.
  @Test func changedBytesDoNoHarm() throws {
    let marks = (0..<40).flatMap { number in
      let time = "1.\(100_000 + number * 1000)"
      return [
        "app-9 (9) [000] ...1 \(time): tracing_mark_write: B|9|Choreographer#doFrame \(number)",
        "app-9 (9) [000] ...1 \(time): tracing_mark_write: E|9",
        "app-9 (9) [000] ...1 \(time): sched_waking: comm=app pid=12 prio=110 target_cpu=002",
        "app-9 (9) [000] ...1 \(time): drm_vblank_event: crtc=0, seq=\(number)",
      ]
    }
    let bytes = Array(marks.joined(separator: "\n").utf8)
    var random = SplitMix64(seed: 8)
    for _ in 0..<500 {
      var changed = bytes
      for _ in 0..<4 {
        changed[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(
          in: 0...255, using: &random)
      }
      _ = try? Importers.read(InputFile(bytes: changed))
    }
  }

  /// Android 4 has no Choreographer in the log and no render thread: the main thread draws in
  /// `performTraversals`, and refreshes are where `VSYNC` changes.
  @Test func framesOfAndroid4AreTraversals() throws {
    var lines = ["# tracer: nop"]
    for number in 0..<20 {
      let start = 100_000 + number * 16_667
      let mark = { (offset: Int, text: String) in
        let time = "1.\(String(1_000_000 + (start + offset)).dropFirst())"
        return "com.example.app-812   (  812) [000] ...1     \(time): tracing_mark_write: \(text)"
      }
      lines += [
        mark(0, "C|120|VSYNC|\(number % 2)"), mark(1000, "B|812|performTraversals"),
        mark(3000, "B|812|draw"), mark(3500, "B|812|dequeueBuffer"), mark(4000, "E"),
        mark(8000, "B|812|eglSwapBuffers"), mark(9000, "B|812|queueBuffer"), mark(9500, "E"),
        mark(10_000, "E"), mark(10_100, "E"), mark(10_200, "E"),
      ]
    }
    let trace = try TestData.read(text: lines.joined(separator: "\n") + "\n")
    let frames = try #require(trace.surfaces.first?.frames)
    #expect(frames.count == 20 && trace.displays.first?.refreshes.count == 20)
    let start = try #require(frames[3, .appStart])
    let distances = [FrameColumn.bufferWaitStart, .bufferWaitEnd, .commit, .queued, .appEnd].map {
      (frames[3, $0] ?? 0) - start
    }
    #expect(distances == [2_500_000, 3_000_000, 7_000_000, 8_500_000, 9_200_000])
  }
}
