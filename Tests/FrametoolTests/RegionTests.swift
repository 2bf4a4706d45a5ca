import Foundation
import Testing

@testable import frametool

/// Which part of a trace is measured, and what is listed from it.
@Suite struct RegionTests {
  /// Frames at 60 Hz, times in ms: one shown every 16, with a drop by the app at 160 and a mark.
  static let trace: [UInt8] = {
    var text = "{\"schema\": \"frametool.trace/1\", \"unit\": \"ms\"}\n"
    text += "{\"type\": \"display\", \"id\": \"d\"}\n"
    for number in 0..<40 {
      text +=
        "{\"type\": \"refresh\", \"display\": \"d\", \"number\": \(number), \"time\": \(number * 16)}\n"
    }
    text +=
      "{\"type\": \"surface\", \"id\": \"s\", \"display\": \"d\", \"bufferOwner\": \"compositor\"}\n"
    var start = 0
    for frame in 0..<20 {
      let app = frame == 8 ? 20 : 6
      let next = (start + app + 15) / 16 * 16
      text +=
        "{\"type\": \"frame\", \"surface\": \"s\", \"appStart\": \(start), \"commit\": \(start + app), \"appEnd\": \(start + app), \"compositorStart\": \(next), \"compositorEnd\": \(next + 2), \"gpuStart\": \(next + 2), \"gpuEnd\": \(next + 6), \"displayed\": \(next + 16)}\n"
      start = next
    }
    text += "{\"type\": \"marker\", \"name\": \"scroll\", \"start\": 200, \"end\": 264}\n"
    return Array(text.utf8)
  }()

  private static func analyze(_ options: [String]) throws -> [String: Any] {
    let run = Run(["analyze", "-", "--format", "json"] + options, input: trace)
    #expect(run.errors == "")
    let json = try #require(
      JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
    return try #require((json["surfaces"] as? [[String: Any]])?.first)
  }

  private static func count(_ surface: [String: Any], _ section: String, _ key: String) -> Int? {
    (surface[section] as? [String: Any])?[key] as? Int
  }

  @Test func theWholeTraceHasOneDrop() throws {
    let surface = try Self.analyze([])
    #expect(Self.count(surface, "frames", "count") == 20)
    #expect(Self.count(surface, "dropped", "refreshes") == 1)
    // The first frame starts at 0 and the last is shown at refresh 22: 22 refreshes.
    #expect(Self.count(surface, "dropped", "active_refreshes") == 22)
  }

  @Test func secondsCountFromTheStartOfTheTrace() throws {
    // Frame 8 starts at 128 and was due at 160; frames are shown from 32 on.
    let before = try Self.analyze(["--to", "0.16"])
    #expect(Self.count(before, "frames", "count") == 8)
    #expect(Self.count(before, "dropped", "refreshes") == 0)
    let around = try Self.analyze(["--from", "0.16", "--to", "0.192"])
    #expect(Self.count(around, "frames", "count") == 1)
    #expect(Self.count(around, "dropped", "refreshes") == 1)
    let behind = try Self.analyze(["--skip-first", "0.176"])
    #expect(Self.count(behind, "frames", "count") == 12)
    #expect(Self.count(behind, "dropped", "refreshes") == 0)
  }

  @Test func aMarkerIsARegion() throws {
    // Frames shown at 208, 224, 240 and 256.
    let surface = try Self.analyze(["--from", "scroll", "--to", "scroll"])
    #expect(Self.count(surface, "frames", "count") == 4)
    let share = try #require(surface["dropped"] as? [String: Any])
    #expect(share["active_ms"] as? Double == 64)
  }

