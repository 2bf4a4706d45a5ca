import Fixtures
import Foundation
import Testing

@testable import FrameAnalysis
@testable import FrameImporters
@testable import FrameTrace

/// Recordings of Wayland programs and compositors: which of the two was stopped, how many buffers
/// there were, and when frames were displayed, as the programs themselves print it.
@Suite struct WaylandTests {
  static func input(_ name: String) throws -> InputFile {
    try InputFile(path: TestData.folder.appending(path: "captured/" + name).path)
  }

  static func trace(_ names: String...) throws -> Trace {
    let inputs = try names.map { try input($0) }
    return try inputs.count == 1 ? Importers.read(inputs[0]) : Importers.read(recording: inputs)
  }

  /// The surface with the most frames: the program's window.
  static func window(_ trace: Trace) throws -> Int {
    try #require(
      trace.surfaces.indices.max {
        trace.surfaces[$0].frames.count < trace.surfaces[$1].frames.count
      })
  }

  static func analysis(_ trace: Trace) throws -> SurfaceAnalysis {
    let window = try window(trace)
    let found = TraceAnalysis(of: trace).surfaces.first { $0.index == window }
    return try #require(found)
  }

  private static let stall = "wayland-stall/"
  private static let proxy = "wayland-proxy/weston60-presentation-shm"

  /// The file's name states which side was stopped: eight stops of 60 ms, or six with the socket's
  /// recording.
  @Test(
    .enabled(if: TestData.isPresent, Comment(rawValue: TestData.absence)),
    arguments: [
      ([stall + "pres-stall-app.wayland.log"], .app, 8),
      ([stall + "pres-stall-app.wayland.log", stall + "pres-stall-app.timeline.jsonl"], .app, 8),
      ([stall + "egl2-stall-app.wayland.log", stall + "egl2-stall-app.timeline.jsonl"], .app, 8),
      (
        [stall + "egl2-stall-comp.wayland.log", stall + "egl2-stall-comp.timeline.jsonl"],
        .compositor, 8
      ),
      ([proxy + "-stall-app.proxy.jsonl"], .app, 6), ([proxy + "-stall-app.wayland.log"], .app, 6),
      ([proxy + "-stall-comp.proxy.jsonl"], .compositor, 6),
      ([proxy + "-stall-comp.wayland.log"], .compositor, 6),
    ] as [([String], PipelineStage, Int)])
  func chargesAreOfWhoWasStopped(_ names: [String], _ stopped: PipelineStage, _ stops: Int) throws {
    let inputs = try names.map { try Self.input($0) }
    let trace = try Importers.read(recording: inputs)
    let drops = try #require(try Self.analysis(trace).drops.value)
    #expect(Set(drops.byStage.filter { $0.value > 0 }.keys) == [stopped])
    // A stop of 60 ms costs two refreshes of 17 ms; one of these stops began while nothing was due
    // and cost 1.7.
    #expect(drops.refreshes >= stops * 2 - 1)
  }

  /// Every stop is found at its time, and no drop is anywhere else.
  @Test(.enabled(if: TestData.isPresent, Comment(rawValue: TestData.absence)))
  func dropsAreWhereStopsWere() throws {
    let trace = try Self.trace(
      Self.stall + "egl2-stall-comp.wayland.log", Self.stall + "egl2-stall-comp.timeline.jsonl")
    let path = TestData.folder.appending(path: "captured/wayland-stall/egl2-stall-comp.stalls.csv")
    let stops = try String(contentsOf: path, encoding: .utf8).split(separator: "\n").dropFirst()
      .compactMap { row in Int64(row.split(separator: ",")[0]) }
    #expect(stops.count == 8)
    let frames = trace.surfaces[try Self.window(trace)].frames
    let drops = try #require(try Self.analysis(trace).drops.value)
    let late = Set(drops.drops.map(\.refreshes.frame)).compactMap { frames[$0, .displayed] }
    for stop in stops { #expect(late.contains { stop - 20_000_000..<stop + 140_000_000 ~= $0 }) }
    for time in late {
      #expect(stops.contains { $0 - 20_000_000..<$0 + 140_000_000 ~= time })
    }
  }

  /// Without display times, drops are charged to no stage.
  @Test(
    .enabled(if: TestData.isPresent, Comment(rawValue: TestData.absence)),
    arguments: ["app", "comp", "none"])
  func aLogWithoutDisplayTimesChargesNobody(_ name: String) throws {
    let trace = try Self.trace(Self.stall + "egl2-stall-\(name).wayland.log")
    let drops = try Self.analysis(trace).drops.value
    let charged = drops?.byStage.filter { $0.key != .unknown && $0.value > 0 } ?? [:]
    #expect(charged.isEmpty)
  }

  @Test(
    .enabled(if: TestData.isPresent, Comment(rawValue: TestData.absence)),
    arguments: [
      [stall + "egl2-stall-none.wayland.log", stall + "egl2-stall-none.timeline.jsonl"],
      [stall + "pres-stall-none.wayland.log"],
      [stall + "pres-stall-none.wayland.log", stall + "pres-stall-none.timeline.jsonl"],
      [stall + "pres-stall-none.timeline.jsonl"], [stall + "egl2-stall-none.timeline.jsonl"],
      [proxy + ".proxy.jsonl"], [proxy + ".wayland.log"],
      [proxy + ".proxy.jsonl", proxy + ".timeline.jsonl"],
    ])
  func whereNobodyWasStoppedAtMostTwoRefreshesAreDropped(_ names: [String]) throws {
    let trace = try Importers.read(recording: names.map { try Self.input($0) })
    #expect(try Self.analysis(trace).drops.value?.refreshes ?? 0 <= 2)
  }

  /// Allocated, used and held as they were counted when the recordings were made.
  @Test(
    .enabled(if: TestData.isPresent, Comment(rawValue: TestData.absence)),
    arguments: [
      ("wayland-debug/weston60-simple-shm-2buf.wayland.log", 2, 2, 2),
      ("wayland-debug/weston60-simple-damage-2buf.wayland.log", 2, 2, 2),
      ("wayland-debug/weston60-egl-2buf-glrenderer.wayland.log", 2, 2, 1),
      ("wayland-debug/weston60-egl-3buf-pixman.wayland.log", 3, 3, 2),
      ("wayland-debug/weston60-vkcube-fifo-3buf.wayland.log", 4, 3, 2),
      ("wayland-debug/weston60-vkcube-fifo-2buf-glrenderer.wayland.log", 4, 2, 1),
      ("wayland-debug/weston60-glmark2-unthrottled.wayland.log", 2, 2, 2),
      ("wayland-debug/weston60-presentation-shm.wayland.log", 60, 60, 2),
      ("wayland-proxy/weston60-vkcube-fifo.proxy.jsonl", 4, 3, 2),
      ("wayland-proxy/weston60-egl-gl.proxy.jsonl", 2, 2, 1),
      ("wayland-proxy/weston60-egl-pixman.proxy.jsonl", 3, 3, 2),
    ])
  func buffersAreCounted(_ name: String, _ allocated: Int, _ used: Int, _ held: Int) throws {
    let trace = try Self.trace(name)
    let buffers = try #require(try Self.analysis(trace).buffers.value)
    #expect(buffers.allocated == allocated)
    #expect(buffers.used == used)
    #expect(buffers.held == held)
  }

  /// A mailbox has up to four buffers at once, and no more after the window was resized.
  @Test(.enabled(if: TestData.isPresent, Comment(rawValue: TestData.absence)))
  func buffersOfAMailboxAreCounted() throws {
    let trace = try Self.trace("wayland-proxy/weston60-vkcube-mailbox.proxy.jsonl")
    let buffers = try #require(try Self.analysis(trace).buffers.value)
    #expect(buffers.allocated == 4)
    #expect(buffers.used == 4)
    #expect(2...4 ~= buffers.held ?? 0)
  }

  /// Two or three buffers of the same client, by the renderer.
  @Test(
    .enabled(if: TestData.isPresent, Comment(rawValue: TestData.absence)),
    arguments: [
      (
        [
          "weston-timeline/egl-glrenderer.wayland.log",
          "weston-timeline/egl-glrenderer.timeline.jsonl",
        ], 2
      )
    ])
  func depthIsThatOfTheRenderer(_ names: [String], _ depth: Int) throws {
    let trace = try Importers.read(recording: names.map { try Self.input($0) })
    let buffers = try #require(try Self.analysis(trace).buffers.value)
    let shares = try #require(buffers.depthShares)
    #expect(shares.indices.max { shares[$0] < shares[$1] } == depth - 1)
  }

  /// The intervals between presentations that the client prints: `p2p 17193 us`.
  @Test(
    .enabled(if: TestData.isPresent, Comment(rawValue: TestData.absence)), arguments: ["f", "p"])
  func distancesAreTheClients(_ mode: String) throws {
    let name = "wayland/captured-here_weston-10.0.1__presentation-shm-\(mode)"
    let trace = try TestData.read(TestData.folder.appending(path: name + ".log").path)
    let path = TestData.folder.appending(path: name + ".client-stdout.txt")
    let printed = try String(contentsOf: path, encoding: .utf8).split(separator: "\n")
      .compactMap { line in
        line.split(separator: "p2p", maxSplits: 1).dropFirst().first
          .flatMap { Int64($0.drop { $0 == " " }.prefix { $0.isNumber }) }
      }.filter { $0 > 0 }
    let frames = trace.surfaces[try Self.window(trace)].frames
    let times = (0..<frames.count).compactMap { frames[$0, .displayed] }
    let distances = zip(times.dropFirst(), times).map { ($0 - $1 + 500) / 1000 }
    #expect(printed.count > 90)
    #expect(printed.count <= distances.count)
    for (own, distance) in zip(distances, printed) { #expect(abs(own - distance) <= 1) }
  }

  /// The terminal foot prints when a key arrived, was committed and was presented.
  @Test(
    .enabled(if: TestData.isPresent, Comment(rawValue: TestData.absence)),
    arguments: ["weston-x11-foot-keyboard", "sway-x11-foot-keyboard-proxy"])
  func latenciesAreTheTerminals(_ name: String) throws {
    let path = TestData.folder.appending(path: "captured/wayland-input/\(name).wayland.log")
    let printed = try String(contentsOf: path, encoding: .utf8).split(separator: "\n")
      .compactMap { line -> (toPresent: Int64, total: Int64)? in
        guard line.contains("input - "), line.contains("presented (total") else { return nil }
        let numbers = line.split { !$0.isNumber }.compactMap { Int64($0) }
        return numbers.count >= 4 ? (numbers[2], numbers[3]) : nil
      }
    #expect(printed.count > 40)
    let trace = try Self.trace("wayland-input/\(name).wayland.log")
    let window = try Self.window(trace)
    let frames = trace.surfaces[window].frames
    // Key releases are not drawn.
    let presses = (0..<trace.touches.count).filter {
      trace.touches[$0, .phase] == TouchColumn.Phase.began.rawValue
    }
    let found = presses.compactMap { row -> (toPresent: Int64, total: Int64)? in
      guard let delivered = trace.touches[row, .delivered],
        let frame = (0..<frames.count).first(where: { (frames[$0, .commit] ?? 0) > delivered }),
        let displayed = frames[frame, .displayed], let commit = frames[frame, .commit]
      else { return nil }
      return ((displayed - commit) / 1000, (displayed - delivered) / 1000)
    }
    let pairs = zip(printed.suffix(40), found.suffix(40)).map { ($0, $1) }
    let toPresent = pairs.map { abs($0.toPresent - $1.toPresent) }.sorted()
    let total = pairs.map { abs($0.total - $1.total) }.sorted()
    #expect(pairs.count == 40)
    #expect(toPresent[20] <= 9)
    // The terminal reads its clock slightly later than its library: 0.2 ms, rounded.
    #expect((total[20] + 50) / 100 <= 2)
  }

  /// The same program with different versions of libwayland: the same facts, and the client's own
  /// intervals.
  @Test(
    .enabled(if: TestData.isPresent, Comment(rawValue: TestData.absence)),
    arguments: ["1.21", "1.22", "1.23", "1.26", "1.26-color", "1.26-threadid"])
  func everyGrammarIsRead(_ version: String) throws {
    let trace = try Self.trace("wayland-libversions/libwayland-\(version).wayland.log")
    let path = TestData.folder.appending(
      path: "captured/wayland-libversions/libwayland-\(version).wayland.log")
    let text = try String(decoding: Data(contentsOf: path), as: UTF8.self)
    let lines = text.split(separator: "\n")
    let frames = trace.surfaces[try Self.window(trace)].frames
    #expect(frames.count == lines.count { $0.contains("attach") })
    #expect(
      (0..<frames.count).count { frames[$0, .displayed] != nil }
        == lines.count { $0.contains("presented") })
    #expect(trace.issues.allSatisfy { $0.severity == .info })
    #expect(trace.clocks.first?.name == "CLOCK_MONOTONIC")
    #expect(trace.provenance.companions.count == 1)
  }

  /// A log whose clock restarts in the middle has no jump, and its side-car file is from another
  /// time.
  @Test(.enabled(if: TestData.isPresent, Comment(rawValue: TestData.absence)))
  func aClockThatBeginsAgainHasNoJump() throws {
    let trace = try Self.trace(
      "wayland-libversions/libwayland-1.21-wrap-2e32us-faketime.wayland.log")
    let frames = trace.surfaces[try Self.window(trace)].frames
    let commits = (0..<frames.count).compactMap { frames[$0, .commit] }
    #expect(commits.count > 100)
    #expect(zip(commits.dropFirst(), commits).allSatisfy { 0..<100_000_000 ~= $0 - $1 })
    #expect(trace.issues.contains { $0.kind == .clockAssumed && $0.severity == .repaired })
  }

  /// A program that sleeps reads its presentations a second late: the frame callbacks join the clocks, and without
  /// them nothing does.
  @Test(.enabled(if: TestData.isPresent, Comment(rawValue: TestData.absence)))
  func frameCallbacksJoinTheClocksOfAProgramThatSleeps() throws {
    let name = "wayland-debug/weston60-presentation-shm-idle.wayland.log"
    let latencies = { (trace: Trace) throws -> [Double] in
      let frames = trace.surfaces[try Self.window(trace)].frames
      return (0..<frames.count).compactMap { row in
        frames.time(row, .commit).flatMap { commit in
          frames.time(row, .displayed).map { ($0 - commit).milliseconds }
        }
      }
    }
    // With the clocks file next to it, everything is known.
    let known = try latencies(try Self.trace(name))
    let text = try String(
      contentsOf: TestData.folder.appending(path: "captured/\(name)"), encoding: .utf8)
    let alone = try TestData.read(text: text, path: "run.wayland.log")
    let found = try latencies(alone)
    #expect(known.count > 3 && found.count == known.count)
    #expect(zip(known, found).allSatisfy { 0..<2 ~= $1 - $0 })
    #expect(alone.issues.contains { $0.kind == .clockAssumed && $0.severity == .repaired })
    let silent = text.split(separator: "\n").filter { !$0.contains(".done(") }
    let unknown = try TestData.read(
      text: silent.joined(separator: "\n") + "\n", path: "run.wayland.log")
    #expect(try latencies(unknown).isEmpty)
    #expect(unknown.issues.contains { $0.kind == .clockAssumed && $0.severity == .dataLoss })
  }

  /// Two feedbacks of one commit are one frame.
  @Test(.enabled(if: TestData.isPresent, Comment(rawValue: TestData.absence)))
  func twoFeedbacksAreOneFrame() throws {
    let trace = try Self.trace("wayland-debug/weston60-presentation-shm-p.wayland.log")
    #expect(trace.frameCount == 202)
  }

  /// Connections of one log in two formats stay apart.
  @Test(.enabled(if: TestData.isPresent, Comment(rawValue: TestData.absence)))
  func connectionsOfTwoFormatsStayApart() throws {
    let name = "chrome-wayland/weston-cdp-drag.wayland-two-connections-two-formats.log"
    let trace = try Self.trace(name)
    let path = TestData.folder.appending(path: "captured/" + name)
    let lines = try String(decoding: Data(contentsOf: path), as: UTF8.self).split(separator: "\n")
    #expect(trace.frameCount == lines.count { $0.contains(".attach(wl_buffer#") })
    #expect(trace.issues.allSatisfy { $0.severity != .dataLoss })
  }

  @Test(.enabled(if: TestData.isPresent, Comment(rawValue: TestData.absence)))
  func whatCannotBeToldApartIsRefused() throws {
    for (name, text) in [
      ("weston-timeline/two-clients-pixman.wayland.log", "several programs"),
      (
        "wayland-libversions/server-side-two-clients-WAYLAND_DEBUG-server.log", "a compositor's"
      ),
    ] {
      let error = #expect(throws: ParseError.self) { try Self.trace(name) }
      #expect(error?.problem.contains(text) == true)
    }
  }

  /// Touches from a compositor that stamps them with the monotonic clock, and from one that uses
  /// real time.
  @Test(
    .enabled(if: TestData.isPresent, Comment(rawValue: TestData.absence)),
    arguments: [
      ("mutter-touch-simple-touch", "CLOCK_MONOTONIC"),
      ("kwin-touch-simple-touch", "CLOCK_REALTIME"),
    ])
  func touchesAreOnTheCompositorsClock(_ name: String, _ clock: String) throws {
    let trace = try Self.trace("wayland-input/\(name).wayland.log")
    let text = try String(
      contentsOf: TestData.folder.appending(path: "captured/wayland-input/\(name).wayland.log"),
      encoding: .utf8)
    let count = text.split(separator: "\n").count { line in
      ["down", "motion", "up"].contains { line.contains("] wl_touch") && line.contains(".\($0)(") }
    }
    #expect(trace.touches.count == count)
    #expect(count > 50)
    #expect(trace.issues.contains { $0.message.hasSuffix("found to be \(clock)") })
    let delays = (0..<count).compactMap { row -> Int64? in
      guard let made = trace.touches[row, .scanStart], let given = trace.touches[row, .delivered]
      else { return nil }
      return given - made
    }
    #expect(delays.allSatisfy { 0..<100_000_000 ~= $0 })
    #expect(delays.sorted()[count / 2] < 5_000_000)
  }
}

