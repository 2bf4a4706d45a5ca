import Testing

@testable import FrameAnalysis
@testable import FrameImporters
@testable import FrameTrace

/// What programs present through an X server, as `capture x11` records it.
@Suite struct X11Tests {
  private static let refresh: Int64 = 16_666_667
  private static let start: Int64 = 50_000_000_000
  private static let window = 4_194_305

  private static func line(
    _ time: Int64, _ direction: String, _ name: String, _ arguments: [Int64],
    window: Int = window, interface: String = "x11"
  ) -> String {
    #"[\#(time),811,"\#(direction)","\#(interface)",\#(window),"\#(name)",\#(arguments)]"#
  }

  private static func trace(_ lines: [String]) throws -> Trace {
    let opening = #"[\#(start),0,"!","x11",0,"part",[1]]"#
    return try Importers.read(
      InputFile(bytes: Array(([opening] + lines).joined(separator: "\n").utf8), path: "x11.jsonl"))
  }

  /// Frames a refresh apart, each shown at the refresh after it; `stops` are frames that come so many refreshes late.
  private static func frames(
    _ count: Int, stops: [Int: Int64] = [:], clock: Int64 = 0, numbered: (Int64) -> Int64 = { $0 }
  ) -> [String] {
    var (lines, late): ([String], Int64) = ([], 0)
    for frame in 0..<count {
      late += stops[frame] ?? 0
      let position = Int64(frame) + late
      let request = start + position * refresh + 5_300_000
      let shown = start + (position + 1) * refresh
      lines.append(
        line(
          shown + 100_000, ">", "present",
          [Int64(frame) + 1, Int64(frame % 3), 0, 0, request / 1_000_000]))
      lines.append(
        line(
          shown + 150_000, "<", "complete",
          [Int64(frame) + 1, numbered(position), (shown + clock) / 1000 * 1000, 1]))
      lines.append(line(shown + 200_000, "<", "idle", [Int64(frame) + 1, Int64(frame % 3)]))
    }
    return lines
  }

  @Test func aPresentAndItsCompletionAreAFrame() throws {
    let trace = try Self.trace(Self.frames(30))
    let frames = trace.surfaces[0].frames
    #expect(trace.provenance.importer == "x11-present" && frames.count == 30)
    // The server's time in whole ms, not the later time at which it was read.
    #expect(frames[0, .commit] == (Self.start + 5_300_000) / 1_000_000 * 1_000_000)
    #expect(frames[0, .displayed] == (Self.start + Self.refresh) / 1000 * 1000)
    #expect(frames[0, .syncInterval] == 1 && frames[4, .buffer] == 1)
    #expect(frames[0, .released] == Self.start + Self.refresh + 200_000)
    #expect(frames.text(0, .presentMode) == "flip")
    let surface = TraceAnalysis(of: trace).surfaces[0]
    #expect(surface.drops.value?.refreshes == 0 && surface.outcomes.displayed == 30)
  }

  /// The log shows neither when the program began nor the GPU's work.
  @Test func aFreezeHasAnUnknownStage() throws {
    for refreshes in [1, 2, 3, 4, 5, 8, 12, 20, 28] as [Int64] {
      let trace = try Self.trace(Self.frames(1200, stops: [40: refreshes, 80: refreshes]))
      let drops = try #require(TraceAnalysis(of: trace).surfaces[0].drops.value)
      #expect(drops.refreshes == Int(refreshes) * 2, "\(refreshes)")
      #expect(drops.byStage[.unknown] == Int(refreshes) * 2, "\(refreshes) \(drops.byStage)")
    }
  }

  /// Nobody tells whether a longer one is a program at rest.
  @Test func aLongStopIsOfUnknownCause() throws {
    let trace = try Self.trace(Self.frames(120, stops: [60: 31]))
    let surface = TraceAnalysis(of: trace).surfaces[0]
    #expect(surface.drops.value?.refreshes == 0)
    #expect(surface.stops.stops.map(\.cause) == [.unknown] && surface.stops.atMost == 31)
  }

