import Fixtures
import Foundation
import Testing

@testable import FrameAnalysis
@testable import FrameImporters
@testable import FrameStatistics
@testable import FrameTrace

/// Perfetto's test traces compared with the rows that its trace processor returns for them, and
/// scenarios through the frame timeline.
@Suite struct PerfettoTests {
  private static func folder(_ name: String) -> String {
    TestData.folder.appending(path: "perfetto/\(name)").path
  }

  private static func trace(_ name: String) throws -> Trace {
    try TestData.read(folder(name) + "/trace.pftrace")
  }

  /// The expected rows, each as values by column name.
  private static func expected(_ name: String) throws -> [[String: String]] {
    let text = try String(contentsOfFile: folder(name) + "/expected.csv", encoding: .utf8)
    let rows = text.split(whereSeparator: \.isNewline).map { line in
      line.split(separator: ",", omittingEmptySubsequences: false).map {
        $0.trimmingCharacters(in: ["\""])
      }
    }
    let names = rows[0]
    return rows.dropFirst().map { row in
      Dictionary(zip(names, row), uniquingKeysWith: { first, _ in first })
    }
  }

  /// A layer's frame whose token of a display frame stands for a missing number is left out and counted; any other token
  /// names the display frame.
  @Test(arguments: [(.min, 0), (.min + 1, 1), (0, 1), (-1, 1), (.max, 1)] as [(Int64, Int)])
  func displayTokens(_ token: Int64, frames: Int) throws {
    var file = ProtobufText()
    func add(_ time: Int64, _ kind: Int, _ fill: (inout ProtobufText) -> Void) {
      file.add(PerfettoSchema.Trace.packet) { packet in
        packet.add(PerfettoSchema.TracePacket.timestamp, time)
        packet.add(PerfettoSchema.TracePacket.frameTimelineEvent) { $0.add(kind, fill) }
      }
    }
    for (time, kind, cookie, parts) in [
      (1_000_000, PerfettoSchema.FrameTimelineEvent.actualSurfaceFrameStart, 1, [5, token, 9]),
      (2_000_000, PerfettoSchema.FrameTimelineEvent.actualSurfaceFrameStart, 2, [6, 4, 9]),
      (3_000_000, PerfettoSchema.FrameTimelineEvent.actualDisplayFrameStart, 3, [token, 1]),
    ] as [(Int64, Int, Int64, [Int64])] {
      add(time, kind) { frame in
        frame.add(1, cookie)
        for (position, part) in parts.enumerated() { frame.add(position + 2, part) }
      }
      add(time + 500_000, PerfettoSchema.FrameTimelineEvent.frameEnd) { $0.add(1, cookie) }
    }
    let trace = try Importers.read(InputFile(bytes: file.bytes))
    let layers = trace.surfaces.filter { $0.id != "SurfaceFlinger" }
    let shown = layers.map { layer in
      (0..<layer.frames.count).count { layer.frames[$0, .displayed] != nil }
    }
    #expect(shown.reduce(0, +) == frames)
    #expect(layers.map(\.frames.count).reduce(0, +) == frames + 1)
    #expect(trace.issues.contains { $0.kind == .malformedLine } == (frames == 0))
  }

  // MARK: the trace processor's rows

