import Testing

@testable import FrameAnalysis
@testable import FrameReport
@testable import FrameTrace
@testable import FrameVerdicts

/// What a study answers, and according to which rules.
@Suite struct StudyTests {
  /// Surfaces with the given numbers of frames, each in a separate process.
  private static func trace(_ counts: [Int]) throws -> Trace {
    var text = "{\"schema\": \"frametool.trace/1\", \"unit\": \"ms\"}\n"
    for position in counts.indices {
      text +=
        "{\"type\": \"surface\", \"id\": \"s\(position)\", \"process\": \"p\(position)\", \"pid\": \(position + 7)}\n"
    }
    for (position, count) in counts.enumerated() {
      for frame in 0..<count {
        text +=
          "{\"type\": \"frame\", \"surface\": \"s\(position)\", \"appStart\": \(frame * 16), \"commit\": \(frame * 16 + 5), \"displayed\": \(frame * 16 + 32)}\n"
      }
    }
    return try TestData.read(text: text, path: "made.jsonl")
  }

  @Test func theSurfaceWithTheMostFramesIsMeantAndTheFirstOfEquals() throws {
    #expect(Study(of: try Self.trace([3, 5, 4])).meant == 1)
    #expect(Study(of: try Self.trace([3, 5, 5])).meant == 1)
    #expect(Study(of: try Self.trace([4, 4, 4])).meant == 0)
    #expect(Study(of: try Self.trace([4, 0, 9])).ordered == [2, 0, 1])
  }

  /// A process that presents for others is the primary one only if nothing else drew anything,
  /// whatever its frames.
  @Test(arguments: [
    ([60, 12], "dwm.exe", 1), ([60, 12], "/System/Library/WindowServer", 1),
    ([60, 9], "dwm.exe", 0),
    ([60, 12], "dwm", 0), ([60], "surfaceflinger", 0),
  ])
  func aCompositorIsNotTakenForTheProgram(
    _ counts: [Int], _ compositor: String, _ meant: Int
  ) throws {
    var trace = try Self.trace(counts)
    trace.surfaces[0].process = compositor
    #expect(Study(of: trace).meant == meant)
    let json = JSONText.write(FieldRecord([TraceAnalysis(of: trace)]))
    let results = try HistoryResultReader.read(InputFile(bytes: Array(json.utf8), path: "x"))
    let frames = results[0].runs[0].first { $0.metric == "mean(frameTime)" }?.n
    #expect(frames == counts[meant] - 1)
  }

  /// Two surfaces at 60 Hz, the second with a stall of so many refreshes after half of its frames.
  private static func stalled(_ counts: [Int], by refreshes: Int) throws -> Trace {
    var text =
      "{\"schema\": \"frametool.trace/1\", \"unit\": \"us\"}\n{\"type\": \"display\", \"id\": \"d\", \"interval\": 16667}\n"
    for position in counts.indices {
      text +=
        "{\"type\": \"surface\", \"id\": \"s\(position)\", \"process\": \"p\(position)\", \"display\": \"d\"}\n"
      var refresh = 0
      for frame in 0..<counts[position] {
        let start = refresh
        refresh += position == 1 && frame == counts[position] / 2 ? refreshes + 1 : 1
        text +=
          "{\"type\": \"frame\", \"surface\": \"s\(position)\", \"appStart\": \(start * 16667), \"commit\": \(refresh * 16667 - 5000), \"displayed\": \(refresh * 16667 + 16667)}\n"
      }
    }
    return try TestData.read(text: text, path: "made.jsonl")
  }

  /// A stall takes frames from a surface, and never its position.
  @Test func aStallMovesASurfaceUp() throws {
    #expect(Study(of: try Self.stalled([120, 100], by: 0)).ordered == [0, 1])
    for refreshes in [1, 5, 20, 40, 100] {
      let trace = try Self.stalled([120, 100], by: refreshes)
      #expect(Study(of: trace).ordered == [1, 0], "a stall of \(refreshes)")
      let first = TraceAnalysis(of: trace).ordered.first
      #expect(first?.drops.value?.refreshes == refreshes)
      let region = TraceRegion(start: nil, end: Timestamp(nanoseconds: 300_000_000))
      #expect(Study(of: trace).within(region).ordered == [1, 0])
    }
  }

  /// On both sides of three quarters of the longest time.
  @Test(arguments: [(94, 1), (80, 0)])
  func aStallCountsOnASurfaceThatWasShownForMostOfTheTime(_ frames: Int, _ meant: Int) throws {
    #expect(Study(of: try Self.stalled([120, frames], by: 1)).meant == meant)
  }

  @Test(arguments: [
    (SurfaceChoice(processes: ["p0"]), 0), (SurfaceChoice(processes: ["8"]), 1),
    (SurfaceChoice(surfaces: ["s2"]), 2), (SurfaceChoice(processes: ["p0", "p2"]), 2),
  ])
  func oneOfThoseThatAreNamedIsMeant(_ choice: SurfaceChoice, _ meant: Int) throws {
    let study = Study(of: try Self.trace([3, 5, 4]), AnalysisOptions(), choice)
    #expect(study.meant == meant)
    #expect(study.surfaces.count == max(choice.processes.count, choice.surfaces.count))
  }

  @Test func nothingIsMeantWhereNothingHasTheName() throws {
    let study = Study(
      of: try Self.trace([3, 5]), AnalysisOptions(),
      SurfaceChoice(processes: ["p0"], surfaces: ["s1"]))
    #expect(study.meant == nil && study.surfaces == [])
    #expect(throws: ComparisonRefusal.self) { try RunTimes.of(study) }
    #expect(throws: PlotRefusal.self) { try TracePlot.frameTimes.draw([study]) }
    #expect(TraceAnalysis(of: study).surfaces.isEmpty)
  }

  @Test func everyoneMeansTheSameSurface() throws {
    let trace = try Self.trace([3, 9, 6])
    for choice in [SurfaceChoice.all, SurfaceChoice(processes: ["p2"])] {
      let study = Study(of: trace, AnalysisOptions(), choice)
      let meant = try #require(study.meant)
      let surface = trace.surfaces[meant]
      #expect(try RunTimes.of(study).summary.surface == surface.id)
      #expect(try TracePlot.frameTimes.draw([study]).title.contains(surface.id))
      #expect(
        study.explanation(of: "averageFrameRate").first?.value.map { $0.rounded() } == 63)
    }
  }

  @Test func aPartOfATraceIsMeasuredOnWhatIsKnownOfAll() throws {
    let study = Study(of: try Self.trace([60]))
    let half = study.within(TraceRegion(start: Timestamp(nanoseconds: 500_000_000), end: nil))
    let whole = study.surface(0)
    #expect(study.surface(0) === whole)
    #expect(half.surface(0).rows == 30..<60 && whole.rows == 0..<60)
    #expect(half.options.region?.start?.nanoseconds == 500_000_000)
    #expect(study.options.region == nil)
  }
}