  /// A game at 30 frames per second on a display at 60 Hz: only the numbers show the refreshes between its frames.
  @Test func numbersOfRefreshesShowTheRate() throws {
    let lines = (0..<60).flatMap { frame -> [String] in
      let shown = Self.start + Int64(frame) * 2 * Self.refresh
      let serial = Int64(frame) + 1
      return [
        Self.line(shown, ">", "present", [serial, 1, 0, 0, (shown - 9_000_000) / 1_000_000]),
        Self.line(
          shown + 9000, "<", "complete", [serial, Int64(frame) * 2, shown / 1000 * 1000, 0]),
      ]
    }
    let trace = try Self.trace(lines)
    let refreshes = try #require(TraceAnalysis(of: trace).surfaces[0].refreshes)
    let interval = try #require(refreshes.interval)
    #expect(abs(interval.count - Self.refresh) < 2000 && refreshes.source == .measured)
  }

  /// A window that moves to another display: its refreshes are numbered anew.
  @Test func numbersThatJumpAreNotUsed() throws {
    let trace = try Self.trace(Self.frames(60) { $0 < 30 ? $0 + 9000 : $0 })
    #expect(trace.displays[0].refreshes.count == 0)
    #expect(trace.issues.contains { $0.message.contains("do not follow its times") })
    #expect(TraceAnalysis(of: trace).surfaces[0].drops.value?.refreshes == 0)
  }

  @Test func anotherClockIsMoved() throws {
    let other = try Self.trace(Self.frames(60, clock: -40_000_000_000))
    let own = try Self.trace(Self.frames(60))
    #expect(own.clocks.count == 1 && other.clocks.count == 2)
    #expect(other.clocks[1].join == .measured)
    let distance = try #require(other.surfaces[0].frames[9, .displayed])
    #expect(abs(distance - (own.surfaces[0].frames[9, .displayed] ?? 0)) < 200_000)
  }

  /// A recorder that was held up reads late, and the server's times are still those of its own clock: one completion
  /// in a hundred may be read that late, and no more.
  @Test(arguments: [(1, 1), (2, 2)]) func aLateReadingIsNoOtherClock(
    _ late: Int, _ clocks: Int
  ) throws {
    var lines = Self.frames(100)
    for frame in 0..<late {
      let shown = Self.start + (Int64(frame) + 1) * Self.refresh
      lines[frame * 3 + 1] = Self.line(
        shown + 1_500_000_000, "<", "complete", [Int64(frame) + 1, Int64(frame), shown, 1])
    }
    #expect(try Self.trace(lines).clocks.count == clocks)
  }

  @Test func aSkippedPixmapWasNotShown() throws {
    var lines = Self.frames(30)
    lines[10 * 3 + 1] = Self.line(
      Self.start + 11 * Self.refresh + 150_000, "<", "complete",
      [11, 10, Self.start + 11 * Self.refresh, 2])
    let trace = try Self.trace(lines)
    let frames = trace.surfaces[0].frames
    #expect(frames[10, .displayed] == nil)
    #expect(frames[10, .fate] == FrameColumn.Fate.discarded.rawValue)
    #expect(TraceAnalysis(of: trace).surfaces[0].outcomes.replaced == 1)
  }

