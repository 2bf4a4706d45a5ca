import Testing

@testable import FrameAnalysis
@testable import FrameReport
@testable import FrameTrace

/// How much of a recording its frames speak for, which is said before anything else.
@Suite struct CoverageTests {
  /// Frames at 60 Hz from 0 s on, and a mark that ends the recording.
  /// - Parameters:
  ///   - expected: How many frames have a due time.
  ///   - other: Frames of a second surface, from a time in seconds on.
  private static func analysis(
    frames: Int, expected: Int? = nil, seconds: Double, hitchAt: Double? = nil,
    other: (count: Int, start: Double)? = nil, region: TraceRegion? = nil
  ) throws -> TraceAnalysis {
    var lines = [
      #"{"schema": "frametool.trace/1", "unit": "ms"}"#,
      #"{"type": "provenance", "file": "a.xml", "importer": "xctrace", "format": "xctrace export", "platform": "apple"}"#,
      #"{"type": "display", "id": "d", "interval": 16.667}"#,
      #"{"type": "surface", "id": "a", "process": "App", "bufferOwner": "compositor"}"#,
    ]
    let add = { (count: Int, start: Double, lines: inout [String]) in
      for index in 0..<count {
        let time = start * 1000 + Double(index) * 16.667
        let due = index < expected ?? count ? #", "expectedDisplay": \#(time + 33.334)"# : ""
        lines.append(
          #"{"type": "frame", "queued": \#(time + 20), "displayed": \#(time + 33.334)\#(due)}"#)
      }
    }
    add(frames, 0, &lines)
    if let other {
      lines.append(
        #"{"type": "surface", "id": "b", "process": "Other", "bufferOwner": "compositor"}"#)
      add(other.count, other.start, &lines)
    }
    if let hitchAt {
      lines.append(
        #"{"type": "hitch", "surface": "a", "start": \#(hitchAt * 1000), "duration": 100}"#)
    }
    lines.append(#"{"type": "marker", "start": \#(seconds * 1000), "name": "end"}"#)
    let trace = try TestData.read(text: lines.joined(separator: "\n") + "\n", path: "a.jsonl")
    var options = AnalysisOptions()
    options.region = region
    return TraceAnalysis(of: trace, options: options)
  }

  private static func headline(_ analysis: TraceAnalysis) -> String {
    SurfaceHeadline(analysis.surfaces[0], of: analysis).sentence
  }

  @Test func halfOfTheRecordingIsEnough() throws {
    // 61 frames cover 60 intervals and the way of the first one to the display.
    let covered = 60 * 0.016667 + 0.013334
    let half = try Self.analysis(frames: 61, seconds: 2 * covered - 0.02 + 0.0199)
    #expect(half.surfaces[0].coverage?.isShort == false)
    #expect(Self.headline(half).hasPrefix("none of "))
    let less = try Self.analysis(frames: 61, seconds: 2 * covered + 0.05)
    #expect(less.surfaces[0].coverage?.isPartial == true)
    #expect(Self.headline(less).hasPrefix("frames cover 1.0 of 2."))
    #expect(Self.headline(less).contains("s, the rest cannot be judged; none of "))
  }

  /// Seconds have one decimal; below a tenth of a second, three.
  @Test(arguments: [(99, "0.099"), (100, "0.1"), (101, "0.1"), (1, "0.001")])
  func shortTimesHaveThreeDecimals(_ milliseconds: Double, _ text: String) {
    let coverage = Coverage(
      frames: .milliseconds(milliseconds), allFrames: .milliseconds(milliseconds),
      recording: .milliseconds(5000), shown: nil, judged: nil)
    #expect(
      coverage.shortWords == "frames cover \(text) of 5.0 s, the rest cannot be judged")
  }

  /// Pages and complete answers state it however much is covered.
  @Test func itIsStatedInDetail() throws {
    let analysis = try Self.analysis(frames: 61, seconds: 1)
    let lines = FindingLines(analysis.surfaces[0], of: analysis)
    let words =
      "frames cover 1.0 of 1.0 s; due times are known for 60 of 60 frames that follow another one"
    #expect(lines.lines(.all, except: nil).contains(words))
    #expect(!lines.lines(.answer, except: nil).contains(words))
  }

  /// What the headline says of coverage is not said again.
  @Test func theHeadlineIsNotRepeated() {
    let words = { (seconds: Double, shown: Int?, judged: Int?) in
      Coverage(
        frames: .seconds(seconds), allFrames: .seconds(seconds), recording: .seconds(4),
        shown: shown, judged: judged
      ).words
    }
    let due = { (count: Int) in
      "due times are known for \(count) of 10 frames that follow another one"
    }
    #expect(words(3, 10, 5) == "frames cover 3.0 of 4.0 s; \(due(5))")
    #expect(words(3, 10, 4) == "frames cover 3.0 of 4.0 s")
    #expect(words(2, 10, 5) == "frames cover 2.0 of 4.0 s; \(due(5))")
    #expect(words(1.9, 10, 5) == due(5))
    #expect(words(1.9, 10, 4) == nil && words(1.9, 0, 0) == nil && words(1.9, nil, nil) == nil)
  }

  /// Frames of another surface show that the time was recorded.
  @Test func othersCoverTheRest() throws {
    let analysis = try Self.analysis(frames: 61, seconds: 4, other: (150, 1.2))
    let coverage = try #require(analysis.surfaces[0].coverage)
    #expect(coverage.isShort && !coverage.isPartial)
    #expect(Self.headline(analysis).hasPrefix("frames cover 1.0 of 4.0 s; none of "))
  }

  @Test func aSelectedPartIsTheRecording() throws {
    let region = TraceRegion(start: nil, end: Timestamp(nanoseconds: 1_000_000_000))
    let analysis = try Self.analysis(frames: 61, seconds: 30, region: region)
    #expect(analysis.surfaces[0].coverage?.isShort == false)
  }

  /// More frames with a due time never make less of them judged, and half of them are enough.
  @Test func dueTimesOfHalfTheFramesJudgeDrops() throws {
    var before = -1
    for expected in [1, 20, 30, 31, 32, 45, 61] {
      let analysis = try Self.analysis(frames: 61, expected: expected, seconds: 1)
      guard let coverage = analysis.surfaces[0].coverage, let judged = coverage.judged,
        let shown = coverage.shown
      else { continue }
      #expect(judged >= before)
      before = judged
      let line = Self.headline(analysis)
      #expect(
        line.contains(
          "drops cannot be judged: due times are known for \(judged) of \(shown) frames")
          == (judged * 2 < shown && analysis.surfaces[0].drops.value != nil), "\(line)")
    }
    #expect(before > 0)
  }

  /// Hitches that the source states at other times stand first, without a grade.
  @Test func hitchesOutsideTheFramesStandFirst() throws {
    let analysis = try Self.analysis(frames: 61, seconds: 30, hitchAt: 20)
    let line = Self.headline(analysis)
    #expect(
      line.hasPrefix("frames cover 1.0 of 30.0 s, the rest cannot be judged; 1 hitch, 100.0 ms"))
    #expect(!line.contains("wwdc20"))
    let lines = FindingLines(analysis.surfaces[0], of: analysis).lines(.answer, except: .hitches)
    #expect(lines.contains { $0.hasPrefix("none of ") })
  }
}
