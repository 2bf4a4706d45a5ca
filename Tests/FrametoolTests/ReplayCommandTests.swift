import Foundation
import FrameKit
import Testing

@testable import frametool

/// Replaying from a shell: what is printed, written and refused.
@Suite struct ReplayCommandTests {
  @Test func theModelsErrorStandsFirst() throws {
    let folder = try TemporaryFolder()
    let trace = folder.generate("gpu-overrun")
    let run = Run(["replay", trace, "--scale", "gpu=0.5"])
    #expect(run.status == .success && run.errors == "", "\(run.errors)")
    let lines = run.output.split(separator: "\n")
    #expect(lines[1].hasPrefix("100.0 % of "))
    #expect(lines[2].contains("with gpu × 0.50: droppedRefreshes "))
    #expect(run.output.contains("model error"))
  }

  @Test func anAdviceNamesWhatHelps() throws {
    let folder = try TemporaryFolder()
    let run = Run(["replay", folder.generate("app-overrun-sustained"), "--advise"])
    #expect(
      run.output.contains("the app stage at 0.5 of its time removes 100 of 100 dropped refreshes"),
      "\(run.output)")
    let late = Run(["replay", folder.generate("coalesced-pile-up"), "--advise"])
    #expect(late.output.contains("low latency takes 16.7 ms off touch-to-photon"), "\(late.output)")
  }

  /// Several traces make one JSON document and one table, and have no place in one output file.
  @Test func severalTracesMakeOneDocument() throws {
    let folder = try TemporaryFolder()
    let one = folder.generate("gpu-overrun")
    _ = folder.generate("app-overrun")
    let traces = folder.path("")
    for options in [[], ["--advise"], ["--sweep", "gpu=0.5..1.5"], ["--scale", "app=0.5"]] {
      let run = Run(["replay", traces, "--format", "json"] + options)
      let whole = try #require(
        try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
      let replays = try #require(whole["replays"] as? [[String: Any]], "\(options)")
      #expect(replays.count == 2)
      let alone = Run(["replay", one, "--format", "json"] + options)
      let own = try #require(
        try JSONSerialization.jsonObject(with: Data(alone.output.utf8)) as? NSDictionary)
      #expect(replays.contains { own.isEqual(to: $0) })
      let table = Run(["replay", traces, "--format", "csv"] + options).output
      #expect(table.split(separator: "\n").count { $0.hasPrefix("file,") } == 1)
    }
    for options in [["--scale", "app=0.5", "-o", folder.path("out.svg")], ["--brief"]] {
      let refused = Run(["replay", traces] + options)
      #expect(refused.status == .usage && refused.errors.contains("expected one trace, found 2"))
    }
    // What could be replayed is printed beside what could not.
    _ = folder.generate("launches")
    let mixed = Run(["replay", traces, "--format", "json"])
    #expect(mixed.status == .badData && mixed.errors.split(separator: "\n").count <= 3)
    let whole = try JSONSerialization.jsonObject(with: Data(mixed.output.utf8)) as? [String: Any]
    #expect((whole?["replays"] as? [Any])?.count == 2, "\(mixed.errors)")
  }

  @Test func aPredictionIsATraceLikeAnyOther() throws {
    let folder = try TemporaryFolder()
    let trace = folder.generate("gpu-overrun")
    let output = folder.path("faster.jsonl")
    let run = Run(["replay", trace, "--scale", "gpu=0.25", "-o", output])
    #expect(run.status == .success, "\(run.errors)")
    let analysis = Run(["analyze", output])
    #expect(analysis.output.contains("none of "), "\(analysis.output)")
    #expect(Run(["info", output]).output.contains("replayed with gpu × 0.25"))
    let piped = Run(["replay", trace, "--scale", "gpu=0.25", "-o", "-"])
    #expect(try piped.output == String(contentsOfFile: output, encoding: .utf8))
    let compared = Run(["plot", "replay", trace, output, "-o", folder.path("both.svg")])
    #expect(compared.status == .success, "\(compared.errors)")
    #expect(Run(["plot", "replay", trace, "-o", folder.path("one.svg")]).status == .badData)
    let same = Run(["replay", trace, "--scale", "gpu=0.25", "-o", folder.path("own.svg")])
    #expect(same.status == .success && folder.files.contains("own.svg"), "\(same.errors)")
  }

  @Test func aSweepIsATableAndAPlot() throws {
    let folder = try TemporaryFolder()
    let trace = folder.generate("gpu-overrun")
    let run = Run(["replay", trace, "--sweep", "gpu=0.5..1.5", "-o", folder.path("sweep.svg")])
    #expect(run.status == .success, "\(run.errors)")
    for value in ["0.50", "1.00", "1.50"] { #expect(run.output.contains("\n  \(value) ")) }
    #expect(folder.files.contains("sweep.svg"))
    let json = Run(["replay", trace, "--sweep", "buffers=2..4", "--format", "json"])
    let data = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
    let sweep = data?["sweep"] as? [String: Any]
    #expect((sweep?["values"] as? [Any])?.count == 3)
    #expect(data?["schema"] as? String == "frametool.replay/2")
    #expect(
      Run(["replay", trace, "--sweep", "gpu=0.5..1.5", "--format", "csv"]).output.hasPrefix(
        "file,surface,conditions,metric,n,unit,recorded,replayed,model_error,predicted,or,bounds_low,bounds_high,change\n"
      ))
  }

  @Test(arguments: [
    (["--sweep", "gpu=2..1"], "--sweep: expected NAME=A..B"),
    (["--scale", "render=2"], "--scale: expected a stage and a number"),
    (["--scale", "gpu"], "--scale: expected a stage and a number"),
    (["--defer", "gpu:x"], "--defer: expected a stage and a number"),
    (["--refresh", "fast"], "--refresh: expected a number from 1 to 10000"),
    (["--refresh", "144-48"], "such as 48-144"),
    (["--refresh", "60", "--refresh", "120"], "--refresh: expected once"),
    (["--scale", "gpu=0.8", "--scale", "gpu=0.5"], "--scale: gpu is given twice"),
    (["--sweep", "gpu=0.5..1.5", "--scale", "gpu=0.5"], "gpu is both swept and given"),
    (["--buffers", "1"], "--buffers: expected a whole number from 2 to 8"),
    (["-o", "x.jsonl"], "there is nothing to write without a condition"),
    (["--low-latency", "maybe"], "--low-latency: expected one of on, off"),
  ])
  func aWrongConditionIsSaid(_ arguments: [String], _ error: String) throws {
    let folder = try TemporaryFolder()
    let run = Run(["replay", folder.generate("gpu-overrun")] + arguments)
    #expect(run.status == .usage)
    #expect(run.errors.contains(error), "\(run.errors)")
  }

  @Test(arguments: [
    ("steady-60", ["--low-latency", "on"], "low latency is a mode of a compositor"),
    ("gpu-overrun", ["--render-ahead", "1"], "need an app that draws into its buffers"),
    ("gpu-overrun", ["--touch-rate", "120"], "the trace has no touches"),
    ("gpu-overrun", ["--sync-layers", "on"], "which content belongs to one transaction"),
    ("video-24", ["--buffers", "2"], "expected at least 10 frames with app and display times"),
    ("launches", ["--buffers", "2"], "the trace has no frames to replay"),
  ])
  func whatATraceCannotTellIsRefused(
    _ scenario: String, _ arguments: [String], _ error: String
  ) throws {
    let folder = try TemporaryFolder()
    let run = Run(["replay", folder.generate(scenario)] + arguments)
    #expect(run.status == .badData)
    #expect(run.errors.contains(error), "\(run.errors)")
  }
}