  @Test func whatDoesNotExistIsSaid() {
    let unknown = Run(["analyze", "-", "--from", "swipe"], input: Self.trace)
    #expect(unknown.status == .usage)
    #expect(
      unknown.errors
        == "error: -: --from: expected seconds or the name of a marker, found swipe\nhelp: available: scroll\n"
    )
    let backwards = Run(["analyze", "-", "--from", "0.2", "--to", "0.1"], input: Self.trace)
    #expect(backwards.status == .usage)
    let behind = Run(["analyze", "-", "--from", "99"], input: Self.trace)
    #expect(behind.status == .usage)
    #expect(behind.errors.contains("after the end"))
  }

  @Test func theWorstFramesComeFirst() throws {
    let surface = try Self.analyze(["--worst", "2"])
    let worst = try #require(surface["worst"] as? [[String: Any]])
    #expect(worst.count == 2)
    #expect(worst[0]["frame"] as? Int == 8)
    #expect(worst[0]["display_change_ms"] as? Double == 32)
    #expect(worst[0]["app_ms"] as? Double == 20)
    #expect(worst[0]["dropped"] as? Int == 1)
    let text = Run(["analyze", "-", "--worst", "1"], input: Self.trace).output
    #expect(text.contains("worst frame   at s  display ms"))
  }

  @Test func aBudgetIsCounted() throws {
    let over = try #require(Self.analyze(["--budget", "20"])["over_budget"] as? [String: Any])
    // Commits are 16 apart, except for the 30 before the late one and the 18 after it.
    #expect(over["frames"] as? Int == 1)
    #expect(over["n"] as? Int == 19)
    let rate = try #require(Self.analyze(["--fps", "60"])["over_budget"] as? [String: Any])
    #expect(rate["budget_ms"] as? Double == 16.75)
    #expect(rate["frames"] as? Int == 2)
    #expect(
      Run(["analyze", "-", "--fps", "60", "--budget", "3"], input: Self.trace).status == .usage)
  }

  @Test func absurdStageTimesDoNotStopTheAnalysis() {
    for number in ["2305843009213.0", "-2305843009213.0"] {
      for key in ["compositorEnd", "gpuEnd", "appStart", "commit", "displayed"] {
        let text = String(decoding: Self.trace, as: UTF8.self).split(separator: "\n").enumerated()
        let lines = text.map { position, line in
          position == 51
            ? line.replacing("\"\(key)\": ", with: "\"\(key)\": \(number), \"x\": ") : line[...]
        }
        let run = Run(
          ["analyze", "-", "--worst", "3"],
          input: Array((lines.joined(separator: "\n") + "\n").utf8))
        #expect(run.status == .success, "\(key) \(number)")
      }
    }
  }

  @Test func theTextSaysWhatIsWrongInItsFirstLines() {
    let lines = Run(["analyze", "-"], input: Self.trace).output.split(separator: "\n")
    #expect(lines[2].hasPrefix("  1 of 22 refreshes dropped (4.5 %): 1 by the app; "))
    #expect(
      lines[3]
        == "  worst: 1 refresh at 0.160 s, frame 8, by the app: 20.0 ms, usually 6.0 (interval 16.0 ms)"
    )
    #expect(lines[4].hasPrefix("  1 hitch, 16.0 ms in all: "))
  }
}

/// Choosing which surfaces to show does not change what happened in the trace.
@Suite struct SurfaceSelectionTests {
  @Test func aSurfaceIsChargedTheSameAloneAndAmongOthers() throws {
    let trace = Array(Run(["generate", "two-surfaces"]).output.utf8)
    let all = Run(["analyze", "-", "--format", "csv"], input: trace).output
    let alone = Run(["analyze", "-", "--format", "csv", "--surface", "chat"], input: trace).output
    let rows = alone.split(separator: "\n").dropFirst()
    #expect(rows.count > 50)
    #expect(rows.allSatisfy { all.contains($0) })
    #expect(alone.contains("chat,dropped.by_stage.gpu,refreshes"))
    let text = Run(["analyze", "-", "--surface", "chat"], input: trace).output
    #expect(text.contains("by the GPU of frame 20 of game, which held it up"))
    #expect(!text.contains("\n  game"))
  }

  @Test func theFirstFrameOfARegionCanBeTheWorst() throws {
    let trace = Array(Run(["generate", "app-overrun"]).output.utf8)
    let run = Run(
      ["analyze", "-", "--from", "1.35", "--to", "1.45", "--worst", "1", "--format", "json"],
      input: trace)
    let json = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
    let surface = (json?["surfaces"] as? [[String: Any]])?.first
    let worst = try #require((surface?["worst"] as? [[String: Any]])?.first)
    #expect(worst["frame"] as? Int == 75)
    #expect(worst["dropped"] as? Int ?? 0 > 0)
  }
}