  /// Expected frames: for layers their deadline, for the display when they were expected there. The
  /// model does not store when an expectation begins.
  @Test(.enabled(if: TestData.isPresent, Comment(rawValue: TestData.absence)))
  func expectedFramesAreThoseOfTheTraceProcessor() throws {
    let name = "parser-graphics__GraphicsParser.expected_frame_timeline_events"
    let trace = try Self.trace(name)
    let rows = try Self.expected(name)
    let ends = rows.compactMap { row -> (token: Int64, end: Int64, layer: String)? in
      guard let start = row["ts"].flatMap({ Int64($0) }),
        let length = row["dur"].flatMap({ Int64($0) }),
        length >= 0, let layer = row["layer_name"]
      else { return nil }
      let token = layer == "[NULL]" ? row["display_frame_token"] : row["surface_frame_token"]
      return token.flatMap { Int64($0) }.map { ($0, start + length, layer) }
    }
    #expect(rows.count == 13 && ends.count == 12)
    for (token, end, layer) in ends where layer != "[NULL]" {
      let frames = try #require(trace.surfaces.first { $0.id == layer }).frames
      let row = try #require((0..<frames.count).first { frames[$0, .identifier] == token })
      #expect(frames[row, .deadline] == end, "\(token)")
    }
    // A layer's frame was expected as long after its own deadline as the display's frame was given, whichever of the
    // display's frames shows it; the display's own frames when they say.
    for (token, end, layer) in ends where layer == "[NULL]" {
      let length = try #require(
        rows.first { $0["display_frame_token"] == "\(token)" && $0["layer_name"] == layer }
          .flatMap { $0["dur"] }.flatMap { Int64($0) })
      for surface in trace.surfaces {
        let frames = surface.frames
        for row in 0..<frames.count {
          if surface.id == "SurfaceFlinger", frames[row, .identifier] == token {
            #expect(frames[row, .expectedDisplay] == end, "display frame \(token)")
          } else if frames[row, .compositorFrame] == token, let deadline = frames[row, .deadline] {
            #expect(frames[row, .expectedDisplay] == deadline + length, "display frame \(token)")
          }
        }
      }
    }
    // A second layer's expectation for the same token is left out.
    #expect(trace.issues.map(\.count) == [1] && trace.issues[0].kind == .unknownRecord)
  }

  /// Nothing that happens while the display is off or about to change is a hitch.
  @Test(.enabled(if: TestData.isPresent, Comment(rawValue: TestData.absence)))
  func jankThatNobodySeesIsNoHitch() throws {
    let trace = try Self.trace("parser-graphics__GraphicsParser.display_power_mode_change")
    #expect(trace.frameCount == 3 && trace.statedHitches.count == 0)
    let layer = try #require(trace.surfaces.first { $0.id == "Layer1" })
    #expect(layer.frames[0, .appStart] == 120 && layer.frames[0, .queued] == 135)
    #expect(layer.processID == 1000 && layer.frames[0, .compositorStart] == 100)
  }

  /// Phases of buffers: APP from `firstWrite` to `queued`, GPU to `fenceSignaled`, SF from
  /// `compositorStart` to `displayed`, Display to `replaced`. The model does not store instants of
  /// unknown kinds.
  @Test(.enabled(if: TestData.isPresent, Comment(rawValue: TestData.absence)))
  func phasesOfBuffersAreThoseOfTheTraceProcessor() throws {
    let name = "parser-graphics__GraphicsParser.graphics_frame_events"
    let trace = try Self.trace(name)
    var checked = 0
    for row in try Self.expected(name) {
      guard let track = row["track_name"], let start = row["ts"].flatMap({ Int64($0) }),
        let length = row["dur"].flatMap({ Int64($0) }),
        let number = row["frame_number"].flatMap({ Int64($0) }),
        let columns = Self.columns(track), number > 0
      else { continue }
      let frames = try #require(trace.surfaces.first { $0.id == row["layer_name"] }).frames
      let position = try #require((0..<frames.count).first { frames[$0, .identifier] == number })
      #expect(frames[position, columns.0] == start, "\(track) of \(number)")
      #expect(
        frames[position, columns.1] == (length < 0 ? nil : start + length), "\(track) of \(number)")
      checked += 1
    }
    #expect(checked == 19)
    let instants = try Self.expected(name).count { $0["track_name"]?.hasPrefix("Buffer") ?? false }
    let kept = trace.bufferEvents.count
    // Five acquire fences are times of their frames, and one event is of an unknown kind.
    #expect(instants == 28 && kept == instants - 6)
  }

  private static func columns(_ track: String) -> (FrameColumn, FrameColumn)? {
    switch track.prefix(3) {
    case "APP": (.firstWrite, .queued)
    case "GPU": (.queued, .fenceSignaled)
    case "SF_": (.compositorStart, .displayed)
    case "Dis": (.displayed, .replaced)
    default: nil
    }
  }

  /// Readings on six clocks, two of them sequence-scoped clocks with the same number. The trace
  /// processor stores a reading at the time of the one before, since it covers the time between;
  /// frametool stores it when it was taken.
  @Test(.enabled(if: TestData.isPresent, Comment(rawValue: TestData.absence)))
  func clocksAreJoinedThroughSnapshots() throws {
    let name = "parser-graphics__GraphicsParser.clock_sync"
    let series = try #require(try Self.trace(name).telemetry.first)
    let rows = try Self.expected(name)
    #expect(series.times.map { "\($0.nanoseconds)" } == rows.map { $0["ts"] })
    let moved = series.values.dropFirst().map { "\(Int($0))" } + ["0"]
    #expect(moved == rows.map { $0["int_value"] })
  }

  /// A refresh by its number. The trace processor returns the interrupt's time, frametool the time
  /// that the driver states for the refresh itself.
  @Test(.enabled(if: TestData.isPresent, Comment(rawValue: TestData.absence)))
  func refreshesHaveTheDriversTime() throws {
    let name = "parser-graphics__GraphicsDrmRelatedFtraceEvents.drm_vblank_gpu_track"
    let display = try #require(try Self.trace(name).displays.first)
    let rows = try Self.expected(name)
    #expect(display.refreshes.count == 1)
    #expect("\(display.refreshes[0, .number] ?? 0)" == rows[0]["int_value"])
    #expect(display.refreshes[0, .time] == 6_159_771_267_407)
  }

  /// Stages on queues as markers; the model does not store their details.
  @Test(.enabled(if: TestData.isPresent, Comment(rawValue: TestData.absence)))
  func renderStagesAreMarkers() throws {
    let name = "parser-graphics__GraphicsGpuTrace.gpu_render_stages"
    let marks = try Self.trace(name).markers
    let found = Set(
      (0..<marks.count).map {
        "\(marks.text($0, .name) ?? "") \(marks[$0, .start] ?? -1) \(marks[$0, .end] ?? -1)"
      })
    for row in try Self.expected(name) {
      let start = try #require(row["ts"].flatMap { Int64($0) })
      let mark =
        "\(row["track_name"] ?? ""): \(row["slice_name"] ?? "") \(start) \(start + (row["dur"].flatMap { Int64($0) } ?? 0))"
      // If a name is interned again later, the expected rows have the later one.
      #expect(found.contains(mark), "\(mark)")
    }
  }

  /// The frames of a gesture with their process, and the app's work for each.
  @Test(.enabled(if: TestData.isPresent, Comment(rawValue: TestData.absence)))
  func framesOfAGestureAreThere() throws {
    let trace = try Self.trace("metrics-graphics__GraphicsMetrics.android_jank_cuj")
    let layer = try #require(trace.surfaces.first { $0.id == "TX - NotificationShade#0" })
    #expect(layer.process == "com.android.systemui" && layer.frames.count == 16)
    // From the expected metric: vsync, start, and expected display; `doFrame` and `DrawFrame` end
    // the app's part.
    for (token, start, expected) in [
      (10, 0, 16), (20, 8, 20), (30, 30, 20), (40, 40, 20), (60, 70, 20), (90, 100, 20),
    ] as [(Int64, Int64, Int64)] {
      let row = try #require(
        (0..<layer.frames.count).first { layer.frames[$0, .identifier] == token })
      #expect(layer.frames[row, .appStart] == start * 1_000_000)
      #expect(layer.frames[row, .deadline] == (start + expected) * 1_000_000)
      #expect(layer.frames[row, .appEnd] != nil)
    }
  }

  @Test(.enabled(if: TestData.isPresent, Comment(rawValue: TestData.absence)))
  func countersOfMissedFramesAreSensors() throws {
    let trace = try Self.trace("metrics-graphics__GraphicsMetrics.frame_missed_metrics")
    // Three of seven frames were missed: two on one display, one on the other.
    let missed = trace.telemetry.map { $0.values.filter { $0 == 1 }.count }
    #expect(trace.telemetry.count == 2 && missed == [2, 1])
    #expect(trace.telemetry.reduce(0) { $0 + $1.values.count } == 7)
  }

  // MARK: scenarios

  private static func throughTimeline(_ name: String) throws -> (own: Trace, found: Trace) {
    let scenario = try #require(Scenarios.all.first { $0.name == name })
    let trace = scenario.play(.init(frames: scenario.frames)).trace
    try #require(PerfettoEncoder().whyNot(trace) == nil)
    return (trace, try Importers.read(InputFile(bytes: PerfettoEncoder().encode(trace))))
  }

  /// The frame timeline gives the rows of the talk's table as declared.
  @Test(arguments: [
    ("talk-triple", 5.0), ("talk-double", 4), ("talk-metal", 4), ("talk-low-latency", 3),
    ("talk-animation", 4), ("talk-coalesced", 2.5), ("talk-predicted", 2.5),
  ])
  func theTalksTableIsTheSame(_ name: String, _ frames: Double) throws {
    let found = try Self.throughTimeline(name).found
    let surface = try #require(TraceAnalysis(of: found).surfaces.first)
    guard case .summary(let latency) = surface["touchToPhotonFrames"]?.figures else {
      Issue.record("there is no latency")
      return
    }
    #expect(latency.n == 120)
    #expect([latency.minimum, latency.maximum].allSatisfy { abs($0 - frames) < 1e-9 })
  }

  /// Late frames of layers that the app draws are charged to the stage that was late.
  @Test(arguments: ["layer-app-overrun", "layer-compositor-overrun", "layer-gpu-overrun"])
  func chargesAreTheSame(_ name: String) throws {
    let (own, found) = try Self.throughTimeline(name)
    let charges = try [own, found].map {
      try #require(TraceAnalysis(of: $0).surfaces.first?.drops.value?.byStage)
    }
    #expect(charges[0] == charges[1] && charges[0].values.reduce(0, +) > 0)
  }

  // MARK: broken and hostile

  /// Cut anywhere, a trace gives everything complete before the cut, and reports where it ends.
  @Test func aCutTraceGivesWhatWasWhole() throws {
    let scenario = try #require(Scenarios.all.first { $0.name == "layer-app-overrun" })
    let bytes = PerfettoEncoder().encode(scenario.play(.init(frames: 20)).trace)
    var random = SplitMix64(seed: 11)
    for _ in 0..<200 {
      let end = Int.random(in: 40..<bytes.count, using: &random)
      do {
        let trace = try Importers.read(InputFile(bytes: Array(bytes[..<end])))
        #expect(trace.issues.count { $0.kind == .cutOff } <= 2)
      } catch {
        // Before the first frame there is nothing.
        #expect(end < 400, "\(error)")
      }
    }
  }

  /// Changed bytes lose at most the data that they belong to.
  @Test func changedBytesDoNoHarm() throws {
    let scenario = try #require(Scenarios.all.first { $0.name == "talk-triple" })
    let bytes = PerfettoEncoder().encode(scenario.play(.init(frames: 10)).trace)
    var random = SplitMix64(seed: 5)
    var read = 0
    for _ in 0..<2000 {
      var changed = bytes
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        changed[Int.random(in: 0..<changed.count, using: &random)] = UInt8.random(
          in: 0...255, using: &random)
      }
      if let trace = try? Importers.read(InputFile(bytes: changed)) {
        _ = TraceAnalysis(of: trace)
        read += 1
      }
    }
    #expect(read > 1000)
  }
}