  @Test func whatTheServerDidNotAnswerIsUnknown() throws {
    let lines = Self.frames(30).filter { !$0.contains(#""complete",[30,"#) }
    let trace = try Self.trace(lines.filter { !$0.contains(#""complete", [30,"#) })
    #expect(TraceAnalysis(of: trace).surfaces[0].outcomes.unresolved == 1)
    #expect(trace.issues.contains { $0.message.contains("did not complete") })
  }

  /// A program that begins to count anew, as a swap chain does: the first present that waits is answered.
  @Test func serialsMayRepeat() throws {
    let shown = Self.start + Self.refresh
    let lines = [0, 1].flatMap { round -> [String] in
      let later = Int64(round) * Self.refresh
      return [
        Self.line(shown + later, ">", "present", [1, 5, 0, 0, 50_000 + Int64(round) * 16]),
        Self.line(shown + later + 9, "<", "complete", [1, Int64(round), shown + later, 0]),
      ]
    }
    let frames = try Self.trace(lines).surfaces[0].frames
    #expect(frames.count == 2)
    #expect(frames[0, .displayed] == shown && frames[1, .displayed] == shown + Self.refresh)
  }

  /// A server gives the numbers of a program that is gone to the next one.
  @Test func windowsOfTwoProgramsAreTwo() throws {
    let lines = Self.frames(20)
    let others = Self.frames(20).map { $0.replacing(",811,", with: ",822,") }
    let trace = try Self.trace(lines + others)
    #expect(trace.surfaces.map(\.frames.count) == [20, 20])
    #expect(trace.surfaces.map(\.processID) == [811, 822])
  }

  /// Skips, which were shown at no time, do not decide which clock it is.
  @Test func skipsDoNotMakeAClock() throws {
    let lines = Self.frames(60).enumerated().map { position, line in
      guard position % 6 == 1, let node = try? JSONNode(Array(line.utf8)), node.array != nil else {
        return line
      }
      let frame = Int64(position / 3)
      return Self.line(
        Self.start + (frame + 1) * Self.refresh, "<", "complete", [frame + 1, 0, 0, 2])
    }
    let trace = try Self.trace(lines)
    #expect(trace.clocks.count == 1)
    #expect(trace.issues.contains { $0.message.contains("found to be the monotonic one") })
  }

  @Test func tearingAndLongerIntervalsAreStated() throws {
    func present(_ serial: Int64, _ options: Int64, _ target: Int64) -> String {
      Self.line(
        Self.start + serial * Self.refresh, ">", "present",
        [serial, 1, options, target, 50_000 + serial * 16])
    }
    let trace = try Self.trace([
      present(1, 1, 0), present(2, 0, 0), present(3, 0, 100), present(4, 0, 102),
      present(5, 0, 107), present(6, 0, 111),
    ])
    let frames = trace.surfaces[0].frames
    #expect((0..<6).map { frames[$0, .syncInterval] } == [0, 1, nil, 2, nil, 4])
  }

  /// The server is asked to present before the GPU has finished: the layer says when it did.
  @Test func theLayersFramesAreJoined() throws {
    var lines = Self.frames(60, stops: [30: 1])
    for frame in 0..<60 {
      let position = Int64(frame) + (frame >= 30 ? 1 : 0)
      let begin = Self.start + (position - (frame == 30 ? 1 : 0)) * Self.refresh
      let commit = begin + 5_000_000
      let finished = begin + (frame == 30 ? 25_000_000 : 12_000_000)
      lines.append(
        Self.line(
          finished, "!", "frame",
          [
            Int64(frame) + 1, begin, commit + 100_000, commit, begin, begin + 1000,
            begin + 3_000_000, finished,
          ], interface: "vulkan"))
    }
    // The late frame was handed over in time.
    let request = (Self.start + 30 * Self.refresh + 5_300_000) / 1_000_000
    lines[30 * 3] = Self.line(
      Self.start + 31 * Self.refresh, ">", "present", [31, 0, 0, 0, request])
    let trace = try Self.trace(lines)
    #expect(trace.surfaces.count == 1)
    let frames = trace.surfaces[0].frames
    #expect(frames[7, .gpuEnd] == Self.start + 7 * Self.refresh + 12_000_000)
    #expect(frames[7, .commit] == Self.start + 7 * Self.refresh + 5_000_000)
    #expect(frames[7, .displayed] == (Self.start + 8 * Self.refresh) / 1000 * 1000)
    let drops = try #require(TraceAnalysis(of: trace).surfaces[0].drops.value)
    #expect(drops.refreshes == 1 && drops.byStage[.gpu] == 1, "\(drops.byStage)")
  }

  /// A driver that copies its pictures: what the layer saw is there, without display times.
  @Test func framesThatTheServerDidNotSeeAreKept() throws {
    let trace = try Self.trace(
      (0..<12).map { frame in
        let begin = Self.start + Int64(frame) * Self.refresh
        return Self.line(
          begin, "!", "frame", [Int64(frame), begin, begin + 300, begin + 200],
          interface: "vulkan")
      })
    #expect(trace.surfaces.count == 1 && trace.frameCount == 12)
    #expect(trace.surfaces[0].frames[3, .displayed] == nil)
    #expect(trace.issues.contains { $0.message.contains("did not present through the X server") })
  }

  @Test func aFileInPartsIsOneRecording() throws {
    let lines = Self.frames(40)
    let parts = try [lines.prefix(60), lines.dropFirst(60)].enumerated().map { number, part in
      let opening = [
        #"[\#(Self.start),0,"!","x11",0,"part",[\#(number + 1)]]"#,
        #"[\#(Self.start),0,"!","x11",0,"begin",[\#(number + 1)]]"#,
      ]
      return try InputFile(
        bytes: Array((opening + part).joined(separator: "\n").utf8), path: "\(number).jsonl")
    }
    let trace = try Importers.read(recording: parts)
    #expect(trace.surfaces[0].frames.count == 40)
    #expect(TraceAnalysis(of: trace).surfaces[0].outcomes.displayed == 40)
  }
}