/// One test for each defect that a review of these importers found.
@Suite struct WaylandDefectTests {
  /// A timeline that stops before it names an output.
  @Test func aTimelineWithoutAnOutputIsNoHarm() throws {
    let trace = try TestData.read(
      text: "{ \"T\":[0, 0], \"N\":\"core_commit_damage\", \"ws\":1 }\n")
    #expect(trace.frameCount == 1)
    _ = TraceAnalysis(of: trace)
  }

  /// A surface belongs to the output that takes its commits.
  @Test func aSurfaceIsOfItsOutput() throws {
    var lines = [
      #"{ "id":1, "type":"weston_output", "name":"A" }"#,
      #"{ "id":2, "type":"weston_output", "name":"B" }"#,
    ]
    func point(_ milliseconds: Int, _ name: String, _ rest: String) {
      let nanoseconds = milliseconds % 1000 * 1_000_000
      lines.append(
        "{ \"T\":[\(1 + milliseconds / 1000), \(nanoseconds)], \"N\":\"\(name)\", \(rest) }")
    }
    func repaint(_ start: Int, _ length: Int, output: Int, surface: Int) {
      point(start, "core_commit_damage", "\"ws\":\(surface)")
      point(start + 1, "core_repaint_begin", "\"wo\":\(output)")
      point(start + 1, "core_flush_damage", "\"ws\":\(surface), \"wo\":\(output)")
      point(start + 2, "core_repaint_posted", "\"wo\":\(output)")
      let end = start + length
      point(
        end, "core_repaint_finished",
        "\"wo\":\(output), \"vblank_monotonic\":[\(1 + end / 1000), \(end % 1000 * 1_000_000)]")
    }
    for index in 0..<50 {
      repaint(index * 16, 14, output: 1, surface: 3)
      repaint(index * 20, 18, output: 2, surface: 4)
    }
    let trace = try TestData.read(text: lines.joined(separator: "\n") + "\n")
    let pipeline = Pipeline(reconstructing: trace)
    let intervals = trace.surfaces.map { surface in
      surface.display.flatMap { pipeline.displays[$0].interval?.milliseconds }
    }
    #expect(intervals == [16, 20])
  }

