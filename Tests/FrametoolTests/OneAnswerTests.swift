import Foundation
import Testing

@testable import frametool

/// What one output says of a recording, the others say as well, as a newcomer meets them.
@Suite(.enabled(if: Cases.isPresent, Cases.absence))
struct OneAnswerTests {
  private static func path(_ name: String) -> String { Cases.folder.appending(path: name).path }

  private static func brief(_ name: String) -> String {
    Run(["analyze", Self.path("first-use/\(name)"), "--brief"]).output
  }

  private static func plot(_ kind: String, _ name: String) throws -> (
    picture: String, errors: String
  ) {
    let folder = try TemporaryFolder()
    let run = Run(["plot", kind, Self.path("first-use/\(name)"), "-o", folder.path("p.svg")])
    let data = try? Data(contentsOf: URL(filePath: folder.path("p.svg")))
    return (data.map { String(decoding: $0, as: UTF8.self) } ?? "", run.errors)
  }

  @Test func whatCannotBeJudgedIsSaidInEachOutput() throws {
    #expect(Self.brief("off-grid.jsonl").contains("; drops cannot be judged;"))
    #expect(Self.brief("one-frame.jsonl").contains("1 frame; too few frames to judge drops"))
    #expect(
      try Self.plot("drops", "one-frame.jsonl").errors.contains("too few frames to judge drops"))
    #expect(try Self.plot("drops", "off-grid.jsonl").errors.contains("drops cannot be judged"))
    #expect(
      try Self.plot("frame-times", "one-frame.jsonl").errors.contains(
        "a single frame has no time to another one"))
  }

  /// Every recording of some folders with frames on one surface.
  private static var recordings: [String] {
    ["clock", "law", "first-use", "desktop", "capture", "mobile"].flatMap { folder in
      let names = try? FileManager.default.contentsOfDirectory(atPath: path(folder))
      return (names ?? []).filter { !$0.hasSuffix(".md") && $0.contains(".") }.sorted()
        .map { "\(folder)/\($0)" }
    }
  }

  /// If text says that drops cannot be judged, JSON has none, no gate passes, and no picture says that none was dropped.
  @Test func noOutputJudgesWhatAnotherCannot() throws {
    var (judged, unjudged) = (0, 0)
    for name in Self.recordings {
      let path = Self.path(name)
      let run = Run(["analyze", path, "--format", "json"])
      guard run.status == .success,
        let json = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any],
        let surfaces = json["surfaces"] as? [[String: Any]], surfaces.count == 1,
        let dropped = surfaces[0]["dropped"] as? [String: Any]
      else { continue }
      let text = Run(["analyze", path]).output
      let gate = Run(["gate", path, "--limit", "droppedShare<=100%"])
      let saysNot = ["cannot be judged:", "too few frames to judge"].contains(where: text.contains)
      let isJudged = dropped["refreshes"] is Int
      #expect(!(saysNot && isJudged), "\(name): \(text.prefix(600))")
      let brief = Run(["analyze", path, "--brief"]).output
      if isJudged {
        judged += 1
        #expect(!brief.contains("drops cannot be judged"), "\(name): \(brief)")
        #expect(gate.status == .success, "\(name): \(gate.output)")
      } else {
        unjudged += 1
        #expect(gate.status == .undecided, "\(name): \(gate.output)")
        for output in [text, brief] {
          #expect(!output.contains("refreshes was dropped"), "\(name): \(output.prefix(600))")
        }
        let folder = try TemporaryFolder()
        let plot = Run(["plot", "drops", path, "-o", folder.path("d.svg")])
        #expect(plot.status != .success, "\(name)")
      }
    }
    #expect(judged > 40 && unjudged > 10, "\(judged), \(unjudged)")
  }

  /// A bound decides a limit for one recording and for several, and no frames decide none.
  @Test func boundsAndNoFramesDecideNoGate() throws {
    let folder = try TemporaryFolder()
    let paths = try ["a", "b", "c"].map { name in
      let path = folder.path("\(name).txt")
      try FileManager.default.copyItem(
        atPath: Self.path("mobile/gfxinfo-gpu-overflow-bucket.txt"), toPath: path)
      return path
    }
    for files in [[paths[0]], paths] {
      let status = { (limit: String) in Run(["gate", "--limit", limit] + files).status }
      #expect(status("p99(gpuDuration)<=33ms") == .undecided)
      #expect(status("p99(gpuDuration)<=20ms") == .regression)
      #expect(status("p99(gpuDuration)>=20ms") == .success)
    }
    let stop = { (share: String) in
      Run([
        "gate", Self.path("clock/hidden_compositor_stuck__7s_1frame.jsonl"), "--limit",
        "droppedShare<=\(share)%",
      ]).status
    }
    // The stop may have dropped 42 of 282 refreshes.
    #expect(stop("14.89") == .undecided && stop("14.9") == .success)
    for limit in ["jankCount<=0", "frozenFrames<=0"] {
      let run = Run(["gate", Self.path("mobile/gfxinfo-no-frames.txt"), "--limit", limit])
      #expect(run.status == .undecided, "\(run.output)")
    }
  }

  /// A frame that was never completed is not known to hold a buffer.
  @Test func framesThatNeverCompletedHoldNoBuffers() {
    let run = Run(["analyze", Self.path("mobile/gfxinfo-framestats-never-completed.txt")])
    #expect(run.output.contains("; 4 buffers in all (inferred)"), "\(run.output)")
  }

  /// Frame generation shortens a latency that starts at the end of the previous frame.
  @Test func aLatencyThatMayStartAtAGeneratedFrameIsMarked() {
    let run = Run([
      "gate", Self.path("desktop/fg-on.frameview.csv"), "--limit", "p50(displayLatency)<=20ms",
    ])
    #expect(run.output.contains("; measured from the end of the frame before"), "\(run.output)")
  }

  /// A long gap is a stall on any grid.
  @Test func aStopOffTheGridHasItsRefreshes() {
    for arguments in [["analyze"], ["analyze", "--brief"]] {
      let output = Run(arguments + [Self.path("mobile/chrome-stall-unaligned.json")]).output
      #expect(
        output.contains("1 stop of 700 ms at 0.517 s (41 ± 1 refreshes dropped)"), "\(output)")
    }
    // At least 40 of at most 104 refreshes.
    let gate = { (limit: String) in
      Run(["gate", Self.path("mobile/chrome-stall-unaligned.json"), "--limit", limit])
    }
    #expect(gate("dropped<=38%").output.contains("over by"))
    #expect(gate("dropped<=39%").output.contains("cannot be decided"))
  }

  /// The range that shows the worst drop in full holds all of it.
  @Test func aCommandShowsTheWholeDrop() {
    let brief = Self.brief("long-drop.jsonl")
    #expect(brief.contains("--from 0.033 --to 1.117 --all"), "\(brief)")
    // A freeze is the first thing to know.
    #expect(
      brief.contains("window: 41 of 82 refreshes dropped (50.0 %): 41 by the app; 29.2 fps"),
      "\(brief)")
  }

  /// Instruments counts from the start of the recording.
  @Test func timesCountFromTheRecordingsStart() {
    let output = Run(["analyze", Self.path("first-use/hangs.xml")]).output
    #expect(output.contains("27.900  300.00") && output.contains("30.000  900.00"), "\(output)")
  }

  /// Frame generation shortens the time since the frame before, and makes the latency of the game longer.
  @Test func aLatencySinceAGeneratedFrameIsNotCompared() {
    let sides = ["fg-off", "fg-on"].map { Self.path("desktop/\($0).frameview.csv") }
    let run = Run(["compare"] + sides + ["--metric", "displayLatency"])
    #expect(run.status == .badData && run.output.isEmpty, "\(run.output)")
    #expect(run.errors.contains("which may be a generated one"), "\(run.errors)")
    let shown = Run(["analyze", sides[1]]).output
    #expect(shown.contains("measured from the end of the frame before"), "\(shown)")
    #expect(Run(["compare"] + sides + ["--metric", "presentLatency"]).status != .badData)
  }

  /// Advice rests on what the file shows.
  @Test func adviceComesFromTheFile() {
    let bound = Self.path("desktop/gpu99-on-120hz.frameview.csv")
    let advice = Run(["replay", "--advise", bound])
    #expect(
      advice.status == .success && !advice.output.contains("the app stage"), "\(advice.output)")
    // Two refreshes are charged to the app, and Windows has no ftrace.
    let why = Run(["analyze", "--why", Self.path("law/cap30_in_present.csv")]).output
    #expect(why.contains("the trace does not record the app's threads"), "\(why)")
    #expect(!why.contains("ftrace"), "\(why)")
    let discarded = Run(["analyze", Self.path("desktop/feedback-discarded.log")]).output
    #expect(discarded.contains("60 frames, all discarded"), "\(discarded)")
    let half = Run(["analyze", "--all", Self.path("desktop/half-rate-two-callbacks.wayland.log")])
      .output
    #expect(
      half.contains("178 of 180 frames keep 30.0 fps; the app waits for a second frame callback"),
      "\(half)")
    #expect(half.contains("179 × frames that waited for a second frame callback"), "\(half)")
    let usual = Run(["analyze", "--all", Self.path("desktop/feedback-discarded.log")]).output
    #expect(!usual.contains("second frame callback"), "\(usual)")
  }

  /// Samples are no frames, whatever columns are named.
  @Test(arguments: [
    ("desktop/hwinfo-presented.csv", "frameTime=Frame Time (avg) [ms]", "an HWiNFO"),
    ("wild/ovr-metrics.csv", "time=Time Stamp:ms", "an OVR Metrics Tool"),
    ("wild/openxr-toolkit-stats.csv", "frameRate=FPS", "OpenXR Toolkit"),
  ])
  func samplesAreRefusedByName(_ name: String, _ columns: String, _ tool: String) {
    for options in [[], ["--columns", columns]] {
      let run = Run(["analyze", Self.path(name)] + options)
      #expect(run.status == .badData && run.errors.contains("found \(tool)"), "\(run.errors)")
      #expect(!run.errors.contains("--columns"), "\(run.errors)")
    }
  }
}