  private static func stamps(_ times: [String]) -> [Int64] {
    var stamps = WaylandStamps(nil)
    var lines = WaylandLines()
    return times.compactMap { time in
      lines.read("[\(time)] wl_buffer@3.release()".utf8).map {
        stamps.time(of: $0) / 1_000_000
      }
    }
  }

  /// A clock that steps back has restarted, however long the pause; one that steps forward has not.
  @Test func aLongPauseIsNoStepBack() {
    #expect(
      Self.stamps(["1000.000", "2401000.000", "2402000.000"]) == [1000, 2_401_000, 2_402_000])
    #expect(Self.stamps(["4294960.000", "10.000"]) == [4_294_960, 4_294_977])
    #expect(Self.stamps(["2000000.000", "1000000.000"]) == [2_000_000, 5_294_967])
    // Threads print a little out of order.
    #expect(Self.stamps(["1000.000", "999.500", "1001.000"]) == [1000, 999, 1001])
  }

  /// Lines that no compositor and no program prints are parsed quickly.
  @Test(arguments: ["[1.000] {", "[1.000] a@1.b(", "[1.000] "])
  func oddLinesTakeNoTime(_ part: String) {
    var lines = WaylandLines()
    let line = lines.read(String(repeating: part, count: 100_000).utf8)
    #expect(line == nil)
  }

  /// A refresh interval that no display has.
  @Test func absurdRefreshesAreNone() throws {
    let trace = try TestData.read(
      text: """
        [1000,1,">","wl_surface",5,"attach",[9]]
        [1000,1,">","wp_presentation",4,"feedback",[5,7]]
        [1000,1,">","wl_surface",5,"commit",[]]
        [2000,1,"<","wp_presentation_feedback",7,"presented",[18000000,9223372036854775807,0,0]]

        """)
    #expect(trace.displays[0].interval == nil)
    _ = TraceAnalysis(of: trace)
  }

  /// A connection that a library opened next to the program's, to probe the compositor, and closed.
  @Test func aProbeBesideAProgramIsNoSecondProgram() throws {
    let messages = [
      " -> wl_display@1.get_registry(new id wl_registry@2)",
      " -> wl_registry@2.bind(1, \"wl_compositor\", 4, new id [unknown]@3)",
      " -> wl_compositor@3.create_surface(new id wl_surface@4)",
      " -> wl_surface@4.frame(new id wl_callback@5)", " -> wl_surface@4.commit()",
      // The probe: its object numbers are never released.
      " -> wl_display@1.get_registry(new id wl_registry@2)",
      " -> wl_display@1.sync(new id wl_callback@3)",
      " -> wl_registry@2.bind(1, \"wl_drm\", 2, new id [unknown]@4)",
      " -> wl_registry@2.bind(2, \"wl_shm\", 1, new id [unknown]@5)",
      // The program continues, and reuses number 5.
      "wl_display@1.delete_id(5)", "wl_callback@5.done(1000)",
      " -> wl_surface@4.attach(wl_buffer@9, 0, 0)",
      " -> wl_surface@4.frame(new id wl_callback@5)", " -> wl_surface@4.commit()",
    ]
    let lines = messages.enumerated().map { "[\(1000 + $0 * 10).000] \($1)" }
    let trace = try TestData.read(text: lines.joined(separator: "\n") + "\n")
    #expect(trace.frameCount == 1)
    #expect(trace.issues.allSatisfy { $0.severity != .dataLoss })
    #expect(trace.surfaces[0].frames.has(.appStart))
  }

  /// A surface that reuses the number of another surface's role is a new object.
  @Test func aNumberGivenOutAgainHasNoRoleLeft() throws {
    let messages = [
      " -> wl_compositor@3.create_surface(new id wl_surface@4)",
      " -> xdg_wm_base@5.get_xdg_surface(new id xdg_surface@6, wl_surface@4)",
      " -> xdg_surface@6.get_toplevel(new id xdg_toplevel@7)",
      " -> xdg_toplevel@7.set_title(\"first\")",
      " -> wl_surface@4.attach(wl_buffer@20, 0, 0)", " -> wl_surface@4.commit()",
      " -> xdg_toplevel@7.destroy()", "wl_display@1.delete_id(7)",
      " -> xdg_surface@6.destroy()", "wl_display@1.delete_id(6)",
      " -> wl_compositor@3.create_surface(new id wl_surface@6)",
      " -> xdg_wm_base@5.get_xdg_surface(new id xdg_surface@7, wl_surface@6)",
      " -> xdg_surface@7.get_toplevel(new id xdg_toplevel@8)",
      " -> xdg_toplevel@8.set_title(\"second\")",
      " -> wl_surface@6.attach(wl_buffer@21, 0, 0)", " -> wl_surface@6.commit()",
    ]
    let lines = messages.enumerated().map { "[\(1000 + $0 * 10).000] \($1)" }
    let trace = try TestData.read(text: lines.joined(separator: "\n") + "\n")
    let names = trace.surfaces.map { $0.name ?? "" }
    #expect(names.count == 2 && names[0].contains("first") && names[1].contains("second"))
  }
}
